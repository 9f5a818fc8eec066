"""Rules of exponentials and logarithms."""

from __future__ import annotations

from typing import Any

from sympy import Eq, Rational, exp, log, oo
from sympy.codegen import cfunctions

from diffrules.vocabulary import (
    integers,
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

base, d, h, q = symbol("base"), symbol("d"), symbol("h"), symbol("q")
expit = later("expit")
HALF = Rational(1, 2)


def shares() -> list[Any]:
    """Return the singular points of the logarithm of a sum of two exponentials."""
    return [
        point({x: 3, y: 3}, {x: HALF, y: HALF}, "equal shares"),
        point({x: oo, y: oo}, {x: HALF, y: HALF}, "equal shares", value=oo),
        point({x: -oo, y: -oo}, {x: HALF, y: HALF}, "equal shares", value=-oo),
        point({x: oo, y: 0}, {x: 1, y: 0}, "limit: x is all of the sum", value=oo),
        point({x: -oo, y: 0}, {x: 0, y: 1}, "limit: y is all of the sum", value=0),
    ]


rule("exp", args=(x,), value=exp(x),
     partials={x: out},
     domain={x: (-oo, oo)})

exp2 = rule("exp2", args=(x,), value=2**x,
     let={h: later("exp2")(x / 2), q: log(2) * h},
     partials={x: q * h},
     domain={x: (-oo, oo)},
     note="log(2)*out is inf in [1024, 1024.53), where the derivative is finite",
     numpy=("np.exp2", "special.exp2"), math="math.exp2", c="exp2")

rule("exp10", args=(x,), value=10**x,
     partials={x: log(10) * out},
     complex=real_only,
     domain={x: (-oo, oo)},
     numpy="special.exp10", math=10**x)

expm1 = rule("expm1", args=(x,), value=cfunctions.expm1(x),
     partials={x: exp(x)},
     domain={x: (-oo, oo)},
     note="out + 1 is 0 beyond x = -37",
     numpy=("np.expm1", "special.expm1"))

rule("log", args=(x,), value=log(x),
     partials={x: 1 / x},
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "limit from the right", value=-oo)])

rule("log2", args=(x,), value=log(x) / log(2),
     partials={x: 1 / (x * log(2))},
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "limit from the right", value=-oo)],
     numpy="np.log2", math="math.log2", c="log2")

rule("log10", args=(x,), value=log(x) / log(10),
     partials={x: 1 / (x * log(10))},
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "limit from the right", value=-oo)],
     numpy="np.log10", math="math.log10", c="log10")

log1p = rule("log1p", args=(x,), value=cfunctions.log1p(x),
     partials={x: 1 / (1 + x)},
     domain={x: (-1, oo)},
     at=[point({x: -1}, {x: oo}, "limit from the right", value=-oo)],
     numpy=("np.log1p", "special.log1p"))

rule("log_base", args=(x, base), value=log(x) / log(base),
     partials={x: 1 / (x * log(base)), base: -out / (base * log(base))},
     domain=[{x: (0, oo), base: (0, 1)}, {x: (0, oo), base: (1, oo)}],
     at=[point({x: 0.0, base: 2}, {x: oo, base: oo}, "limit from the right", value=-oo)],
     note="the logarithm to any base; log2 and log10 are a little more precise")

logaddexp = rule("logaddexp", args=(x, y), value=log(exp(x) + exp(y)),
     let={d: x - y},
     partials={x: where(isnan(d), HALF, expit(d)),
               y: where(isnan(d), HALF, expit(-d))},
     complex=real_only,
     domain={x: (-oo, oo), y: (-oo, oo)},
     at=shares(),
     note="exp(x - out) is off by 6e-11 near 1e6; d is NaN where infinities are equal, and only "
          "there the choice is made: a tie of numbers has a second derivative",
     numpy="np.logaddexp",
     math=where(Eq(x, y), x + log(2), where(x > y, x + log1p(exp(y - x)), y + log1p(exp(x - y)))))

rule("logaddexp2", args=(x, y), value=log(2**x + 2**y) / log(2),
     let={d: log(2) * (x - y)},
     partials={x: where(isnan(d), HALF, expit(d)),
               y: where(isnan(d), HALF, expit(-d))},
     complex=real_only,
     domain={x: (-oo, oo), y: (-oo, oo)},
     at=shares(),
     note="as for logaddexp",
     numpy="np.logaddexp2",
     math=where(Eq(x, y), x + 1, where(x > y, x + log1p(exp2(y - x)) / log(2),
                                       y + log1p(exp2(x - y)) / log(2))))

rule("ldexp", args=(x, y), value=x * 2**y,
     partials={x: later("ldexp", 2)(where(isnan(x), x, 1), y), y: 0},
     complex=real_only,
     domain={x: (-oo, oo), y: integers(-20, 20)},
     note="the choice is 1, in the dtype of x; the exponent is a whole number, so 0 in y",
     numpy="np.ldexp", math="math.ldexp", c="support.ldexp")
