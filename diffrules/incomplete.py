"""Rules of incomplete gamma and beta functions, and of Student's t."""

from __future__ import annotations

import math
from typing import Any

from sympy import (
    And,
    Eq,
    Or,
    Rational,
    beta,
    betainc_regularized,
    exp,
    gamma,
    log,
    lowergamma,
    oo,
    polygamma,
    sqrt,
    uppergamma,
)
from sympy.codegen.cfunctions import log1p

from diffrules.inverses import inverse_of
from diffrules.meanings import Meaning
from diffrules.powers import hypot
from diffrules.vocabulary import (
    integers,
    later,
    not_differentiable,
    out,
    real_only,
    rule,
    scipy,
    symbol,
    where,
    x,
    y,
)

a, b, k, n, s, t = (symbol(name) for name in ("a", "b", "k", "n", "s", "t"))
HALF = Rational(1, 2)
POSITIVE, SHARE = (0.0, math.inf), (0.0, 1.0)
# Shapes whose quantiles are in the range of floats, but for very small shares.
SOME = (Rational(1, 10), oo)
trigamma, step = later("trigamma"), later("_polygamma_step", 3)

def missing(what: str, *shapes: Any) -> not_differentiable:
    """Return what stands for a second derivative in `shapes`, parameters of one function."""
    names = " and ".join(map(str, shapes))
    return not_differentiable(f"the second derivative of {what} in {names} is missing")

class SlopeOf(Meaning):
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

log_rest = rule("_log_rest", args=(x,), value=x - log(1 + x),
     partials={x: x / (1 + x)},
     complex=real_only,
     domain={x: (-1, oo)},
     ulp=4,
     note="the difference as it stands has no digits near 0",
     numpy="support.log_rest", c=scipy("log1p"))

excess = later("_polygamma_excess", 3)

rule("_polygamma_excess", args=(n, x, y),
     value=polygamma(n, x + y) - polygamma(n, x)
           + where(n > 0, (-1)**n * gamma(where(n > 0, n, 1)) * ((x + y)**-n - x**-n),
                   log(x) - log(x + y)),
     partials={n: not_differentiable("the order is a whole number"),
               x: excess(n + 1, x, y),
               y: later("_polygamma_rest", 2)(n + 1, x + y)},
     complex=real_only,
     domain={n: integers(0, 3), x: (0, oo), y: (0, oo)},
     note="what a step of polygamma has beyond that of the logarithm: scores of beta densities; "
          "the difference as it stands has few digits where x is large",
     reference="DLMF 5.11.2, 5.15.8",
     numpy="support.polygamma_excess", c=scipy("polygamma"))

rule("_polygamma_rest", args=(n, x), value=polygamma(n, x) + (-1)**n * gamma(n) / x**n,
     partials={n: not_differentiable("the order is a whole number"),
               x: later("_polygamma_rest", 2)(n + 1, x)},
     complex=real_only,
     domain={n: integers(1, 4), x: (0, oo)},
     note="polygamma less that derivative of the logarithm; both are nearly the same where x is "
          "large",
     reference="DLMF 5.11.2, 5.15.8",
     numpy="support.polygamma_rest", c=scipy("polygamma"))

gamma_score = rule("_gamma_score", args=(a, x), value=log(x) - polygamma(0, a),
     partials={a: -trigamma(a), x: 1 / x},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     note="the derivative of the logarithm of the gamma density in a; near x = a the difference as "
          "it stands has few digits",
     numpy="support.gamma_score", c=scipy("digamma"))

gamma_density = later("_gamma_density", 2)

rule("_gamma_density", args=(a, x), value=x**(a - 1) * exp(-x) / gamma(a),
     let={s: where(Eq(out, 0), 1, x), k: where(And(a >= 1, Eq(x, 0)), 1, 0)},
     partials={a: out * gamma_score(a, s),
               x: where(k > 0, gamma_density(where(k > 0, a - 1, 1), x) - out,
                        out / where(k > 0, 1, x) * (a - 1 - x))},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     ulp={out: 8},
     note="the exponential of its logarithm has few digits where a is large; from a = 1 on its "
          "logarithmic derivative times it is 0 times infinity at 0",
     reference="Loader 2000, Fast and accurate computation of binomial probabilities",
     numpy="support.gamma_density", c=scipy("gammainc"))

