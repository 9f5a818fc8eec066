"""Rules of transforms of data: of Box and Cox, and of Tukey's lambda distribution."""

from __future__ import annotations

from typing import Any

import mpmath
import sympy
from sympy import cosh, exp, log, oo, sinh
from sympy.codegen import cfunctions

from diffrules.domains import Domain, interval
from diffrules.meanings import Meaning
from diffrules.piecewise import maximum
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
    y,
)

h, k, lmbda, m, n, t = (symbol(name) for name in ("h", "k", "lmbda", "m", "n", "t"))
HALF = sympy.Rational(1, 2)
SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated/scipy.special."
COUNT = not_differentiable("a number of derivatives")


class box_cox(Meaning):  # noqa: N801
    """The derivative of ``(x**y - 1)/y``, n times in x and m times in y, of x more than `shift`."""

    nargs = 5
    slow = False

    @staticmethod
    def numeric(n: Any, m: Any, shift: Any, x: Any, y: Any) -> Any:
        """Return it by Kummer's function, or as a power times a polynomial."""
        n, m = int(n), int(m)
        log = mpmath.log1p(x) if shift else mpmath.log(x)
        if n == 0:
            return log ** (m + 1) * mpmath.hyp1f1(m + 1, m + 2, y * log) / (m + 1)
        taylor = [mpmath.mpf(1)] + [mpmath.mpf(0)] * m
        for j in range(1, n):
            taylor = [(y - j) * a + b for a, b in zip(taylor, [0, *taylor], strict=False)]
        total = sum(mpmath.ff(m, j) * taylor[j] * log ** (m - j) for j in range(m + 1))
        return mpmath.exp((y - n) * log) * total

    def fdiff(self, argindex: int = 4) -> sympy.Expr:
        """Return one derivative more."""
        n, m, shift, x, y = self.args
        more = (n + 1, m) if argindex == 4 else (n, m + 1)
        return box_cox(*more, shift, x, y)


class log_of_inverse(Meaning):  # noqa: N801
    """The derivative of ``log(1 + lmbda*y)/lmbda`` in lmbda, k times."""

    nargs = 3
    slow = False

    @staticmethod
    def numeric(k: Any, y: Any, lmbda: Any) -> Any:
        """Return it by recurrence, by parts; near 0 with as many digits more as it loses."""
        k, u = int(k), lmbda * y
        if not lmbda:
            return (-1) ** k * mpmath.factorial(k) * y ** (k + 1) / (k + 1)
        with mpmath.extraprec(20 + (k + 1) * max(0, -mpmath.mag(u))):
            found = mpmath.log1p(u) / lmbda
            for j in range(1, k + 1):
                share = (-1) ** (j - 1) * mpmath.factorial(j - 1) * (y / (1 + lmbda * y)) ** j
                found = (share - j * found) / lmbda
        return +found

    def fdiff(self, argindex: int = 3) -> sympy.Expr:
        """Return one derivative more, or that of ``1/(1 + lmbda*y)``."""
        k, y, lmbda = self.args
        if argindex == 3:
            return log_of_inverse(k + 1, y, lmbda)
        return (-1) ** k * sympy.factorial(k) * y**k / (1 + lmbda * y) ** (k + 1)


class tukey_share(Meaning):  # noqa: N801
    """The distribution function of Tukey's lambda distribution."""

    nargs = 2

    @staticmethod
    def numeric(x: Any, lmbda: Any) -> Any:
        """Return the share whose quantile is x, by halves and Newton's method in its log-odds."""

        def quantile(odds: Any) -> Any:
            below, above = -mpmath.log1p(mpmath.exp(-odds)), -mpmath.log1p(mpmath.exp(odds))
            if not lmbda:
                return odds
            return (mpmath.exp(lmbda * below) - mpmath.exp(lmbda * above)) / lmbda

        with mpmath.extraprec(40):
            low, high = mpmath.mpf(-2000), mpmath.mpf(2000)
            while high - low > mpmath.mpf(2) ** -20:
                middle = (low + high) / 2
                low, high = (low, middle) if quantile(middle) > x else (middle, high)
            odds = (low + high) / 2
            for _ in range(50):
                share = 1 / (1 + mpmath.exp(-odds))
                slope = share * (1 - share) * (
                    share ** (lmbda - 1) + (1 - share) ** (lmbda - 1)
                )
                step = (quantile(odds) - x) / slope
                odds -= step
                if abs(step) < mpmath.eps * 2**20:
                    break
            found = 1 / (1 + mpmath.exp(-odds))
        return +found

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """Return the density, one over that of the quantile in the share."""
        x, lmbda = self.args
        above = tukey_share(-x, lmbda)
        return 1 / (self ** (lmbda - 1) + above ** (lmbda - 1))


