"""Rules of powers and roots."""

from __future__ import annotations

from typing import Any

from sympy import Abs, And, Eq, Ne, Rational, cbrt, log, nan, oo, sign, sqrt

from diffrules.vocabulary import (
    indicator,
    later,
    nonzero,
    out,
    point,
    real_only,
    rule,
    where,
    x,
    y,
)


def power_partials(name: str) -> dict[str, Any]:
    """Return partials, domain, singular points and note of ``x**y`` for the entry `name`."""
    power = later(name, 2)
    return {
        "partials": {
            x: where(And(Eq(x, 0), Eq(y, 0)), 0, y * power(x, y - 1)),
            y: where(And(Eq(out, 0), x >= 0), 0, out * log(x) * indicator(Ne(x, 0))),
        },
        "complex": {y: where(And(Eq(out, 0), Eq(x, 0)), 0, out * log(x))},
        "domain": {x: (0, oo), y: (-oo, oo)},
        "at": [
            point({x: 0.0, y: 2}, {x: 0, y: 0}, "a flat minimum"),
            point({x: 0.0, y: 1}, {x: 1, y: 0}, "the identity, as a function of x"),
            point({x: 0.0, y: 0.5}, {x: oo, y: 0}, "limit from the right"),
            point({x: 0.0, y: 0}, {x: 0, y: nan}, "constant in x; in y a jump from 0 to inf"),
            point({x: 0.0, y: -1}, {x: -oo, y: nan}, "pole", value=oo),
            point({x: -0.0, y: -1}, {x: -oo, y: nan}, "pole", value=-oo),
            point({x: -0.0, y: -2}, {x: oo, y: nan}, "pole, from the left", value=oo),
            point({x: -2, y: 3}, {x: 12, y: nan}, "a cubic in x; in y real at whole numbers only"),
        ],
        "note": "never evaluates log(x) for the partial in x, which is also right at x = 0 and "
        "at y = 0 when it is differentiated again; y*out/x is neither. The factor of the "
        "logarithm is 1, and turns the infinity at x = 0, y <= 0 into NaN",
    }


power = rule("power", args=(x, y), value=x**y, aliases=("pow",),
     **power_partials("power"),
     numpy="np.power", math="math.pow", c="pow")

rule("sqrt", args=(x,), value=sqrt(x),
     partials={x: 1 / (2 * out)},
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "limit from the right")],
     numpy="np.sqrt", math="math.sqrt", c="sqrt")

rule("cbrt", args=(x,), value=sign(x) * cbrt(Abs(x)),
     partials={x: 1 / (3 * out**2)},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: oo}, "vertical tangent"),
         point({x: -8}, {x: Rational(1, 12)}, "the real root, not the complex one")],
     note="x**(-2/3) is NaN or complex for negative x",
     numpy=("np.cbrt", "special.cbrt"), math="math.cbrt", c="cbrt")

hypot = rule("hypot", args=(x, y), value=sqrt(x**2 + y**2),
     partials={x: x / nonzero(out), y: y / nonzero(out)},
     complex=real_only,
     domain={x: (-oo, oo), y: (-oo, oo)},
     at=[point({x: 0, y: 0}, {x: 0, y: 0}, "minimum shaped like a cone")],
     numpy="np.hypot", math="math.hypot", c="hypot")

one_minus_square = rule("_one_minus_square", args=(x,), value=(1 - x) * (1 + x),
     partials={x: -2 * x},
     domain={x: (-oo, oo)},
     note="1 - x**2 has few digits near 1, and the derivative of the product none near 0")
