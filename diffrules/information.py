"""Rules of entropies and products with logarithms."""

from __future__ import annotations

from sympy import Abs, And, Eq, Not, Rational, exp, log, oo, sign, sqrt

from diffrules.exponential import log1p
from diffrules.logistic import parts, past
from diffrules.piecewise import maximum
from diffrules.powers import hypot
from diffrules.vocabulary import (
    indicator,
    isnan,
    later,
    out,
    point,
    real_only,
    rule,
    symbol,
    where,
    x,
    y,
)

delta, g, h, p, q, r, s, t, w = map(symbol, ("delta", "g", "h", "p", "q", "r", "s", "t", "w"))
QUARTER = Rational(1, 4)
# Where 1 + log(x) is 0.
ROOT = parts(exp(-1))
SPECIAL = "https://docs.scipy.org/doc/scipy/reference/generated/scipy.special."

XLOGY = where(And(Eq(x, 0), Not(isnan(y))), 0, x * log(y))

rule("xlogy", args=(x, y), value=XLOGY,
     partials={x: log(y), y: x / (y + indicator(And(Eq(x, 0), Eq(y, 0))))},
     complex={x: log(y)},
     domain={x: (-oo, oo), y: (0, oo)},
     at=[point({x: 0, y: 2}, {x: log(2), y: 0}, "the product is 0 there, its slope in x is not"),
         point({x: 0, y: 0.0}, {x: -oo, y: 0}, "0 for every y, and so is its slope in y")],
     ulp={x: 4, y: 4, (y, y): 128},
     note="the 1 is added only where 0/0 would be; where x/y is subnormal, the second derivative "
          "in y has no more digits than it",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.xlogy.html",
     numpy="special.xlogy", math=XLOGY)

XLOG1PY = where(And(Eq(x, 0), Not(isnan(y))), 0, x * log1p(y))

rule("xlog1py", args=(x, y), value=XLOG1PY,
     partials={x: log1p(y), y: x / (1 + y + indicator(And(Eq(x, 0), Eq(y, -1))))},
     complex={x: log1p(y)},
     domain={x: (-oo, oo), y: (-1, oo)},
     at=[point({x: 0, y: 1}, {x: log(2), y: 0}, "the product is 0 there, its slope in x is not"),
         point({x: 0, y: -1}, {x: -oo, y: 0}, "0 for every y, and so is its slope in y")],
     ulp=4,
     note="the 1 is added only where 0/0 would be",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.xlog1py.html",
     numpy="special.xlog1py", math=XLOG1PY)

log_ratio = later("_log_ratio", 2)
# 1 + log(x); beside its zero, 1/e, by the distance from it.
NEAR = And(x > QUARTER, x < Rational(3, 5))
LOG_ABOVE = where(NEAR, log1p(exp(1) * past(where(NEAR, x, QUARTER), *ROOT)), 1 + log(x))

rule("xlogx", args=(x,), value=where(Eq(x, 0), 0, x * log(x)),
     partials={x: LOG_ABOVE},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: -oo}, "limit from the right", value=0)],
     ulp=4,
     note="1 + log(x) has no digit left beside 1/e; the form that keeps all digits costs 3 times "
          "the value",
     reference="https://juliastats.org/LogExpFunctions.jl",
     numpy=where(Eq(x, 0), 0, x * log(x + indicator(Eq(x, 0)))))

ENTR = where(x < 0, -oo, where(Eq(x, 0), 0, -x * log(x)))

rule("entr", args=(x,), value=ENTR,
     partials={x: -LOG_ABOVE},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "limit from the right")],
     ulp=4,
     note="-1 - log(x) has no digit left beside 1/e; the form that keeps all digits costs 3 times "
          "the value",
     reference=SPECIAL + "entr.html",
     numpy="special.entr", math=ENTR)

QUOTIENT = x / (y + indicator(And(Eq(x, 0), Eq(y, 0))))

rule("rel_entr", args=(x, y), value=where(Eq(x, 0), 0, x * log(x / y)),
     partials={x: later("_log_ratio_above", 2)(x, y), y: -QUOTIENT},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     at=[point({x: 0.0, y: 2}, {x: -oo, y: 0}, "limit from the right", value=0)],
     ulp=4,
     note="the form that keeps all digits costs 4 times the value",
     reference=SPECIAL + "rel_entr.html",
     numpy="special.rel_entr", c="support.rel_entr")

lack = later("_lack", 2)

