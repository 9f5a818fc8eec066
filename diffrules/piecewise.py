"""Rules of functions in pieces."""

from __future__ import annotations

from sympy import Abs, Eq, Ne, Or, Rational, oo, sign

from diffrules.vocabulary import indicator, isnan, point, rule, symbol, where, x, y

c = symbol("c")

rule("absolute", args=(x,), value=Abs(x), aliases=("abs", "fabs"),
     partials={x: sign(x)},
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: 0}, "minimum shaped like a cone"),
         point({x: -0.0}, {x: 0}, "minimum shaped like a cone")],
     numpy=("np.absolute", "np.fabs"), math="math.fabs", c="fabs")

rule("maximum", args=(x, y), value=where(Or(x > y, isnan(x)), x, y),
     partials={x: where(Eq(x, y), Rational(1, 2), indicator(Or(x > y, isnan(x)))),
               y: where(Eq(x, y), Rational(1, 2), indicator(Or(y > x, isnan(y))))},
     domain=[{x: (-oo, oo), y: (-oo, oo)}],
     numpy="np.maximum")

rule("where", args=(c, x, y), value=where(Ne(c, 0), x, y),
     partials={c: 0, x: where(Ne(c, 0), 1, 0), y: where(Ne(c, 0), 0, 1)},
     domain={c: (-oo, oo), x: (-oo, oo), y: (-oo, oo)},
     numpy="np.where")
