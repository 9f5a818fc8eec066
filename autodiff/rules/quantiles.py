"""Medians, quantiles and percentiles.

NumPy finds the place among the sorted entries: it is the quantile of their ranks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import Box, operand, raw
from autodiff.primitives import Primitive, implements, normal_axes
from autodiff.rules.dtypes import in_dtype
from autodiff.rules.reductions import refuse_out
from autodiff.rules.statistics import aligned
from autodiff.values import dtype_of, is_complex, shape_of

STRETCH = {
    "linear": -1.0,
    "interpolated_inverted_cdf": 0.0,
    "hazen": 0.0,
    "weibull": 1.0,
    "median_unbiased": 1 / 3,
    "normal_unbiased": 1 / 4,
}
"""By how much more than n the place moves when q goes from 0 to 1; in other methods it jumps."""


def _along_last(a: Any, axis: Any) -> Any:
    """Return `a` with the axes to reduce made one, the last."""
    shape = shape_of(a)
    axes = normal_axes(axis, len(shape))
    others = [i for i in range(len(shape)) if i not in axes]
    count = math.prod(shape[i] for i in axes)
    moved = np.transpose(a, (*others, *axes)) if others else a
    return np.reshape(moved, (*(shape[i] for i in others), count))


def _ranks(rows: Any, order: Any) -> Any:
    """Return the place of each entry in its sorted row; NaN of NaN."""
    ranks = np.empty(rows.shape)
    np.put_along_axis(ranks, order, np.arange(rows.shape[-1], dtype=float), axis=-1)
    return np.where(np.isnan(rows), np.nan, ranks)


def _place(q: Any, *, find: Callable[[Any], Any], slope: Any) -> Any:
    return find(q)


def _place_vjp(grad: Any, out: Any, q: Any, *, find: Any, slope: Any) -> Any:
    last = tuple(range(len(shape_of(q)), len(shape_of(grad))))
    return np.sum(grad * slope, axis=last)


def _place_jvp(tangent: Any, out: Any, q: Any, *, find: Any, slope: Any) -> Any:
    last = (1,) * (len(shape_of(out)) - len(shape_of(q)))
    return np.reshape(tangent, shape_of(q) + last) * slope


place_rule = Primitive("np.quantile", _place, [_place_vjp], [_place_jvp])


def _between(rows: Any, order: Any, place: Any, kind: Any) -> Any:
    """Return the sorted entries of `rows` at `place`, interpolated where it is not whole.

    Parameters
    ----------
    rows, order : array, shape (..., n)
        With the indices that sort it.
    place : number or array
        Counted from 0; its last axes are those of the rows. NaN gives NaN.
    kind : dtype
        In which to interpolate.
    """
    grid = tuple(np.indices(shape_of(rows)[:-1], sparse=True))

    def entry(index: Any) -> Any:
        return rows[(*grid, order[(*grid, index)])]

    plain = np.asarray(raw(place))
    lost = np.isnan(plain)
    plain = np.where(lost, 0.0, plain)
    low, high = np.floor(plain).astype(int), np.ceil(plain).astype(int)
    found = lower = in_dtype(entry(low), np.result_type(kind, dtype_of(rows)))
    share = (plain - low).astype(kind)
    if np.any(share):
        with np.errstate(invalid="ignore"):  # infinities times 0, and of both signs
            found = lower * (1.0 - share) + entry(high) * share
        found = found if np.all(share) else np.where(share > 0.0, found, lower)
    if isinstance(place, Box):
        # The slope in q; where the place is whole, the mean of those on both sides.
        above, below = np.minimum(low + 1, order.shape[-1] - 1), np.maximum(high - 1, 0)
        slope = (entry(above) - entry(below)) / np.maximum(above - below, 1).astype(kind)
        found = found + (place - raw(place)).astype(kind) * slope
    return np.where(lost, np.nan, found) if np.any(lost) else found


def _chosen(
    function: Any, a: Any, q: tuple[Any, ...], axis: Any, keepdims: bool, **how: Any
) -> Any:
    """Return NumPy's ``function(a, *q, axis, **how)``; a median has no `q`."""
    a = operand(a)
    shape, rows, plain_q = shape_of(a), _along_last(a, axis), raw(q[0]) if q else 0.5
    plain = raw(rows)
    if how.get("weights") is not None:
        weights = np.broadcast_to(aligned(operand(raw(how["weights"])), axis, shape), shape)
        how["weights"] = _along_last(weights, axis)
    order = np.argsort(plain, axis=-1, kind="stable")
    place = _places(function, plain, order, q, **how)
    if plain.shape[-1]:
        found = _between(rows, order, place, np.result_type(plain.real, plain_q))
    else:
        found = np.full(np.shape(place), np.nan, dtype_of(a))
    if keepdims:
        axes = normal_axes(axis, len(shape))
        kept = tuple(1 if i in axes else n for i, n in enumerate(shape))
        found = np.reshape(found, np.shape(plain_q) + kept)
    return found


