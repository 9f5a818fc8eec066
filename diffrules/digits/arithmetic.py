"""Precision for functions whose arguments are very large, or very small."""

from __future__ import annotations

from typing import Any

import mpmath

# Bits beyond those asked for.
GUARD = 20


def is_real(*numbers: Any) -> bool:
    """Return whether all are real and finite."""
    return all(isinstance(number, mpmath.mpf) and mpmath.isfinite(number) for number in numbers)


def magnitude(number: Any) -> int:
    """Return how many bits the whole part has; 0 for numbers below 1."""
    return max(0, int(mpmath.mag(number))) if number else 0


def smallness(number: Any) -> int:
    """Return how many zero bits follow the point; 0 for numbers above 1."""
    return max(0, -int(mpmath.mag(number))) if number else 0
