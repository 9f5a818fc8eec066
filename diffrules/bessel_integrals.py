"""Rules of integrals of Bessel functions of order 0, and of those times a power."""

from __future__ import annotations

from typing import Any

import mpmath
from sympy import Expr, besseli, besselj, besselk, bessely, hyper, oo

from diffrules.bessel import i_slope, j_slope
from diffrules.digits import FUNCTIONS
from diffrules.meanings import Meaning
from diffrules.vocabulary import (
    closed,
    integers,
    later,
    not_differentiable,
    point,
    real_only,
    rule,
    scipy,
    symbol,
    x,
)

a, m, nu, lmb = symbol("a"), symbol("m"), symbol("nu"), symbol("lmb")
COUNT = not_differentiable("a number of derivatives")
SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated/scipy.special."

class int_j0(Meaning):  # noqa: N801
    """The integral of ``besselj(0, t)`` from 0 to x."""

    nargs = 1

    @staticmethod
    def numeric(x: Any) -> Any:
        """Return it by DLMF 10.22.1."""
        return x * mpmath.hyper([0.5], [1, 1.5], -x * x / 4)

    def fdiff(self, argindex: int = 1) -> Expr:
        """Return the integrand."""
        return besselj(0, self.args[0])

class int_i0(Meaning):  # noqa: N801
    """The integral of ``besseli(0, t)`` from 0 to x."""

    nargs = 1

    @staticmethod
    def numeric(x: Any) -> Any:
        """Return it, as that of J."""
        return x * mpmath.hyper([0.5], [1, 1.5], x * x / 4)

    def fdiff(self, argindex: int = 1) -> Expr:
        """Return the integrand."""
        return besseli(0, self.args[0])

class int_y0(Meaning):  # noqa: N801
    """The integral of ``bessely(0, t)`` from 0 to x."""

    nargs = 1

    @staticmethod
    def numeric(x: Any) -> Any:
        """Return it by Struve's functions, DLMF 10.22.2."""
        turned = mpmath.pi / 2 * (
            FUNCTIONS.bessely(1, x) * mpmath.struveh(0, x)
            - FUNCTIONS.bessely(0, x) * mpmath.struveh(1, x)
        )
        return x * (FUNCTIONS.bessely(0, x) + turned)

    def fdiff(self, argindex: int = 1) -> Expr:
        """Return the integrand."""
        return bessely(0, self.args[0])

class int_k0(Meaning):  # noqa: N801
    """The integral of ``besselk(0, t)`` from 0 to x."""

    nargs = 1

    @staticmethod
    def numeric(x: Any) -> Any:
        """Return it by Struve's functions, DLMF 10.43.2."""
        turned = mpmath.pi / 2 * (
            FUNCTIONS.besselk(0, x) * mpmath.struvel(1, x)
            + FUNCTIONS.besselk(1, x) * mpmath.struvel(0, x)
        )
        return x * (FUNCTIONS.besselk(0, x) + turned)

    def fdiff(self, argindex: int = 1) -> Expr:
        """Return the integrand."""
        return besselk(0, self.args[0])

class j0_fall(Meaning):  # noqa: N801
    """The derivative of order ``m`` of ``(1 - besselj(0, x))/x``."""

    nargs = 2

    @staticmethod
    def numeric(m: Any, x: Any) -> Any:
        """Return it by its series, DLMF 10.2.2."""
        return _power_sum(int(m), x, -1)

    def fdiff(self, argindex: int = 2) -> Expr:
        """Return one derivative more."""
        return j0_fall(self.args[0] + 1, self.args[1])

class i0_rise(Meaning):  # noqa: N801
    """The derivative of order ``m`` of ``(besseli(0, x) - 1)/x``."""

    nargs = 2

    @staticmethod
    def numeric(m: Any, x: Any) -> Any:
        """Return it by its series, DLMF 10.25.2."""
        return _power_sum(int(m), x, 1)

    def fdiff(self, argindex: int = 2) -> Expr:
        """Return one derivative more."""
        return i0_rise(self.args[0] + 1, self.args[1])

