"""Sums, products and means over axes, and what all reductions share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff.box import apply, operand, raw
from autodiff.careful import careful_product
from autodiff.primitives import Linear, Primitive, implements, normal_axes
from autodiff.rules.dtypes import in_dtype
from autodiff.rules.indexing import part_of
from autodiff.values import dtype_of, shape_of


def kept_axes(value: Any, axis: Any, shape: tuple[int, ...], keepdims: bool) -> Any:
    """Return the result of reducing `shape` with the reduced axes put back, of size 1."""
    if keepdims or not shape_of(value):
        return value
    axes = normal_axes(axis, len(shape))
    return value.reshape([1 if i in axes else size for i, size in enumerate(shape)])


def count(x: Any, axis: Any) -> int:
    """Return how many entries of `x` a reduction over `axis` takes together."""
    shape = shape_of(x)
    return math.prod(shape[one] for one in normal_axes(axis, len(shape)))


def count_where(x: Any, axis: Any, keepdims: bool, where: Any) -> Any:
    """Return how many entries `where` chooses, in the real dtype of `x`."""
    real = np.finfo(dtype_of(x)).dtype
    chosen = np.broadcast_to(raw(where), shape_of(x))
    return np.sum(chosen, axis=axis, keepdims=keepdims, dtype=real)


def refuse_out(out: Any) -> None:
    """Raise a TypeError if `out` is an array: it keeps no history."""
    if out is not None:
        raise TypeError("a tracked value cannot be written into out=; use the value returned")


def starting(initial: Any, total: Any) -> Any:
    """Return the keyword `initial` of a reduction in the dtype of its result."""
    return in_dtype(initial, dtype_of(total)) if hasattr(initial, "dtype") else initial


def masked(x: Any, where: Any, neutral: float) -> Any:
    """Return `x` with the neutral element of the reduction where `where` is False."""
    if where is True:
        return x
    return np.where(np.broadcast_to(raw(where), shape_of(x)), x, neutral)


def _sum(x: Any, *, axis: Any, keepdims: bool) -> Any:
    reduce: Any = np.add.reduce
    return reduce(x, axis=axis, keepdims=keepdims)


def _spread_back(grad: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    """Return a cotangent of `x` that is the same along the summed axes, so of size 1 there."""
    if axis is None and not keepdims:
        return grad
    return kept_axes(grad, axis, x.shape, keepdims)


sum_rule = Linear("np.sum", _sum, _spread_back)


@implements(np.sum)
def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """Sum over `axis`."""
    if dtype is None and out is None and initial is None and where is True:
        return apply(sum_rule, (a,), {"axis": axis, "keepdims": keepdims})
    refuse_out(out)
    a = masked(in_dtype(operand(a), dtype), where, 0.0)
    total = apply(sum_rule, (a,), {"axis": axis, "keepdims": keepdims})
    return total if initial is None else total + starting(initial, total)


def _mean(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return np.mean(x, axis=axis, keepdims=keepdims)


def _spread_share_back(grad: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _spread_back(grad / (count(x, axis) or 1), x, axis=axis, keepdims=keepdims)


mean_rule = Linear("np.mean", _mean, _spread_share_back)


@implements(np.mean)
def mean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    *,
    where: Any = True,
) -> Any:
    """Mean over `axis`."""
    if dtype is None and out is None and where is True:
        return apply(mean_rule, (a,), {"axis": axis, "keepdims": keepdims})
    refuse_out(out)
    a = in_dtype(operand(a), dtype)
    if where is True:
        return apply(mean_rule, (a,), {"axis": axis, "keepdims": keepdims})
    total = sum(a, axis, keepdims=keepdims, where=where)
    return total / count_where(a, axis, keepdims, where)


def _prod(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return np.prod(x, axis=axis, keepdims=keepdims)


def _product_of_others(out: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """Return for each entry the product of the others it is multiplied with.

    A quotient where that is safe; else two running products for each axis.
    """
    shape, product = shape_of(x), raw(out)
    if np.all(np.isfinite(product) & (product != 0.0)):
        return kept_axes(out, axis, shape, keepdims) / x
    others: Any = 1.0
    for one in normal_axes(axis, len(shape)):
        others = others * _before(x, one) * _reversed(_before(_reversed(x, one), one), one)
        x = prod_rule(x, axis=one, keepdims=True)
    return others


def _before(x: Any, axis: int) -> Any:
    """Return for each entry the product of those before it."""
    first = np.ones_like(raw(part_of(x, axis, 0, 1)))
    return np.cumprod(np.concatenate([first, part_of(x, axis, 0, -1)], axis), axis)


def _reversed(x: Any, axis: int) -> Any:
    return part_of(x, axis, None, None, -1)


def _prod_vjp(grad: Any, out: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    grad = kept_axes(grad, axis, shape_of(x), keepdims)
    return careful_product(grad, _product_of_others(out, x, axis, keepdims))


def _prod_jvp(tangent: Any, out: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    change = careful_product(tangent, _product_of_others(out, x, axis, keepdims))
    return sum(change, axis, keepdims=keepdims)


prod_rule = Primitive("np.prod", _prod, [_prod_vjp], [_prod_jvp])


@implements(np.prod)
def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """Product over `axis`; derivatives of any order also where factors are 0."""
    refuse_out(out)
    a = masked(in_dtype(operand(a), dtype), where, 1.0)
    total = prod_rule(a, axis=axis, keepdims=keepdims)
    return total if initial is None else total * starting(initial, total)
