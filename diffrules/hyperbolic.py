"""Rules of the hyperbolic functions."""

from __future__ import annotations

from sympy import I, acosh, asinh, atanh, cosh, oo, sinh, sqrt, tanh

from diffrules.powers import hypot, one_minus_square
from diffrules.vocabulary import out, point, rule, symbol, x

h, p, q, t = symbol("h"), symbol("p"), symbol("q"), symbol("t")

rule("sinh", args=(x,), value=sinh(x),
     partials={x: cosh(x)},
     domain={x: (-oo, oo)})

rule("cosh", args=(x,), value=cosh(x),
     partials={x: sinh(x)},
     domain={x: (-oo, oo)})

sech = rule("sech", args=(x,), value=1 / cosh(x),
     partials={x: -out * tanh(x)},
     domain={x: (-oo, oo)},
     numpy="support.sech", math=1 / cosh(x))

csch = rule("csch", args=(x,), value=1 / sinh(x),
     partials={x: -out / tanh(x)},
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)])

rule("tanh", args=(x,), value=tanh(x),
     partials={x: sech(x)**2},
     domain={x: (-oo, oo)},
     note="1 - out**2 loses every digit beyond |x| = 19; a form with exp(-2*|x|) keeps them, but "
          "its own derivative is 0 near 0")

rule("coth", args=(x,), value=1 / tanh(x),
     let={t: out * sech(x)},
     partials={x: -csch(x)**2},
     complex={x: -t**2},
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     note="1 - out**2 loses every digit beyond |x| = 19")

rule("arcsinh", args=(x,), value=asinh(x), aliases=("asinh",),
     let={h: I * x - 1},
     partials={x: 1 / hypot(1, x)},
     complex={x: 1 / (sqrt(1 + I * x) * sqrt(-h))},
     domain={x: (-oo, oo)},
     note="1 + x**2 leaves the float range at 1e200")

rule("arccosh", args=(x,), value=acosh(x), aliases=("acosh",),
     partials={x: 1 / (sqrt(x - 1) * sqrt(x + 1))},
     domain={x: (1, oo)},
     at=[point({x: 1}, {x: oo}, "limit from the right")],
     note="x**2 - 1 loses digits near 1 and leaves the float range at 1e200")

rule("arctanh", args=(x,), value=atanh(x), aliases=("atanh",),
     let={p: 1 / (1 + x), q: 1 / (1 - x)},
     partials={x: 1 / one_minus_square(x)},
     complex={x: p * q},
     domain={x: (-1, 1)},
     at=[point({x: 1}, {x: oo}, "pole", value=oo),
         point({x: -1}, {x: oo}, "pole", value=-oo)])
