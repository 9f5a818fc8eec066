"""Cumulative sums and products, and ``ufunc.accumulate``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.careful import careful_product
from autodiff.elementwise import rule_answering
from autodiff.primitives import Linear, Primitive, implements, normal_axes
from autodiff.rules.dtypes import in_dtype
from autodiff.rules.indexing import part_of
from autodiff.rules.reductions import refuse_out
from autodiff.rules.shapes import with_size
from autodiff.values import dtype_of, full, shape_of


def _cumsum(x: Any, *, axis: int) -> Any:
    return np.add.accumulate(x, axis=axis)


def _cumsum_back(grad: Any, x: Any, *, axis: int) -> Any:
    return part_of(np.cumsum(part_of(grad, axis, None, None, -1), axis), axis, None, None, -1)


cumsum_rule = Linear("np.cumsum", _cumsum, _cumsum_back)


def _recurrence(a: Any, b: Any, *, axis: int) -> Any:
    """Return s with ``s[i] = a[i] * s[i-1] + b[i]``; the first entry of `a` is not read.

    By doubling: after each round an entry knows twice as many of those before it.
    """
    s, a, size = np.array(b, np.result_type(a, b)), np.array(a), b.shape[axis]
    step = 1
    while step < size:
        late, early = part_of(a, axis, step, None), part_of(s, axis, 0, size - step)
        part_of(s, axis, step, None)[...] += careful_product(early, late)
        if 2 * step < size:
            late[...] *= part_of(a, axis, 0, size - step).copy()
        step *= 2
    return s


def _adjoint(grad: Any, a: Any, axis: int) -> Any:
    """Return the cotangent of b: the same recurrence, from the last entry to the first."""
    later = part_of(a, axis, None, 0, -1)
    factors = np.concatenate([part_of(a, axis, 0, 1), later], axis)
    backwards = recurrence_rule(factors, part_of(grad, axis, None, None, -1), axis=axis)
    return part_of(backwards, axis, None, None, -1)


def _shifted(s: Any, axis: int) -> Any:
    """Return for each entry the one before it, 0 for the first."""
    first = np.zeros_like(raw(part_of(s, axis, 0, 1)))
    return np.concatenate([first, part_of(s, axis, 0, -1)], axis)


recurrence_rule: Primitive = Primitive(
    "a linear recurrence",
    _recurrence,
    [
        lambda grad, s, a, b, *, axis: _adjoint(grad, a, axis) * _shifted(s, axis),
        lambda grad, s, a, b, *, axis: _adjoint(grad, a, axis),
    ],
    [
        lambda tangent, s, a, b, *, axis: recurrence_rule(
            a, tangent * _shifted(s, axis), axis=axis
        ),
        lambda tangent, s, a, b, *, axis: recurrence_rule(a, tangent, axis=axis),
    ],
)


class Accumulate(Primitive):
    """The rule of ``ufunc.accumulate``, from the partials of the ufunc in the table.

    ``out[i] = f(out[i-1], x[i])``, so its tangents obey a linear recurrence.
    """

    def __init__(self, ufunc: np.ufunc) -> None:
        name = f"np.{ufunc.__name__}.accumulate"
        super().__init__(name, ufunc.accumulate, [self.pulled], [self.pushed])
        self.ufunc = ufunc

    def partials(self, out: Any, x: Any, axis: int) -> list[Any]:
        """Return the derivatives of each entry in the entry before it, and in that of `x`."""
        rule: Any = rule_answering(self.ufunc)
        result = part_of(out, axis, 1, None)
        args = part_of(out, axis, 0, -1), part_of(x, axis, 1, None)
        first = np.ones_like(raw(part_of(x, axis, 0, 1)))
        given = [full(rule.partial(i, 1.0, result, args), shape_of(result)) for i in (0, 1)]
        return [np.concatenate([first, partial], axis) for partial in given]

    def pulled(self, grad: Any, out: Any, x: Any, *, axis: int) -> Any:
        """Return the cotangent of `x`."""
        before, here = self.partials(out, x, axis)
        return careful_product(_adjoint(grad, before, axis), here)

    def pushed(self, tangent: Any, out: Any, x: Any, *, axis: int) -> Any:
        """Return the tangent of the output."""
        before, here = self.partials(out, x, axis)
        return recurrence_rule(before, careful_product(tangent, here), axis=axis)


def accumulation(rule: Any, default: int | None) -> Callable[..., Any]:
    """Return the call of a rule that runs along one axis; of the flat array if that is None."""

    def accumulate(
        array: Any, axis: int | None = default, dtype: Any = None, out: None = None
    ) -> Any:
        refuse_out(out)
        array = in_dtype(operand(array), dtype)
        if axis is None or not shape_of(array):
            array = np.reshape(array, -1)
        (axis,) = normal_axes(axis or 0, len(shape_of(array)))
        return rule(array, axis=axis)

    return accumulate


multiply_rule = Accumulate(np.multiply)
running_sum, running_product = (accumulation(rule, None) for rule in (cumsum_rule, multiply_rule))


@implements(np.cumsum)
def cumsum(a: Any, axis: int | None = None, dtype: Any = None, out: None = None) -> Any:
    """Cumulative sum along `axis`, of the flattened array if it is None."""
    return running_sum(a, axis, dtype, out)


@implements(np.cumprod)
def cumprod(a: Any, axis: int | None = None, dtype: Any = None, out: None = None) -> Any:
    """Cumulative product along `axis`; derivatives also where factors are 0."""
    return running_product(a, axis, dtype, out)


def _with_initial(running: Callable[..., Any], neutral: float) -> Callable[..., Any]:
    """Return the array API's form of a running sum or product."""

    def cumulative(
        x: Any,
        /,
        *,
        axis: int | None = None,
        dtype: Any = None,
        out: None = None,
        include_initial: bool = False,
    ) -> Any:
        refuse_out(out)
        if len(shape_of(x)) > 1 and axis is None:
            raise ValueError("an array with more than one dimension needs axis=")
        found = running(x, axis or 0, dtype)
        if not include_initial:
            return found
        shape = shape_of(found)
        (axis,) = normal_axes(axis or 0, len(shape))
        first = np.full(with_size(shape, axis, 1), neutral, dtype_of(found))
        return np.concatenate([first, found], axis)

    return cumulative


implements(np.cumulative_sum, doc="Cumulative sum, perhaps with 0 before it.")(
    _with_initial(cumsum, 0.0)
)
implements(np.cumulative_prod, doc="Cumulative product, perhaps with 1 before it.")(
    _with_initial(cumprod, 1.0)
)