over_gamma = rule("_over_gamma_density", args=(a, x), value=x**(1 - a) * exp(x) * gamma(a),
     let={s: where(x > 0, x, 1)},
     partials={a: -out * gamma_score(a, s),
               x: out * where(x > 0, (x + 1 - a) / s, where(a > 1, -1, 1))},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     note="one over the density: second derivatives of a quotient divide by its square, which "
          "leaves the float range",
     numpy="support.over_gamma_density", c=scipy("gammainc"))

OF_GAMMA = missing("an incomplete gamma function", a)

gamma_slope = rule("_gammainc_a", args=(a, x), value=gammainc_a(a, x),
     let={k: gamma_density(a, x), s: where(Eq(k, 0), 1, x)},
     partials={a: OF_GAMMA, x: k * gamma_score(a, s)},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     ulp=16,
     note="the power series where a <= 2 and x <= 1, else Gaussian quadrature of an integral of "
          "one sign, so that no tail is a difference",
     numpy="support.gammainc_a", c=scipy("gammainc"))

gamma_lag = rule("_gammainc_lag", args=(a, x), value=-gammainc_a(a, x) / gamma_density(a, x),
     partials={a: OF_GAMMA, x: -gamma_score(a, x) - out * ((a - 1 - x) / x)},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     ulp=16,
     note="by what x grows with a where gammainc stays the same; the quotient as it stands is 0/0 "
          "in the tails",
     numpy="support.gammainc_lag", c=scipy("gammainc"))

BY_SHAPE = ("the derivative in a is an integral that costs 20 times the function; it is within 16 "
            "ulp for a up to 1e5")

rule("gammainc", args=(a, x), value=lowergamma(a, x) / gamma(a),
     partials={a: gamma_slope(a, x), x: gamma_density(a, x)},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     ulp={a: 16, x: 8},
     note=BY_SHAPE,
     reference="DLMF 8.8.13",
     numpy="special.gammainc", c=scipy("gammainc"))

rule("gammaincc", args=(a, x), value=uppergamma(a, x) / gamma(a),
     partials={a: -gamma_slope(a, x), x: -gamma_density(a, x)},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     ulp={a: 16, x: 8},
     note=BY_SHAPE,
     reference="DLMF 8.8.14",
     numpy="special.gammaincc", c=scipy("gammaincc"))

INVERSE = "by the implicit function theorem at the value, whose rounding error enters"

rule("gammaincinv", args=(a, y), value=inverse_of("gammainc", 2, 1, POSITIVE)(a, y),
     partials={a: gamma_lag(a, out), y: over_gamma(a, out)},
     complex=real_only,
     domain={a: SOME, y: (0, 1)},
     note=INVERSE + ": SciPy's is off by up to 900 ulp, and by 4e9 at a = 986 for subnormal y. "
                    "In y 1300 ulp were measured",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/"
               "scipy.special.gammaincinv.html",
     numpy="special.gammaincinv", c=scipy("gammaincinv"))

rule("gammainccinv", args=(a, y),
     value=inverse_of("gammaincc", 2, 1, POSITIVE, rising=False)(a, y),
     partials={a: gamma_lag(a, out), y: -over_gamma(a, out)},
     complex=real_only,
     domain={a: SOME, y: (0, 1)},
     ulp={a: 512, y: 2048},
     note=INVERSE,
     reference="https://docs.scipy.org/doc/scipy/reference/generated/"
               "scipy.special.gammainccinv.html",
     numpy="special.gammainccinv", c=scipy("gammainccinv"))

beta_score = rule("_beta_score", args=(a, b, x),
     value=log(x) + polygamma(0, a + b) - polygamma(0, a),
     partials={a: step(1, a, b), b: trigamma(a + b), x: 1 / x},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     note="the derivative of the logarithm of the beta density in a; near the mean the difference "
          "as it stands has few digits",
     numpy="support.beta_score", c=scipy("digamma"))

beta_coscore = rule("_beta_coscore", args=(a, b, x),
     value=log(1 - x) + polygamma(0, a + b) - polygamma(0, b),
     partials={a: trigamma(a + b), b: step(1, b, a), x: -1 / (1 - x)},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     note="the derivative of the logarithm of the beta density in b",
     numpy="support.beta_coscore", c=scipy("digamma"))

beta_density = later("_beta_density", 3)
EDGE = And(a >= 1, b >= 1, Or(Eq(x, 0), Eq(x, 1)))

