"""Rules of trigonometric functions of degrees, and of degrees, minutes and seconds."""

from __future__ import annotations

from sympy import Abs, acos, acot, acsc, asec, asin, atan, cos, cot, oo, pi, sin, sqrt, tan

from diffrules.powers import hypot, one_minus_square
from diffrules.trigonometric import OUTSIDE, arccot, arccsc, arcsec
from diffrules.vocabulary import later, out, point, real_only, rule, scipy, symbol, x

h, p, q, t, w = map(symbol, ("h", "p", "q", "t", "w"))
d, m, s = map(symbol, ("d", "m", "s"))  # degrees, minutes, seconds
DEGREE, PER_RADIAN = pi / 180, 180 / pi
cosd, tand, cscd, rad2deg = later("cosd"), later("tand"), later("cscd"), later("rad2deg")
REALS, HALF_TURN = {x: (-oo, oo)}, {x: (-90, 90)}
WITHIN = {x: (-(10**14), 10**14)}
SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated/scipy.special"
BY_LEGS = "1/(1 + x**2) has few digits left where 57 times that is an ordinary number"
REDUCED = "the turns are taken off x exactly: sin(deg2rad(x)) is not 0 at 180"

sind = rule("sind", args=(x,), value=sin(DEGREE * x),
     partials={x: DEGREE * cosd(x)},
     complex=real_only,
     domain=REALS,
     ulp=4,
     note=REDUCED,
     numpy="support.sind", math="support.sind_scalar", c="support.sind")

rule("cosd", args=(x,), value=cos(DEGREE * x),
     partials={x: -DEGREE * sind(x)},
     complex=real_only,
     domain=REALS,
     ulp=4,
     note="as for sind",
     numpy="support.cosd", math="support.cosd_scalar", c="support.cosd")

rule("tand", args=(x,), value=tan(DEGREE * x),
     let={h: cosd(x), t: h**2},
     partials={x: DEGREE / t},
     complex=real_only,
     domain=HALF_TURN,
     at=[point({x: 90}, {x: oo}, "pole", value=oo)],
     ulp=4,
     note="as for sind; 1 + out**2 has the error of out twice",
     numpy="support.tand", math="support.tand_scalar", c="support.tand")

rule("secd", args=(x,), value=1 / cos(DEGREE * x),
     let={h: cosd(x), t: tand(x)},
     partials={x: DEGREE * t / h},
     complex=real_only,
     domain=HALF_TURN,
     ulp=8,
     numpy=1 / cosd(x))

