"""Rules of error functions and the normal distribution."""

from __future__ import annotations

from typing import Any

import mpmath
import sympy
from sympy import Eq, Rational, erfcinv, erfinv, exp, log, oo, pi, sqrt

from diffrules.exponential import log1p
from diffrules.meanings import Meaning
from diffrules.piecewise import maximum, minimum
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
    where,
    x,
    y,
)

a, h, k, n, p, q, s, t = (symbol(name) for name in ("a", "h", "k", "n", "p", "q", "s", "t"))
HALF = Rational(1, 2)
hypot, witch = later("hypot", 2), later("_witch")
QUANTILE = ("the exponential of out**2 multiplies the rounding error of out by 2*out**2, over 1000 "
            "in the tail; by erfcx and the tail itself it does not")

class hermite(Meaning):  # noqa: N801
    """The Hermite function of any order; SymPy's refuses the negative ones."""

    nargs = 2

    @staticmethod
    def numeric(order: Any, at: Any) -> Any:
        """Return mpmath's number, or far out the asymptotic series (DLMF 18.15(v))."""
        size = abs(at)
        if mpmath.re(at) < 0.8 * size or size**2 < 2.5 * mpmath.mp.dps + 20:
            return mpmath.hermite(order, at)
        term = total = (2 * at)**order
        for j in range(10000):
            term *= -(order - 2 * j) * (order - 2 * j - 1) / (4 * (j + 1) * at**2)
            total += term
            if abs(term) <= abs(total) * mpmath.eps:
                break
        return total

    def fdiff(self, argindex: int = 2) -> sympy.Expr:
        """Return the derivative in the second argument (DLMF 18.9.25)."""
        order, at = self.args
        return 2 * order * hermite(order - 1, at)

class normal_share(Meaning):  # noqa: N801
    """The share of the normal distribution below x; SymPy turns erfc(-x) into 2 - erfc(x)."""

    nargs = 1
    slow = False

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """Return the density."""
        return exp(-self.args[0]**2 / 2) / sqrt(2 * pi)

    @staticmethod
    def numeric(at: Any) -> Any:
        """Return the share; mpmath's has no numbers so far out."""
        if isinstance(at, mpmath.mpc):
            return mpmath.erfc(-at / mpmath.sqrt(2)) / 2
        if at < -1e20:
            density = mpmath.exp(-at**2 / 2) / mpmath.sqrt(2 * mpmath.pi)
            return density / -at * (1 - (1 - 3 / at**2) / at**2)
        return mpmath.mpf(1) if at > 1e20 else mpmath.ncdf(at)


class owens(Meaning):  # noqa: N801
    """Owen's T function."""

    nargs = 2

    @staticmethod
    def numeric(h: Any, a: Any) -> Any:
        """Return the integral of its definition, up to where it has fallen to nothing."""
        def density(t: Any) -> Any:
            return mpmath.exp(-h**2 * (1 + t**2) / 2) / (1 + t**2)
        end = min(abs(a), mpmath.sqrt(5 * mpmath.mp.dps) / abs(h)) if h else abs(a)
        parts = mpmath.quadgl(density, mpmath.linspace(0, min(end, 4), 5))
        if end > 4:
            parts += mpmath.quadgl(lambda u: density(1 / u) / u**2, [1 / end, 1 / mpmath.mpf(4)])
        return mpmath.sign(a) * parts / (2 * mpmath.pi)

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """Return the derivative of the integral."""
        h, a = self.args
        if argindex == 1:
            return -exp(-h**2 / 2) * sympy.erf(a * h / sqrt(2)) / sqrt(8 * pi)
        return exp(-h**2 * (1 + a**2) / 2) / (1 + a**2) / (2 * pi)

gauss = rule("_gauss", args=(x, k), value=exp(-k * x**2),
     partials={x: -2 * k * x * out, k: not_differentiable("1/2 or 1, or minus one of them")},
     complex=real_only,
     domain=[{x: (-oo, oo), k: closed(1, 1)}, {x: (-oo, oo), k: closed(HALF, HALF)},
             {x: (-26, 26), k: closed(-1, -1)}, {x: (-37, 37), k: closed(-HALF, -HALF)}],
     ulp={out: 4, x: 64},
     note="the rounding error of x**2, 400 ulp of the result at x = 26, is undone",
     numpy="support.gauss", c="support.gauss")

