"""Rules of arithmetic."""

from __future__ import annotations

from sympy import Mod, ceiling, floor, oo, pi

from diffrules.powers import derivative_of_power, power_partials
from diffrules.vocabulary import later, out, point, real_only, rule, where, x, y

rint = later("rint")

rule("add", args=(x, y), value=x + y,
     partials={x: 1, y: 1},
     domain={x: (-oo, oo), y: (-oo, oo)},
     ulp=1,
     numpy="np.add")

rule("subtract", args=(x, y), value=x - y,
     partials={x: 1, y: -1},
     domain={x: (-oo, oo), y: (-oo, oo)},
     ulp=1,
     numpy="np.subtract")

rule("multiply", args=(x, y), value=x * y,
     partials={x: y, y: x},
     domain={x: (-oo, oo), y: (-oo, oo)},
     ulp=1,
     numpy="np.multiply")

rule("divide", args=(x, y), value=x / y, aliases=("true_divide",),
     partials={x: 1 / y, y: -out / y},
     domain=[{x: (-oo, oo), y: (-oo, 0)}, {x: (-oo, oo), y: (0, oo)}],
     at=[point({x: 1, y: 0.0}, {x: oo, y: -oo}, "pole", value=oo),
         point({x: 1, y: -0.0}, {x: -oo, y: -oo}, "pole", value=-oo)],
     ulp={x: 4, y: 512, (y, y): 2**19},
     note="-x/y**2 leaves the float range at 1e200 and 1e-200; where x/y is subnormal, the digits "
          "that it has lost, 1/abs(y) ulp of a subnormal derivative, are lost in -out/y; the two "
          "partials cost 4 times the value, which is one division",
     numpy="np.divide")

rule("floor_divide", args=(x, y), value=floor(x / y),
     partials={x: 0, y: 0},
     complex=real_only,
     domain=[{x: (-oo, oo), y: (-oo, 0)}, {x: (-oo, oo), y: (0, oo)}],
     at=[point({x: 6, y: 3}, {x: 0, y: 0}, "step: 0 on both sides")],
     ulp=1,
     note="the floor of the exact quotient: that of the rounded one is off at (0.5, 0.1)",
     numpy="np.floor_divide", math="support.floor_divide_scalar", c="support.floor_divide")

rule("remainder", args=(x, y), value=Mod(x, y), aliases=("mod",),
     partials={x: 1, y: -rint((x - out) / y)},
     complex=real_only,
     domain=[{x: (-oo, oo), y: (-oo, 0)}, {x: (-oo, oo), y: (0, oo)}],
     at=[point({x: -19, y: 3}, {x: 1, y: 7}, "-floor(x/y)"),
         point({x: 0.5, y: 0.1}, {x: 1, y: -4}, "-floor(x/y), where the rounded quotient is 5"),
         point({x: 6, y: 3}, {x: 1, y: -2}, "the same at exact multiples")],
     ulp=4,
     note="-floor(x/y) is off where the quotient rounds up to a whole number",
     numpy="np.remainder", math="support.remainder_scalar", c="support.remainder")

rule("fmod", args=(x, y), value=x - y * where(x / y < 0, ceiling(x / y), floor(x / y)),
     aliases=("rem",),
     partials={x: 1, y: -rint((x - out) / y)},
     complex=real_only,
     domain=[{x: (-oo, oo), y: (-oo, 0)}, {x: (-oo, oo), y: (0, oo)}],
     at=[point({x: -19, y: 3}, {x: 1, y: 6}, "-trunc(x/y)"),
         point({x: 0.5, y: 0.1}, {x: 1, y: -4}, "-trunc(x/y), where the rounded quotient is 5"),
         point({x: 6, y: 3}, {x: 1, y: -2}, "the same at exact multiples")],
     ulp=4,
     note="-trunc(x/y) is off where the quotient rounds up to a whole number",
     numpy="np.fmod", math="math.fmod", c="fmod")

rule("negative", args=(x,), value=-x,
     partials={x: -1},
     domain={x: (-oo, oo)},
     ulp=1,
     numpy="np.negative")

rule("positive", args=(x,), value=x,
     partials={x: 1},
     domain={x: (-oo, oo)},
     ulp=1,
     numpy="np.positive")

rule("reciprocal", args=(x,), value=1 / x, aliases=("inv",),
     partials={x: -out**2},
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     ulp=4,
     numpy="np.reciprocal")

square = rule("square", args=(x,), value=x**2,
     partials={x: 2 * x},
     domain={x: (-oo, oo)},
     ulp=1,
     numpy="np.square")

rule("abs2", args=(x,), value=square(x),
     partials={x: 2 * x},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=1,
     note="the square of the absolute value")

rule("deg2rad", args=(x,), value=x * pi / 180, aliases=("radians",),
     partials={x: pi / 180},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=1,
     numpy=("np.deg2rad", "np.radians"), math="math.radians")

rule("rad2deg", args=(x,), value=x * 180 / pi, aliases=("degrees",),
     partials={x: 180 / pi},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=1,
     numpy=("np.rad2deg", "np.degrees"), math="math.degrees")

rule("float_power", args=(x, y), value=x**y,
     **power_partials("float_power"),
     numpy="np.float_power", math="math.pow", c="pow")

derivative_of_power("float_power")
