"""Rules of Bessel functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from sympy import Abs, Rational, besseli, besselj, besselk, bessely, exp, oo

from diffrules.digits import FUNCTIONS
from diffrules.entry import refused
from diffrules.meanings import Meaning
from diffrules.vocabulary import (
    closed,
    integers,
    later,
    not_differentiable,
    out,
    point,
    real_only,
    rule,
    scipy,
    symbol,
    x,
)

m, n = symbol("m"), symbol("n")
HALF = Rational(1, 2)

class BesselSlope(Meaning):
    """A Bessel function differentiated, by orders two apart: DLMF 10.6.7 and 10.29.5."""

    nargs = 3
    sign: ClassVar[int]

    def fdiff(self, argindex: int = 3) -> Meaning:
        """Return the derivative in the argument: one order more of it."""
        order, of, at = self.args
        return type(self)(order + 1, of, at)

    @classmethod
    def sum(cls, function: Callable[..., Any], order: Any, of: Any, at: Any) -> Any:
        """Return the derivative of `order`; the sign is that of the term with a higher order."""
        count = int(order)
        terms = (
            cls.sign**k * FUNCTIONS.binomial(count, k) * function(of - count + 2 * k, at)
            for k in range(count + 1)
        )
        return FUNCTIONS.fsum(terms) / 2**count

class j_slope(BesselSlope):  # noqa: N801
    """The derivative of order ``m`` of ``besselj(n, x)``."""

    sign = -1

    @staticmethod
    def numeric(order: Any, of: Any, at: Any) -> Any:
        """Return it to the digits of the caller."""
        return j_slope.sum(FUNCTIONS.besselj, order, of, at)

class y_slope(BesselSlope):  # noqa: N801
    """The derivative of order ``m`` of ``bessely(n, x)``."""

    sign = -1

    @staticmethod
    def numeric(order: Any, of: Any, at: Any) -> Any:
        """Return it to the digits of the caller."""
        return y_slope.sum(FUNCTIONS.bessely, order, of, at)

class i_slope(BesselSlope):  # noqa: N801
    """The derivative of order ``m`` of ``besseli(n, x)``."""

    sign = 1

    @staticmethod
    def numeric(order: Any, of: Any, at: Any) -> Any:
        """Return it to the digits of the caller."""
        return i_slope.sum(FUNCTIONS.besseli, order, of, at)

class k_slope(BesselSlope):  # noqa: N801
    """The derivative of order ``m`` of ``besselk(n, x)``."""

    sign = 1

    @staticmethod
    def numeric(order: Any, of: Any, at: Any) -> Any:
        """Return it to the digits of the caller."""
        return (-1) ** int(order) * k_slope.sum(FUNCTIONS.besselk, order, of, at)

class scaled_i_slope(BesselSlope):  # noqa: N801
    """The derivative of order ``m`` of ``exp(-Abs(x))*besseli(n, x)``; at 0 the mean."""

    @staticmethod
    def numeric(order: Any, of: Any, at: Any) -> Any:
        """Return it to the digits of the caller."""
        count = int(order)
        if at < 0:
            return (-1) ** int(count + of) * scaled_i_slope.numeric(order, of, -at)
        terms = (
            (-1) ** (count - j) * FUNCTIONS.binomial(count, j) * i_slope.numeric(j, of, at)
            for j in range(count % 2 if at == 0 else 0, count + 1, 2 if at == 0 else 1)
        )
        return FUNCTIONS.fsum(terms) * FUNCTIONS.exp(-at)

class scaled_k_slope(BesselSlope):  # noqa: N801
    """The derivative of order ``m`` of ``exp(x)*besselk(n, x)``."""

    @staticmethod
    def numeric(order: Any, of: Any, at: Any) -> Any:
        """Return it to the digits of the caller."""
        count = int(order)
        terms = (
            FUNCTIONS.binomial(count, j) * k_slope.numeric(j, of, at) for j in range(count + 1)
        )
        return FUNCTIONS.fsum(terms) * FUNCTIONS.exp(at)

ORDER = not_differentiable("SciPy has no derivative of Bessel functions in the order")
COUNT = not_differentiable("a number of derivatives")
SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated/scipy.special."
REAL_ORDERS = [{n: closed(HALF, 10), x: (0, oo)}, {n: integers(0, 10), x: (0, oo)}]
PRECISE = "SciPy's function subtracts a phase from x, and has no digit left beyond 1e16"

bessel_j, bessel_y = later("_bessel_j", 3), later("_bessel_y", 3)
bessel_i, bessel_k = later("_bessel_i", 3), later("_bessel_k", 3)
scaled_i, scaled_k = later("_scaled_i", 3), later("_scaled_k", 3)
jv, yv, iv, kv = (later(name, 2) for name in ("jv", "yv", "iv", "kv"))

rule("j0", args=(x,), value=besselj(0, x), aliases=("besselj0",),
     partials={x: -bessel_j(0, 1, x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     note=PRECISE + "; ours costs up to 8 times the value",
     reference="DLMF 10.6.3",
     numpy="special.j0", c=scipy("j0"))

rule("j1", args=(x,), value=besselj(1, x), aliases=("besselj1",),
     partials={x: bessel_j(1, 1, x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     note=PRECISE + "; j0(x) - out/x is 0/0 at 0. Ours costs up to 10 times the value",
     reference="DLMF 10.6.1",
     numpy="special.j1", c=scipy("j1"))

rule("jv", args=(n, x), value=besselj(n, x), aliases=("besselj", "jn"),
     partials={n: ORDER, x: bessel_j(1, n, x)},
     complex={x: (jv(n - 1, x) - jv(n + 1, x)) / 2},
     domain=REAL_ORDERS,
     ulp=32,
     note="SciPy's values are off by up to 350 units of their size where the order is no whole "
          "number; next to the zeros of the partial its condition number is 100 and more, "
          "and 26 ulp were measured; the "
          "form that keeps all digits costs 4 times the value",
     reference="DLMF 10.6.1",
     numpy=("special.jv", "special.jn"), c=scipy("jv"))

rule("jve", args=(n, x), value=besselj(n, x), aliases=("besseljx",),
     partials={n: ORDER, x: bessel_j(1, n, x)},
     complex=real_only,
     domain=REAL_ORDERS,
     ulp=32,
     note="the scale is 1 for real arguments, and has no derivative for complex ones; the form "
          "that keeps all digits costs 5 times the value; next to the zeros of the partial its "
          "condition number is 100 and more, and 26 ulp were measured",
     reference=SCIPY + "jve.html",
     numpy="special.jve", c=scipy("jve"))

rule("_bessel_j", args=(m, n, x), value=j_slope(m, n, x),
     partials={m: COUNT, n: ORDER, x: bessel_j(m + 1, n, x)},
     complex=real_only,
     domain={m: integers(0, 3), n: closed(HALF, 5), x: (0, oo)},
     ulp=32,
     note="the derivative of order m of jv(n, x)",
     reference="DLMF 10.6.7, 10.17; Temme 1975, On the numerical evaluation of the modified Bessel "
               "function of the third kind",
     numpy="support.bessel_j", c=scipy("jv"))

rule("y0", args=(x,), value=bessely(0, x), aliases=("bessely0",),
     partials={x: -bessel_y(0, 1, x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     ulp=16,
     note=PRECISE + "; ours costs up to 8 times the value. Below the first zero of the partial "
          "its condition number is 14: 10 ulp measured",
     reference="DLMF 10.6.3",
     numpy="special.y0", c=scipy("y0"))

rule("y1", args=(x,), value=bessely(1, x), aliases=("bessely1",),
     partials={x: bessel_y(1, 1, x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     ulp=8,
     note=PRECISE + "; ours costs up to 10 times the value",
     reference="DLMF 10.6.1",
     numpy="special.y1", c=scipy("y1"))

rule("yv", args=(n, x), value=bessely(n, x), aliases=("bessely",),
     partials={n: ORDER, x: bessel_y(1, n, x)},
     complex={x: (yv(n - 1, x) - yv(n + 1, x)) / 2},
     domain=REAL_ORDERS,
     at=[point({n: 2, x: 0.0}, {x: oo}, "pole", value=-oo)],
     ulp=16,
     note="SciPy's values are off by up to 100 units of their size where the order is no whole "
          "number; next to the zeros of the partial 10 ulp were measured",
     reference="DLMF 10.6.1",
     numpy="special.yv", c=scipy("yv"))

rule("yn", args=(n, x), value=bessely(n, x),
     partials={n: not_differentiable("the order is a whole number"), x: bessel_y(1, n, x)},
     complex=real_only,
     domain={n: integers(0, 10), x: (0, oo)},
     at=[point({n: 2, x: 0.0}, {x: oo}, "pole", value=-oo)],
     ulp=16,
     note="yv with a whole order; the form that keeps all digits costs 10 times the value; "
          "next to the zeros of the partial 10 ulp were measured",
     reference="DLMF 10.6.1",
     numpy="special.yn", c=scipy("yn"))

rule("yve", args=(n, x), value=bessely(n, x), aliases=("besselyx",),
     partials={n: ORDER, x: bessel_y(1, n, x)},
     complex=real_only,
     domain=REAL_ORDERS,
     ulp=16,
     note="the scale is 1 for real arguments, and has no derivative for complex ones; "
          "next to the zeros of the partial 10 ulp were measured",
     reference=SCIPY + "yve.html",
     numpy="special.yve", c=scipy("yve"))

rule("_bessel_y", args=(m, n, x), value=y_slope(m, n, x),
     partials={m: COUNT, n: ORDER, x: bessel_y(m + 1, n, x)},
     complex=real_only,
     domain={m: integers(0, 3), n: closed(HALF, 5), x: (0, oo)},
     ulp=16,
     note="the derivative of order m of yv(n, x)",
     reference="DLMF 10.6.7, 10.17; Temme 1976, On the numerical evaluation of the ordinary Bessel "
               "function of the second kind",
     numpy="support.bessel_y", c=scipy("yv"))

rule("i0", args=(x,), value=besseli(0, x),
     partials={x: bessel_i(0, 1, x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     note="SciPy's i1 is infinite from 709.8 on, where 3 more were possible; the form that keeps "
          "all digits costs 9 times the value",
     reference="DLMF 10.29.3",
     numpy=("special.i0", "np.i0"), c=scipy("i0"))

rule("i1", args=(x,), value=besseli(1, x),
     partials={x: bessel_i(1, 1, x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     note="i0(x) - out/x is 0/0 at 0, and cancels near it when it is differentiated again; the "
          "form that keeps all digits costs 16 times the value",
     reference="DLMF 10.29.1",
     numpy="special.i1", c=scipy("i1"))

rule("iv", args=(n, x), value=besseli(n, x), aliases=("besseli",),
     partials={n: ORDER, x: bessel_i(1, n, x)},
     complex={x: (iv(n - 1, x) + iv(n + 1, x)) / 2},
     domain=REAL_ORDERS,
     ulp=8,
     note="SciPy's values are off by up to 350 units in the last place where the order is no "
          "whole number; the form that keeps all digits costs 6 times the value",
     reference="DLMF 10.29.1",
     numpy="special.iv", c=scipy("iv"))

rule("_bessel_i", args=(m, n, x), value=i_slope(m, n, x),
     partials={m: COUNT, n: ORDER, x: bessel_i(m + 1, n, x)},
     complex=real_only,
     domain={m: integers(0, 3), n: closed(HALF, 5), x: (0, oo)},
     ulp=8,
     note="the derivative of order m of iv(n, x)",
     reference="DLMF 10.25.2, 10.28.2, 10.29.5",
     numpy="support.bessel_i", c=scipy("iv"))

rule("i0e", args=(x,), value=exp(-Abs(x)) * besseli(0, x),
     partials={x: scaled_i(1, 0, x)},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: 0}, "kink of exp(-|x|)")],
     ulp=8,
     note="i1e(x) - sign(x)*out has no digit left at 1e16; the form that keeps all digits costs "
          "17 times the value",
     reference=SCIPY + "i0e.html",
     numpy="special.i0e", c=scipy("i0e"))

rule("i1e", args=(x,), value=exp(-Abs(x)) * besseli(1, x),
     partials={x: scaled_i(1, 1, x)},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: HALF}, "the kink of exp(-|x|) is multiplied by 0")],
     ulp=8,
     note="(i0e(x) + ive(2, x))/2 - sign(x)*out has no digit left at 1e16; the form that keeps "
          "all digits costs 19 times the value",
     reference=SCIPY + "i1e.html",
     numpy="special.i1e", c=scipy("i1e"))

rule("ive", args=(n, x), value=exp(-Abs(x)) * besseli(n, x), aliases=("besselix",),
     partials={n: ORDER, x: scaled_i(1, n, x)},
     complex=real_only,
     domain=[{n: closed(HALF, 5), x: (0, oo)}, {n: integers(0, 5), x: (0, oo)}],
     ulp=16,
     note="a difference of neighbours has no digit left at 1e16; the form that keeps all digits "
          "costs 5 times the value",
     reference=SCIPY + "ive.html",
     numpy="special.ive", c=scipy("ive"))

rule("_scaled_i", args=(m, n, x), value=scaled_i_slope(m, n, x),
     partials={m: COUNT, n: ORDER, x: scaled_i(m + 1, n, x)},
     complex=real_only,
     domain={m: integers(0, 1), n: closed(HALF, 5), x: (0, oo)},
     ulp=64,
     note="the derivative of order m of ive(n, x)",
     reference="DLMF 10.32.2, 10.40.1",
     numpy="support.scaled_i", c=scipy("ive"))

rule("k0", args=(x,), value=besselk(0, x),
     partials={x: -bessel_k(0, 1, x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     reference="DLMF 10.29.3",
     numpy="special.k0", c=scipy("k0"))

rule("k1", args=(x,), value=besselk(1, x),
     partials={x: bessel_k(1, 1, x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     reference="DLMF 10.29.1",
     numpy="special.k1", c=scipy("k1"))

rule("kv", args=(n, x), value=besselk(n, x), aliases=("besselk",),
     partials={n: ORDER, x: bessel_k(1, n, x)},
     complex={x: -(kv(n - 1, x) + kv(n + 1, x)) / 2},
     domain=REAL_ORDERS,
     at=[point({n: 2, x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     note="SciPy's values are off by up to 370 units in the last place where the order is no "
          "whole number, and 0 from 700 on; the form that keeps all digits costs 8 times the "
          "value",
     reference="DLMF 10.29.1",
     numpy="special.kv", c=scipy("kv"))

rule("kn", args=(n, x), value=besselk(n, x),
     partials={n: not_differentiable("the order is a whole number"), x: bessel_k(1, n, x)},
     complex=real_only,
     domain={n: integers(0, 10), x: (0, oo)},
     at=[point({n: 2, x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     note="kv with a whole order",
     reference="DLMF 10.29.1",
     numpy="special.kn", c=scipy("kn"))

rule("_bessel_k", args=(m, n, x), value=k_slope(m, n, x),
     partials={m: COUNT, n: ORDER, x: bessel_k(m + 1, n, x)},
     complex=real_only,
     domain={m: integers(0, 3), n: closed(HALF, 5), x: (0, oo)},
     ulp=8,
     note="the derivative of order m of kv(n, x)",
     reference="DLMF 10.29.5, 10.32.9; Temme 1975, On the numerical evaluation of the modified "
               "Bessel function of the third kind",
     numpy="support.bessel_k", c=scipy("kv"))

rule("k0e", args=(x,), value=exp(x) * besselk(0, x),
     partials={x: scaled_k(1, 0, x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     note="out - k1e(x) has no digit left at 1e16; the form that keeps all digits costs 3 times "
          "the value",
     reference=SCIPY + "k0e.html",
     numpy="special.k0e", c=scipy("k0e"))

rule("k1e", args=(x,), value=exp(x) * besselk(1, x),
     partials={x: scaled_k(1, 1, x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     note="out - k0e(x) - out/x has no digit left at 1e16; the form that keeps all digits costs 3 "
          "times the value",
     reference=SCIPY + "k1e.html",
     numpy="special.k1e", c=scipy("k1e"))

rule("kve", args=(n, x), value=exp(x) * besselk(n, x), aliases=("besselkx",),
     partials={n: ORDER, x: scaled_k(1, n, x)},
     complex={x: out - (later("kve", 2)(n - 1, x) + later("kve", 2)(n + 1, x)) / 2},
     domain=REAL_ORDERS,
     at=[point({n: 2, x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     note="a difference of neighbours has no digit left at 1e16; the form that keeps all digits "
          "costs 4 times the value",
     reference=SCIPY + "kve.html",
     numpy="special.kve", c=scipy("kve"))

rule("_scaled_k", args=(m, n, x), value=scaled_k_slope(m, n, x),
     partials={m: COUNT, n: ORDER, x: scaled_k(m + 1, n, x)},
     complex=real_only,
     domain={m: integers(0, 2), n: closed(HALF, 5), x: (0, oo)},
     ulp=8,
     note="the derivative of order m of kve(n, x)",
     reference="DLMF 10.32.9, 10.40.2",
     numpy="support.scaled_k", c=scipy("kve"))

refused("its value is complex, also of real numbers; write jv(n, x) + 1j*yv(n, x)",
        "special.hankel1")

refused("its value is complex, also of real numbers; write jv(n, x) - 1j*yv(n, x)",
        "special.hankel2")

refused("its value is complex, also of real numbers; write "
        "(jv(n, x) + 1j*yv(n, x)) * exp(-1j*x)",
        "special.hankel1e")

refused("its value is complex, also of real numbers; write "
        "(jv(n, x) - 1j*yv(n, x)) * exp(1j*x)",
        "special.hankel2e")
