"""Error functions of many digits."""

from __future__ import annotations

from typing import Any

import mpmath

from diffrules.digits.arithmetic import GUARD, is_real, magnitude, smallness

__all__ = ["erfc", "erfcinv", "erfi", "erfinv"]
# From here on the asymptotic series has digits enough in a few dozen terms.
FAR = 10**6


def erfc(x: Any) -> Any:
    """Return ``erfc(x)``; mpmath's overflows from 1e154 on."""
    x = mpmath.mpmathify(x)
    if not is_real(x) or x < FAR:
        return mpmath.erfc(x) if not is_real(x) or x > -FAR else 2 - erfc(-x)
    return _far(x, -1)


def erfi(x: Any) -> Any:
    """Return ``erfi(x)``, as `erfc`."""
    x = mpmath.mpmathify(x)
    if not is_real(x) or abs(x) < FAR:
        return mpmath.erfi(x)
    return _far(x, 1)


def _far(x: Any, sign: int) -> Any:
    """Return ``exp(sign*x**2)/(sqrt(pi)*x)`` times the asymptotic series (DLMF 7.12.1)."""
    with mpmath.extraprec(2 * magnitude(x) + GUARD):
        factor = mpmath.exp(sign * x * x)
    with mpmath.extraprec(GUARD):
        step, term, total, k = sign / (2 * x * x), mpmath.mpf(1), mpmath.mpf(1), 0
        while abs(term) > mpmath.eps:
            k += 1
            term *= (2 * k - 1) * step
            total += term
        found = factor * total / (mpmath.sqrt(mpmath.pi) * x)
    return +found


def erfcinv(x: Any) -> Any:
    """Return the inverse of ``erfc``, by Newton's method in its logarithm."""
    x = mpmath.mpmathify(x)
    if not is_real(x) or not 0 < x < 2:
        return mpmath.erfinv(1 - x)
    if x > 0.5:
        with mpmath.extraprec(smallness(1 - x) + GUARD):
            found = mpmath.erfinv(1 - x) if x < 1.5 else -erfcinv(2 - x)
        return +found
    with mpmath.extraprec(GUARD):
        target = mpmath.log(x)
        with mpmath.workprec(60):
            root = mpmath.sqrt(-target)
            root = mpmath.sqrt(-target - mpmath.log(root * mpmath.sqrt(mpmath.pi)))
        for _ in range(60):
            value = erfc(root)
            slope = -2 * mpmath.exp(-root * root) / (mpmath.sqrt(mpmath.pi) * value)
            step = (mpmath.log(value) - target) / slope
            root -= step
            # Of Newton's step the error is the square.
            if not step or 2 * (mpmath.mag(step) - mpmath.mag(root)) < -mpmath.mp.prec:
                return +root
    raise ValueError(f"erfcinv({x}) does not converge")


def erfinv(x: Any) -> Any:
    """Return the inverse of ``erf``, with the digits that are lost next to 1."""
    x = mpmath.mpmathify(x)
    if not is_real(x) or abs(x) < 0.5 or abs(x) >= 1:
        return mpmath.erfinv(x)
    with mpmath.extraprec(smallness(1 - abs(x)) + GUARD):
        found = erfcinv(1 - abs(x))
    return found if x > 0 else -found
