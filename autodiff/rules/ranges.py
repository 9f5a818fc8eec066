"""Ranges of numbers between tracked ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.primitives import Linear, implements
from autodiff.rules.dtypes import in_dtype
from autodiff.values import shape_of, unbroadcast


def _linspace(start: Any, stop: Any, *, num: int, endpoint: bool, axis: int, ends: Any) -> Any:
    return np.linspace(start, stop, num, endpoint=endpoint, axis=axis)


def _share_back(grad: Any, which: int, *, num: int, endpoint: bool, axis: int, ends: Any) -> Any:
    """Return the sum over the numbers of the share each has in one end."""
    share = np.linspace(0.0, 1.0, num, endpoint=endpoint)
    share = share if which else 1.0 - share
    # The new axis first, as the shares have it.
    part = np.sum(np.moveaxis(grad, axis, -1) * share.astype(grad.dtype), axis=-1)
    return unbroadcast(part, shape_of(part), ends[which])


linspace_rule = Linear("np.linspace", _linspace, _share_back, joint=True)


@implements(np.linspace)
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """Evenly spaced numbers; differentiable in both ends."""
    ends = (shape_of(start), shape_of(stop))
    found = linspace_rule(start, stop, num=num, endpoint=endpoint, axis=axis, ends=ends)
    found = in_dtype(found, dtype)
    if not retstep:
        return found
    steps = num - 1 if endpoint else num
    return found, (stop - start) / steps if steps > 0 else np.nan


@implements(np.logspace)
def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """Powers of `base` with evenly spaced exponents; differentiable in the ends and the base."""
    base = np.expand_dims(base, axis) if shape_of(base) else base
    found = np.power(base, np.linspace(start, stop, num, endpoint=endpoint, axis=axis))
    return in_dtype(found, dtype)


@implements(np.geomspace)
def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """Geometric progression between real ends of one sign; differentiable in both."""
    ratio = np.log(stop / start)
    share = np.linspace(np.zeros(shape_of(ratio)), ratio, num, endpoint=endpoint, axis=axis)
    start = np.expand_dims(start, axis) if shape_of(start) else start
    found = start * np.exp(share)
    return in_dtype(found, dtype)