rule("kl_div", args=(x, y), value=where(Eq(x, 0), y, x * log(x / y) - x + y),
     partials={x: log_ratio(x, y), y: lack(x, y)},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     at=[point({x: 0.0, y: 2}, {x: -oo, y: 1}, "limit from the right", value=2)],
     ulp=4,
     note="1 - x/y has few digits where the two are near; the form that keeps all digits costs 5 "
          "times the value",
     reference=SPECIAL + "kl_div.html",
     numpy="special.kl_div", c="support.kl_div")

rule("_lack", args=(x, y), value=1 - x / y,
     let={h: x / y},
     partials={x: -1 / y, y: h / y},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     ulp=4,
     note="what a ratio lacks to 1; the derivative of a quotient is a difference without digits "
          "where x is small",
     numpy=(y - x) / y)

rule("_log_ratio", args=(x, y), value=log(x / y),
     partials={x: 1 / x, y: -1 / y},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     ulp=4,
     note="the quotient may leave the float range, and rounded its logarithm has few digits near 1",
     numpy="support.log_ratio", c="support.log_ratio")

rule("_log_ratio_above", args=(x, y), value=1 + log(x / y),
     partials={x: 1 / x, y: -1 / y},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     ulp=4,
     note="1 + log(x/y) has few digits left where y is near e*x",
     numpy="support.log_ratio_above", c="support.log_ratio_above")

rule("huber", args=(delta, r),
     value=where(delta < 0, oo, where(Abs(r) <= delta, r**2 / 2, delta * (Abs(r) - delta / 2))),
     partials={delta: maximum(Abs(r) - delta, 0), r: later("clip", 3)(r, -delta, delta)},
     complex=real_only,
     domain={delta: (0, oo), r: (-oo, oo)},
     at=[point({delta: 2, r: 2}, {delta: 0, r: 2}, "both sides agree")],
     ulp=4,
     reference=SPECIAL + "huber.html",
     numpy="special.huber", c="support.huber")

INNER = Abs(r) < delta

# The ratio of the smaller to the larger: no square leaves the float range.
SMALL = where(INNER, r, 0) / where(INNER, delta, 1)
LARGE = where(INNER, 0, delta) / where(INNER, 1, Abs(r))
ROOT_OF_RATIO = sqrt(1 + (r / delta)**2)
huber_in_delta, huber_in_r = later("_huber_in_delta", 2), later("_huber_in_r", 2)

rule("pseudo_huber", args=(delta, r), value=r**2 / (1 + ROOT_OF_RATIO),
     partials={delta: huber_in_delta(delta, r), r: huber_in_r(delta, r)},
     complex=real_only,
     domain={delta: (0, oo), r: (-oo, oo)},
     ulp={delta: 8, r: 4, out: 4},
     note="in the ratio of the smaller to the larger, so that no square leaves the float range; "
          "the form that keeps all digits costs 5 times the value",
     reference=SPECIAL + "pseudo_huber.html",
     numpy="special.pseudo_huber", c="support.pseudo_huber")

rule("_huber_in_delta", args=(delta, r),
     value=r**4 / delta**3 / (1 + ROOT_OF_RATIO)**2 / ROOT_OF_RATIO,
     let={s: SMALL, q: hypot(1, s), g: s / (1 + q), t: LARGE, p: hypot(1, t), h: (p - t) / p,
          w: s * g / q},
     partials={delta: -where(INNER, w**2 * (2 + 1 / q), h**2 * (2 + t / p)),
               r: where(INNER, (s / q)**3, sign(r) / p**3)},
     complex=real_only,
     domain={delta: (0, oo), r: (-oo, oo)},
     ulp=16,
     note="of degree 1 in both arguments, so that its partials depend on the ratio alone",
     numpy="support.pseudo_huber_in_delta", c="support.pseudo_huber_in_delta")

rule("_huber_in_r", args=(delta, r), value=r / ROOT_OF_RATIO,
     let={s: SMALL, q: hypot(1, s), t: LARGE, p: hypot(1, t)},
     partials={delta: where(INNER, (s / q)**3, sign(r) / p**3),
               r: where(INNER, 1 / q**3, (t / p)**3)},
     complex=real_only,
     domain={delta: (0, oo), r: (-oo, oo)},
     ulp=8,
     note="of degree 1 in both arguments, so that its partials depend on the ratio alone",
     numpy="support.pseudo_huber_in_r", c="support.pseudo_huber_in_r")
