"""Rules of special functions."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import (
    Abs,
    And,
    Eq,
    Function,
    Not,
    Or,
    Rational,
    atanh,
    besseli,
    besselj,
    bessely,
    beta,
    betainc_regularized,
    erfcinv,
    erfinv,
    exp,
    gamma,
    log,
    lowergamma,
    oo,
    pi,
    polygamma,
    sign,
    sqrt,
    uppergamma,
)

from diffrules.exponential import log1p
from diffrules.hyperbolic import sech
from diffrules.trigonometric import cospi, sinpi
from diffrules.vocabulary import (
    closed,
    indicator,
    integers,
    isnan,
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

a, b, k, n, q, s, t, z = (symbol(name) for name in ("a", "b", "k", "n", "q", "s", "t", "z"))
HALF, QUARTER = Rational(1, 2), Rational(1, 4)
# Between the poles of gamma, two on the negative side as samples.
BETWEEN_POLES = [{x: (0, oo)}, {x: (-1, 0)}, {x: (-2, -1)}]


class hermite(Function):  # type: ignore[misc]  # noqa: N801
    """The Hermite function of any order; SymPy's refuses the negative ones."""

    nargs = 2

    def fdiff(self, argindex: int = 2) -> Function:
        """Return the derivative in the second argument (DLMF 18.9.25)."""
        order, at = self.args
        return 2 * order * hermite(order - 1, at)

    def _mpmathcode(self, printer: Any) -> str:
        order, at = map(printer._print, self.args)
        return f"mpmath.hermite({order}, {at})"


class SlopeOf(Function):  # type: ignore[misc]
    """The derivative of an entry in one argument, for which SymPy has no function."""

    entry: str
    orders: tuple[int, ...]

    def _mpmathcode(self, printer: Any) -> str:
        args = ", ".join(map(printer._print, self.args))
        call = f"function({self.entry!r}, {len(self.orders)})"
        return f"mpmath.diff({call}, ({args}), {self.orders})"


class gammainc_a(SlopeOf):  # noqa: N801
    """The derivative of ``gammainc(a, x)`` in ``a``."""

    entry, orders = "gammainc", (1, 0)


class betainc_a(SlopeOf):  # noqa: N801
    """The derivative of ``betainc(a, b, x)`` in ``a``."""

    entry, orders = "betainc", (1, 0, 0)


class betainc_b(SlopeOf):  # noqa: N801
    """The derivative of ``betainc(a, b, x)`` in ``b``."""

    entry, orders = "betainc", (0, 1, 0)


class stdtr_n(SlopeOf):  # noqa: N801
    """The derivative of ``stdtr(n, x)`` in ``n``."""

    entry, orders = "stdtr", (1, 0)


gauss = rule("_gauss", args=(x, k), value=exp(-k * x**2),
     partials={x: -2 * k * x * out, k: not_differentiable("1/2 or 1")},
     complex=real_only,
     domain={x: (-oo, oo), k: closed(Rational(1, 2), 1)},
     note="the rounding error of x**2, 400 ulp of the result at x = 26, is undone",
     numpy="support.gauss", c="support.gauss")

rule("erf", args=(x,), value=sympy.erf(x),
     partials={x: 2 / sqrt(pi) * gauss(x, 1)},
     complex={x: 2 / sqrt(pi) * exp(-x**2)},
     domain={x: (-oo, oo)},
     reference="DLMF 7.2.1",
     numpy="special.erf")

erfc = rule("erfc", args=(x,), value=sympy.erfc(x),
     partials={x: -2 / sqrt(pi) * gauss(x, 1)},
     complex={x: -2 / sqrt(pi) * exp(-x**2)},
     domain={x: (-oo, oo)},
     reference="DLMF 7.2.2",
     numpy="special.erfc")

erfcx_order = later("_erfcx", 2)

erfcx = rule("erfcx", args=(x,), value=exp(x**2) * erfc(x),
     partials={x: -2 * erfcx_order(1, x)},
     complex={x: 2 * x * out - 2 / sqrt(pi)},
     domain={x: (-oo, oo)},
     note="2*x*out - 2/sqrt(pi) has no digit left at x = 1e8",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.erfcx.html",
     numpy="special.erfcx", c="support.erfcx")