erf = rule("erf", args=(x,), value=sympy.erf(x),
     partials={x: 2 / sqrt(pi) * gauss(x, 1)},
     complex={x: 2 / sqrt(pi) * exp(-x**2)},
     domain={x: (-oo, oo)},
     ulp=8,
     reference="DLMF 7.2.1",
     numpy="special.erf")

erfc = rule("erfc", args=(x,), value=sympy.erfc(x),
     partials={x: -2 / sqrt(pi) * gauss(x, 1)},
     complex={x: -2 / sqrt(pi) * exp(-x**2)},
     domain={x: (-oo, oo)},
     ulp=8,
     reference="DLMF 7.2.2",
     numpy="special.erfc")

rule("erf_between", args=(x, y), value=sympy.erf(y) - sympy.erf(x),
     partials={x: -2 / sqrt(pi) * gauss(x, 1), y: 2 / sqrt(pi) * gauss(y, 1)},
     complex=real_only,
     domain={x: (-oo, oo), y: (-oo, oo)},
     ulp=8,
     note="the difference of two values has few digits where x and y are close, and none where "
          "both are large",
     reference="DLMF 7.2.1",
     numpy="support.erf_between", c=scipy("erf"))

erfcx_order, erfcx_ratio = later("_erfcx", 2), later("_erfcx_ratio", 2)

erfcx = rule("erfcx", args=(x,), value=exp(x**2) * erfc(x),
     partials={x: -2 * erfcx_order(1, x)},
     domain={x: (-oo, oo)},
     ulp=8,
     note="2*x*out - 2/sqrt(pi) has no digit left at x = 1e8",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.erfcx.html",
     numpy="special.erfcx", c="support.erfcx")

rule("_erfcx", args=(n, x), value=2 / sqrt(pi) * hermite(-n - 1, x),
     partials={n: not_differentiable("the order is a whole number"),
               x: -2 * (n + 1) * erfcx_order(n + 1, x)},
     domain={n: integers(0, 3), x: (-26, oo)},
     ulp=8,
     note="exp(x**2) times the integral of erfc from x to infinity, n times repeated; positive, "
          "and each gives the derivative of the one before without a difference",
     reference="DLMF 7.18.2, 12.7.7",
     numpy="support.erfcx_order", c="support.erfcx_order")

rule("_erfcx_ratio", args=(n, x), value=hermite(-n - 1, x) / hermite(-n, x),
     partials={n: not_differentiable("the order is a whole number"),
               x: 2 * out * (n * out - (n + 1) * erfcx_ratio(n + 1, x))},
     complex=real_only,
     domain={n: integers(1, 3), x: (0, oo)},
     note="of two orders of _erfcx; both leave the float range long before their quotient does",
     reference="DLMF 7.18.2",
     numpy="support.erfcx_ratio", c="support.erfcx_ratio")

inverse_erfcx = rule("_inverse_erfcx", args=(x,), value=1 / (sqrt(pi) * exp(x**2) * erfc(x)),
     partials={x: 2 * out * erfcx_ratio(1, x)},
     complex=real_only,
     domain={x: (0, oo)},
     note="its derivative as that of a quotient is 0/0 beyond 1e154",
     numpy="support.inverse_erfcx", c="support.inverse_erfcx")

rule("erfi", args=(x,), value=sympy.erfi(x),
     partials={x: 2 / sqrt(pi) * gauss(x, -1)},
     complex={x: 2 / sqrt(pi) * exp(x**2)},
     domain={x: (-26, 26)},
     ulp=8,
     reference="DLMF 7.2.5, 7.5.1",
     numpy="special.erfi", c=scipy("erfi"))

