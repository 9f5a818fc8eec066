"""Rules of Struve functions and their integrals."""

from __future__ import annotations

from typing import Any

import mpmath
from sympy import Expr, Rational, hyper, oo, pi

from diffrules.bessel import i_slope, y_slope
from diffrules.meanings import Meaning
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

m, v = symbol("m"), symbol("v")
HALF = Rational(1, 2)
ORDER = not_differentiable("SciPy has no derivative of Struve functions in the order")
COUNT = not_differentiable("a number of derivatives")
SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated/scipy.special."

class struve_slope(Meaning):  # noqa: N801
    """The derivative of order ``m`` of the Struve function H of order ``v``."""

    nargs = 3

    @staticmethod
    def numeric(order: Any, of: Any, x: Any) -> Any:
        """Return it by its series, or as Y and an asymptotic series, DLMF 11.2.1, 11.6.1."""
        if x < 0:
            return (-1)**int(of + order + 1) * struve_slope.numeric(order, of, -x)
        if x > 0.8 * mpmath.mp.prec + of**2 + 40:
            return y_slope.numeric(order, of, x) + _expansion(order, of, x)
        return _series(order, of, x, -1)

    def fdiff(self, argindex: int = 3) -> Meaning:
        """Return the derivative in the argument: one order more of it."""
        order, of, at = self.args
        return struve_slope(order + 1, of, at)

class modstruve_slope(Meaning):  # noqa: N801
    """The derivative of order ``m`` of the modified Struve function L of order ``v``."""

    nargs = 3

    @staticmethod
    def numeric(order: Any, of: Any, x: Any) -> Any:
        """Return it by its series; far out it is I to all digits, DLMF 11.2.2, 11.6.2."""
        if x < 0:
            return (-1)**int(of + order + 1) * modstruve_slope.numeric(order, of, -x)
        if x > mpmath.mp.prec + of**2 + 40:
            return i_slope.numeric(order, of, x)
        return _series(order, of, x, 1)

    def fdiff(self, argindex: int = 3) -> Meaning:
        """Return the derivative in the argument: one order more of it."""
        order, of, at = self.args
        return modstruve_slope(order + 1, of, at)

class struve_share(Meaning):  # noqa: N801
    """The derivative of order ``m`` of the Struve function H of order 0 divided by x."""

    nargs = 2

    @staticmethod
    def numeric(order: Any, x: Any) -> Any:
        """Return it by its series, or by Leibniz' rule for x times it."""
        if abs(x) < 20:
            return _series(order, 0, x, -1, over=1)
        found = struve_slope.numeric(0, 0, abs(x)) / abs(x)
        for k in range(1, int(order) + 1):
            found = (struve_slope.numeric(k, 0, abs(x)) - k * found) / abs(x)
        return (-1)**int(order) * found if x < 0 else found

    def fdiff(self, argindex: int = 2) -> Meaning:
        """Return the derivative in the argument: one order more of it."""
        return struve_share(self.args[0] + 1, self.args[1])

def _series(order: Any, of: Any, x: Any, sign: int, over: int = 0) -> Any:
    """Return a derivative of a power series, divided by ``x**over`` before."""
    m, three_halves = int(order), mpmath.mpf(3) / 2
    with mpmath.extraprec(4 * int(abs(x)) + 40):
        total, k = mpmath.mpf(0), 0
        factor = mpmath.rgamma(three_halves) * mpmath.rgamma(of + three_halves)
        factor /= mpmath.mpf(2)**(of + 1)
        while True:
            power = 2 * k + of + 1 - over
            term = factor * mpmath.ff(power, m)
            if term:
                term *= x**(power - m)
                total += term
                if k > m + abs(x) and abs(term) <= abs(total) * mpmath.eps:
                    break
            factor *= sign / (4 * (k + three_halves) * (k + of + three_halves))
            k += 1
    return +total

def _expansion(order: Any, of: Any, x: Any) -> Any:
    """Return the derivative of H - Y, DLMF 11.6.1."""
    m, half, total, k = int(order), mpmath.mpf(1) / 2, mpmath.mpf(0), 0
    while True:
        power = of - 2 * k - 1
        term = mpmath.gamma(k + half) * mpmath.rgamma(of + half - k)
        term *= mpmath.ff(power, m) * (x / 2)**power / x**m
        total += term
        k += 1
        if k > of + m and abs(term) <= abs(total) * mpmath.eps:
            return total / mpmath.pi

