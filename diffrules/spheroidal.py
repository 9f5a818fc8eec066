"""Rules of spheroidal wave functions in their argument."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

import mpmath
import sympy
from sympy import Rational

from diffrules.domains import Interval
from diffrules.meanings import Meaning
from diffrules.tridiagonal import eigenvector
from diffrules.vocabulary import (
    closed,
    integers,
    later,
    not_differentiable,
    real_only,
    refused,
    rule,
    scipy,
    symbol,
    x,
)

c, k, m, n = (symbol(name) for name in "ckmn")
ORDER = not_differentiable("the order is a whole number")
DEGREE = not_differentiable("the degree is a whole number")
PARAMETER = not_differentiable("the derivatives of wave functions in c have no closed form")


def series(sign: int, m: Any, n: Any, c: Any) -> tuple[list[int], list[Any], Any]:
    """Return degrees above m, factors of a series of Legendre functions, the characteristic value.

    Prolate for `sign` 1, oblate for -1; DLMF 30.8.4.
    """
    return _series(sign, int(m), int(n), mpmath.mpf(c), mpmath.mp.prec)


@cache
def _series(
    sign: int, m: int, n: int, c: Any, precision: int
) -> tuple[list[int], list[Any], Any]:  # fmt: skip
    square, first = sign * c * c, (n - m) % 2
    degrees = [first + 2 * j for j in range(n + 16 + int(abs(c)) + precision // 8)]
    diagonal = [
        (m + r) * (m + r + 1)
        + square * (2 * (m + r) * (m + r + 1) - 2 * m * m - 1)
        / mpmath.mpf((2 * m + 2 * r - 1) * (2 * m + 2 * r + 3))
        for r in degrees
    ]
    # The factors d[r] of functions of length 1 have a symmetric matrix.
    beside = [
        square / mpmath.mpf(2 * m + 2 * r + 3)
        * mpmath.sqrt(
            mpmath.mpf((r + 1) * (r + 2) * (2 * m + r + 1) * (2 * m + r + 2))
            / ((2 * m + 2 * r + 1) * (2 * m + 2 * r + 5))
        )
        for r in degrees
    ]  # fmt: skip
    value, vector = eigenvector(diagonal, beside, (n - m) // 2)
    factors = [
        number * mpmath.sqrt((2 * m + 2 * r + 1) * mpmath.factorial(r)
                             / mpmath.factorial(2 * m + r))
        for number, r in zip(vector, degrees, strict=True)
    ]  # fmt: skip
    return degrees, factors, value


class CharacteristicValue(Meaning):
    """The characteristic value of a wave function, as SciPy has it."""

    nargs = 4

    @staticmethod
    def numeric(k: Any, m: Any, n: Any, c: Any) -> Any:
        """Return it; k is 1 of prolate functions and -1 of oblate ones."""
        with mpmath.extraprec(20):
            found = series(int(k), m, n, c)[2]
        return +found


def legendre(order: int, m: int, count: int, x: Any) -> list[Any]:
    """Return Ferrers' functions without the sign of Condon and Shortley, or their derivatives.

    Of order m and the degrees from m on.
    """
    below, found, listed = mpmath.mpf(0), mpmath.mpf(1), []
    for j in range(m):
        found *= (2 * j + 1) * mpmath.sqrt(1 - x * x)
    for j in range(m, m + count):
        slope = ((j + m) * below - j * x * found) / (1 - x * x) if order else found
        listed.append(slope)
        below, found = found, ((2 * j + 1) * x * found - (j + m) * below) / (j + 1 - m)
    return listed


def angular(sign: int, order: int, m: Any, n: Any, c: Any, x: Any) -> Any:
    """Return an angular function of Flammer's scale, or its derivative, DLMF 30.8.1."""
    degrees, factors, _ = series(sign, m, n, c)
    m, n, first = int(m), int(n), degrees[0]

    def scale(r: int) -> Any:
        part = mpmath.factorial(r + 2 * m + first) / mpmath.factorial((r + 2 * m + first) // 2)
        return (-1) ** ((r - first) // 2) * part / (2**r * mpmath.factorial((r - first) // 2))

    total = mpmath.fsum(scale(r) * d for r, d in zip(degrees, factors, strict=True))
    listed = legendre(order, m, degrees[-1] + 1, x)
    return scale(n - m) / total * mpmath.fsum(
        d * listed[r] for r, d in zip(degrees, factors, strict=True)
    )


def radial(sign: int, order: int, m: Any, n: Any, c: Any, x: Any) -> Any:
    """Return a radial function of the first kind, or its derivative, DLMF 30.11.3."""
    degrees, factors, _ = series(sign, m, n, c)
    m, n = int(m), int(n)
    at, share = c * x, (x * x - sign) / (x * x)
    power = share ** (mpmath.mpf(m) / 2)
    slope = power * m * sign / (x**3 * share)

    def term(r: int) -> Any:
        half = mpmath.sqrt(mpmath.pi / (2 * at))
        bessel = half * mpmath.besselj(m + r + mpmath.mpf(1) / 2, at)
        if not order:
            return power * bessel
        above = half * mpmath.besselj(m + r + mpmath.mpf(3) / 2, at)
        return slope * bessel + power * c * ((m + r) / at * bessel - above)

    total, scale, small = mpmath.mpf(0), mpmath.mpf(0), 0
    for r, d in zip(degrees, factors, strict=True):
        weight = d * mpmath.factorial(2 * m + r) / mpmath.factorial(r)
        scale += weight
        part = 0 if small > 4 else (-1) ** ((r + m - n) // 2) * weight * term(r)
        total += part
        small = small + 1 if r > n - m and abs(part) <= abs(total) * mpmath.eps else 0
    return total / scale


class OfWave(Meaning):
    """A wave function, or its derivative.

    Attributes
    ----------
    order : int
        0 for the function, 1 for its derivative.
    second : callable
        What the second derivative is, of the arguments, the function and its derivative.
    """

    nargs = 4
    order: ClassVar[int]
    second: ClassVar[Callable[..., Any]]
    other: ClassVar[type[OfWave]]

    def fdiff(self, argindex: int = 4) -> sympy.Expr:
        """Return the derivative of the function, or the second one by the equation."""
        found = type(self).other(*self.args)
        return type(self).second(*self.args, found, self) if self.order else found


def solution(
    name: str, number: Callable[..., Any], second: Callable[..., Any]
) -> tuple[type[OfWave], type[OfWave]]:
    """Return the SymPy functions of a wave function and of its derivative."""

    def made(order: int) -> type[OfWave]:
        def numeric(m: Any, n: Any, c: Any, x: Any) -> Any:
            with mpmath.extraprec(40):
                found = number(order, m, n, c, x)
            return +found

        return type(f"{name}{'_prime' * order}", (OfWave,), {
            "order": order, "second": staticmethod(second), "numeric": staticmethod(numeric),
        })  # fmt: skip

    value, prime = made(0), made(1)
    value.other, prime.other = prime, value
    return value, prime


def of_wave(
    title: str, name: str, sign: int, number: Callable[..., Any], ends: tuple[Any, Any], note: str
) -> None:
    """Write the entries of the two outputs of a function of SciPy's."""
    # The radial equation of oblate functions has 1 + x**2.
    turn = -1 if number is radial and sign < 0 else 1
    characteristic = later("_spheroidal_cv", 4)

    def second(value: Any, m: Any, n: Any, c: Any, x: Any, function: Any, prime: Any) -> Any:
        rest = turn - x**2
        square = sign * turn * c**2
        known = value(sign, m, n, c) - square * x**2 - turn * m**2 / rest
        return (2 * x * prime - known * function) / rest

    value, prime = solution(
        title,
        lambda order, m, n, c, x: number(sign, order, m, n, c, x),
        lambda *args: second(CharacteristicValue, *args),
    )
    boxes: list[dict[Any, Interval | tuple[Any, Any]]] = [
        {m: integers(j, j), n: integers(j, j + 3), c: closed(HALF, 5), x: ends} for j in range(3)]
    page = f"https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.{name}.html"
    shared = {m: ORDER, n: DEGREE, c: PARAMETER}
    of_scipy: dict[str, Any] = {"complex": real_only, "domain": boxes,
                                "reference": f"DLMF 30.2.1, {page}", "c": scipy(name)}
    function, derivative = later(title, 4)(m, n, c, x), later(f"{title}_prime", 4)(m, n, c, x)
    rule(title, args=(m, n, c, x), value=value(m, n, c, x),
         partials={**shared, x: derivative},
         note=f"the first output of SciPy's {name}{note}",
         numpy=(f"support.{name}", f"special.{name}[0]"), **of_scipy)
    rule(f"{title}_prime", args=(m, n, c, x), value=prime(m, n, c, x),
         partials={**shared, x: second(characteristic, m, n, c, x, function, derivative)},
         note=f"the second output of SciPy's {name}, the derivative of the first{note}",
         numpy=(f"support.{name}_prime", f"special.{name}[1]"), **of_scipy)


HALF = Rational(1, 2)
LOSES = (", off by up to {} ulp in this domain, away from zeros. In single precision it "
         "does not end, "
         "and where c is NaN or beyond 1000 it can end the process")

of_wave("prolate_angular", "pro_ang1", 1, angular, (-HALF, HALF), LOSES.format(300))
of_wave("oblate_angular", "obl_ang1", -1, angular, (-HALF, HALF), LOSES.format(200))
of_wave("prolate_radial", "pro_rad1", 1, radial, (Rational(5, 4), 3), LOSES.format(1500))
of_wave("oblate_radial", "obl_rad1", -1, radial, (1, 3), LOSES.format(100))

rule("_spheroidal_cv", args=(k, m, n, c), value=CharacteristicValue(k, m, n, c),
     partials={k: not_differentiable("a sign"), m: ORDER, n: DEGREE, c: PARAMETER},
     complex=real_only,
     domain=[{k: integers(1, 1), m: integers(j, j), n: integers(j, j + 3), c: closed(0, 5)}
             for j in range(3)],
     note="the characteristic value, of prolate functions for k = 1, of oblate ones for -1",
     reference="DLMF 30.3(i)",
     numpy="support.spheroidal_cv", c=scipy("pro_cv"))

refused("the derivative in c is an integral of the squared wave function; SciPy has no "
        "coefficients of its series", "special.pro_cv", "special.obl_cv")

refused("its values are of no function where cv is not the characteristic value of m, n and c, so "
        "there is no derivative; the function without _cv computes cv itself",
        "special.pro_ang1_cv", "special.obl_ang1_cv", "special.pro_rad1_cv",
        "special.obl_rad1_cv", "special.pro_rad2_cv", "special.obl_rad2_cv")

refused("SciPy's values are wrong in every digit at some points, such as m=1, n=2, c=3.876, "
        "x=1.614, where its Wronskian is off by a factor of 4; no derivative can be made of them",
        "special.pro_rad2")

refused("SciPy's values are wrong in every digit at many points, such as m=1, n=4, c=2.236, "
        "x=1.847, where its Wronskian is off by a factor of 1000; no derivative can be made of "
        "them",
        "special.obl_rad2")
