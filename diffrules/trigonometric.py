"""Rules of the trigonometric functions."""

from __future__ import annotations

from sympy import (
    Eq,
    I,
    Rational,
    acos,
    asin,
    atan,
    atan2,
    cos,
    factorial2,
    hyper,
    oo,
    pi,
    sin,
    sinc,
    sqrt,
    tan,
)

from diffrules.powers import one_minus_square, over_square
from diffrules.vocabulary import (
    integers,
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

h, n, p, q, t = symbol("h"), symbol("n"), symbol("p"), symbol("q"), symbol("t")
cospi, sech = later("cospi"), later("sech")

rule("sin", args=(x,), value=sin(x),
     partials={x: cos(x)},
     domain={x: (-oo, oo)})

rule("cos", args=(x,), value=cos(x),
     partials={x: -sin(x)},
     domain={x: (-oo, oo)})

rule("tan", args=(x,), value=tan(x),
     partials={x: 1 + out**2},
     complex={x: sech(I * x)**2},
     domain={x: (-pi / 2, pi / 2)},
     note="of terms with one sign, and no second trigonometric function; they cancel where x has "
          "a large imaginary part")

rule("sec", args=(x,), value=1 / cos(x),
     partials={x: out * tan(x)},
     domain={x: (-pi / 2, pi / 2)})

rule("csc", args=(x,), value=1 / sin(x),
     partials={x: -out / tan(x)},
     domain=[{x: (-pi, 0)}, {x: (0, pi)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)])

rule("cot", args=(x,), value=1 / tan(x),
     let={t: out * sech(I * x)},
     partials={x: -(1 + out**2)},
     complex={x: -t**2},
     domain=[{x: (-pi, 0)}, {x: (0, pi)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)])

rule("arcsin", args=(x,), value=asin(x), aliases=("asin",),
     let={h: x - 1},
     partials={x: 1 / sqrt(one_minus_square(x))},
     complex={x: 1 / (sqrt(-h) * sqrt(1 + x))},
     domain={x: (-1, 1)},
     at=[point({x: 1}, {x: oo}, "vertical tangent"),
         point({x: -1}, {x: oo}, "vertical tangent")],
     note="for complex x the factor 1 - x is -(x - 1), with the right sign of zero at x = 2 + 0j")

rule("arccos", args=(x,), value=acos(x), aliases=("acos",),
     let={h: x - 1},
     partials={x: -1 / sqrt(one_minus_square(x))},
     complex={x: -1 / (sqrt(-h) * sqrt(1 + x))},
     domain={x: (-1, 1)},
     at=[point({x: 1}, {x: -oo}, "vertical tangent"),
         point({x: -1}, {x: -oo}, "vertical tangent")],
     note="as for arcsin")

rule("arctan", args=(x,), value=atan(x), aliases=("atan",),
     let={p: 1 / (1 + I * x), q: 1 / (1 - I * x)},
     partials={x: 1 / (1 + x**2)},
     complex={x: p * q},
     domain={x: (-oo, oo)})

rule("arctan2", args=(y, x), value=atan2(y, x), aliases=("atan2",),
     partials={y: over_square(x, y), x: -over_square(y, x)},
     complex=real_only,
     domain=[{y: (-oo, oo), x: (0, oo)}, {y: (0, oo), x: (-oo, 0)}, {y: (-oo, 0), x: (-oo, 0)}],
     at=[point({y: 0, x: 0}, {y: 0, x: 0}, "tip of a cone: every direction has its own slope",
               value=0)],
     ulp=4,
     note="x/(x**2 + y**2) leaves the float range at 1e200",
     numpy="np.arctan2")

sinc_ = later("_sinc", 2)

rule("sinc", args=(x,), value=sinc(pi * x),
     partials={x: -pi**2 * x * sinc_(1, x)},
     domain={x: (-oo, oo)},
     at=[point({x: 0.0}, {x: 0}, "a maximum; the second derivative is -pi**2/3", value=1)],
     note="NumPy's: sin(pi*x)/(pi*x). The difference cos(pi*x) - sinc(x) has no digit left at "
          "1e-8, and the value at 0 is a constant branch, so its derivatives would be 0",
     reference="https://numpy.org/doc/stable/reference/generated/numpy.sinc.html",
     numpy="np.sinc", math=where(Eq(x, 0), 1, sin(pi * x) / (pi * x)))

rule("_sinc", args=(n, x),
     value=hyper([], [n + Rational(3, 2)], -(pi * x)**2 / 4) / factorial2(2 * n + 1),
     partials={n: not_differentiable("the order is a whole number"),
               x: -pi**2 * x * sinc_(n + 1, x)},
     domain={n: integers(0, 3), x: (-oo, oo)},
     note="the spherical Bessel function j_n(z)/z**n at z = pi*x: for n = 0 it is sinc, and each "
          "is smooth at 0 and gives the derivative of the one before",
     reference="DLMF 10.51.3",
     numpy="support.sinc_order", c="support.sinc_order")

sinpi = rule("sinpi", args=(x,), value=sin(pi * x),
     partials={x: pi * cospi(x)},
     domain={x: (-oo, oo)},
     note="x is reduced before it is multiplied by pi: exactly 0 at every whole number",
     numpy="support.sinpi", math="support.sinpi_scalar", c="support.sinpi")

rule("cospi", args=(x,), value=cos(pi * x),
     partials={x: -pi * sinpi(x)},
     domain={x: (-oo, oo)},
     note="x is reduced before it is multiplied by pi: exactly 0 halfway between whole numbers",
     numpy="support.cospi", math="support.cospi_scalar", c="support.cospi")