rule("_beta_density", args=(a, b, x), value=x**(a - 1) * exp((b - 1) * log1p(-x)) / beta(a, b),
     let={k: where(EDGE, 1, 0), s: where(Eq(out, 0), HALF, x), t: where(EDGE, HALF, x)},
     partials={a: out * beta_score(a, b, s), b: out * beta_coscore(a, b, s),
               x: where(k > 0,
                        (a + b - 1) * (beta_density(where(k > 0, a - 1, 1), b, x)
                                       - beta_density(a, where(k > 0, b - 1, 1), x)),
                        out / (t * (1 - t)) * ((a - 1) * (1 - t) - (b - 1) * t))},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     ulp={out: 8},
     note="the exponential of its logarithm has few digits where a or b is large; at 0 and 1 its "
          "logarithmic derivative is infinite",
     reference="Loader 2000, Fast and accurate computation of binomial probabilities",
     numpy="support.beta_density", c=scipy("betainc"))

OF_BETA = missing("an incomplete beta function", a, b)
QUADRATURE = "by Gaussian quadrature of an integral of one sign, so that no tail is a difference"

beta_slope_a = rule("_betainc_a", args=(a, b, x), value=betainc_a(a, b, x),
     let={k: beta_density(a, b, x), s: where(Eq(k, 0), HALF, x)},
     partials={a: OF_BETA, b: OF_BETA, x: k * beta_score(a, b, s)},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     ulp=16,
     note=QUADRATURE,
     numpy="support.betainc_a", c=scipy("betainc"))

beta_slope_b = rule("_betainc_b", args=(a, b, x), value=betainc_b(a, b, x),
     let={k: beta_density(a, b, x), s: where(Eq(k, 0), HALF, x)},
     partials={a: OF_BETA, b: OF_BETA, x: k * beta_coscore(a, b, s)},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     ulp=16,
     note=QUADRATURE,
     numpy="support.betainc_b", c=scipy("betainc"))

TURN = ((a - 1) * (1 - x) - (b - 1) * x) / (x * (1 - x))

beta_lag_a = rule("_betainc_lag_a", args=(a, b, x),
     value=-betainc_a(a, b, x) / beta_density(a, b, x),
     partials={a: OF_BETA, b: OF_BETA, x: -beta_score(a, b, x) - out * TURN},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     ulp={out: 16},
     note="by what x grows with a where betainc stays the same; the quotient as it stands is 0/0 "
          "in the tails. The partial in x is a difference of two terms",
     numpy="support.betainc_lag_a", c=scipy("betainc"))

beta_lag_b = rule("_betainc_lag_b", args=(a, b, x),
     value=-betainc_b(a, b, x) / beta_density(a, b, x),
     partials={a: OF_BETA, b: OF_BETA, x: -beta_coscore(a, b, x) - out * TURN},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     ulp={out: 16},
     note="by what x grows with b where betainc stays the same; its partial in x is a difference "
          "of two terms",
     numpy="support.betainc_lag_b", c=scipy("betainc"))

BY_SHAPES = ("the derivatives in a and b are integrals that cost 20 times the function; they are "
             "within 16 ulp for a and b up to 1e4")

rule("betainc", args=(a, b, x), value=betainc_regularized(a, b, 0, x),
     partials={a: beta_slope_a(a, b, x), b: beta_slope_b(a, b, x), x: beta_density(a, b, x)},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     ulp={a: 16, b: 16, x: 8},
     note=BY_SHAPES,
     reference="DLMF 8.17.20",
     numpy="special.betainc", c=scipy("betainc"))

rule("betaincc", args=(a, b, x), value=betainc_regularized(a, b, x, 1),
     partials={a: -beta_slope_a(a, b, x), b: -beta_slope_b(a, b, x), x: -beta_density(a, b, x)},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     ulp={a: 16, b: 16, x: 8},
     note=BY_SHAPES,
     reference="DLMF 8.17.4",
     numpy="special.betaincc", c=scipy("betaincc"))

betaincinv, betainccinv = later("betaincinv", 3), later("betainccinv", 3)
# Beside 1 the rounded root has few digits of what it lacks to 1: a root too, of swapped shapes.
UPPER = out > HALF
SWAPPED_ROOT = (f"{INVERSE}; above 1/2 at what it lacks to 1, the root of swapped shapes. The "
                "derivatives in a and b are integrals that cost 12 times the function")
