"""Functions around gamma of many digits."""

from __future__ import annotations

from typing import Any

import mpmath

from diffrules.digits.arithmetic import GUARD, is_real, magnitude, smallness

__all__ = ["beta", "zeta"]


def beta(a: Any, b: Any) -> Any:
    """Return ``gamma(a)*gamma(b)/gamma(a + b)``."""
    a, b = mpmath.mpmathify(a), mpmath.mpmathify(b)
    if not is_real(a, b) or a <= 0 or b <= 0:
        return mpmath.beta(a, b)
    bits = mpmath.mp.prec + 2 * GUARD
    with mpmath.workprec(bits + magnitude(a) + magnitude(b) + log_bits(a, b)):
        found = mpmath.exp(sum(_log_gamma(n, bits) for n in (a, b)) - _log_gamma(a + b, bits))
    return +found


def _log_gamma(a: Any, bits: int) -> Any:
    """Return ``loggamma(a)`` with an error below ``2**-bits``, and no digits more than that.

    They would make mpmath's long table of coefficients longer.
    """
    with mpmath.workprec(bits + magnitude(a) + log_bits(a)):
        return mpmath.loggamma(a)


def log_bits(*numbers: Any) -> int:
    """Return how many bits the magnitudes of numbers have."""
    return max(magnitude(n) + smallness(n) for n in numbers).bit_length()


def zeta(s: Any, q: Any = None, *options: Any, **more: Any) -> Any:
    """Return Hurwitz' zeta function for real `s` > 1, `q` > 0 (DLMF 25.11.1, 25.11.5)."""
    s = mpmath.mpmathify(s)
    q = mpmath.mpmathify(1 if q is None else q)
    if options or more or not is_real(s, q) or s <= 1 or q <= 0:
        return mpmath.zeta(s, q, *options, **more)
    with mpmath.extraprec(2 * GUARD + magnitude(s) + log_bits(s, q) + smallness(s - 1)):
        bits, total, at, k = mpmath.mp.prec, mpmath.mpf(0), q, 0
        # Term by term, until they vanish or the formula of Euler and Maclaurin converges.
        enough = s / 2 + bits / 6
        while at < enough:
            term = mpmath.exp(-s * mpmath.log(at))
            total += term
            if mpmath.mag(term) < mpmath.mag(total) - bits - GUARD and s > at:
                break
            k += 1
            at = q + k
        else:
            total += _rest(s, at)
    return +total


def _rest(s: Any, at: Any) -> Any:
    """Return the sum of ``(at + k)**-s`` by the formula of Euler and Maclaurin."""
    power = mpmath.exp(-s * mpmath.log(at))
    total = power * at / (s - 1) + power / 2
    term, j = power * s / at, 1
    while True:
        part = mpmath.bernoulli(2 * j) / mpmath.factorial(2 * j) * term
        total += part
        if not part or mpmath.mag(part) < mpmath.mag(total) - mpmath.mp.prec:
            return total
        if j > mpmath.mp.prec:
            raise ValueError("the Euler-Maclaurin formula does not converge")
        term *= (s + 2 * j - 1) * (s + 2 * j) / (at * at)
        j += 1
