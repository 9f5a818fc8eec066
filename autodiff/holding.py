"""Values that hold arrays: ours that hold tracked ones, and wrappers of other libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

HOLDERS: dict[type, Callable[[Any], Any]] = {}
"""Types of arrays that may hold a tracked value, with the function that gives it."""

PLAIN = frozenset({float, int, bool, complex, np.ndarray, np.float64, type(None)})
"""Types that hold nothing but themselves, so that the usual case is found at once."""


def is_wrapper(value: Any) -> bool:
    """Return whether `value`, no box, takes part in ufuncs by itself: a Series, a DataArray."""
    kind = type(value)
    return hasattr(kind, "__array_ufunc__") and not issubclass(kind, (np.ndarray, np.generic))


def is_traced(value: Any) -> bool:
    """Return whether `value`, no box, stands for an array of a program that is traced."""
    return hasattr(value, "recorder")


def is_converted(value: Any) -> bool:
    """Return whether functions take `value`, no box, as the array it holds."""
    return isinstance(value, (list, tuple)) or type(value) in HOLDERS or is_wrapper(value)


def takes_over(value: Any, primitive: Any) -> bool:
    """Return whether `value` is a wrapper that applies the ufunc `primitive` to what it holds.

    pandas does not: its containers cannot hold boxes.
    """
    ufunc = isinstance(getattr(primitive, "function", None), np.ufunc)
    return ufunc and is_wrapper(value) and not hasattr(value, "__pandas_priority__")
