"""Incomplete gamma and beta functions of many digits."""

from __future__ import annotations

from typing import Any

import mpmath

from diffrules.digits.arithmetic import GUARD, is_real, magnitude, smallness
from diffrules.digits.gammas import beta, log_bits

__all__ = ["betainc", "gammainc"]
# Where mpmath is fine, and quicker.
USUAL = (1e-2, 50)


def gammainc(z: Any, a: Any = 0, b: Any = mpmath.inf, regularized: bool = False) -> Any:
    """Return the integral of ``t**(z - 1) * exp(-t)`` from `a` to `b`; one end as usual."""
    z, a, b = map(mpmath.mpmathify, (z, a, b))
    x = b if a == 0 else a
    lower, upper = a == 0 and b != mpmath.inf, a != 0 and b == mpmath.inf
    usual = is_real(x) and USUAL[0] < x < USUAL[1] and USUAL[0] < z < USUAL[1]
    if not (lower or upper) or not is_real(z, x) or z <= 0 or x <= 0 or usual:
        return mpmath.gammainc(z, a, b, regularized=regularized)
    bits = magnitude(z) + magnitude(x) + log_bits(z, x)
    with mpmath.extraprec(2 * GUARD + bits):
        whole = mpmath.gamma(z)
        if lower:
            found = _lower(z, x) if x < z + 1 else whole - _upper(z, x)
        else:
            found = _upper(z, x) if x > z + 1 else _difference(z, x)
        if regularized:
            found /= whole
    return +found


def _lower(z: Any, x: Any) -> Any:
    """Return the lower function by its power series (DLMF 8.7.1)."""
    term = total = 1 / z
    k = 0
    while mpmath.mag(term) > mpmath.mag(total) - mpmath.mp.prec:
        k += 1
        term *= x / (z + k)
        total += term
    return total * mpmath.exp(z * mpmath.log(x) - x)


def _upper(z: Any, x: Any) -> Any:
    """Return the upper function by its continued fraction (DLMF 8.9.2), as Lentz sums it."""
    at = c = total = x + 1 - z
    d, k = mpmath.mpf(0), 0
    while True:
        k += 1
        factor = -k * (k - z)
        at += 2
        d = 1 / (at + factor * d)
        c = at + factor / c
        total *= c * d
        if mpmath.mag(c * d - 1) < 5 - mpmath.mp.prec:
            return mpmath.exp(z * mpmath.log(x) - x) / total


def _difference(z: Any, x: Any) -> Any:
    """Return the upper function where the lower one is most of it, or nearly nothing."""
    with mpmath.extraprec(smallness(z) + GUARD):
        return mpmath.gamma(z) - _lower(z, x)


def betainc(a: Any, b: Any, x1: Any = 0, x2: Any = 1, regularized: bool = False) -> Any:
    """Return the incomplete beta function between `x1` and `x2`; one of them an end."""
    a, b, x1, x2 = map(mpmath.mpmathify, (a, b, x1, x2))
    usual = all(is_real(n) and USUAL[0] < n < USUAL[1] for n in (a, b))
    inside = is_real(a, b, x1, x2) and a > 0 and b > 0 and 0 <= x1 <= x2 <= 1
    if usual or not inside or not (x1 == 0 or x2 == 1):
        return mpmath.betainc(a, b, x1, x2, regularized=regularized)
    x = x2 if x1 == 0 else x1
    with mpmath.extraprec(smallness(x) + GUARD):
        y = 1 - x
    with mpmath.extraprec(2 * GUARD + magnitude(a) + magnitude(b)):
        found = _share(a, b, x, y) if x1 == 0 else _share(b, a, y, x)
        if not regularized:
            found *= beta(a, b)
    return +found


def _share(a: Any, b: Any, x: Any, y: Any) -> Any:
    """Return the regularized function from 0 to `x`, of which `y` is the rest to 1."""
    if 0 in (x, y):
        return mpmath.mpf(x > 0)
    if x > (a + 1) / (a + b + 2):
        return 1 - _fraction(b, a, y, x)
    return _fraction(a, b, x, y)


def _fraction(a: Any, b: Any, x: Any, y: Any) -> Any:
    """Return the same for `x` below the mean, by a continued fraction (DLMF 8.17.22)."""
    c, d, total, k = mpmath.mpf(1), mpmath.mpf(0), mpmath.mpf(1), 0
    while True:
        m, odd = divmod(k + 1, 2)
        if odd:
            factor = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            factor = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + factor * d)
        c = 1 + factor / c
        total *= c * d
        k += 1
        if mpmath.mag(c * d - 1) < 5 - mpmath.mp.prec:
            break
    with mpmath.extraprec(log_bits(a, b, x, y)):
        factor = mpmath.exp(a * mpmath.log(x) + b * mpmath.log(y)) / (a * beta(a, b))
    return factor / total
