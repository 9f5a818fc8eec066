"""Rules of entropies and products with logarithms."""

from __future__ import annotations

from sympy import And, Eq, Not, log, oo

from diffrules.exponential import log1p
from diffrules.vocabulary import indicator, isnan, point, real_only, rule, where, x, y

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
