"""Rules of the trigonometric functions."""

from __future__ import annotations

from typing import Any

import mpmath
from sympy import (
    Abs,
    Eq,
    I,
    Mod,
    Rational,
    acos,
    acot,
    acsc,
    asec,
    asin,
    atan,
    atan2,
    cos,
    oo,
    pi,
    sin,
    sinc,
    sqrt,
    tan,
)

from diffrules.meanings import Meaning
from diffrules.piecewise import copysign
from diffrules.powers import one_minus_square, over_square
from diffrules.vocabulary import (
    integers,
    later,
    not_differentiable,
    out,
    point,
    real_only,
    rule,
    scipy,
    symbol,
    where,
    x,
    y,
)

HALF = Rational(1, 2)
h, n, p, q, t, w = map(symbol, ("h", "n", "p", "q", "t", "w"))
cospi, sech, witch = later("cospi"), later("sech"), later("_witch")

rule("sin", args=(x,), value=sin(x),
     partials={x: cos(x)},
     domain={x: (-oo, oo)},
     ulp=4)

rule("cos", args=(x,), value=cos(x),
     partials={x: -sin(x)},
     domain={x: (-oo, oo)},
     ulp=4)

rule("tan", args=(x,), value=tan(x),
     partials={x: 1 + out**2},
     complex={x: sech(I * x)**2},
     domain={x: (-pi / 2, pi / 2)},
     ulp=4,
     note="of terms with one sign, and no second trigonometric function; they cancel where x has "
          "a large imaginary part")

rule("sec", args=(x,), value=1 / cos(x),
     partials={x: out * tan(x)},
     domain={x: (-pi / 2, pi / 2)},
     ulp=4)

