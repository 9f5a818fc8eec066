"""Sums, means, extremes and spreads over axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import apply, raw
from autodiff.primitives import Linear, Primitive, implements, normal_axes
from autodiff.values import shape_of


def kept_axes(value: Any, axis: Any, shape: tuple[int, ...], keepdims: bool) -> Any:
    """Return the result of reducing `shape` with the reduced axes put back, of size 1."""
    if keepdims or not shape_of(value):
        return value
    axes = normal_axes(axis, len(shape))
    return value.reshape([1 if i in axes else size for i, size in enumerate(shape)])


def _count(x: Any, axis: Any) -> int:
    shape = shape_of(x)
    return math.prod(shape[one] for one in normal_axes(axis, len(shape)))


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
def sum(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """Sum over `axis`."""
    return apply(sum_rule, (a,), {"axis": axis, "keepdims": keepdims})


def _mean(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return np.mean(x, axis=axis, keepdims=keepdims)


def _spread_share_back(grad: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _spread_back(grad / (_count(x, axis) or 1), x, axis=axis, keepdims=keepdims)


mean_rule = Linear("np.mean", _mean, _spread_share_back)


@implements(np.mean)
def mean(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """Mean over `axis`."""
    return apply(mean_rule, (a,), {"axis": axis, "keepdims": keepdims})


def _shares(part: Any, out: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """Return `part` divided among the equal extremes, 0 elsewhere; NaN is an extreme too."""
    extreme = kept_axes(raw(out), axis, shape_of(x), keepdims)
    entries = raw(x)
    hit = entries == extreme
    if np.any(extreme != extreme):
        hit |= (entries != entries) & (extreme != extreme)
    count = np.add.reduce(hit, axis=axis, keepdims=True, dtype=np.asarray(entries).dtype)
    return np.where(hit, part / count, 0.0)


def _extreme_vjp(grad: Any, out: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _shares(kept_axes(grad, axis, shape_of(x), keepdims), out, x, axis, keepdims)


def _extreme_jvp(tangent: Any, out: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return sum(_shares(tangent, out, x, axis, keepdims), axis, keepdims=keepdims)


def _max(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return np.max(x, axis=axis, keepdims=keepdims)


def _min(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return np.min(x, axis=axis, keepdims=keepdims)


max_rule = Primitive("np.max", _max, [_extreme_vjp], [_extreme_jvp])
min_rule = Primitive("np.min", _min, [_extreme_vjp], [_extreme_jvp])


@implements(np.max, np.amax)
def max(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """Maximum over `axis`; n equal ones share the derivative, 1/n each."""
    return apply(max_rule, (a,), {"axis": axis, "keepdims": keepdims})


@implements(np.min, np.amin)
def min(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """Minimum over `axis`; n equal ones share the derivative, 1/n each."""
    return apply(min_rule, (a,), {"axis": axis, "keepdims": keepdims})


@implements(np.var)
def var(a: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Any:
    """Variance over `axis`: the sum of squared deviations by n - `ddof`."""
    deviation = a - mean(a, axis, keepdims=True)
    return sum(deviation * deviation, axis, keepdims=keepdims) / (_count(a, axis) - ddof)


@implements(np.std)
def std(a: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Any:
    """Root of the variance over `axis`; its derivative at equal values is 0."""
    return np.sqrt(var(a, axis, ddof=ddof, keepdims=keepdims))


def _ufunc_reduce(reduction: Callable[..., Any]) -> Callable[..., Any]:
    def reduce(array: Any, axis: Any = 0, *, keepdims: bool = False) -> Any:
        return reduction(array, axis, keepdims=keepdims)

    return reduce


for _ufunc, _reduction in ((np.add, sum), (np.maximum, max), (np.minimum, min)):
    implements((_ufunc, "reduce"))(_ufunc_reduce(_reduction))