rule("logerfc", args=(x,), value=log(erfc(x)),
     let={s: where(x > 0, x, 1), t: where(x > 0, 0, x)},
     partials={x: where(x > 0, -2 * inverse_erfcx(s),
                        -2 / sqrt(pi) * gauss(t, 1) / erfc(t))},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     note="erfc is 0 from 27 on",
     reference="DLMF 7.2.2",
     numpy=where(x < HALF, log1p(-erf(minimum(x, HALF))),
                 log(erfcx_order(0, maximum(x, HALF))) - maximum(x, HALF)**2))

rule("logerfcx", args=(x,), value=log(exp(x**2) * erfc(x)),
     let={s: where(x > 0, x, 1), t: where(x > 0, 0, x)},
     partials={x: where(x > 0, -2 * erfcx_ratio(1, s),
                        2 * t - 2 / sqrt(pi) * gauss(t, 1) / erfc(t))},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     note="2*x - 2/sqrt(pi)/erfcx(x) has no digit left at x = 1e8, and erfcx is inf below -27",
     reference="DLMF 7.2.2",
     numpy=where(x < HALF, minimum(x, HALF)**2 + log1p(-erf(minimum(x, HALF))),
                 log(erfcx_order(0, maximum(x, HALF)))))

erfinv_slope = later("_erfinv_slope")

erfinv_ = rule("erfinv", args=(x,), value=erfinv(x),
     partials={x: erfinv_slope(x)},
     complex=real_only,
     domain={x: (-1, 1)},
     at=[point({x: 1}, {x: oo}, "pole", value=oo),
         point({x: -1}, {x: oo}, "pole", value=-oo)],
     ulp=8,
     note="the form that keeps all digits costs 3 times the value",
     reference="DLMF 7.17",
     numpy="special.erfinv", c=scipy("erfinv"))

rule("_erfinv_slope", args=(x,), value=sqrt(pi) / 2 * exp(erfinv(x)**2),
     partials={x: 2 * erfinv_(x) * out**2},
     complex=real_only,
     domain={x: (-1, 1)},
     ulp={out: 8, x: 16},
     note=QUANTILE,
     numpy="support.erfinv_slope", c=scipy("erfinv"))

erfcinv_slope = later("_erfcinv_slope")

erfcinv_ = rule("erfcinv", args=(x,), value=erfcinv(x),
     partials={x: erfcinv_slope(x)},
     complex=real_only,
     domain={x: (0, 2)},
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: 2}, {x: -oo}, "pole", value=-oo)],
     ulp=8,
     note="the form that keeps all digits costs 4 times the value",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.erfcinv.html",
     numpy="special.erfcinv", c=scipy("erfcinv"))

rule("_erfcinv_slope", args=(x,), value=-sqrt(pi) / 2 * exp(erfcinv(x)**2),
     partials={x: 2 * erfcinv_(x) * out**2},
     complex=real_only,
     domain={x: (0, 2)},
     note=QUANTILE,
     numpy="support.erfcinv_slope", c=scipy("erfcinv"))

ndtr = rule("ndtr", args=(x,), value=normal_share(x),
     partials={x: gauss(x, HALF) / sqrt(2 * pi)},
     complex={x: exp(-x**2 / 2) / sqrt(2 * pi)},
     domain={x: (-oo, oo)},
     ulp=8,
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.ndtr.html",
     numpy="special.ndtr", math=erfc(-x / sqrt(2)) / 2)

rule("log_ndtr", args=(x,), value=log(normal_share(x)),
     let={s: where(x < 0, x, -1), t: where(x < 0, 1, x)},
     partials={x: where(x < 0, sqrt(2) * inverse_erfcx(-s / sqrt(2)),
                        gauss(t, HALF) / (sqrt(2 * pi) * ndtr(t)))},
     complex={x: sqrt(2 / pi) / erfcx(-x / sqrt(2))},
     domain={x: (-oo, oo)},
     ulp=8,
     note="density over ndtr is 0/0 beyond x = -38. Each branch sees only its own side, so that "
          "the other cannot give NaN when the rule is differentiated again",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.log_ndtr.html",
     numpy="special.log_ndtr",
     c=where(x < 0, log(erfcx(-x / sqrt(2)) / 2) - x**2 / 2, log1p(-erfc(x / sqrt(2)) / 2)))

