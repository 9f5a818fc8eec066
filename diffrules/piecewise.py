"""Rules of functions in pieces: steps, kinks, and choices."""

from __future__ import annotations

from typing import Any

from sympy import Abs, Eq, Mod, Ne, Or, Rational, Symbol, ceiling, floor, nan, oo, sign

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

c, h, hi, lo, m = symbol("c"), symbol("h"), symbol("hi"), symbol("lo"), symbol("m")
copysign = later("copysign", 2)
HALF = Rational(1, 2)
FINITE = {x: (-oo, oo), y: (-oo, oo)}


def larger(a: Symbol, b: Symbol) -> Any:
    """Return the share of `a` in the maximum of both: 1, 1/2 at a tie, 0; 1 where it is NaN."""
    return where(Eq(a, b), HALF, indicator(Or(a > b, isnan(a))))


def smaller(a: Symbol, b: Symbol) -> Any:
    """Return the share of `a` in the minimum of both: 1, 1/2 at a tie, 0; 1 where it is NaN."""
    return where(Eq(a, b), HALF, indicator(Or(a < b, isnan(a))))


def ties() -> list[Any]:
    """Return the singular points of the maximum and minimum of x and y."""
    return [
        point({x: 1, y: 1}, {x: HALF, y: HALF}, "tie: the mean of both sides"),
        point({x: oo, y: oo}, {x: HALF, y: HALF}, "tie: the mean of both sides", value=oo),
        point({x: -oo, y: -oo}, {x: HALF, y: HALF}, "tie: the mean of both sides", value=-oo),
    ]


rule("absolute", args=(x,), value=Abs(x), aliases=("abs", "fabs"),
     partials={x: sign(x)},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: 0}, "minimum shaped like a cone"),
         point({x: -0.0}, {x: 0}, "minimum shaped like a cone")],
     ulp=1,
     note="signs with a 0 at 0 cost 4 times the value, which is one pass over memory",
     numpy=("np.absolute", "np.fabs"), math="math.fabs", c="fabs")

rule("sign", args=(x,), value=sign(x),
     partials={x: 0},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: 0}, "step: 0 on both sides")],
     ulp=1)

rule("floor", args=(x,), value=floor(x),
     partials={x: 0},
     complex=real_only,
     domain={x: (-oo, oo)},
     at=[point({x: 1}, {x: 0}, "step: 0 on both sides")],
     ulp=1)

rule("ceil", args=(x,), value=ceiling(x),
     partials={x: 0},
     complex=real_only,
     domain={x: (-oo, oo)},
     at=[point({x: 1}, {x: 0}, "step: 0 on both sides")],
     ulp=1,
     c="ceil")

rule("trunc", args=(x,), value=sign(x) * floor(Abs(x)),
     partials={x: 0},
     complex=real_only,
     domain={x: (-oo, oo)},
     at=[point({x: 1}, {x: 0}, "step: 0 on both sides")],
     ulp=1,
     numpy="np.trunc", math=copysign(floor(Abs(x)), x), c="trunc")

rule("rint", args=(x,), value=floor(x + HALF) - indicator(Eq(Mod(x, 2), HALF)),
     partials={x: 0},
     complex=real_only,
     domain={x: (-oo, oo)},
     at=[point({x: 0.5}, {x: 0}, "step: 0 on both sides", value=0),
         point({x: 1.5}, {x: 0}, "step: 0 on both sides", value=2)],
     ulp=1,
     note="halfway between two whole numbers the even one",
     numpy=("np.rint", "special.round"), math="support.rint_scalar", c="rint")

rule("copysign", args=(x, y), value=Abs(x) * where(y < 0, -1, 1),
     partials={x: sign(x) * copysign(1, y), y: 0},
     complex=real_only,
     domain=[{x: (-oo, 0), y: (-oo, 0)}, {x: (0, oo), y: (-oo, 0)},
             {x: (-oo, 0), y: (0, oo)}, {x: (0, oo), y: (0, oo)}],
     at=[point({x: 0.0, y: 1}, {x: 0, y: 0}, "minimum shaped like a cone"),
         point({x: 2, y: -0.0}, {x: -1, y: 0}, "the sign of y counts, and -0.0 has one", value=-2)],
     ulp=1,
     numpy="np.copysign", math="math.copysign", c="copysign")

maximum = rule("maximum", args=(x, y), value=where(Or(x > y, isnan(x)), x, y),
     partials={x: larger(x, y), y: larger(y, x)},
     complex=real_only,
     domain=FINITE,
     at=[*ties(),
         point({x: nan, y: 1}, {x: 1, y: 0}, "the NaN is the result", value=nan)],
     ulp=1,
     note="comparisons, and halves at ties, cost 14 times the value, which is one pass over memory",
     numpy="np.maximum")

