"""The exponential integral of many digits."""

from __future__ import annotations

from typing import Any

import mpmath

from diffrules.digits.arithmetic import GUARD, is_real, magnitude, smallness

__all__ = ["expint"]


def expint(n: Any, x: Any = None) -> Any:
    """Return the exponential integral of a whole order `n`, by recurrence (DLMF 8.19.12)."""
    n, x = (1, n) if x is None else (n, x)
    n, x = mpmath.mpmathify(n), mpmath.mpmathify(x)
    if not is_real(n, x) or x <= 0 or n != int(n) or abs(n) > 50:
        return mpmath.expint(n, x)
    order = int(n)
    with mpmath.extraprec(2 * GUARD + (magnitude(x) + 2) * max(order, 1) + smallness(x)):
        decay = mpmath.exp(-x)
        found = mpmath.e1(x) if order > 0 else decay / x
        for k in range(1, order):
            found = (decay - x * found) / k
        for k in range(1, 1 - order):
            found = (decay + k * found) / x
    return +found
