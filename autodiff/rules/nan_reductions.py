"""Reductions that ignore NaN, whose gradient is 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.primitives import implements
from autodiff.rules import reductions, statistics
from autodiff.rules.cumulative import cumprod, cumsum


def _numbers(a: Any, where: Any = True) -> Any:
    """Return where `a` is not NaN, and `where` holds; True if that is everywhere."""
    number = ~np.isnan(raw(operand(a)))
    found = np.logical_and(number, raw(where))
    return True if np.all(found) else found


@implements(np.nansum)
def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """Sum over `axis` without NaN."""
    return reductions.sum(a, axis, dtype, out, keepdims, initial, _numbers(a, where))


@implements(np.nanprod)
def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """Product over `axis` without NaN."""
    return reductions.prod(a, axis, dtype, out, keepdims, initial, _numbers(a, where))


@implements(np.nanmean)
def nanmean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    *,
    where: Any = True,
) -> Any:
    """Mean over `axis` without NaN."""
    return reductions.mean(a, axis, dtype, out, keepdims, where=_numbers(a, where))


@implements(np.nanvar)
def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """Variance over `axis` without NaN."""
    numbers = _numbers(a, where)
    return statistics.var(
        a, axis, dtype, out, ddof, keepdims, where=numbers, mean=mean, correction=correction
    )


@implements(np.nanstd)
def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """Return the standard deviation over `axis` without NaN."""
    numbers = _numbers(a, where)
    return statistics.std(
        a, axis, dtype, out, ddof, keepdims, where=numbers, mean=mean, correction=correction
    )


@implements(np.nancumsum)
def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
    """Cumulative sum along `axis` without NaN."""
    return cumsum(reductions.masked(operand(a), _numbers(a), 0.0), axis, dtype, out)


@implements(np.nancumprod)
def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
    """Cumulative product along `axis` without NaN."""
    return cumprod(reductions.masked(operand(a), _numbers(a), 1.0), axis, dtype, out)