minimum = rule("minimum", args=(x, y), value=where(Or(x < y, isnan(x)), x, y),
     partials={x: smaller(x, y), y: smaller(y, x)},
     complex=real_only,
     domain=FINITE,
     at=[*ties(),
         point({x: nan, y: 1}, {x: 1, y: 0}, "the NaN is the result", value=nan)],
     ulp=1,
     note="comparisons, and halves at ties, cost 16 times the value, which is one pass over memory",
     numpy="np.minimum")

rule("fmax", args=(x, y), value=where(Or(x > y, isnan(y)), x, y),
     partials={x: where(Eq(x, y), HALF, indicator(Or(x > y, isnan(y)))),
               y: where(Eq(x, y), HALF, indicator(Or(y > x, isnan(x))))},
     complex=real_only,
     domain=FINITE,
     at=[*ties(),
         point({x: nan, y: 1}, {x: 0, y: 1}, "the number is the result", value=1)],
     ulp=1,
     note="comparisons, and halves at ties, cost 14 times the value, which is one pass over memory",
     numpy="np.fmax")

rule("fmin", args=(x, y), value=where(Or(x < y, isnan(y)), x, y),
     partials={x: where(Eq(x, y), HALF, indicator(Or(x < y, isnan(y)))),
               y: where(Eq(x, y), HALF, indicator(Or(y < x, isnan(x))))},
     complex=real_only,
     domain=FINITE,
     at=[*ties(),
         point({x: nan, y: 1}, {x: 0, y: 1}, "the number is the result", value=1)],
     ulp=1,
     note="comparisons, and halves at ties, cost 14 times the value, which is one pass over memory",
     numpy="np.fmin")

rule("clip", args=(x, lo, hi), value=minimum(maximum(x, lo), hi),
     let={m: maximum(x, lo)},
     partials={x: larger(x, lo) * smaller(m, hi),
               lo: larger(lo, x) * smaller(m, hi),
               hi: smaller(hi, m)},
     complex=real_only,
     domain={x: (-oo, oo), lo: (-oo, oo), hi: (-oo, oo)},
     at=[point({x: 0, lo: 0, hi: 1}, {x: HALF, lo: HALF, hi: 0}, "tie of x and lo"),
         point({x: 1, lo: 0, hi: 1}, {x: HALF, lo: 0, hi: HALF}, "tie of x and hi"),
         point({x: 5, lo: 0, hi: 5}, {x: HALF, lo: 0, hi: HALF}, "tie of x and hi"),
         point({x: 1, lo: 1, hi: 1}, {x: HALF**2, lo: HALF**2, hi: HALF},
               "ties of x and lo, and of both and hi")],
     ulp=1,
     note="with lo > hi the result is hi, as in NumPy; comparisons, and halves at ties, cost 12 "
          "times the value, which is one pass over memory",
     numpy="np.clip")

rule("where", args=(c, x, y), value=where(Ne(c, 0), x, y),
     partials={c: 0, x: where(Ne(c, 0), 1, 0), y: where(Ne(c, 0), 0, 1)},
     domain={c: (-oo, oo), x: (-oo, oo), y: (-oo, oo)},
     at=[point({c: 1, x: 2, y: oo}, {c: 0, x: 1, y: 0}, "only the chosen branch"),
         point({c: 0, x: oo, y: 2}, {c: 0, x: 0, y: 1}, "only the chosen branch")],
     ulp=1,
     numpy="np.where")

rule("heaviside", args=(x, h), value=where(x < 0, 0, where(x > 0, 1, where(Eq(x, 0), h, x))),
     partials={x: 0, h: indicator(Eq(x, 0))},
     complex=real_only,
     domain=[{x: (-oo, 0), h: (-oo, oo)}, {x: (0, oo), h: (-oo, oo)}],
     at=[point({x: 0, h: HALF}, {x: 0, h: 1}, "step: 0 on both sides; the value is h")],
     ulp=1,
     numpy="np.heaviside")

rule("nan_to_num", args=(x,), value=x,
     partials={x: indicator(Eq(x, out))},
     complex=real_only,
     domain={x: (-oo, oo)},
     at=[point({x: nan}, {x: 0}, "replaced by a constant", value=0),
         point({x: oo}, {x: 0}, "replaced by a constant", value=2**1024 - 2**971),
         point({x: -oo}, {x: 0}, "replaced by a constant", value=2**971 - 2**1024)],
     ulp=1,
     note="1 where nothing was replaced",
     numpy="np.nan_to_num", math="support.nan_to_num_scalar", c="support.nan_to_num")