h_of, l_of, share = later("_struve", 3), later("_modstruve", 3), later("_struve_share", 2)
ORDERS = [{v: closed(HALF, 5), x: (0, oo)}, {v: integers(0, 5), x: (0, oo)}]

rule("struve", args=(v, x), value=struve_slope(0, v, x),
     partials={v: ORDER, x: h_of(1, v, x)},
     complex=real_only,
     domain=ORDERS,
     ulp=16,
     note="half the difference of two neighbours and a power, DLMF 11.4.27, cancels where x is "
          "large; it is Y and a positive integral there",
     reference="DLMF 11.2.1, 11.5.2",
     numpy="special.struve", c=scipy("struve"))

rule("_struve", args=(m, v, x), value=struve_slope(m, v, x),
     partials={m: COUNT, v: ORDER, x: h_of(m + 1, v, x)},
     complex=real_only,
     domain={m: integers(0, 2), v: closed(HALF, 5), x: (0, oo)},
     ulp=64,
     note="the derivative of order m of struve(v, x)",
     reference="DLMF 11.2.1, 11.5.2",
     numpy="support.struve_order", c=scipy("struve"))

rule("modstruve", args=(v, x), value=modstruve_slope(0, v, x),
     partials={v: ORDER, x: l_of(1, v, x)},
     complex=real_only,
     domain=ORDERS,
     ulp=16,
     note="it grows like exp(x), so that its condition number is x; 11 ulp were measured",
     reference="DLMF 11.2.2, 11.6.2",
     numpy="special.modstruve", c=scipy("modstruve"))

rule("_modstruve", args=(m, v, x), value=modstruve_slope(m, v, x),
     partials={m: COUNT, v: ORDER, x: l_of(m + 1, v, x)},
     complex=real_only,
     domain={m: integers(0, 2), v: closed(HALF, 5), x: (0, oo)},
     ulp=1024,
     note="the derivative of order m of modstruve(v, x)",
     reference="DLMF 11.2.2, 11.6.2",
     numpy="support.modstruve_order", c=scipy("modstruve"))

class int_struve(Meaning):  # noqa: N801
    """The integral of H (``sign`` -1) or L (1) of order 0 from 0 to x."""

    nargs = 2

    @staticmethod
    def numeric(sign: Any, x: Any) -> Any:
        """Return it by its series."""
        return x * x / mpmath.pi * mpmath.hyper([1, 1], [2, 1.5, 1.5], sign * x * x / 4)

    def fdiff(self, argindex: int = 2) -> Expr:
        """Return the integrand."""
        sign, x = self.args
        return struve_slope(0, 0, x) if sign < 0 else modstruve_slope(0, 0, x)

rule("itstruve0", args=(x,), value=int_struve(-1, x),
     partials={x: h_of(0, 0, x)},
     complex=real_only,
     domain={x: (-25, 25)},
     ulp=16,
     off=1e-7,
     note="the integral of struve(0, t) from 0 to x; SciPy's value has 7 digits at 25 and is "
          "wrong beyond 30, the partial is not; the form that keeps all digits costs 13 times the "
          "value",
     reference="DLMF 11.2.1, " + SCIPY + "itstruve0.html",
     numpy="special.itstruve0", c=scipy("itstruve0"))

rule("itmodstruve0", args=(x,), value=int_struve(1, x),
     partials={x: l_of(0, 0, x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=16,
     off=1e-7,
     note="the integral of modstruve(0, t) from 0 to x; SciPy's value is off beyond 20, the "
          "partial is not; its condition number is x, 8.4 ulp were measured",
     reference="DLMF 11.2.2, " + SCIPY + "itmodstruve0.html",
     numpy="special.itmodstruve0", c=scipy("itmodstruve0"))

rule("it2struve0", args=(x,),
     value=pi / 2 - 2 / pi * x * hyper([HALF, 1], [3 * HALF] * 3, -x**2 / 4),
     partials={x: -share(0, x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     off=1e-6,
     note="the integral of struve(0, t)/t from x on; SciPy's value is off beyond 20, the partial "
          "is not; the form that keeps all digits costs 5 times the value",
     reference="DLMF 11.2.1, " + SCIPY + "it2struve0.html",
     numpy="special.it2struve0", c=scipy("it2struve0"))

rule("_struve_share", args=(m, x), value=struve_share(m, x),
     partials={m: COUNT, x: share(m + 1, x)},
     complex=real_only,
     domain={m: integers(0, 2), x: (-oo, oo)},
     ulp=16,
     note="the derivative of order m of struve(0, x)/x",
     reference="DLMF 11.2.1",
     numpy="support.struve_share", c=scipy("struve"))
