"""Methods of ufuncs: ``reduce``, ``accumulate`` and ``outer``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.careful import careful_product
from autodiff.primitives import Primitive, implements, normal_axes
from autodiff.registry import REFUSED
from autodiff.rules import extremes, reductions
from autodiff.rules.cumulative import Accumulate, accumulation, cumsum_rule, multiply_rule
from autodiff.rules.dtypes import in_dtype
from autodiff.rules.indexing import part_of
from autodiff.rules.plain import on_plain_values
from autodiff.rules.reductions import kept_axes, masked, refuse_out
from autodiff.rules.shapes import with_size
from autodiff.values import dtype_of, shape_of


class _AccumulateExtreme(Accumulate):
    """The rule of a running extreme; n equal ones share the derivative, 1/n each."""

    def partials(self, out: Any, x: Any, axis: int) -> list[Any]:
        """Return the derivatives of each entry in the entry before it, and in that of `x`."""
        entries, result = raw(x), raw(out)
        hit = _same(entries, result)
        hits = np.cumsum(hit, axis, dtype=result.real.dtype)
        changed = ~_same(part_of(result, axis, 1, None), part_of(result, axis, 0, -1))
        earlier = np.zeros_like(hits)
        part_of(earlier, axis, 1, None)[...] = changed * part_of(hits, axis, 0, -1)
        here = hit / (hits - np.maximum.accumulate(earlier, axis))
        return [1.0 - here, here]


def _same(x: Any, y: Any) -> Any:
    """Return where entries are equal, or both NaN."""
    return (x == y) | ((x != x) & (y != y))


def _logarithm_of_sum(ufunc: np.ufunc, exp: np.ufunc) -> Callable[..., Any]:
    """Return the reduction of ``logaddexp`` or ``logaddexp2``."""

    def forward(x: Any, *, axis: Any, keepdims: bool) -> Any:
        return ufunc.reduce(x, axis=axis, keepdims=keepdims)

    def weights(x: Any, axis: Any) -> Any:
        """Return the share of each term; computed from `x`, as the value has lost digits."""
        top = np.max(raw(x), axis=axis, keepdims=True, initial=-np.inf)
        finite = np.isfinite(top)
        below = x - np.where(finite, top, 0.0)
        if not np.all(finite):
            below = np.where(finite, below, np.where(raw(x) == top, 0.0, -np.inf))
        terms = exp(below)
        return terms / np.sum(terms, axis=axis, keepdims=True)

    def vjp(grad: Any, out: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
        grad = kept_axes(grad, axis, shape_of(x), keepdims)
        return careful_product(grad, weights(x, axis))

    def jvp(tangent: Any, out: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
        change = careful_product(tangent, weights(x, axis))
        return np.sum(change, axis=axis, keepdims=keepdims)

    rule = Primitive(f"np.{ufunc.__name__}.reduce", forward, [vjp], [jvp], reads="args")

    def reduce(
        a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
    ) -> Any:
        found = rule(masked(a, where, -np.inf), axis=axis, keepdims=keepdims)
        return found if initial is None else ufunc(initial, found)

    return reduce


def _reduce(reduction: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``ufunc.reduce`` made of a reduction with the defaults of ``np.sum``."""

    def reduce(
        array: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        refuse_out(out)
        array = in_dtype(operand(array), dtype)
        axis = None if not shape_of(array) and axis == 0 else axis
        return reduction(array, axis=axis, keepdims=keepdims, initial=initial, where=where)

    return reduce


def _last_of(rule: Accumulate) -> Callable[..., Any]:
    """Return the reduction along one axis of a ufunc whose order matters."""

    def reduction(a: Any, *, axis: Any, keepdims: bool, initial: Any, where: Any) -> Any:
        axes = normal_axes(axis, len(shape_of(a)))
        if where is not True or len(axes) != 1:
            name = f"np.{rule.ufunc.__name__}.reduce"
            raise TypeError(f"{name} of tracked values has no where=, and takes one axis")
        (axis,) = axes
        if initial is None and not shape_of(a)[axis]:
            return rule.ufunc.reduce(raw(a), axis=axis)  # NumPy's own error
        if initial is not None:
            first = np.broadcast_to(initial, shape_of(part_of(raw(a), axis, 0, 1)))
            a = np.concatenate([first, a], axis)
        found = part_of(rule(a, axis=axis), axis, -1, None)
        return found if keepdims else np.squeeze(found, axis)

    return reduction


def _root_of_squares(rule: Accumulate) -> Callable[..., Any]:
    """Return the reduction of ``np.hypot``, which starts from 0 and whose order is free."""

    def reduction(a: Any, *, axis: Any, keepdims: bool, initial: Any, where: Any) -> Any:
        found, axes = masked(a, where, 0.0), normal_axes(axis, len(shape_of(a)))
        for one in axes:
            shape = shape_of(found)
            first = np.zeros(with_size(shape, one, 1), dtype_of(found))
            found = part_of(rule(np.concatenate([first, found], one), axis=one), one, -1, None)
        found = found if keepdims else np.squeeze(found, axes)
        return found if initial is None else rule.ufunc(initial, found)

    return reduction


def _outer(ufunc: np.ufunc) -> Callable[..., Any]:
    def outer(a: Any, b: Any) -> Any:
        a, b = operand(a), operand(b)
        return ufunc(np.reshape(a, shape_of(a) + (1,) * len(shape_of(b))), b)

    return outer


REDUCTIONS: dict[np.ufunc, Callable[..., Any]] = {
    np.add: reductions.sum,
    np.multiply: reductions.prod,
    np.maximum: extremes.max,
    np.minimum: extremes.min,
    np.fmax: extremes.fmax,
    np.fmin: extremes.fmin,
    np.logaddexp: _logarithm_of_sum(np.logaddexp, np.exp),
    np.logaddexp2: _logarithm_of_sum(np.logaddexp2, np.exp2),
}
ACCUMULATIONS: dict[np.ufunc, Primitive] = {
    np.add: cumsum_rule,
    np.multiply: multiply_rule,
    **{u: _AccumulateExtreme(u) for u in (np.maximum, np.minimum, np.fmax, np.fmin)},
}
_ufunc: Any
for _ufunc in (
    *(np.logaddexp, np.logaddexp2, np.hypot, np.subtract, np.divide, np.power, np.float_power),
    *(np.arctan2, np.remainder, np.fmod),
):
    _rule = ACCUMULATIONS[_ufunc] = Accumulate(_ufunc)
    REDUCTIONS.setdefault(_ufunc, (_root_of_squares if _ufunc is np.hypot else _last_of)(_rule))

for _ufunc, _reduction in REDUCTIONS.items():
    implements((_ufunc, "reduce"))(_reduce(_reduction))
    implements((_ufunc, "accumulate"))(accumulation(ACCUMULATIONS[_ufunc], 0))

for _ufunc in vars(np).values():
    if isinstance(_ufunc, np.ufunc) and _ufunc.nin == 2 and _ufunc.nout == 1:
        _of_floats = _ufunc.signature is None and any(kind[0] == "d" for kind in _ufunc.types)
        if _of_floats and _ufunc not in REFUSED:
            implements((_ufunc, "outer"))(_outer(_ufunc))

for _ufunc in (np.logical_and, np.logical_or, np.logical_xor):
    implements((_ufunc, "reduce"))(on_plain_values(_ufunc.reduce))
    implements((_ufunc, "accumulate"))(on_plain_values(_ufunc.accumulate))