SWAPPED = {k: where(UPPER, b, a), n: where(UPPER, a, b)}
LAGS = {a: where(UPPER, -beta_lag_b(k, n, s), beta_lag_a(k, n, s)),
        b: where(UPPER, -beta_lag_a(k, n, s), beta_lag_b(k, n, s))}

rule("betaincinv", args=(a, b, y), value=inverse_of("betainc", 3, 2, SHARE)(a, b, y),
     let={**SWAPPED, s: where(UPPER, betainccinv(b, a, y), out)},
     partials={**LAGS, y: 1 / beta_density(k, n, s)},
     complex=real_only,
     domain={a: SOME, b: SOME, y: (0, 1)},
     note=SWAPPED_ROOT,
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.betaincinv.html",
     numpy="special.betaincinv", c=scipy("betaincinv"))

rule("betainccinv", args=(a, b, y),
     value=inverse_of("betaincc", 3, 2, SHARE, rising=False)(a, b, y),
     let={**SWAPPED, s: where(UPPER, betaincinv(b, a, y), out)},
     partials={**LAGS, y: -1 / beta_density(k, n, s)},
     complex=real_only,
     domain={a: SOME, b: SOME, y: (0, 1)},
     note=SWAPPED_ROOT,
     reference="https://docs.scipy.org/doc/scipy/reference/generated/"
               "scipy.special.betainccinv.html",
     numpy="special.betainccinv", c=scipy("betainccinv"))

TAIL = betainc_regularized(n / 2, HALF, 0, n / (n + x**2)) / 2

def t_score(n: Any, x: Any) -> Any:
    """Return the derivative in `n` of the logarithm of Student's density."""
    size = hypot(sqrt(n), x)
    return (excess(0, n / 2, HALF) - log_rest((1 - x) / size * ((1 + x) / size))) / 2

t_density = rule("_t_density", args=(n, x),
     value=exp(-(n + 1) / 2 * log1p(x**2 / n)) / sqrt(n) / beta(n / 2, HALF),
     let={s: hypot(sqrt(n), x)},
     partials={n: out * t_score(n, x),
               x: -(n + 1) * (x / s) / s * out},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     ulp={out: 8},
     note="the exponential of its logarithm has few digits where n is large",
     numpy="support.t_density", c=scipy("stdtr"))

OF_STUDENT = missing("Student's distribution", n)

t_slope = rule("_stdtr_n", args=(n, x), value=stdtr_n(n, x),
     partials={n: OF_STUDENT, x: t_density(n, x) * t_score(n, x)},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     ulp={out: 16},
     note="by way of betainc it would be a difference without digits where n is large",
     numpy="support.stdtr_n", c=scipy("stdtr"))

t_lag = rule("_stdtr_lag_n", args=(n, x), value=-stdtr_n(n, x) / t_density(n, x),
     let={s: hypot(sqrt(n), x)},
     partials={n: OF_STUDENT,
               x: -t_score(n, x) + (n + 1) * out * (x / s) / s},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     note="by what x grows with n where stdtr stays the same",
     numpy="support.stdtr_lag_n", c=scipy("stdtr"))

rule("stdtr", args=(n, x), value=where(x < 0, TAIL, 1 - TAIL),
     partials={n: t_slope(n, x), x: t_density(n, x)},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     ulp=16,
     note="the derivative in n is an integral that costs 20 times the function; it is within 16 "
          "ulp for n up to 1e5",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.stdtr.html",
     numpy="special.stdtr", c=scipy("stdtr"))

rule("stdtrit", args=(n, y), value=inverse_of("stdtr", 2, 1, (-math.inf, math.inf))(n, y),
     partials={n: t_lag(n, out), y: 1 / t_density(n, out)},
     complex=real_only,
     domain={n: SOME, y: (0, 1)},
     note=INVERSE + "; the derivatives in shapes are integrals that cost 24 times the value",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.stdtrit.html",
     numpy="special.stdtrit", c=scipy("stdtrit"))

rule("stdtridf", args=(y, x), value=inverse_of("stdtr", 2, 0, POSITIVE)(y, x),
     partials={y: 1 / t_slope(out, x), x: 1 / t_lag(out, x)},
     complex=real_only,
     domain=[{y: (Rational(11, 20), Rational(4, 5)), x: (1, 3)}],
     note="there are such degrees of freedom only for y between 1/2 and ndtr(x); the derivatives "
          "in shapes are integrals that cost 6 times the value",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.stdtridf.html",
     numpy="special.stdtridf", c=scipy("stdtridf"))
