"""Reductions that leave NaN out: the plain ones, with ``where=`` the numbers."""

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
    """Sum of the numbers over `axis`."""
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
    """Product of the numbers over `axis`."""
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
    """Mean of the numbers over `axis`."""
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
    """Variance of the numbers over `axis`."""
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
    """Root of the variance of the numbers over `axis`."""
    numbers = _numbers(a, where)
    return statistics.std(
        a, axis, dtype, out, ddof, keepdims, where=numbers, mean=mean, correction=correction
    )


@implements(np.nancumsum)
def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
    """Return the running sum of the numbers."""
    return cumsum(reductions.chosen(operand(a), _numbers(a), 0.0), axis, dtype, out)


@implements(np.nancumprod)
def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
    """Return the running product of the numbers."""
    return cumprod(reductions.chosen(operand(a), _numbers(a), 1.0), axis, dtype, out)