TWOFOLD = ("the logarithm and its product with lmbda have the digits of two doubles, because the "
           "exponential multiplies their rounding errors; so it costs several times the value")
partial = later("_boxcox", 5)


def of_box_cox(name: str, shift: int, low: int) -> None:
    """Write the entry of a transform of x more than `shift`."""
    size = cfunctions.log1p(x) if shift else log(x)
    at = 3 - shift
    rule(name, args=(x, lmbda), value=box_cox(0, 0, shift, x, lmbda),
         partials={x: partial(1, 0, shift, x, lmbda), lmbda: partial(0, 1, shift, x, lmbda)},
         complex=real_only,
         domain={x: (low, oo), lmbda: (-oo, oo)},
         at=[point({x: at, lmbda: 0},
                   {x: sympy.Rational(1, 3), lmbda: size.subs(x, at)**2 / 2},
                   "smooth: the transform is the logarithm", value=size.subs(x, at))],
         ulp=8,
         note="the derivative in lmbda by the difference of two terms is 0/0 at 0; it is a power "
              "of log(x) times a derivative of exprel. " + TWOFOLD[0].upper() + TWOFOLD[1:],
         reference=SCIPY + f"{name}.html",
         numpy=f"special.{name}", c=scipy(name))


of_box_cox("boxcox", 0, 0)
of_box_cox("boxcox1p", 1, -1)

rule("_boxcox", args=(n, m, k, x, lmbda), value=box_cox(n, m, k, x, lmbda),
     partials={n: COUNT, m: COUNT, k: not_differentiable("0 or 1, what is added to x"),
               x: partial(n + 1, m, k, x, lmbda), lmbda: partial(n, m + 1, k, x, lmbda)},
     complex=real_only,
     domain={n: integers(0, 2), m: integers(0, 2), k: integers(0, 1), x: (0, oo),
             lmbda: (-oo, oo)},
     note="the derivative of order n in x and m in lmbda; " + TWOFOLD,
     reference=SCIPY + "boxcox.html",
     numpy="support.boxcox_partial", c=scipy("boxcox"))

slope, rate, shift = (
    later("_inv_boxcox_slope", 3), later("_inv_boxcox_rate", 3), later("_inv_boxcox_shift", 2))
rest = later("_inv_boxcox_rest", 3)
ABOVE = 1 + lmbda * y > 0
POWER_SERIES = Domain((k, y, lmbda), ({k: integers(0, 2), y: interval((-oo, oo)),
                                       lmbda: interval((-oo, oo))},), ABOVE)
INVERSE = exp(log_of_inverse(0, y, lmbda))


def of_inverse(name: str, value: Any, at: Any) -> None:
    """Write the entry of the inverse of a transform; it has the same partials as the other."""
    rule(name, args=(y, lmbda), value=value,
         partials={y: slope(1, y, lmbda), lmbda: shift(y, lmbda)},
         complex=real_only,
         domain=ABOVE,
         at=[point({y: 1, lmbda: 0}, {y: exp(1), lmbda: -exp(1) / 2},
                   "smooth: the inverse is the exponential", value=at)],
         ulp=8,
         note="SciPy's values are off by up to 600 ulp, because the exponential multiplies the "
              "rounding error of its argument; the partials do not use them. "
              + TWOFOLD[0].upper() + TWOFOLD[1:],
         reference=SCIPY + f"{name}.html",
         numpy=f"special.{name}", c=scipy(name))


of_inverse("inv_boxcox", INVERSE, exp(1))
of_inverse("inv_boxcox1p", INVERSE - 1, exp(1) - 1)

