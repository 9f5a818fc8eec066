"""Rules of powers, roots and distances."""

from __future__ import annotations

from typing import Any

import mpmath
from sympy import Abs, And, Eq, Ne, Rational, cbrt, log, nan, oo, sign, sqrt

from diffrules.meanings import Meaning
from diffrules.vocabulary import (
    indicator,
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

h, m, n, p, q, u, v = (symbol(name) for name in ("h", "m", "n", "p", "q", "u", "v"))
REALS = {x: (-oo, oo), y: (-oo, oo)}


class power_derivative(Meaning):  # noqa: N801
    """The derivative of ``x**y``, n times in x and m times in y."""

    nargs = 4
    slow = False

    @staticmethod
    def numeric(n: Any, m: Any, x: Any, y: Any) -> Any:
        """Return ``x**(y - n)`` times a polynomial in y and ``log(x)``."""
        if m > 0 and x == 0:
            return mpmath.mpf(0) if y > n else mpmath.nan
        taylor = [mpmath.mpf(1)] + [mpmath.mpf(0)] * int(m)
        for k in range(int(n)):
            taylor = [(y - k) * a + b for a, b in zip(taylor, [0, *taylor], strict=False)]
        total = mpmath.mpf(0)
        for j, coefficient in enumerate(taylor):
            total = total * (mpmath.log(x) if j else 0) + mpmath.ff(int(m), j) * coefficient
        return x ** (y - n) * total if total else total


def power_partials(name: str) -> dict[str, Any]:
    """Return partials, domain, singular points and note of ``x**y`` for the entry `name`."""
    power, partial = later(name, 2), later(f"_{name}", 4)
    return {
        "partials": {x: partial(1, 0, x, y), y: partial(0, 1, x, y)},
        "complex": {
            x: where(And(Eq(x, 0), Eq(y, 0)), 0, y * power(x, y - 1)),
            y: where(And(Eq(out, 0), Eq(x, 0)), 0, out * log(x) * indicator(Ne(x, 0))),
        },
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
        "ulp": 4,
        "note": "y*x**(y - 1) and out*log(x), without what they lose: the rounding error of y - 1 "
        "is hundreds of ulp of the power, out can leave the float range where the derivative does "
        "not. The partial in x never evaluates log(x), and is right at x = 0. Two powers of "
        "such digits cost 3 times the value",
    }


def derivative_of_power(name: str) -> None:
    """Write the entry that holds the partials of ``x**y`` for the entry `name`."""
    partial = later(f"_{name}", 4)
    rule(f"_{name}", args=(n, m, x, y), value=power_derivative(n, m, x, y),
         partials={n: not_differentiable("the number of derivatives in x is whole"),
                   m: not_differentiable("the number of derivatives in y is whole"),
                   x: partial(n + 1, m, x, y),
                   y: partial(n, m + 1, x, y)},
         complex=real_only,
         domain={n: integers(0, 3), m: integers(0, 3), x: (0, oo), y: (-oo, oo)},
         note="x**(y - n) times a polynomial in y and log(x)",
         numpy=f"support.{name}_partial",
         math="support.power_partial_scalar",
         c="support.power_partial")


power = rule("power", args=(x, y), value=x**y, aliases=("pow",),
     **power_partials("power"),
     numpy="np.power", math="math.pow", c="pow")

derivative_of_power("power")

rule("sqrt", args=(x,), value=sqrt(x),
     partials={x: 1 / (2 * Abs(out))},
     complex={x: 1 / (2 * out)},
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "limit from the right"),
         point({x: -0.0}, {x: oo}, "limit from the right", value=-0.0)],
     ulp=2,
     note="the absolute value is for out = -0.0",
     numpy="np.sqrt", math="math.sqrt", c="sqrt")

slope = later("_cbrt_slope")

