"""Rules of Mathieu functions in their argument, of their characteristic values in q."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

import mpmath
import sympy
from sympy import Rational, cos, cosh, pi

from diffrules.domains import Interval
from diffrules.meanings import Meaning
from diffrules.tridiagonal import eigenvector
from diffrules.vocabulary import (
    closed,
    integers,
    later,
    not_differentiable,
    real_only,
    rule,
    scipy,
    symbol,
    x,
)

m, q = symbol("m"), symbol("q")
ORDER = not_differentiable("the order is a whole number")
PARAMETER = not_differentiable("the derivatives of Mathieu functions in q have no closed form")
ONCE = not_differentiable("the second derivative of characteristic values in q is missing")
EVEN, ODD = "ce", "se"


def series(kind: str, m: Any, q: Any) -> tuple[list[int], list[Any], Any, Any]:
    """Return frequencies and factors of a Fourier series, the characteristic value, its slope.

    From the symmetric form of the recurrences of DLMF 28.4.
    """
    return _series(kind, int(m), mpmath.mpf(q), mpmath.mp.prec)


@cache
def _series(kind: str, m: int, q: Any, precision: int) -> tuple[list[int], list[Any], Any, Any]:
    size = m + 20 + int(2 * mpmath.sqrt(abs(q))) + precision // 7
    first = m % 2 or (0 if kind == EVEN else 2)
    waves = [first + 2 * k for k in range(size)]
    growth = [mpmath.mpf(1)] * size
    if kind == EVEN and not first:
        growth[0] = mpmath.sqrt(2)
    edge = 0 if first != 1 else 1 if kind == EVEN else -1
    diagonal = [mpmath.mpf(wave) ** 2 for wave in waves]
    diagonal[0] += edge * q
    value, vector = eigenvector(diagonal, [q * rate for rate in growth], waves.index(m))
    pairs = [2 * a * b * rate for a, b, rate in zip(vector, vector[1:], growth, strict=False)]
    slope = mpmath.fsum(pairs) + edge * vector[0] ** 2
    if kind == EVEN and not first:
        vector[0] /= mpmath.sqrt(2)
    sign = mpmath.fsum(
        number if kind == EVEN else number * wave
        for number, wave in zip(vector, waves, strict=True)
    )
    return waves, [number * mpmath.sign(sign) for number in vector], value, slope


class Characteristic(Meaning):
    """A characteristic value of Mathieu's equation, or its derivative in q."""

    nargs = 2
    kind: ClassVar[str]
    order: ClassVar[int]

    def fdiff(self, argindex: int = 2) -> sympy.Expr:
        """Return the derivative in q, of the value."""
        if self.order:
            raise sympy.ArgumentIndexError(self, argindex)
        return SLOPES[self.kind](*self.args)


def characteristic(kind: str, order: int) -> type[Characteristic]:
    """Return the SymPy function."""

    def numeric(m: Any, q: Any) -> Any:
        with mpmath.extraprec(20):
            _, _, value, slope = series(kind, m, q)
            found = slope if order else value
        return +found

    fields = {"kind": kind, "order": order, "numeric": staticmethod(numeric)}
    return type(f"mathieu_{kind}_value{'_slope' * order}", (Characteristic,), fields)


VALUES = {kind: characteristic(kind, 0) for kind in (EVEN, ODD)}
SLOPES = {kind: characteristic(kind, 1) for kind in (EVEN, ODD)}


class OfMathieu(Meaning):
    """A solution of Mathieu's equation, or its derivative.

    Attributes
    ----------
    order : int
        0 for the solution, 1 for its derivative.
    unit, factor : expression, callable
        By what the derivative is more than that, and what times the solution the second one is.
    """

    nargs = 3
    order: ClassVar[int]
    unit: ClassVar[Any]
    factor: ClassVar[Callable[..., Any]]
    other: ClassVar[type[OfMathieu]]

    def fdiff(self, argindex: int = 3) -> sympy.Expr:
        """Return the derivative of the solution, or the second one by the equation."""
        found = type(self).other(*self.args)
        return type(self).unit * (type(self).factor(*self.args) * found if self.order else found)


def angular(kind: str, order: int, m: Any, q: Any, x: Any) -> Any:
    """Return ce or se of degrees, or the derivative in radians."""
    waves, factors, _, _ = series(kind, m, q)
    angle = x * mpmath.pi / 180
    wave = (mpmath.cos, mpmath.sin)[(kind == ODD) ^ (order == 1)]
    sign = -1 if order and kind == EVEN else 1
    return sign * mpmath.fsum(
        number * k**order * wave(k * angle) for k, number in zip(waves, factors, strict=True)
    )


def _bessel(at: Any, second: bool) -> Callable[[int], Any]:
    """Return Bessel's function of whole orders; that of the second kind by recurrence."""

    @cache
    def found(order: int) -> Any:
        if order < 0:
            return (-1) ** order * found(-order)
        if not second:
            return mpmath.besselj(order, at)
        if order < 2:
            return mpmath.bessely(order, at)
        return 2 * (order - 1) / at * found(order - 1) - found(order - 2)

    return found