def _power_sum(m: int, x: Any, sign: int) -> Any:
    """Return derivative `m` of the sum over k > 0 of ``sign**(k-1) * x**(2*k-1) / (4**k*k!**2)``.

    Far out by recurrence from the function that is divided by x.
    """
    if abs(x) > 40:
        slope = j_slope.numeric if sign < 0 else i_slope.numeric
        found = sign * (slope(0, 0, x) - 1) / x
        for k in range(1, m + 1):
            found = (sign * slope(k, 0, x) - k * found) / x
        return found
    with mpmath.extraprec(4 * int(abs(x)) + 20):
        total, factor, k = mpmath.mpf(0), mpmath.mpf(sign), 0
        while True:
            k += 1
            factor *= mpmath.mpf(sign) / (4 * k * k)
            if 2 * k - 1 >= m:
                term = mpmath.ff(2 * k - 1, m) * factor * x**(2 * k - 1 - m)
                total += term
                if k > abs(x) and abs(term) <= abs(total) * mpmath.eps:
                    break
    return +total

class log_integral(Meaning):  # noqa: N801
    """The integral of ``f(t)/t`` from x on, f Y (``sign`` -1) or K (1) of order 0."""

    nargs = 2

    @staticmethod
    def numeric(sign: Any, x: Any) -> Any:
        """Return it by its series, DLMF 10.8.2, 10.31.2, integrated term by term."""
        with mpmath.extraprec(4 * int(x) + 20):
            log = mpmath.log(x / 2) + mpmath.euler
            total, term, harmonic, k = log * log / 2, mpmath.mpf(1), mpmath.mpf(0), 0
            while k < x or abs(term) > mpmath.eps:
                k += 1
                term *= sign * x * x / (4 * k * k)
                harmonic += mpmath.mpf(1) / k
                total += term * (log - harmonic - mpmath.mpf(1) / (2 * k)) / (2 * k)
            if sign < 0:
                found = mpmath.pi / 6 - 2 / mpmath.pi * total
            else:
                found = mpmath.pi**2 / 24 + total
        return +found

    def fdiff(self, argindex: int = 2) -> Expr:
        """Return the integrand, without its sign."""
        sign, x = self.args
        return -(bessely(0, x) if sign < 0 else besselk(0, x)) / x

class bessel_moment(Meaning):  # noqa: N801
    """The integral of ``t**lmb * besselj(nu, 2*a*t)`` over t from 0 to 1."""

    nargs = 3

    @staticmethod
    def numeric(a: Any, lmb: Any, nu: Any) -> Any:
        """Return it by its series in a."""
        if nu < 0 and nu == int(nu):
            return (-1)**int(nu) * bessel_moment.numeric(a, lmb, -nu)
        power = lmb + nu + 1
        found = mpmath.hyper([power / 2], [nu + 1, power / 2 + 1], -a * a)
        return found * a**nu * mpmath.rgamma(nu + 1) / power

    def fdiff(self, argindex: int = 1) -> Expr:
        """Return the integral of the derivative."""
        a, lmb, nu = self.args
        return bessel_moment(a, lmb + 1, nu - 1) - bessel_moment(a, lmb + 1, nu + 1)

bessel_j, bessel_y = later("_bessel_j", 3), later("_bessel_y", 3)
bessel_i, bessel_k = later("_bessel_i", 3), later("_bessel_k", 3)
fall, rise = later("_j0_fall", 2), later("_i0_rise", 2)

