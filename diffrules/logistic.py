"""Rules of logistic functions and their logarithms."""

from __future__ import annotations

from typing import Any

from sympy import Abs, Float, Rational, asinh, atanh, cosh, exp, log, oo, sinh, sympify, tanh

from diffrules.exponential import expm1, log1p
from diffrules.hyperbolic import sech
from diffrules.piecewise import maximum, minimum
from diffrules.powers import hypot
from diffrules.vocabulary import (
    closed,
    later,
    not_differentiable,
    out,
    point,
    real_only,
    rule,
    symbol,
    where,
    x,
    y,
)

HALF, QUARTER, MIDDLE = Rational(1, 2), Rational(1, 4), Rational(5, 8)
high, middle, low = symbol("high"), symbol("middle"), symbol("low")
h, p, q, t = symbol("h"), symbol("p"), symbol("q"), symbol("t")
REFERENCE = "https://juliastats.org/LogExpFunctions.jl"


def parts(number: Any) -> tuple[Any, Any, Any]:
    """Return a number in three parts for `past`: of 24 bits, of 24 more, and the rest."""
    number = sympify(number).evalf(45)
    high = Float(number, precision=24)
    middle = Float(number - Float(high, 45), precision=24)
    short = (Rational(*float(part).as_integer_ratio()) for part in (high, middle))
    return (*short, Float(number - Float(high, 45) - Float(middle, 45), 25))


# The sizes of the parts after the first, of numbers up to 2.
PARTS = {middle: closed(-(2**-24), 2**-24), low: closed(-(2**-48), 2**-48)}

past = rule("_past", args=(x, high, middle, low), value=x - high - middle - low,
     partials={x: 1, **dict.fromkeys((high, middle, low), not_differentiable("a constant"))},
     complex=real_only,
     domain=[{x: (-oo, oo), high: closed(-2, -QUARTER), **PARTS},
             {x: (-oo, oo), high: closed(QUARTER, 2), **PARTS}],
     ulp=4,
     note="the distance from a number in three parts, so that it keeps its digits beside that "
          "number; high and middle are exact in single precision, each part below the last digit "
          "of the one before, so that only the last difference is rounded where digits cancel",
     numpy="support.past", math="support.past_scalar", c="support.past")

expit = rule("expit", args=(x,), value=1 / (1 + exp(-x)), aliases=("sigmoid", "logistic"),
     partials={x: sech(x / 2)**2 / 4},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=4,
     note="out*(1 - out) is 0 beyond x = 37; a form with exp(-|x|) keeps its digits, but its own "
          "derivative does not near 0",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.expit.html",
     numpy=("support.expit", "special.expit"),
     math=where(x < 0, exp(x) / (1 + exp(x)), 1 / (1 + exp(-x))))

logit_slope, cloglog_slope = later("_logit_slope"), later("_cloglog_slope")
# x between -1 and 1, and x beyond them.
SMALL, LARGE = maximum(minimum(x, 1), -1), where(Abs(x) < 1, 1, x)
share_of_odds, reciprocal_m1 = later("_share_of_odds"), later("_reciprocal_m1")
log1psq_slope, xexpx_slope = later("_log1psq_slope"), later("_xexpx_slope")
xexpy = later("xexpy", 2)

rule("logit", args=(x,), value=log(x / (1 - x)),
     partials={x: logit_slope(x)},
     complex=real_only,
     domain={x: (0, 1)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo),
         point({x: 1}, {x: oo}, "pole", value=oo)],
     ulp=4,
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.logit.html",
     numpy="special.logit",
     math=where(Abs(x - HALF) < QUARTER, 2 * atanh(2 * x - 1), log(x / (1 - x))))

rule("_logit_slope", args=(x,), value=1 / (x * (1 - x)),
     partials={x: (2 * x - 1) * out**2},
     complex=real_only,
     domain={x: (0, 1)},
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo), point({x: 1}, {x: oo}, "pole", value=oo)],
     ulp=8,
     note="the derivative of 1/x + 1/(1 - x) as it stands is a difference, without digits at 1/2")