rule("cbrt", args=(x,), value=sign(x) * cbrt(Abs(x)),
     partials={x: slope(x)},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: oo}, "vertical tangent"),
         point({x: -8}, {x: Rational(1, 12)}, "the real root, not the complex one")],
     ulp=4,
     note="x**(-2/3) is NaN or complex for negative x",
     numpy=("np.cbrt", "special.cbrt"), math="math.cbrt", c="cbrt")

rule("_cbrt_slope", args=(x,), value=cbrt(Abs(x)) / (3 * Abs(x)),
     let={q: Rational(2, 3) * out},
     partials={x: -q / x},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: oo}, "pole", value=oo)],
     ulp=8,
     note="cbrt(x)/(3*x): 1/(3*cbrt(x)**2) has the error of the root, up to 2.5 ulp in libm, twice",
     numpy="support.cbrt_slope", math="support.cbrt_slope_scalar", c="support.cbrt_slope")

cosine = later("_cosine", 2)

hypot = rule("hypot", args=(x, y), value=sqrt(x**2 + y**2),
     partials={x: cosine(x, y), y: cosine(y, x)},
     complex=real_only,
     domain=REALS,
     at=[point({x: 0, y: 0}, {x: 0, y: 0}, "minimum shaped like a cone")],
     ulp=4,
     note="x/out and y/out, written so that their own derivatives keep their digits: that of a "
          "quotient is a difference",
     numpy="np.hypot", math="math.hypot", c="hypot")

# Of a point at distance h from the origin: all are 0 there, and none leaves the float range.
over_square, over_fourth = later("_over_square", 2), later("_over_fourth", 2)
bend, twist = later("_bend", 2), later("_twist", 2)
POLAR = {h: hypot(x, y), p: cosine(x, y), q: cosine(y, x), u: p / h, v: q / h}

rule("_cosine", args=(x, y), value=x / sqrt(x**2 + y**2),
     partials={x: bend(y, x), y: -twist(x, y)},
     complex=real_only,
     domain=REALS,
     at=[point({x: 0, y: 0}, {x: 0, y: 0}, "tip of a cone", value=0)],
     ulp=4,
     note="x/h",
     numpy="support.cosine", math="support.cosine_scalar", c="support.cosine")

rule("_over_square", args=(x, y), value=x / (x**2 + y**2),
     partials={x: 4 * over_fourth(y - x, x + y), y: -2 * over_fourth(x, y)},
     complex=real_only,
     domain=REALS,
     ulp={x: 8, y: 8, out: 4},
     note="x/h**2; the derivative (y**2 - x**2)/h**4 is exact near x = y as a product",
     numpy="support.over_square", math="support.over_square_scalar", c="support.over_square")

rule("_bend", args=(x, y), value=x**2 / sqrt(x**2 + y**2)**3,
     let=POLAR,
     partials={x: (2 * q**2 - p**2) * u / h, y: -3 * p * q * u / h},
     complex=real_only,
     domain=REALS,
     note="x**2/h**3",
     numpy="support.bend", c="support.bend")

rule("_twist", args=(x, y), value=x * y / sqrt(x**2 + y**2)**3,
     let=POLAR,
     partials={x: (q**2 - 2 * p**2) * v / h, y: (p**2 - 2 * q**2) * u / h},
     complex=real_only,
     domain=REALS,
     note="x*y/h**3",
     numpy="support.twist", c="support.twist")

rule("_over_fourth", args=(x, y), value=x * y / (x**2 + y**2)**2,
     let=POLAR,
     partials={x: (q**2 - 3 * p**2) / h * v / h, y: (p**2 - 3 * q**2) / h * u / h},
     complex=real_only,
     domain=REALS,
     note="x*y/h**4",
     numpy="support.over_fourth", math="support.over_fourth_scalar", c="support.over_fourth")

one_minus_square = rule("_one_minus_square", args=(x,), value=(1 - x) * (1 + x),
     partials={x: -2 * x},
     domain={x: (-oo, oo)},
     ulp=4,
     note="1 - x**2 has few digits near 1, and the derivative of the product none near 0")