rule("_erfcx", args=(n, x), value=2 / sqrt(pi) * hermite(-n - 1, x),
     partials={n: not_differentiable("the order is a whole number"),
               x: -2 * (n + 1) * erfcx_order(n + 1, x)},
     complex=real_only,
     domain={n: integers(0, 3), x: (-oo, oo)},
     note="exp(x**2) times the integral of erfc from x to infinity, n times repeated; positive, "
          "and each gives the derivative of the one before without a difference",
     reference="DLMF 7.18.2, 12.7.7",
     numpy="support.erfcx_order", c="support.erfcx_order")

rule("erfinv", args=(x,), value=erfinv(x),
     partials={x: sqrt(pi) / 2 * exp(out**2)},
     complex=real_only,
     domain={x: (-1, 1)},
     at=[point({x: 1}, {x: oo}, "pole", value=oo),
         point({x: -1}, {x: oo}, "pole", value=-oo)],
     reference="DLMF 7.17",
     numpy="special.erfinv", c=scipy("erfinv"))

rule("erfcinv", args=(x,), value=erfcinv(x),
     partials={x: -sqrt(pi) / 2 * where(And(x > 0, x < HALF), erfcx(out) / x, exp(out**2))},
     complex=real_only,
     domain={x: (0, 2)},
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: 2}, {x: -oo}, "pole", value=-oo)],
     note="exp(out**2) multiplies the rounding error of out by 2*out**2, over 1000 near 0; there "
          "erfcx(out)/x is the same",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.erfcinv.html",
     numpy="special.erfcinv", c=scipy("erfcinv"))

digamma = later("digamma")
trigamma = later("trigamma")