ndtri_slope = later("_ndtri_slope")

ndtri = rule("ndtri", args=(x,), value=-sqrt(2) * erfcinv(2 * x),
     partials={x: ndtri_slope(x)},
     complex=real_only,
     domain={x: (0, 1)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo),
         point({x: 1}, {x: oo}, "pole", value=oo)],
     ulp=8,
     note="the form that keeps all digits costs 4 times the value",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.ndtri.html",
     numpy="special.ndtri", c=scipy("ndtri"))

rule("_ndtri_slope", args=(x,), value=sqrt(2 * pi) * exp(erfcinv(2 * x)**2),
     partials={x: ndtri(x) * out**2},
     complex=real_only,
     domain={x: (0, 1)},
     ulp={out: 8, x: 16},
     note=QUANTILE,
     numpy="support.ndtri_slope", c=scipy("ndtri"))

ndtri_exp_slope = later("_ndtri_exp_slope")

ndtri_exp = rule("ndtri_exp", args=(x,), value=-sqrt(2) * erfcinv(2 * exp(x)),
     partials={x: ndtri_exp_slope(x)},
     complex=real_only,
     domain={x: (-oo, 0)},
     at=[point({x: -0.0}, {x: oo}, "pole", value=oo)],
     ulp=8,
     note="the inverse of log_ndtr; the form that keeps all digits costs 3 times the value",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.ndtri_exp.html",
     numpy="special.ndtri_exp", c=scipy("ndtri_exp"))

rule("_ndtri_exp_slope", args=(x,), value=sqrt(2 * pi) * exp(x + erfcinv(2 * exp(x))**2),
     let={q: ndtri_exp(x), s: where(x < -log(2), q, -1), t: where(x < -log(2), 1, q)},
     partials={x: out * where(x < -log(2), sqrt(pi) * erfcx_order(1, -s / sqrt(2)), 1 + t * out)},
     complex=real_only,
     domain={x: (-oo, 0)},
     ulp=8,
     note="1 + t*out has no digits left where t is large and negative",
     numpy="support.ndtri_exp_slope", c=scipy("ndtri_exp"))

gauss_of_product = rule("_gauss_of_product", args=(x, y), value=exp(-(x * y)**2 / 2),
     partials={x: -x * y**2 * out, y: -x**2 * y * out},
     complex=real_only,
     domain={x: (-oo, oo), y: (-oo, oo)},
     note="the rounding error of x*y is undone",
     numpy="support.gauss_of_product", c="support.gauss_of_product")

erf_of_product = rule("_erf_of_product", args=(x, y), value=sympy.erf(x * y / sqrt(2)),
     partials={x: sqrt(2 / pi) * y * gauss_of_product(x, y),
               y: sqrt(2 / pi) * x * gauss_of_product(x, y)},
     complex=real_only,
     domain={x: (-oo, oo), y: (-oo, oo)},
     numpy="support.erf_of_product", c="support.erf_of_product")

density = rule("_owens_density", args=(h, a), value=exp(-h**2 * (1 + a**2) / 2) / (1 + a**2),
     let={k: 1 / hypot(1, a), s: where(Eq(out, 0), 0, h), p: a * k},
     partials={h: -s * out - (s * a) * (a * out),
               a: -(s * out) * (s * a) - 2 * out * (p * k)},
     complex=real_only,
     domain={h: (-oo, oo), a: (-oo, oo)},
     numpy=gauss(h, HALF) * gauss_of_product(h, a) * witch(a))

rule("owens_t", args=(h, a), value=owens(h, a),
     partials={h: -gauss(h, HALF) / sqrt(8 * pi) * erf_of_product(h, a),
               a: density(h, a) / (2 * pi)},
     complex=real_only,
     domain={h: (-oo, oo), a: (-oo, oo)},
     ulp=8,
     reference="Owen 1956, Tables for computing bivariate normal probabilities",
     numpy="special.owens_t", c=scipy("owens_t"))