def _places(function: Any, rows: Any, order: Any, q: tuple[Any, ...], **how: Any) -> Any:
    """Return where NumPy's `function` finds its result among the sorted entries of `rows`."""
    *lead, size = rows.shape
    missing = np.isnan(rows)
    leave_out = function in {np.nanmedian, np.nanquantile} and missing.any()
    by_rank = leave_out or how.get("weights") is not None or not size
    ranks = _ranks(rows, order) if by_rank else np.arange(float(size))

    def find(*q: Any) -> Any:
        # np.nanquantile puts the axes of q first only if there is one.
        place = function(ranks, *map(np.ravel, q), axis=-1, **how)
        if not by_rank:
            place = np.reshape(place, np.shape(place) + (1,) * len(lead))
            place = np.where(missing.any(-1), np.nan, place)
        return np.reshape(place, (np.shape(q[0]) if q else ()) + tuple(lead))

    if not q or not isinstance(q[0], Box):
        return find(*q)
    count = np.sum(~missing, axis=-1) if leave_out else size
    slope = _slope(find(raw(q[0])), count, how["method"])
    return place_rule(q[0], find=find, slope=slope)


def _slope(place: Any, count: Any, method: str) -> Any:
    """Return how fast the place among `count` entries moves with q."""
    if method not in STRETCH:
        return 0.0
    ends = method == "linear"  # its places are never moved to the ends
    moves = (place > 0.0) & (place < count - 1.0) | ends
    return np.where(moves, count + STRETCH[method], 0.0)


def _median(function: Callable[..., Any]) -> Callable[..., Any]:
    def median(
        a: Any,
        axis: Any = None,
        out: None = None,
        overwrite_input: bool = False,
        keepdims: bool = False,
    ) -> Any:
        refuse_out(out)
        return _chosen(function, a, (), axis, keepdims)

    return median


def _quantile(function: Callable[..., Any], whole: float) -> Callable[..., Any]:
    def quantile(
        a: Any,
        q: Any,
        axis: Any = None,
        out: None = None,
        overwrite_input: bool = False,
        method: str = "linear",
        keepdims: bool = False,
        *,
        weights: Any = None,
    ) -> Any:
        refuse_out(out)
        if is_complex(operand(a)):
            raise TypeError("quantiles are not defined for complex numbers")
        q = operand(q) if whole == 1.0 else np.divide(operand(q), whole)
        return _chosen(function, a, (q,), axis, keepdims, method=method, weights=weights)

    return quantile


implements(np.median, doc="Median over `axis`: the middle entry, or the mean of two.")(
    _median(np.median)
)
implements(np.nanmedian, doc="Median over `axis` without NaN.")(_median(np.nanmedian))
implements(np.quantile, doc="Quantiles over `axis`; differentiable in `a` and `q`.")(
    _quantile(np.quantile, 1.0)
)
implements(np.percentile, doc="Percentiles over `axis`; differentiable in `a` and `q`.")(
    _quantile(np.quantile, 100.0)
)
implements(np.nanquantile, doc="Quantiles over `axis` without NaN; see `quantile`.")(
    _quantile(np.nanquantile, 1.0)
)
implements(np.nanpercentile, doc="Percentiles over `axis` without NaN; see `percentile`.")(
    _quantile(np.nanquantile, 100.0)
)
