"""Bessel functions of many digits, of real order and argument."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath

from diffrules.digits.arithmetic import GUARD, is_real, magnitude, smallness

__all__ = ["besseli", "besselj", "besselk", "bessely", "hyp0f1", "hyper"]


def besselj(n: Any, x: Any, **options: Any) -> Any:
    """Return ``J_n(x)``."""
    n, x = mpmath.mpmathify(n), mpmath.mpmathify(x)
    if is_real(n, x) and not options and mpmath.isint(n):
        if n < 0:
            return (-1) ** int(n) * besselj(-n, x)
        if x < 0:
            return (-1) ** int(n) * besselj(n, -x)
    if options or not is_far(n, x):
        return mpmath.besselj(n, x, **options)
    p, q, phase = _hankel(n, x)
    return mpmath.sqrt(2 / (mpmath.pi * x)) * (p * mpmath.cos(phase) - q * mpmath.sin(phase))


def bessely(n: Any, x: Any, **options: Any) -> Any:
    """Return ``Y_n(x)``."""
    n, x = _settled_order(mpmath.mpmathify(n)), mpmath.mpmathify(x)
    if not is_real(n, x) or options or x <= 0:
        return mpmath.bessely(n, x, **options)
    if mpmath.isint(n) and n < 0:
        return (-1) ** int(n) * bessely(-n, x)
    if is_far(n, x):
        p, q, phase = _hankel(n, x)
        return mpmath.sqrt(2 / (mpmath.pi * x)) * (p * mpmath.sin(phase) + q * mpmath.cos(phase))
    if not mpmath.isint(n):
        return _between_orders(n, x, -1)
    with mpmath.extraprec(GUARD + 2 * int(x)):
        first, second, third = _second_kind(int(n), x, -1)
        found = (2 * mpmath.log(x / 2) * second - first - third) / mpmath.pi
    return +found


def besseli(n: Any, x: Any, **options: Any) -> Any:
    """Return ``I_n(x)``."""
    n, x = mpmath.mpmathify(n), mpmath.mpmathify(x)
    if is_real(n, x) and not options and mpmath.isint(n):
        if n < 0:
            return besseli(-n, x)
        if x < 0:
            return (-1) ** int(n) * besseli(n, -x)
    if options or not is_far(n, x):
        return mpmath.besseli(n, x, **options)
    with mpmath.extraprec(magnitude(x) + GUARD):
        factor = mpmath.exp(x) / mpmath.sqrt(2 * mpmath.pi * x)
    return factor * sum(term * (-1) ** k for k, term in enumerate(_terms(n, x)))


def besselk(n: Any, x: Any, **options: Any) -> Any:
    """Return ``K_n(x)``; of complex `x` by series where the order is real and `x` is not large."""
    n, x = mpmath.mpmathify(n), mpmath.mpmathify(x)
    if not is_real(n) or options or x == 0 or (is_real(x) and x < 0) or mpmath.isnan(x):
        return mpmath.besselk(n, x, **options)
    if is_far(n, x):
        with mpmath.extraprec(magnitude(x) + GUARD):
            factor = mpmath.exp(-x) * mpmath.sqrt(mpmath.pi / (2 * x))
        return factor * sum(_terms(n, x))
    if mpmath.isinf(x) or (not is_real(x) and abs(x) > 100):
        return mpmath.besselk(n, x, **options)
    n = _settled_order(n)
    if not mpmath.isint(n):
        return _between_orders(n, x, 1)
    n = abs(int(n))
    with mpmath.extraprec(GUARD + 4 * int(abs(x))):
        first, second, third = _second_kind(n, x, 1)
        found = first / 2 + (-1) ** n * (third / 2 - mpmath.log(x / 2) * second)
    return +found


def _between_orders(n: Any, x: Any, sign: int) -> Any:
    """Return ``Y_n(x)`` (`sign` -1) or ``K_n(x)`` of an order between whole numbers.

    By the power series of two solutions, DLMF 10.2.2, 10.2.3, 10.25.2 and 10.27.4.
    """
    near = smallness(n - mpmath.nint(n))
    with mpmath.extraprec(2 * near + 4 * int(abs(x)) + GUARD):
        square, parts = sign * x * x / 4, []
        for order in (-n, n):
            term = (x / 2) ** order / mpmath.gamma(order + 1)
            total, k = term, 0
            while k < abs(n) or mpmath.mag(term) > mpmath.mag(total) - mpmath.mp.prec - GUARD:
                k += 1
                term *= square / (k * (order + k))
                total += term
            parts.append(total)
        first, second = parts
        if sign < 0:
            found = (mpmath.cospi(n) * second - first) / mpmath.sinpi(n)
        else:
            found = mpmath.pi / 2 * (first - second) / mpmath.sinpi(n)
    return +found


def _settled_order(n: Any) -> Any:
    """Return `n`, or the whole number beside it if no digit tells them apart."""
    near = mpmath.nint(n) if is_real(n) else n
    if n != near and smallness(n - near) > mpmath.mp.prec + 3 * GUARD:
        return near
    return n


def hyp0f1(b: Any, z: Any, **options: Any) -> Any:
    """Return the hypergeometric function ``0F1(; b; z)``, far out as a Bessel function."""
    b, z = mpmath.mpmathify(b), mpmath.mpmathify(z)
    if is_real(b, z):
        with mpmath.extraprec(magnitude(z) + magnitude(b * mpmath.log(abs(z) + 2)) + GUARD):
            root = 2 * mpmath.sqrt(abs(z))
            if is_far(b - 1, root):
                kind = besselj if z < 0 else besseli
                return mpmath.gamma(b) * (root / 2) ** (1 - b) * kind(b - 1, root)
    return mpmath.hyp0f1(b, z, **options)


def hyper(above: Any, below: Any, z: Any, **options: Any) -> Any:
    """Return a hypergeometric function."""
    if not len(above) and len(below) == 1:
        return hyp0f1(below[0], z, **options)
    return mpmath.hyper(above, below, z, **options)


def is_far(n: Any, x: Any) -> bool:
    """Return whether the asymptotic series (DLMF 10.17) reaches the precision in use."""
    return is_real(n, x) and bool(x > 0.4 * mpmath.mp.prec + n * n + GUARD)


def _terms(n: Any, x: Any) -> Iterator[Any]:
    """Yield ``a_k(n) / x**k`` (DLMF 10.17.1) until they no longer count."""
    term, k, square = mpmath.mpf(1), 0, 4 * n * n
    while term and mpmath.mag(term) > -mpmath.mp.prec - GUARD:
        yield term
        k += 1
        term *= (square - (2 * k - 1) ** 2) / (8 * k * x)


def _hankel(n: Any, x: Any) -> tuple[Any, Any, Any]:
    """Return the two sums and the phase of the asymptotic series (DLMF 10.17.3)."""
    p = q = mpmath.mpf(0)
    for k, term in enumerate(_terms(n, x)):
        if k % 2:
            q += term * (-1) ** (k // 2)
        else:
            p += term * (-1) ** (k // 2)
    with mpmath.extraprec(magnitude(x) + magnitude(n) + GUARD):
        # Not rounded when it is left: sine and cosine need all of it.
        phase = x - (2 * n + 1) * mpmath.pi / 4
    return p, q, phase


def _second_kind(n: int, x: Any, sign: int) -> tuple[Any, Any, Any]:
    """Return the finite sum, J or I, and the sum with digamma (DLMF 10.8.1, 10.31.1).

    The last has the factor ``(-1)**k`` for J and Y, `sign` -1.
    """
    half = x / 2
    square = half * half
    first = mpmath.mpf(0)
    for k in range(n):
        term = mpmath.factorial(n - k - 1) / mpmath.factorial(k) * half ** (2 * k - n)
        first += term * (-sign) ** k
    term = half**n / mpmath.factorial(n)
    digammas = -2 * mpmath.euler + mpmath.harmonic(n)
    second, third, k = term, digammas * term, 0
    while mpmath.mag(term) > mpmath.mag(second) - mpmath.mp.prec - GUARD or k < abs(half):
        k += 1
        term *= sign * square / (k * (n + k))
        digammas += mpmath.mpf(1) / k + mpmath.mpf(1) / (n + k)
        second += term
        third += digammas * term
    return first, second, third
