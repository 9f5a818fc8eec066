"""Rules of powers and roots."""

from __future__ import annotations

from sympy import oo, sqrt

from diffrules.vocabulary import nonzero, out, point, rule, x, y

rule("sqrt", args=(x,), value=sqrt(x),
     partials={x: 1 / (2 * out)},
     domain={x: (0, oo)},
     at=[point({x: 0}, {x: oo}, "limit from the right")],
     numpy="np.sqrt", math="math.sqrt", c="sqrt")

hypot = rule("hypot", args=(x, y), value=sqrt(x**2 + y**2),
     partials={x: x / nonzero(out), y: y / nonzero(out)},
     domain={x: (-oo, oo), y: (-oo, oo)},
     at=[point({x: 0, y: 0}, {x: 0, y: 0}, "minimum shaped like a cone")],
     numpy="np.hypot", math="math.hypot", c="hypot")