def radial(kind: str, second: bool, order: int, m: Any, q: Any, x: Any) -> Any:
    """Return a modified function of the first or second kind, or its derivative, DLMF 28.24."""
    waves, factors, _, _ = series(kind, m, q)
    here, there = mpmath.sqrt(q) * mpmath.exp(-x), mpmath.sqrt(q) * mpmath.exp(x)
    start, sign = waves[0], 1 if kind == EVEN else -1
    s = max(range(len(factors)), key=lambda k: abs(factors[k]))
    inner, outer = _bessel(here, False), _bessel(there, second)

    def product(below: int, above: int) -> Any:
        if not order:
            return inner(below) * outer(above)
        falls = here * (inner(below - 1) - inner(below + 1)) / 2
        grows = there * (outer(above - 1) - outer(above + 1)) / 2
        return inner(below) * grows - falls * outer(above)

    total, k, small = mpmath.mpf(0), 0, 0
    while small < 4 and k < len(factors):
        pair = product(k - s, k + s + start) + sign * product(k + s + start, k - s)
        part = (-1) ** (k + waves.index(int(m))) * factors[k] * pair
        total, k = total + part, k + 1
        small = small + 1 if k > s and abs(part) <= abs(total) * mpmath.eps else 0
    return total / factors[s] / (2 if waves[s] == 0 else 1)


def solution(
    kind: str, name: str, number: Callable[..., Any], unit: Any, sign: int, wave: Any
) -> tuple[type[OfMathieu], type[OfMathieu]]:
    """Return the SymPy functions of a solution and of its derivative."""

    def factor(m: Any, q: Any, x: Any) -> Any:
        return sign * (VALUES[kind](m, q) - 2 * q * wave(x))

    def made(order: int) -> type[OfMathieu]:
        def numeric(m: Any, q: Any, x: Any) -> Any:
            with mpmath.extraprec(20):
                found = number(order, m, q, x)
            return +found

        return type(f"{name}{'_prime' * order}", (OfMathieu,), {
            "order": order, "unit": unit, "factor": staticmethod(factor),
            "numeric": staticmethod(numeric),
        })  # fmt: skip

    value, prime = made(0), made(1)
    value.other, prime.other = prime, value
    return value, prime


def of_scipy(name: str, output: int) -> dict[str, Any]:
    """Return the fields that all functions here have alike."""
    page = f"https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.{name}.html"
    return {"complex": real_only, "reference": f"DLMF 28.2, {page}",
            "numpy": f"special.{name}[{output}]", "c": scipy(name)}  # fmt: skip


def of_mathieu(
    title: str, name: str, kind: str, number: Callable[..., Any], unit: Any, sign: int, wave: Any,
    domain: dict[Any, Interval], note: str,
) -> None:  # fmt: skip
    """Write the entries of the two outputs of a function of SciPy's."""
    value, prime = solution(kind, title, number, unit, sign, wave)
    function, derivative = later(title, 3), later(f"{title}_prime", 3)
    known = later("mathieu_a" if kind == EVEN else "mathieu_b", 2)
    rule(title, args=(m, q, x), value=value(m, q, x),
         partials={m: ORDER, q: PARAMETER, x: unit * derivative(m, q, x)},
         domain=domain,
         note=f"the first output of SciPy's {name}{note}",
         **of_scipy(name, 0))
    rule(f"{title}_prime", args=(m, q, x), value=prime(m, q, x),
         partials={m: ORDER, q: PARAMETER,
                   x: sign * unit * (known(m, q) - 2 * q * wave(x)) * function(m, q, x)},
         domain=domain,
         note=f"the second output of SciPy's {name}{note}",
         **of_scipy(name, 1))


def of_value(letter: str, kind: str, low: int) -> None:
    """Write the entries of a characteristic value and of its derivative."""
    name, slope = f"mathieu_{letter}", later(f"_mathieu_{letter}_slope", 2)
    domain = {m: integers(low, 5), q: closed(0, 30)}
    rule(name, args=(m, q), value=VALUES[kind](m, q),
         partials={m: ORDER, q: slope(m, q)},
         complex=real_only,
         domain=domain,
         note="the derivative is that of Rayleigh's quotient; it costs 20 times the value",
         reference="DLMF 28.2(v), "
                   f"https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.{name}.html",
         numpy=f"special.{name}", c=scipy(name))
    rule(f"_mathieu_{letter}_slope", args=(m, q), value=SLOPES[kind](m, q),
         partials={m: ORDER, q: ONCE},
         complex=real_only,
         domain=domain,
         note="2/pi times the integral of cos(2*x)*ce**2 from 0 to pi, by the eigenvector of the "
              "recurrence of Fourier's factors",
         reference="DLMF 28.4",
         numpy=f"support.mathieu_{letter}_slope", c=scipy(name))


of_value("a", EVEN, 0)
of_value("b", ODD, 1)


def in_degrees(x: Any) -> Any:
    """Return the wave of Mathieu's equation."""
    return cos(pi * x / 90)


def hyperbolic(x: Any) -> Any:
    """Return the wave of the modified equation."""
    return cosh(2 * x)


DEGREE, HALF = pi / 180, Rational(1, 2)

for kind, low in ((EVEN, 0), (ODD, 1)):
    of_mathieu(f"mathieu_{kind}", f"mathieu_{kind[0]}em", kind,
               lambda order, m, q, x, kind=kind: angular(kind, order, m, q, x),
               DEGREE, -1, in_degrees,
               {m: integers(low, 5), q: closed(HALF, 30), x: closed(10, 80)},
               ". The argument is in degrees, the derivative that SciPy returns is in radians; "
               "both are off by 1e-9 where q is near 0 and m is 2; it can end the process where q "
               "is NaN")
    for second in (False, True):
        letter, ordinal = kind[0], 1 + second
        of_mathieu(f"mathieu_m{letter}{ordinal}", f"mathieu_mod{letter}em{ordinal}", kind,
                   lambda order, m, q, x, kind=kind, second=second:
                       radial(kind, second, order, m, q, x),
                   1, 1, hyperbolic,
                   {m: integers(low, 3), q: closed(1, 10), x: closed(HALF, 2)},
                   ", off by up to 5000 ulp where q is less than 1")