rule("cscd", args=(x,), value=1 / sin(DEGREE * x),
     let={q: DEGREE * out},
     partials={x: -q * later("cotd")(x)},
     complex=real_only,
     domain=[{x: (-180, 0)}, {x: (0, 180)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     ulp=8,
     numpy="support.cscd", math=1 / sind(x))

rule("cotd", args=(x,), value=cot(DEGREE * x),
     let={h: cscd(x), q: DEGREE * h},
     partials={x: -q * h},
     complex=real_only,
     domain=[{x: (-180, 0)}, {x: (0, 180)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     ulp=6,
     numpy="support.cotd", math=1 / tand(x))

# SciPy's own functions of degrees, with our derivatives.
rule("sindg", args=(x,), value=sin(DEGREE * x),
     partials={x: DEGREE * cosd(x)},
     complex=real_only,
     domain=WITHIN,
     ulp=4,
     note="SciPy's value is 0 beyond 1e14; that of sind is not",
     reference=f"{SCIPY}.sindg.html",
     numpy="special.sindg", c=scipy("sindg"))

rule("cosdg", args=(x,), value=cos(DEGREE * x),
     partials={x: -DEGREE * sind(x)},
     complex=real_only,
     domain=WITHIN,
     ulp=4,
     note="SciPy's value is 0 beyond 1e14; that of cosd is not",
     reference=f"{SCIPY}.cosdg.html",
     numpy="special.cosdg", c=scipy("cosdg"))

rule("tandg", args=(x,), value=tan(DEGREE * x),
     let={h: cosd(x), t: h**2},
     partials={x: DEGREE / t},
     complex=real_only,
     domain=HALF_TURN,
     ulp=4,
     off=1e-10,
     note="SciPy's value has few digits beside its poles; that of tand has all",
     reference=f"{SCIPY}.tandg.html",
     numpy="special.tandg", c=scipy("tandg"))

rule("cotdg", args=(x,), value=cot(DEGREE * x),
     let={h: cscd(x), q: DEGREE * h},
     partials={x: -q * h},
     complex=real_only,
     domain=[{x: (-180, 0)}, {x: (0, 180)}],
     ulp=6,
     off=1e-10,
     note="SciPy's value has few digits beside its poles; that of cotd has all",
     reference=f"{SCIPY}.cotdg.html",
     numpy="special.cotdg", c=scipy("cotdg"))

rule("asind", args=(x,), value=PER_RADIAN * asin(x),
     partials={x: PER_RADIAN / sqrt(one_minus_square(x))},
     complex=real_only,
     domain={x: (-1, 1)},
     at=[point({x: 1}, {x: oo}, "vertical tangent"),
         point({x: -1}, {x: oo}, "vertical tangent")],
     ulp=4,
     numpy=rad2deg(asin(x)))

rule("acosd", args=(x,), value=PER_RADIAN * acos(x),
     partials={x: -PER_RADIAN / sqrt(one_minus_square(x))},
     complex=real_only,
     domain={x: (-1, 1)},
     at=[point({x: 1}, {x: -oo}, "vertical tangent"),
         point({x: -1}, {x: -oo}, "vertical tangent")],
     ulp=4,
     numpy=rad2deg(acos(x)))

rule("atand", args=(x,), value=PER_RADIAN * atan(x),
     let={h: hypot(1, x), q: PER_RADIAN / h},
     partials={x: q / h},
     complex=real_only,
     domain=REALS,
     ulp=4,
     note=BY_LEGS,
     numpy=rad2deg(atan(x)))

rule("asecd", args=(x,), value=PER_RADIAN * asec(x),
     let={w: Abs(x), p: 1 / w, q: 1 / (sqrt(w - 1) * sqrt(w + 1))},
     partials={x: PER_RADIAN * p * q},
     complex=real_only,
     domain=OUTSIDE,
     at=[point({x: 1}, {x: oo}, "vertical tangent"),
         point({x: -1}, {x: oo}, "vertical tangent")],
     ulp=4,
     numpy=rad2deg(arcsec(x)))

rule("acscd", args=(x,), value=PER_RADIAN * acsc(x),
     let={w: Abs(x), p: 1 / w, q: 1 / (sqrt(w - 1) * sqrt(w + 1))},
     partials={x: -PER_RADIAN * p * q},
     complex=real_only,
     domain=OUTSIDE,
     at=[point({x: 1}, {x: -oo}, "vertical tangent"),
         point({x: -1}, {x: -oo}, "vertical tangent")],
     ulp={x: 4, out: 6},
     numpy=rad2deg(arccsc(x)))

rule("acotd", args=(x,), value=PER_RADIAN * acot(x),
     let={h: hypot(1, x), q: PER_RADIAN / h},
     partials={x: -q / h},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     ulp=4,
     note=f"from -90 to 90, as arccot; {BY_LEGS}",
     numpy=rad2deg(arccot(x)))

rule("radian", args=(d, m, s), value=(d + m / 60 + s / 3600) * DEGREE,
     partials={d: DEGREE, m: DEGREE / 60, s: DEGREE / 3600},
     complex=real_only,
     domain={d: (-oo, oo), m: (-oo, oo), s: (-oo, oo)},
     ulp=1,
     note="degrees, minutes and seconds in radians",
     reference=f"{SCIPY}.radian.html",
     numpy="special.radian", c=(d + m / 60 + s / 3600) * DEGREE)
