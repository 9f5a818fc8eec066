"""The floats in order: neighbours, and the middle between two of them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

DType: TypeAlias = "np.dtype[Any]"


def place(number: float, dtype: DType) -> int:
    """Return the position of a float among all: 0 for 0.0, 1 for the smallest above it.

    >>> place(5e-324, np.dtype(float)), place(-1e-323, np.dtype(float))
    (1, -2)
    """
    whole = int(np.asarray(number, dtype).view(f"i{dtype.itemsize}"))
    return whole if whole >= 0 else -(whole + (1 << (8 * dtype.itemsize - 1)))


def at(position: int, dtype: DType) -> float:
    """Return the float at a position.

    >>> at(-2, np.dtype(float))
    -1e-323
    """
    size = np.asarray(abs(position), f"i{dtype.itemsize}").view(dtype)
    return float(-size if position < 0 else size)


def shifted(number: float, steps: int, dtype: DType) -> float:
    """Return the float some steps above, or below; never beyond the largest."""
    last = place(float(np.finfo(dtype).max), dtype)
    return at(max(-last, min(last, place(number, dtype) + steps)), dtype)


def around(number: float, dtype: DType, steps: int = 4) -> list[float]:
    """Return a float and its next neighbours."""
    return [shifted(number, k, dtype) for k in range(-steps, steps + 1)]


def approaching(number: float, dtype: DType) -> list[float]:
    """Return ``number * (1 +- 2**-k)`` for all k, so far as they are floats.

    >>> approaching(1.0, np.dtype(np.float32))[:4]
    [1.5, 0.5, 1.25, 0.75]
    """
    with np.errstate(all="ignore"):
        return [
            float(dtype.type(number * (1.0 + sign * 2.0**-k)))
            for k in range(1, np.finfo(dtype).nmant + 2)
            for sign in (1.0, -1.0)
        ]
