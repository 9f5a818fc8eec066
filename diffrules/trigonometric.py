"""Rules of the trigonometric functions."""

from __future__ import annotations

from sympy import atan2, cos, oo, sin

from diffrules.powers import hypot
from diffrules.vocabulary import nonzero, point, rule, symbol, x, y

h, p, q = symbol("h"), symbol("p"), symbol("q")

rule("sin", args=(x,), value=sin(x),
     partials={x: cos(x)},
     domain={x: (-oo, oo)})

rule("cos", args=(x,), value=cos(x),
     partials={x: -sin(x)},
     domain={x: (-oo, oo)})

rule("arctan2", args=(y, x), value=atan2(y, x),
     let={h: hypot(y, x), p: x / nonzero(h), q: y / nonzero(h)},
     partials={y: p / nonzero(h), x: -q / nonzero(h)},
     domain=[{y: (-oo, oo), x: (0, oo)}, {y: (0, oo), x: (-oo, 0)}, {y: (-oo, 0), x: (-oo, 0)}],
     at=[point({y: 0, x: 0}, {y: 0, x: 0}, "tip of a cone: every direction has its own slope")],
     note="x/(x**2 + y**2) leaves the float range at 1e200",
     numpy="np.arctan2")