log_expit = rule("log_expit", args=(x,), value=-log(1 + exp(-x)),
     aliases=("log_sigmoid", "loglogistic"),
     partials={x: expit(-x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=4,
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.log_expit.html",
     numpy="special.log_expit", math=where(x < 0, x - log1p(exp(x)), -log1p(exp(-x))))

# exp(-2*x) is 0 from here on.
FAR = 400
# log(2), and where cloglog and logabssinh are 0.
LOG2, CLOGLOG, ASINH1 = parts(log(2)), parts(1 - exp(-1)), parts(asinh(1))

rule("log1mexp", args=(x,), value=log(1 - exp(x)),
     partials={x: exp(x) / expm1(x)},
     complex=real_only,
     domain={x: (-oo, 0)},
     at=[point({x: -0.0}, {x: -oo}, "limit from the left", value=-oo)],
     ulp=4,
     note="-1/expm1(-x) is cheaper, but its own derivative is 0 below -355",
     reference="Maechler 2012, https://cran.r-project.org/package=Rmpfr/vignettes/log1mexp-note.pdf",
     numpy=where(x > -log(2), log(-expm1(x)), log1p(-exp(minimum(x, -log(2))))))

rule("log2mexp", args=(x,), value=log(2 - exp(x)),
     let={t: past(maximum(x, HALF), *LOG2), h: minimum(x, HALF)},
     partials={x: where(x < HALF, -exp(h) / (1 - expm1(h)), exp(t) / expm1(t))},
     complex=real_only,
     domain={x: (-oo, log(2))},
     ulp=4,
     note="2 - exp(x) has no digit left beside log(2); it is -2*expm1(t)",
     reference=REFERENCE,
     numpy=where(x < HALF, log1p(-expm1(minimum(x, HALF))),
                 log(-2 * expm1(past(maximum(x, HALF), *LOG2)))))

rule("logexpm1", args=(x,), value=log(exp(x) - 1),
     partials={x: -1 / expm1(-x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     ulp=4,
     note="exp(x)/expm1(x) is inf/inf from 710 on",
     reference=REFERENCE,
     numpy=where(x < HALF, log(expm1(minimum(x, HALF))),
                 where(x < 1, log1p(2 * expm1(past(maximum(minimum(x, 1), HALF), *LOG2))),
                       x + log1p(-exp(-maximum(x, 1))))))

rule("logitexp", args=(x,), value=log(exp(x) / (1 - exp(x))),
     partials={x: -1 / expm1(x)},
     complex=real_only,
     domain={x: (-oo, 0)},
     at=[point({x: -0.0}, {x: oo}, "limit from the left", value=oo)],
     ulp=4,
     reference=REFERENCE,
     numpy=-later("logexpm1")(-x))

rule("log1mlogistic", args=(x,), value=-log(1 + exp(x)),
     partials={x: -expit(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=4,
     reference=REFERENCE,
     numpy=log_expit(-x))

rule("cloglog", args=(x,), value=log(-log(1 - x)),
     partials={x: cloglog_slope(x)},
     complex=real_only,
     domain={x: (0, 1)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo), point({x: 1}, {x: oo}, "pole", value=oo)],
     ulp=4,
     reference=REFERENCE,
     numpy=where(Abs(x - MIDDLE) < QUARTER,
                 log1p(-log1p(-exp(1) * past(where(Abs(x - MIDDLE) < QUARTER, x, HALF), *CLOGLOG))),
                 log(-log1p(-x))))

rule("_cloglog_slope", args=(x,), value=-1 / ((1 - x) * log(1 - x)),
     partials={x: -(1 + log1p(-x)) * out**2},
     complex=real_only,
     domain={x: (0, 1)},
     ulp={out: 4, x: 16},
     note="the derivative as it stands is a difference of infinities at 1e-310",
     numpy=where(x < 1, -1 / ((1 - x) * log1p(-x)), oo))

rule("log1psq", args=(x,), value=log(1 + x**2),
     partials={x: log1psq_slope(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=4,
     note="1 + x**2 leaves the float range at 1e154",
     reference=REFERENCE,
     numpy=where(Abs(x) < 2**26, log1p(minimum(Abs(x), 2**26)**2),
                 2 * log(maximum(Abs(x), 2**26))))

rule("_log1psq_slope", args=(x,), value=2 * x / (1 + x**2),
     let={h: hypot(1, x), p: (1 - x) / h, q: (1 + x) / h, t: p * q / h},
     partials={x: 2 * (t / h)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp={x: 8, out: 4},
     note="the derivative of the quotient as it stands is a difference, without digits at 1; four "
          "factors are each rounded once",
     numpy=where(Abs(x) < 1, 2 * SMALL / (1 + SMALL**2), 2 / (LARGE + 1 / LARGE)))

rule("log1pmx", args=(x,), value=log(1 + x) - x,
     partials={x: -share_of_odds(x)},
     complex=real_only,
     domain={x: (-1, oo)},
     at=[point({x: -1}, {x: oo}, "pole", value=-oo)],
     ulp=4,
     note="the difference as it stands has no digit left near 0",
     reference="Loader 2000, Fast and accurate computation of binomial probabilities",
     numpy="support.log1pmx", c="support.log1pmx")

rule("_share_of_odds", args=(x,), value=x / (1 + x),
     let={h: 1 / (1 + x)},
     partials={x: h**2},
     complex=real_only,
     domain={x: (-1, oo)},
     ulp=4,
     note="the derivative of the quotient as it stands has no digit left at 1e16")

rule("logmxp1", args=(x,), value=log(x) - x + 1,
     partials={x: reciprocal_m1(x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     ulp=4,
     note="1/x - 1 has no digit left beside 1",
     reference=REFERENCE,
     numpy="support.logmxp1", c="support.logmxp1")

rule("_reciprocal_m1", args=(x,), value=1 / x - 1,
     let={h: 1 / x},
     partials={x: -h**2},
     complex=real_only,
     domain={x: (0, oo)},
     ulp=4,
     note="the difference has no digit left beside 1, the derivative of a quotient none at 1e16",
     numpy=(1 - x) / x)

inverse_share = later("_inverse_share", 2)

rule("logsubexp", args=(x, y), value=log(Abs(exp(x) - exp(y))),
     partials={x: inverse_share(y, x), y: inverse_share(x, y)},
     complex=real_only,
     domain=[{x: (0, oo), y: (-oo, 0)}, {x: (-oo, 0), y: (0, oo)}],
     at=[point({x: oo, y: 0}, {x: 1, y: 0}, "limit: x is all of the difference", value=oo),
         point({x: -oo, y: 0}, {x: 0, y: 1}, "limit: y is all of the difference", value=0)],
     ulp={x: 4, y: 4, out: 32},
     note="the logarithm of the size of the difference",
     reference=REFERENCE,
     numpy="support.logsubexp", c="support.logsubexp")

rule("_inverse_share", args=(x, y), value=1 / (1 - exp(x - y)),
     partials={x: -out * inverse_share(y, x), y: out * inverse_share(y, x)},
     complex=real_only,
     domain=[{x: (0, oo), y: (-oo, 0)}, {x: (-oo, 0), y: (0, oo)}],
     ulp=4,
     note="the rounding error of x - y, 512 ulp of the result where it is 700, is undone",
     numpy="support.inverse_share", c="support.inverse_share")

rule("xexpx", args=(x,), value=x * exp(x),
     partials={x: xexpx_slope(x)},
     domain={x: (-oo, oo)},
     ulp=4,
     note="exp(x) has few digits below -708, where the derivative still has all",
     reference=REFERENCE,
     numpy=xexpy(x, x))

rule("_xexpx_slope", args=(x,), value=(1 + x) * exp(x),
     partials={x: xexpy(2 + x, x)},
     domain={x: (-oo, oo)},
     ulp=4,
     note="the sum of exp(x) and the function itself is a difference, without digits at -2",
     numpy=xexpy(1 + x, x))

rule("xexpy", args=(x, y), value=x * exp(y),
     partials={x: exp(y), y: out},
     domain={x: (-oo, oo), y: (-oo, oo)},
     ulp=4,
     note="exp(y) may leave the float range and the product not",
     reference=REFERENCE,
     numpy="support.xexpy", math="support.xexpy_scalar", c="support.xexpy")

rule("logcosh", args=(x,), value=log(cosh(x)),
     partials={x: tanh(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp={x: 4, out: 6},
     reference=REFERENCE,
     numpy=where(Abs(x) < 1, log1p(2 * sinh(minimum(Abs(x), 1) / 2)**2),
                 past(Abs(x), *LOG2) + log1p(exp(-2 * minimum(Abs(x), FAR)))))

past_one = past(maximum(minimum(Abs(x), Rational(3, 2)), HALF), *ASINH1)

rule("logabssinh", args=(x,), value=log(Abs(sinh(x))),
     partials={x: 1 / tanh(x)},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     ulp=4,
     reference=REFERENCE,
     numpy=where(Abs(x) < HALF, log(sinh(minimum(Abs(x), HALF))),
                 where(Abs(x) < Rational(3, 2),
                       log1p(2 * sinh(past_one / 2) * cosh(past_one / 2 + asinh(1))),
                       past(Abs(x), *LOG2) + log1p(-exp(-2 * minimum(maximum(Abs(x), 1), FAR))))))
