"""Rules of the hyperbolic functions."""

from __future__ import annotations

from sympy import (
    Abs,
    I,
    Rational,
    acosh,
    acoth,
    acsch,
    asech,
    asinh,
    atanh,
    cosh,
    log,
    oo,
    sinh,
    sqrt,
    tanh,
)

from diffrules.exponential import log1p
from diffrules.piecewise import copysign, maximum
from diffrules.powers import hypot, one_minus_square
from diffrules.vocabulary import later, out, point, real_only, rule, symbol, where, x

h, p, q, t = symbol("h"), symbol("p"), symbol("q"), symbol("t")
sech_squared, csch_squared = later("_sech_squared"), later("_csch_squared")
TINY = Rational(1, 10**30)

rule("sinh", args=(x,), value=sinh(x),
     partials={x: cosh(x)},
     domain={x: (-oo, oo)},
     ulp=4)

rule("cosh", args=(x,), value=cosh(x),
     partials={x: sinh(x)},
     domain={x: (-oo, oo)},
     ulp=4)

sech = rule("sech", args=(x,), value=1 / cosh(x),
     partials={x: -out * tanh(x)},
     domain={x: (-oo, oo)},
     ulp=4,
     numpy="support.sech", math=1 / cosh(x), c="support.sech")

csch = rule("csch", args=(x,), value=1 / sinh(x),
     partials={x: -out / tanh(x)},
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     ulp=4,
     numpy="support.csch", math=1 / sinh(x), c="support.csch")

rule("tanh", args=(x,), value=tanh(x),
     partials={x: sech_squared(x)},
     domain={x: (-oo, oo)},
     ulp=4,
     note="1 - out**2 loses every digit beyond |x| = 19; a form with exp(-2*|x|) keeps them, but "
          "its own derivative is 0 near 0, so that one is an entry with a derivative of its own")

rule("_sech_squared", args=(x,), value=1 / cosh(x)**2,
     partials={x: -2 * out * tanh(x)},
     domain={x: (-oo, oo)},
     ulp={x: 8, out: 4},
     note="the partial is a second derivative of tanh",
     numpy="support.sech_squared", math="support.sech_squared_scalar", c="support.sech_squared")

rule("coth", args=(x,), value=1 / tanh(x),
     let={t: out * sech(x)},
     partials={x: -csch_squared(x)},
     complex={x: -t**2},
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     ulp=4,
     note="1 - out**2 loses every digit beyond |x| = 19")

rule("_csch_squared", args=(x,), value=1 / sinh(x)**2,
     let={t: tanh(x)},
     partials={x: -2 * out / t},
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     ulp={x: 8, out: 4},
     numpy="support.csch_squared", math="support.csch_squared_scalar", c="support.csch_squared")

arcsinh = rule("arcsinh", args=(x,), value=asinh(x), aliases=("asinh",),
     let={h: I * x - 1},
     partials={x: 1 / hypot(1, x)},
     complex={x: 1 / (sqrt(1 + I * x) * sqrt(-h))},
     domain={x: (-oo, oo)},
     ulp=4,
     note="1 + x**2 leaves the float range at 1e200")

rule("arccosh", args=(x,), value=acosh(x), aliases=("acosh",),
     partials={x: 1 / (sqrt(x - 1) * sqrt(x + 1))},
     domain={x: (1, oo)},
     at=[point({x: 1}, {x: oo}, "limit from the right")],
     ulp=4,
     note="x**2 - 1 loses digits near 1 and leaves the float range at 1e200")

rule("arctanh", args=(x,), value=atanh(x), aliases=("atanh",),
     let={p: 1 / (1 + x), q: 1 / (1 - x)},
     partials={x: 1 / one_minus_square(x)},
     complex={x: p * q},
     domain={x: (-1, 1)},
     at=[point({x: 1}, {x: oo}, "pole", value=oo),
         point({x: -1}, {x: oo}, "pole", value=-oo)],
     ulp=4)

arcsech_slope = later("_arcsech_slope")

rule("arcsech", args=(x,), value=asech(x), aliases=("asech",),
     partials={x: -arcsech_slope(x)},
     complex=real_only,
     domain={x: (0, 1)},
     at=[point({x: 0.0}, {x: -oo}, "limit from the right", value=oo),
         point({x: 1}, {x: -oo}, "vertical tangent")],
     ulp=4,
     note="a sum of two positive terms; arccosh(1/x) loses digits near 1",
     numpy=log1p(sqrt(one_minus_square(x))) - log(x))

rule("_arcsech_slope", args=(x,), value=1 / (x * sqrt((1 - x) * (1 + x))),
     let={p: 1 / x, q: x / one_minus_square(x)},
     partials={x: (q - p) * out},
     complex=real_only,
     domain={x: (0, 1)},
     ulp={out: 4, x: 8},
     note="the derivative of its factors one by one is inf - inf below 5e-309",
     numpy=1 / sqrt(one_minus_square(x)) / x)

rule("arccsch", args=(x,), value=acsch(x), aliases=("acsch",),
     let={p: 1 / Abs(x), q: 1 / hypot(1, x)},
     partials={x: -p * q},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     ulp=4,
     note="1/x overflows where the function does not",
     numpy=where(Abs(x) < TINY, copysign(log(2) - log(Abs(x)), x),
                 arcsinh(1 / copysign(maximum(Abs(x), TINY), x))))

rule("arccoth", args=(x,), value=acoth(x), aliases=("acoth",),
     let={p: 1 / (Abs(x) - 1), q: 1 / (Abs(x) + 1)},
     partials={x: -p * q},
     complex=real_only,
     domain=[{x: (-oo, -1)}, {x: (1, oo)}],
     at=[point({x: 1}, {x: -oo}, "pole", value=oo),
         point({x: -1}, {x: -oo}, "pole", value=-oo)],
     ulp=4,
     note="arctanh(1/x) loses digits near 1",
     numpy=copysign(log1p(2 / (Abs(x) - 1)) / 2, x))