rule("itj0", args=(x,), value=int_j0(x),
     partials={x: bessel_j(0, 0, x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     off=2e-10,
     note="the first output of SciPy's itj0y0, which is off beyond 20; the partial is not",
     reference="DLMF 10.22.1, " + SCIPY + "itj0y0.html",
     numpy="special.itj0y0[0]", c=scipy("itj0y0"))

rule("ity0", args=(x,), value=int_y0(x),
     partials={x: bessel_y(0, 0, x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: -oo}, "limit from the right", value=0)],
     ulp=16,
     off=1e-8,
     note="the second output of SciPy's itj0y0, which is off beyond 10; the partial is "
          "not. Below its first zero its condition number is 14: 9 ulp measured",
     reference="DLMF 10.22.2, " + SCIPY + "itj0y0.html",
     numpy="special.itj0y0[1]", c=scipy("itj0y0"))

rule("iti0", args=(x,), value=int_i0(x),
     partials={x: bessel_i(0, 0, x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     off=1e-7,
     note="the first output of SciPy's iti0k0, which is off beyond 20; the partial is not",
     reference="DLMF 10.43.1, " + SCIPY + "iti0k0.html",
     numpy="special.iti0k0[0]", c=scipy("iti0k0"))

rule("itk0", args=(x,), value=int_k0(x),
     partials={x: bessel_k(0, 0, x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "limit from the right", value=0)],
     ulp=8,
     off=1e-11,
     note="the second output of SciPy's iti0k0, which is off; the partial is not",
     reference="DLMF 10.43.2, " + SCIPY + "iti0k0.html",
     numpy="special.iti0k0[1]", c=scipy("iti0k0"))

rule("it2j0", args=(x,), value=x**2 / 8 * hyper([1, 1], [2, 2, 2], -x**2 / 4),
     partials={x: fall(0, x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     off=1e-10,
     note="the integral of (1 - j0(t))/t, the first output of SciPy's it2j0y0, which is off beyond "
          "20; the partial is not",
     reference="DLMF 10.22(iii), " + SCIPY + "it2j0y0.html",
     numpy="special.it2j0y0[0]", c=scipy("it2j0y0"))

rule("it2y0", args=(x,), value=log_integral(-1, x),
     partials={x: -bessel_y(0, 0, x) / x},
     complex=real_only,
     domain={x: (0, oo)},
     ulp=16,
     off=1e-8,
     note="the integral of y0(t)/t from x on, the second output of SciPy's it2j0y0, which is off "
          "beyond 10; the partial is not. Next to its first zero 9 ulp were measured",
     reference="DLMF 10.22(iii), " + SCIPY + "it2j0y0.html",
     numpy="special.it2j0y0[1]", c=scipy("it2j0y0"))

rule("it2i0", args=(x,), value=x**2 / 8 * hyper([1, 1], [2, 2, 2], x**2 / 4),
     partials={x: rise(0, x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     note="the integral of (i0(t) - 1)/t, the first output of SciPy's it2i0k0",
     reference="DLMF 10.43(iii), " + SCIPY + "it2i0k0.html",
     numpy="special.it2i0k0[0]", c=scipy("it2i0k0"))

rule("it2k0", args=(x,), value=log_integral(1, x),
     partials={x: -bessel_k(0, 0, x) / x},
     complex=real_only,
     domain={x: (0, 10)},
     ulp=8,
     off=2e-7,
     note="the integral of k0(t)/t from x on, the second output of SciPy's it2i0k0, of which 7 "
          "digits are right at 10 and none at 20; the partial has all",
     reference="DLMF 10.43(iii), " + SCIPY + "it2i0k0.html",
     numpy="special.it2i0k0[1]", c=scipy("it2i0k0"))

rule("_j0_fall", args=(m, x), value=j0_fall(m, x),
     partials={m: COUNT, x: fall(m + 1, x)},
     complex=real_only,
     domain={m: integers(0, 2), x: (-oo, oo)},
     ulp=24,
     note="the derivative of order m of (1 - j0(x))/x, which has no digit left near 0; "
          "18 ulp were measured next to a zero",
     reference="DLMF 10.2.2",
     numpy="support.j0_fall", c=scipy("j0"))

rule("_i0_rise", args=(m, x), value=i0_rise(m, x),
     partials={m: COUNT, x: rise(m + 1, x)},
     complex=real_only,
     domain={m: integers(0, 2), x: (-oo, oo)},
     ulp=16,
     note="the derivative of order m of (i0(x) - 1)/x, which has no digit left near 0",
     reference="DLMF 10.25.2",
     numpy="support.i0_rise", c=scipy("i0"))

moment = later("besselpoly", 3)

rule("besselpoly", args=(a, lmb, nu), value=bessel_moment(a, lmb, nu),
     partials={a: moment(a, lmb + 1, nu - 1) - moment(a, lmb + 1, nu + 1),
               lmb: not_differentiable("SciPy has no integral of a power times a logarithm"),
               nu: not_differentiable("SciPy has no derivative of Bessel functions in the order")},
     complex=real_only,
     domain={a: (0, 2), lmb: closed(0, 3), nu: closed(1, 5)},
     note="the integral of x**lmb * jv(nu, 2*a*x) from 0 to 1, which SciPy computes by a power "
          "series in a whose terms are large where a is; it is off by 660 ulp at a = 1e-59. The "
          "partial is a difference, which beside its zeros has an error of 1e-16 and few digits",
     reference=SCIPY + "besselpoly.html",
     numpy="special.besselpoly", c=scipy("besselpoly"))