rule("gamma", args=(x,), value=gamma(x),
     partials={x: out * digamma(x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     reference="DLMF 5.2.2",
     numpy="special.gamma", c="tgamma")

rule("gammaln", args=(x,), value=log(Abs(gamma(x))),
     partials={x: digamma(x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     reference="DLMF 5.2.2",
     numpy="special.gammaln", math="math.lgamma", c="lgamma")

rule("rgamma", args=(x,), value=1 / gamma(x),
     let={s: where(x < HALF, x, 0), t: where(x < HALF, 1, x)},
     partials={x: where(x < HALF, gamma(1 - s) * (cospi(s) - sinpi(s) * digamma(1 - s) / pi),
                        -out * digamma(t))},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: 1}, "gamma has a pole, its reciprocal has none", value=0),
         point({x: -1}, {x: -1}, "gamma has a pole, its reciprocal has none", value=0),
         point({x: -2}, {x: 2}, "gamma has a pole, its reciprocal has none", value=0)],
     note="-out*digamma(x) is 0 times infinity at the poles of gamma; by reflection it is smooth",
     reference="DLMF 5.5.3",
     numpy="special.rgamma", c=scipy("rgamma"))

rule("gammasgn", args=(x,), value=sign(gamma(x)),
     partials={x: 0},
     complex=real_only,
     domain=BETWEEN_POLES,
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.gammasgn.html",
     numpy="special.gammasgn", c=scipy("gammasgn"))

rule("digamma", args=(x,), value=polygamma(0, x), aliases=("psi",),
     partials={x: trigamma(x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     reference="DLMF 5.2.2",
     numpy=("special.digamma", "special.psi"), c="support.digamma")

zeta = later("zeta", 2)

rule("trigamma", args=(x,), value=polygamma(1, x),
     partials={x: -2 * zeta(3, x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     reference="DLMF 5.15, 25.11.12",
     numpy=zeta(2, x))

rule("polygamma", args=(n, x), value=polygamma(n, x),
     partials={n: not_differentiable("the order is a whole number"),
               x: later("polygamma", 2)(n + 1, x)},
     complex=real_only,
     domain={n: integers(0, 5), x: (0, oo)},
     reference="DLMF 5.15",
     numpy="support.polygamma", c="support.polygamma")

rule("zeta", args=(s, q), value=sympy.zeta(s, q),
     partials={s: not_differentiable("SciPy has no derivative of the zeta function in s"),
               q: -s * zeta(s + 1, q)},
     complex=real_only,
     domain={s: (1, oo), q: (0, oo)},
     reference="DLMF 25.11.17",
     numpy="special.zeta", c="support.zeta")

expit = rule("expit", args=(x,), value=1 / (1 + exp(-x)),
     partials={x: sech(x / 2)**2 / 4},
     complex=real_only,
     domain={x: (-oo, oo)},
     note="out*(1 - out) is 0 beyond x = 37; a form with exp(-|x|) keeps its digits, but its own "
          "derivative does not near 0",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.expit.html",
     numpy=("support.expit", "special.expit"),
     math=where(x < 0, exp(x) / (1 + exp(x)), 1 / (1 + exp(-x))))

rule("logit", args=(x,), value=log(x / (1 - x)),
     partials={x: 1 / x + 1 / (1 - x)},
     complex=real_only,
     domain={x: (0, 1)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo),
         point({x: 1}, {x: oo}, "pole", value=oo)],
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.logit.html",
     numpy="special.logit",
     math=where(Abs(x - HALF) < QUARTER, 2 * atanh(2 * x - 1), log(x / (1 - x))))

rule("log_expit", args=(x,), value=-log(1 + exp(-x)),
     partials={x: expit(-x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.log_expit.html",
     numpy="special.log_expit", math=where(x < 0, x - log1p(exp(x)), -log1p(exp(-x))))

XLOGY = where(And(Eq(x, 0), Not(isnan(y))), 0, x * log(y))

rule("xlogy", args=(x, y), value=XLOGY,
     partials={x: log(y), y: x / (y + indicator(And(Eq(x, 0), Eq(y, 0))))},
     complex={x: log(y)},
     domain={x: (-oo, oo), y: (0, oo)},
     at=[point({x: 0, y: 2}, {x: log(2), y: 0}, "the product is 0 there, its slope in x is not"),
         point({x: 0, y: 0.0}, {x: -oo, y: 0}, "0 for every y, and so is its slope in y")],
     note="the 1 is added only where 0/0 would be",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.xlogy.html",
     numpy="special.xlogy", math=XLOGY)

XLOG1PY = where(And(Eq(x, 0), Not(isnan(y))), 0, x * log1p(y))

rule("xlog1py", args=(x, y), value=XLOG1PY,
     partials={x: log1p(y), y: x / (1 + y + indicator(And(Eq(x, 0), Eq(y, -1))))},
     complex={x: log1p(y)},
     domain={x: (-oo, oo), y: (-1, oo)},
     at=[point({x: 0, y: 1}, {x: log(2), y: 0}, "the product is 0 there, its slope in x is not"),
         point({x: 0, y: -1}, {x: -oo, y: 0}, "0 for every y, and so is its slope in y")],
     note="the 1 is added only where 0/0 would be",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.xlog1py.html",
     numpy="special.xlog1py", math=XLOG1PY)

ENTR = where(x < 0, -oo, where(Eq(x, 0), 0, -x * log(x)))

rule("entr", args=(x,), value=ENTR,
     partials={x: -1 - log(x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "limit from the right")],
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.entr.html",
     numpy="special.entr", math=ENTR)

ndtr = rule("ndtr", args=(x,), value=erfc(-x / sqrt(2)) / 2,
     partials={x: gauss(x, HALF) / sqrt(2 * pi)},
     complex={x: exp(-x**2 / 2) / sqrt(2 * pi)},
     domain={x: (-oo, oo)},
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.ndtr.html",
     numpy="special.ndtr", math=erfc(-x / sqrt(2)) / 2)

rule("log_ndtr", args=(x,), value=log(erfc(-x / sqrt(2)) / 2),
     let={s: where(x < 0, x, -1), t: where(x < 0, 1, x)},
     partials={x: where(x < 0, sqrt(2 / pi) / erfcx(-s / sqrt(2)),
                        gauss(t, HALF) / (sqrt(2 * pi) * ndtr(t)))},
     complex={x: sqrt(2 / pi) / erfcx(-x / sqrt(2))},
     domain={x: (-oo, oo)},
     note="density over ndtr is 0/0 beyond x = -38. Each branch sees only its own side, so that "
          "the other cannot give NaN when the rule is differentiated again",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.log_ndtr.html",
     numpy="special.log_ndtr",
     c=where(x < 0, log(erfcx(-x / sqrt(2)) / 2) - x**2 / 2, log1p(-erfc(x / sqrt(2)) / 2)))

step = later("_polygamma_step", 3)

rule("_polygamma_step", args=(n, x, y), value=polygamma(n, x + y) - polygamma(n, x),
     partials={n: not_differentiable("the order is a whole number"),
               x: step(n + 1, x, y), y: later("polygamma", 2)(n + 1, x + y)},
     complex=real_only,
     domain={n: integers(0, 3), x: (0, oo), y: (0, oo)},
     note="the difference as it stands has few digits where y is small beside x",
     reference="DLMF 5.11, 25.11.43",
     numpy="support.polygamma_step", c="support.polygamma_step")

rule("beta", args=(x, y), value=beta(x, y),
     partials={x: -out * step(0, x, y), y: -out * step(0, y, x)},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     reference="DLMF 5.12",
     numpy="special.beta", c=scipy("beta"))

rule("betaln", args=(x, y), value=log(Abs(beta(x, y))),
     partials={x: -step(0, x, y), y: -step(0, y, x)},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     reference="DLMF 5.12",
     numpy="special.betaln", c=scipy("betaln"))

rule("binom", args=(n, k), value=gamma(n + 1) / gamma(k + 1) / gamma(n - k + 1),
     partials={n: out * step(0, n - k + 1, k), k: out * step(0, k + 1, n - 2 * k)},
     complex=real_only,
     domain=And(k > 0, k < n, n < 100),
     reference="DLMF 1.2.6, 5.5.2",
     numpy="special.binom", c=scipy("binom"))

i0, i1, iv = later("i0"), later("i1"), later("iv", 2)
i0e, i1e, ive = later("i0e"), later("i1e"), later("ive", 2)

rule("i0", args=(x,), value=besseli(0, x),
     partials={x: i1(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     reference="DLMF 10.29.3",
     numpy=("special.i0", "np.i0"), c=scipy("i0"))

rule("i1", args=(x,), value=besseli(1, x),
     partials={x: (i0(x) + iv(2, x)) / 2},
     complex=real_only,
     domain={x: (-oo, oo)},
     note="i0(x) - out/x is 0/0 at 0, and cancels near it when it is differentiated again",
     reference="DLMF 10.29.1",
     numpy="special.i1", c=scipy("i1"))

rule("iv", args=(n, x), value=besseli(n, x),
     partials={n: not_differentiable("SciPy has no derivative of Bessel functions in the order"),
               x: (iv(n - 1, x) + iv(n + 1, x)) / 2},
     domain={n: integers(0, 5), x: (0, oo)},
     reference="DLMF 10.29.1",
     numpy="special.iv", c=scipy("iv"))

rule("i0e", args=(x,), value=exp(-Abs(x)) * besseli(0, x),
     partials={x: i1e(x) - sign(x) * out},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: 0}, "kink of exp(-|x|)")],
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.i0e.html",
     numpy="special.i0e", c=scipy("i0e"))

rule("i1e", args=(x,), value=exp(-Abs(x)) * besseli(1, x),
     partials={x: (i0e(x) + ive(2, x)) / 2 - sign(x) * out},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: HALF}, "the kink of exp(-|x|) is multiplied by 0")],
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.i1e.html",
     numpy="special.i1e", c=scipy("i1e"))

rule("ive", args=(n, x), value=exp(-Abs(x)) * besseli(n, x),
     partials={n: not_differentiable("SciPy has no derivative of Bessel functions in the order"),
               x: (ive(n - 1, x) + ive(n + 1, x)) / 2 - sign(x) * out},
     complex=real_only,
     domain={n: integers(0, 5), x: (0, oo)},
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.ive.html",
     numpy="special.ive", c=scipy("ive"))

j0, j1, jv = later("j0"), later("j1"), later("jv", 2)

rule("j0", args=(x,), value=besselj(0, x),
     partials={x: -j1(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     reference="DLMF 10.6.3",
     numpy="special.j0", c=scipy("j0"))

rule("j1", args=(x,), value=besselj(1, x),
     partials={x: (j0(x) - jv(2, x)) / 2},
     complex=real_only,
     domain={x: (-oo, oo)},
     note="j0(x) - out/x is 0/0 at 0, and cancels near it when it is differentiated again",
     reference="DLMF 10.6.1",
     numpy="special.j1", c=scipy("j1"))

rule("jv", args=(n, x), value=besselj(n, x),
     partials={n: not_differentiable("SciPy has no derivative of Bessel functions in the order"),
               x: (jv(n - 1, x) - jv(n + 1, x)) / 2},
     domain={n: integers(0, 5), x: (0, oo)},
     reference="DLMF 10.6.1",
     numpy="special.jv", c=scipy("jv"))

y0, y1, yv = later("y0"), later("y1"), later("yv", 2)

rule("y0", args=(x,), value=bessely(0, x),
     partials={x: -y1(x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     reference="DLMF 10.6.3",
     numpy="special.y0", c=scipy("y0"))

rule("y1", args=(x,), value=bessely(1, x),
     partials={x: where(Eq(x, 0), oo, (y0(x) - yv(2, x)) / 2)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     reference="DLMF 10.6.1",
     numpy="special.y1", c=scipy("y1"))

rule("yv", args=(n, x), value=bessely(n, x),
     partials={n: not_differentiable("SciPy has no derivative of Bessel functions in the order"),
               x: where(Eq(x, 0), oo, (yv(n - 1, x) - yv(n + 1, x)) / 2)},
     complex=real_only,
     domain={n: integers(0, 5), x: (0, oo)},
     at=[point({n: 2, x: 0.0}, {x: oo}, "pole", value=-oo)],
     reference="DLMF 10.6.1",
     numpy=("special.yv", "special.yn"), c=scipy("yv"))

gamma_density = later("_gamma_density", 2)

rule("_gamma_density", args=(a, x), value=x**(a - 1) * exp(-x) / gamma(a),
     let={s: where(Eq(out, 0), 1, x)},
     partials={a: out * (log(s) - digamma(a)),
               x: where(a < 1, out * ((a - 1) / x - 1), gamma_density(a - 1, x) - out)},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     note="the exponential of its logarithm has few digits where a is large; from a = 1 on its "
          "logarithmic derivative times it is 0 times infinity at 0",
     reference="Loader 2000, Fast and accurate computation of binomial probabilities",
     numpy="support.gamma_density", c=scipy("gammainc"))

gamma_slope = rule("_gammainc_a", args=(a, x), value=gammainc_a(a, x),
     let={k: gamma_density(a, x), s: where(Eq(k, 0), 1, x)},
     partials={a: not_differentiable("the second derivative of incomplete gamma functions in a "
                                     "is missing"),
               x: k * (log(s) - digamma(a))},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     note="within 5e-13 of mpmath for a from 1e-6 to 1e5 and all x down to values of 1e-290: the "
          "power series where a <= 2 and x <= 1, else Gaussian quadrature of an integral of one "
          "sign, so that no tail is a difference",
     numpy="support.gammainc_a", c=scipy("gammainc"))

rule("gammainc", args=(a, x), value=lowergamma(a, x) / gamma(a),
     partials={a: gamma_slope(a, x), x: gamma_density(a, x)},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     reference="DLMF 8.8.13",
     numpy="special.gammainc", c=scipy("gammainc"))

rule("gammaincc", args=(a, x), value=uppergamma(a, x) / gamma(a),
     partials={a: -gamma_slope(a, x), x: -gamma_density(a, x)},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     reference="DLMF 8.8.14",
     numpy="special.gammaincc", c=scipy("gammaincc"))

beta_density = later("_beta_density", 3)

rule("_beta_density", args=(a, b, x), value=x**(a - 1) * (1 - x)**(b - 1) / beta(a, b),
     let={k: indicator(And(a >= 1, b >= 1, Or(Eq(x, 0), Eq(x, 1)))),
          s: where(Eq(out, 0), 1, x), t: where(Eq(out, 0), 0, -x)},
     partials={a: out * (log(s) + step(0, a, b)), b: out * (log1p(t) + step(0, b, a)),
               x: where(k > 0,
                        (a + b - 1) * (beta_density(a - 1, b, x) - beta_density(a, b - 1, x)),
                        out * ((a - 1) / x - (b - 1) / (1 - x)))},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     note="the exponential of its logarithm has few digits where a or b is large; at 0 and 1 its "
          "logarithmic derivative is infinite",
     reference="Loader 2000, Fast and accurate computation of binomial probabilities",
     numpy="support.beta_density", c=scipy("betainc"))

SECOND_OF_BETA = not_differentiable("second derivatives of the incomplete beta function in a and b "
                                    "are missing")
QUADRATURE = ("within 5e-13 of mpmath for a and b from 1e-6 to 1e5 and all x down to values of "
              "1e-290: by Gaussian quadrature of an integral of one sign, so that no tail is a "
              "difference")

beta_slope_a = rule("_betainc_a", args=(a, b, x), value=betainc_a(a, b, x),
     let={k: beta_density(a, b, x), s: where(Eq(k, 0), 1, x)},
     partials={a: SECOND_OF_BETA, b: SECOND_OF_BETA,
               x: k * (log(s) + step(0, a, b))},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     note=QUADRATURE,
     numpy="support.betainc_a", c=scipy("betainc"))

beta_slope_b = rule("_betainc_b", args=(a, b, x), value=betainc_b(a, b, x),
     let={k: beta_density(a, b, x), t: where(Eq(k, 0), 0, -x)},
     partials={a: SECOND_OF_BETA, b: SECOND_OF_BETA,
               x: k * (log1p(t) + step(0, b, a))},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     note=QUADRATURE,
     numpy="support.betainc_b", c=scipy("betainc"))

rule("betainc", args=(a, b, x), value=betainc_regularized(a, b, 0, x),
     partials={a: beta_slope_a(a, b, x), b: beta_slope_b(a, b, x), x: beta_density(a, b, x)},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     reference="DLMF 8.17.20",
     numpy="special.betainc", c=scipy("betainc"))

rule("betaincc", args=(a, b, x), value=betainc_regularized(a, b, x, 1),
     partials={a: -beta_slope_a(a, b, x), b: -beta_slope_b(a, b, x), x: -beta_density(a, b, x)},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     reference="DLMF 8.17.4",
     numpy="special.betaincc", c=scipy("betaincc"))

half_step, t_score = later("_half_step", 2), later("_t_score", 2)
TAIL = betainc_regularized(n / 2, HALF, 0, n / (n + x**2)) / 2

t_density = rule("_t_density", args=(n, x),
     value=(1 + x**2 / n)**(-(n + 1) / 2) / sqrt(n) / beta(n / 2, HALF),
     partials={n: out * t_score(n, x), x: -(n + 1) * x / (n + x**2) * out},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     numpy="support.t_density", c=scipy("stdtr"))

rule("_half_step", args=(n, x),
     value=polygamma(n, x + HALF) - polygamma(n, x) - (-1)**n * gamma(n + 1) / (2 * x**(n + 1)),
     partials={n: not_differentiable("the order is a whole number"), x: half_step(n + 1, x)},
     complex=real_only,
     domain={n: integers(0, 3), x: (0, oo)},
     note="the first term of the difference stands in the density of Student's t with the other "
          "sign; what is left has few digits as it stands",
     reference="DLMF 5.11, 5.15.8",
     numpy="support.half_step", c=scipy("polygamma"))

rule("_t_score", args=(n, x),
     value=(polygamma(0, n / 2 + HALF) - polygamma(0, n / 2) - 1 / n - log(1 + x**2 / n)
            + (1 + 1 / n) * x**2 / (n + x**2)) / 2,
     partials={n: half_step(1, n / 2) / 4
                  + x**2 / (n + x**2) / (2 * n) * ((x**2 - 1) / (n + x**2) - 1 / n),
               x: x * (1 - x**2) / (n + x**2)**2},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     note="the derivative of the logarithm of Student's density in n; the value as it stands has "
          "few digits where n is large",
     numpy="support.t_score", c=scipy("stdtr"))

t_slope = rule("_stdtr_n", args=(n, x), value=stdtr_n(n, x),
     partials={n: not_differentiable("the second derivative of Student's t in its degrees of "
                                     "freedom is missing"),
               x: t_density(n, x) * t_score(n, x)},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     note="within 5e-13 of mpmath for n from 1e-6 to 1e5 and all x down to values of 1e-280; by "
          "way of betainc it would be a difference without digits where n is large",
     numpy="support.stdtr_n", c=scipy("stdtr"))

rule("stdtr", args=(n, x), value=where(x < 0, TAIL, 1 - TAIL),
     partials={n: t_slope(n, x), x: t_density(n, x)},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.stdtr.html",
     numpy="special.stdtr", c=scipy("stdtr"))