rule("csc", args=(x,), value=1 / sin(x),
     partials={x: -out / tan(x)},
     domain=[{x: (-pi, 0)}, {x: (0, pi)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     ulp=4)

rule("cot", args=(x,), value=1 / tan(x),
     let={t: out * sech(I * x)},
     partials={x: -(1 + out**2)},
     complex={x: -t**2},
     domain=[{x: (-pi, 0)}, {x: (0, pi)}],
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     ulp=4)

rule("arcsin", args=(x,), value=asin(x), aliases=("asin",),
     let={h: x - 1},
     partials={x: 1 / sqrt(one_minus_square(x))},
     complex={x: 1 / (sqrt(-h) * sqrt(1 + x))},
     domain={x: (-1, 1)},
     at=[point({x: 1}, {x: oo}, "vertical tangent"),
         point({x: -1}, {x: oo}, "vertical tangent")],
     ulp=4,
     note="for complex x the factor 1 - x is -(x - 1), with the right sign of zero at x = 2 + 0j")

rule("arccos", args=(x,), value=acos(x), aliases=("acos",),
     let={h: x - 1},
     partials={x: -1 / sqrt(one_minus_square(x))},
     complex={x: -1 / (sqrt(-h) * sqrt(1 + x))},
     domain={x: (-1, 1)},
     at=[point({x: 1}, {x: -oo}, "vertical tangent"),
         point({x: -1}, {x: -oo}, "vertical tangent")],
     ulp=4,
     note="as for arcsin")

rule("arctan", args=(x,), value=atan(x), aliases=("atan",),
     let={p: 1 / (1 + I * x), q: 1 / (1 - I * x)},
     partials={x: witch(x)},
     complex={x: p * q},
     domain={x: (-oo, oo)},
     ulp=4)

rule("_witch", args=(x,), value=1 / (1 + x**2),
     let={q: x * out},
     partials={x: -2 * q * out},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp={out: 4, x: 8},
     note="the square may leave the float range, and the square of the result as well",
     numpy="support.witch", math="support.witch_scalar", c="support.witch")

arctan2 = rule("arctan2", args=(y, x), value=atan2(y, x), aliases=("atan2",),
     partials={y: over_square(x, y), x: -over_square(y, x)},
     complex=real_only,
     domain=[{y: (-oo, oo), x: (0, oo)}, {y: (0, oo), x: (-oo, 0)}, {y: (-oo, 0), x: (-oo, 0)}],
     at=[point({y: 0, x: 0}, {y: 0, x: 0}, "tip of a cone: every direction has its own slope",
               value=0)],
     ulp=4,
     note="x/(x**2 + y**2) leaves the float range at 1e200",
     numpy="np.arctan2")

OUTSIDE = [{x: (-oo, -1)}, {x: (1, oo)}]
leg = sqrt(Abs(x) - 1) * sqrt(Abs(x) + 1)

arcsec = rule("arcsec", args=(x,), value=asec(x), aliases=("asec",),
     let={w: Abs(x), p: 1 / w, q: 1 / (sqrt(w - 1) * sqrt(w + 1))},
     partials={x: p * q},
     complex=real_only,
     domain=OUTSIDE,
     at=[point({x: 1}, {x: oo}, "vertical tangent"),
         point({x: -1}, {x: oo}, "vertical tangent")],
     ulp=4,
     note="arccos(1/x) loses digits near 1",
     numpy=arctan2(leg, copysign(1, x)))

arccsc = rule("arccsc", args=(x,), value=acsc(x), aliases=("acsc",),
     let={w: Abs(x), p: 1 / w, q: 1 / (sqrt(w - 1) * sqrt(w + 1))},
     partials={x: -p * q},
     complex=real_only,
     domain=OUTSIDE,
     at=[point({x: 1}, {x: -oo}, "vertical tangent"),
         point({x: -1}, {x: -oo}, "vertical tangent")],
     ulp=4,
     note="arcsin(1/x) loses digits near 1",
     numpy=arctan2(copysign(1, x), leg))

arccot = rule("arccot", args=(x,), value=acot(x), aliases=("acot",),
     partials={x: -witch(x)},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     ulp=4,
     note="arctan(1/x), from -pi/2 to pi/2: at 0 it jumps, and the derivative is -1 on both sides",
     numpy=arctan2(copysign(1, x), Abs(x)))


class sinc_derivative(Meaning):  # noqa: N801
    """The derivative of ``sin(pi*x)/(pi*x)``, n times."""

    nargs = 2
    slow = False

    @staticmethod
    def numeric(n: Any, x: Any) -> Any:
        """Return it by the series of whole powers near 0, else by Leibniz' rule for ``x*sinc``."""
        n = int(n)
        if abs(x) < 1:
            first = (n + 1) // 2
            # 200 terms are enough for any number of digits that is asked for.
            terms = ((-mpmath.pi**2) ** k * mpmath.ff(2 * k, n) * x ** (2 * k - n)
                     / mpmath.factorial(2 * k + 1) for k in range(first, first + 200))
            return mpmath.fsum(terms)
        found = mpmath.sinpi(x) / mpmath.pi / x
        for k in range(1, n + 1):
            wave = (mpmath.cospi(x), -mpmath.sinpi(x), -mpmath.cospi(x), mpmath.sinpi(x))[k % 4 - 1]
            found = (mpmath.pi ** (k - 1) * wave - k * found) / x
        return found


sinc_ = later("_sinc", 2)

rule("sinc", args=(x,), value=sinc(pi * x),
     partials={x: sinc_(1, x)},
     domain={x: (-oo, oo)},
     at=[point({x: 0.0}, {x: 0}, "a maximum; the second derivative is -pi**2/3", value=1)],
     ulp=4,
     note="NumPy's: sin(pi*x)/(pi*x). The difference cos(pi*x) - sinc(x) has no digit left at "
          "1e-8, and the value at 0 is a constant branch, so its derivatives would be 0. Far out "
          "NumPy's own function loses all digits: it rounds pi*x before it takes the sine",
     reference="https://numpy.org/doc/stable/reference/generated/numpy.sinc.html",
     numpy="np.sinc", math=where(Eq(x, 0), 1, sin(pi * x) / (pi * x)))

rule("_sinc", args=(n, x), value=sinc_derivative(n, x),
     partials={n: not_differentiable("the order is a whole number"), x: sinc_(n + 1, x)},
     domain={n: integers(0, 3), x: (-oo, oo)},
     note="the derivative of sinc, n times",
     reference="DLMF 10.49.3, 10.51.2",
     numpy="support.sinc_derivative", c="support.sinc_derivative")

sinpi = rule("sinpi", args=(x,), value=sin(pi * x),
     partials={x: pi * cospi(x)},
     domain={x: (-oo, oo)},
     ulp=4,
     note="x is reduced before it is multiplied by pi: exactly 0 at every whole number",
     numpy="support.sinpi", math="support.sinpi_scalar", c="support.sinpi")

rule("cospi", args=(x,), value=cos(pi * x),
     partials={x: -pi * sinpi(x)},
     domain={x: (-oo, oo)},
     ulp=4,
     note="x is reduced before it is multiplied by pi: exactly 0 halfway between whole numbers",
     numpy="support.cospi", math="support.cospi_scalar", c="support.cospi")

rule("tanpi", args=(x,), value=tan(pi * x),
     let={h: cospi(x), t: h**2},
     partials={x: pi / t},
     complex=real_only,
     domain={x: (-HALF, HALF)},
     ulp=4,
     note="as for sinpi; 1 + out**2 has the error of out twice",
     numpy="support.tanpi", math="support.tanpi_scalar", c="support.tanpi")

rule("mod2pi", args=(x,), value=Mod(x, 2 * pi),
     partials={x: 1},
     complex=real_only,
     domain={x: (-oo, oo)},
     at=[point({x: 0}, {x: 1}, "the slope on the right, as for remainder")],
     ulp=4,
     note="modulo the exact 2*pi: x % (2*np.pi) has no digit left at 1e17",
     numpy="support.mod2pi", math="support.mod2pi_scalar", c="support.mod2pi")

rule("rem2pi", args=(x,), value=pi - Mod(pi - x, 2 * pi),
     partials={x: 1},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=4,
     note="x less the nearest multiple of the exact 2*pi",
     numpy="support.rem2pi", math="support.rem2pi_scalar", c="support.rem2pi")

rule("cosm1", args=(x,), value=cos(x) - 1,
     partials={x: -sin(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=4,
     note="SciPy's value is off by 1e-9 near multiples of 2*pi",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.cosm1.html",
     numpy="special.cosm1", c=scipy("cosm1"))
