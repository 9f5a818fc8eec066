"""Rules of Kolmogorov's distribution."""

from __future__ import annotations

from typing import Any

import mpmath
import sympy
from sympy import oo

from diffrules.entry import refused
from diffrules.meanings import Meaning
from diffrules.vocabulary import (
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

n, q = symbol("n"), symbol("q")
SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated/scipy.special."

def _terms(function: Any) -> Any:
    """Return the sum of terms that fall like a Gaussian."""
    total, k = mpmath.mpf(0), 1
    while True:
        term = function(k)
        total += term
        if abs(term) <= abs(total) * mpmath.eps / 16:
            return total
        k += 1

class kolmogorov_tail(Meaning):  # noqa: N801
    """A derivative of the tail of Kolmogorov's distribution."""

    nargs = 2

    @staticmethod
    def numeric(n: Any, x: Any) -> Any:
        """Return the derivative of the sum of exponentials (DLMF 20.2.4)."""
        n = int(n)

        def above(x: Any) -> Any:
            return 2 * _terms(lambda k: (-1)**(k - 1) * mpmath.exp(-2 * (k * x)**2))

        def below(x: Any) -> Any:
            share = _terms(lambda k: mpmath.exp(-(((2 * k - 1) * mpmath.pi / x)**2) / 8))
            return -mpmath.sqrt(2 * mpmath.pi) / x * share

        if x <= 0:
            return mpmath.mpf(n == 0)
        return mpmath.diff(above if x > 1 else below, x, n) + (1 if n == 0 and x <= 1 else 0)

    def fdiff(self, argindex: int = 2) -> sympy.Expr:
        """Return the next derivative."""
        return kolmogorov_tail(self.args[0] + 1, self.args[1])

class kolmogorov_logarithm(Meaning):  # noqa: N801
    """A derivative of the logarithm of Kolmogorov's density."""

    nargs = 2

    @staticmethod
    def numeric(n: Any, x: Any) -> Any:
        """Return it of the same two sums, each on its side."""

        def above(x: Any) -> Any:
            share = _terms(lambda k: (-1)**(k - 1) * k**2 * mpmath.exp(-2 * (k * x)**2))
            return mpmath.log(8 * x * share)

        def below(x: Any) -> Any:
            def term(k: int) -> Any:
                exponent = ((2 * k - 1) * mpmath.pi / x)**2 / 8
                return (2 * exponent - 1) * mpmath.exp(-exponent)

            return mpmath.log(mpmath.sqrt(2 * mpmath.pi) * _terms(term)) - 2 * mpmath.log(x)

        return mpmath.diff(above if x > 1 else below, x, int(n))

    def fdiff(self, argindex: int = 2) -> sympy.Expr:
        """Return the next derivative."""
        return kolmogorov_logarithm(self.args[0] + 1, self.args[1])

class kolmogorov_place(Meaning):  # noqa: N801
    """The inverse of the tail."""

    nargs = 1

    @staticmethod
    def numeric(p: Any) -> Any:
        """Return the root by Newton's method in the logarithm of the small tail."""
        small = p < 0.5
        at = mpmath.sqrt(-mpmath.log(p / 2) / 2) if small else mpmath.mpf("0.5")
        with mpmath.extraprec(20 + max(0, -mpmath.mag(1 - p))):
            target = mpmath.log(p if small else 1 - p)
            for _ in range(200):
                tail = kolmogorov_tail.numeric(0, at)
                share, sign = (tail, 1) if small else (1 - tail, -1)
                slope = sign * kolmogorov_tail.numeric(1, at) / share
                step = (mpmath.log(share) - target) / slope
                at -= max(-at / 2, min(at / 2, step))
                if abs(step) <= at * mpmath.eps * 16:
                    break
        return +at

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """Return the derivative of an inverse."""
        return 1 / kolmogorov_tail(1, self)

order, score, slope = (
    later("_kolmogorov", 2), later("_kolmogorov_score", 2), later("_kolmogi_slope"))

rule("kolmogorov", args=(x,), value=kolmogorov_tail(0, x),
     partials={x: order(1, x)},
     complex=real_only,
     domain={x: (0, oo)},
     ulp=8,
     note="the form that keeps all digits costs 9 times the value",
     reference=SCIPY + "kolmogorov.html",
     numpy="special.kolmogorov", c=scipy("kolmogorov"))

rule("_kolmogorov", args=(n, x), value=kolmogorov_tail(n, x),
     partials={n: not_differentiable("the order is a whole number"), x: order(n + 1, x)},
     complex=real_only,
     domain={n: integers(1, 4), x: (0, oo)},
     note="one of two series, of a few terms each on its side of the median; the rounding errors "
          "of the exponents, up to 700 ulp of the result, are undone",
     reference="Marsaglia, Tsang and Wang 2003, Evaluating Kolmogorov's distribution",
     numpy="support.kolmogorov_order", c=scipy("kolmogorov"))

kolmogi = rule("kolmogi", args=(x,), value=kolmogorov_place(x),
     partials={x: slope(x)},
     complex=real_only,
     domain={x: (0, 1)},
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     note="the form that keeps all digits costs 4 times the value",
     reference=SCIPY + "kolmogi.html",
     numpy="special.kolmogi", c=scipy("kolmogi"))

rule("_kolmogi_slope", args=(x,), value=1 / kolmogorov_tail(1, kolmogorov_place(x)),
     partials={x: -score(1, kolmogi(x)) * out**2},
     complex=real_only,
     domain={x: (0, 1)},
     ulp={out: 4, x: 32},
     note="the density at the rounded out has 1000 ulp in the tail; over the tail, which is x, it "
          "has not",
     numpy="support.kolmogi_slope", c=scipy("kolmogi"))

rule("_kolmogorov_score", args=(n, x), value=kolmogorov_logarithm(n, x),
     partials={n: not_differentiable("the order is a whole number"), x: score(n + 1, x)},
     complex=real_only,
     domain={n: integers(1, 3), x: (0.05, 18)},
     ulp=16,
     note="the derivative of order n of the logarithm of the density; the quotient of two orders "
          "of the tail, differentiated, is a difference without digits",
     numpy="support.kolmogorov_score", c=scipy("kolmogorov"))

refused("SciPy computes it by a sum of n terms, of which the derivative is a difference of such "
        "sums that loses its digits; for large n it is kolmogorov(sqrt(n)*d) of both sides",
        "special.smirnov", "special.smirnovi")