rule("_inv_boxcox_slope", args=(k, y, lmbda), value=INVERSE / (1 + lmbda * y)**k,
     partials={k: COUNT, y: (1 - k * lmbda) * slope(k + 1, y, lmbda),
               lmbda: out * (rate(1, y, lmbda) - k * y * rest(0, y, lmbda))},
     complex=real_only,
     domain=POWER_SERIES,
     note="(1 + lmbda*y)**(1/lmbda - k); " + TWOFOLD,
     numpy="support.inv_boxcox_slope", c=scipy("inv_boxcox"))

rule("_inv_boxcox_shift", args=(y, lmbda), value=INVERSE * log_of_inverse(1, y, lmbda),
     partials={y: slope(1, y, lmbda) * rate(1, y, lmbda) - slope(2, y, lmbda) * y,
               lmbda: out * rate(1, y, lmbda) + slope(0, y, lmbda) * rate(2, y, lmbda)},
     complex=real_only,
     domain=ABOVE,
     note="the derivative of the inverse in lmbda; " + TWOFOLD,
     numpy="support.inv_boxcox_shift", c=scipy("inv_boxcox"))

rule("_inv_boxcox_rate", args=(k, y, lmbda), value=log_of_inverse(k, y, lmbda),
     partials={k: COUNT, y: rest(k, y, lmbda), lmbda: rate(k + 1, y, lmbda)},
     complex=real_only,
     domain=POWER_SERIES,
     note="the derivative of log(1 + lmbda*y)/lmbda in lmbda, k times",
     numpy="support.inv_boxcox_rate", c=scipy("inv_boxcox"))

rule("_inv_boxcox_rest", args=(k, y, lmbda),
     value=(-1)**k * sympy.factorial(k) * y**k / (1 + lmbda * y)**(k + 1),
     let={h: rest(0, y, lmbda)},
     partials={k: COUNT, y: -h * (k**2 * rest(maximum(k - 1, 0), y, lmbda) * h + lmbda * out),
               lmbda: rest(k + 1, y, lmbda)},
     complex=real_only,
     domain=POWER_SERIES,
     note="the derivative of 1/(1 + lmbda*y) in lmbda, k times; the sum has the digits of two "
          "doubles",
     numpy="support.inv_boxcox_rest", c=scipy("inv_boxcox"))

# Tukey's lambda distribution, which is given by its quantiles.

density, odds = later("_tklmbda_density", 2), later("_tklmbda_odds", 2)
SHAPE = not_differentiable("SciPy has no derivative of Tukey's distribution in its shape")
TENTH = sympy.Rational(1, 10)
SUPPORT = [{x: (-HALF, HALF), lmbda: (-1, -TENTH)}, {x: (-HALF, HALF), lmbda: (TENTH, 1)}]
SHARE = tukey_share(x, lmbda)

rule("tklmbda", args=(x, lmbda), value=SHARE,
     partials={x: density(x, lmbda), lmbda: SHAPE},
     complex=real_only,
     domain=SUPPORT,
     ulp=4,
     note="SciPy halves an interval until it is shorter than 1e-14, and is off by 1e-6 near "
          "lmbda = 0; the density solves for the share itself",
     reference=SCIPY + "tklmbda.html",
     numpy="special.tklmbda", c=scipy("tklmbda"))

rule("_tklmbda_density", args=(x, lmbda), value=SHARE.fdiff(),
     let={t: odds(x, lmbda), h: 1 / (4 * cosh(t / 2)**2)},
     partials={x: 2 * (1 - lmbda) * h**(lmbda / 2 - 1) * sinh((lmbda / 2 - 1) * t) * out**3,
               lmbda: SHAPE},
     complex=real_only,
     domain=SUPPORT,
     note="one over the derivative of the quantile",
     numpy="support.tklmbda_density", c=scipy("tklmbda"))

rule("_tklmbda_odds", args=(x, lmbda), value=log(SHARE / tukey_share(-x, lmbda)),
     partials={x: 4 * cosh(out / 2)**2 * density(x, lmbda), lmbda: SHAPE},
     complex=real_only,
     domain=SUPPORT,
     note="the logarithm of the odds; the derivative of the density without differences is made "
          "of it",
     numpy="support.tklmbda_odds", c=scipy("tklmbda"))
