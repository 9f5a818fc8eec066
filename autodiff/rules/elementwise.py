"""Elementwise functions of NumPy that are no ufuncs: their keywords and None."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.calls import function_named
from autodiff.primitives import implements


@implements(np.where)
def where(condition: Any, *branches: Any) -> Any:
    """Choose between two values; alone, the indices where the condition holds."""
    if not branches:
        return np.where(raw(condition))
    return function_named("where")(raw(condition), *branches)


@implements(np.clip)
def clip(a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> Any:
    """Limit to an interval; a bound that is None does not limit."""
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    if low is not None and high is not None:
        return function_named("clip")(a, low, high)
    if low is not None:
        return np.maximum(a, low)
    return np.positive(a) if high is None else np.minimum(a, high)


@implements(np.nan_to_num)
def nan_to_num(
    x: Any, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """Replace NaN and infinities by numbers; the derivative there is 0."""
    plain = raw(x)
    return np.where(np.isfinite(plain), x, np.nan_to_num(plain, True, nan, posinf, neginf))
