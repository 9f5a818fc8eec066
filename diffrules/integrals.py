"""Rules of integrals of elementary functions, by name: of Fresnel, sine and cosine, exponential."""

from __future__ import annotations

from typing import Any

import mpmath
import sympy
from sympy import (
    Chi,
    Ci,
    Ei,
    Rational,
    Shi,
    Si,
    cos,
    cosh,
    exp,
    expint,
    factorial2,
    fresnelc,
    fresnels,
    hyper,
    oo,
    pi,
    polylog,
    sin,
)

from diffrules.entry import refused
from diffrules.meanings import Meaning
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
    x,
)

n = symbol("n")
ORDER = not_differentiable("the order is a whole number")
HALF = Rational(1, 2)
SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated/scipy.special."

class log_share(Meaning):  # noqa: N801
    """The integral over s from 0 to 1 of s**n/(1 + s*(x - 1))**(n + 1)."""

    nargs = 2

    @staticmethod
    def numeric(n: Any, x: Any) -> Any:
        """Return the integral by recurrence, by parts."""
        if x == 1:
            return 1 / (n + 1)
        with mpmath.extraprec(20 + int(n + 1) * max(0, -mpmath.mag(x - 1))):
            found = mpmath.log(x) / (x - 1)
            for k in range(1, int(n) + 1):
                found = (found - 1 / (k * x**k)) / (x - 1)
        return +found

    def fdiff(self, argindex: int = 2) -> sympy.Expr:
        """Return the derivative in x."""
        n, x = self.args
        return -(n + 1) * log_share(n + 1, x)

sin_half_square, cos_half_square = later("_sin_half_square"), later("_cos_half_square")

rule("fresnels", args=(x,), value=fresnels(x),
     partials={x: sin_half_square(x)},
     domain={x: (-oo, oo)},
     ulp=8,
     note="the first output of SciPy's fresnel",
     reference="DLMF 7.2.8",
     numpy="special.fresnel[0]", c=scipy("fresnel"))

rule("fresnelc", args=(x,), value=fresnelc(x),
     partials={x: cos_half_square(x)},
     domain={x: (-oo, oo)},
     ulp=8,
     note="the second output of SciPy's fresnel",
     reference="DLMF 7.2.7",
     numpy="special.fresnel[1]", c=scipy("fresnel"))

rule("_sin_half_square", args=(x,), value=sin(pi * x**2 / 2),
     partials={x: pi * x * cos_half_square(x)},
     domain={x: (-oo, oo)},
     ulp=4,
     note="with the rounding error of x**2 undone, which leaves no digit beyond x = 1e8",
     numpy="support.sin_half_square", c="support.sin_half_square")

rule("_cos_half_square", args=(x,), value=cos(pi * x**2 / 2),
     partials={x: -pi * x * sin_half_square(x)},
     domain={x: (-oo, oo)},
     note="as for _sin_half_square",
     numpy="support.cos_half_square", c="support.cos_half_square")

sine_ratio, sinh_ratio = later("_sine_ratio", 2), later("_sinh_ratio", 2)

rule("sinint", args=(x,), value=Si(x),
     partials={x: sine_ratio(0, x)},
     domain={x: (-oo, oo)},
     ulp=8,
     note="the first output of SciPy's sici",
     reference="DLMF 6.2.9",
     numpy="special.sici[0]", c=scipy("sici"))

rule("cosint", args=(x,), value=Ci(x),
     partials={x: cos(x) / x},
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "limit from the right", value=-oo)],
     ulp=8,
     note="the second output of SciPy's sici",
     reference="DLMF 6.2.11",
     numpy="special.sici[1]", c=scipy("sici"))

rule("_sine_ratio", args=(n, x), value=hyper([], [n + 3 * HALF], -x**2 / 4) / factorial2(2 * n + 1),
     partials={n: ORDER, x: -x * sine_ratio(n + 1, x)},
     domain={n: integers(0, 3), x: (-oo, oo)},
     note="the spherical Bessel function j_n(x)/x**n: for n = 0 it is sin(x)/x, and each is smooth "
          "at 0 and gives the derivative of the one before",
     reference="DLMF 10.51.3",
     numpy="support.sine_ratio", c="support.sine_ratio")

rule("sinhint", args=(x,), value=Shi(x),
     partials={x: sinh_ratio(0, x)},
     domain={x: (-oo, oo)},
     ulp=8,
     note="the first output of SciPy's shichi",
     reference="DLMF 6.2.15",
     numpy="special.shichi[0]", c=scipy("shichi"))

rule("coshint", args=(x,), value=Chi(x),
     partials={x: later("_cosh_ratio")(x)},
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "limit from the right", value=-oo)],
     ulp=8,
     note="the second output of SciPy's shichi",
     reference="DLMF 6.2.16",
     numpy="special.shichi[1]", c=scipy("shichi"))

rule("_sinh_ratio", args=(n, x), value=hyper([], [n + 3 * HALF], x**2 / 4) / factorial2(2 * n + 1),
     partials={n: ORDER, x: x * sinh_ratio(n + 1, x)},
     domain={n: integers(0, 3), x: (-oo, oo)},
     note="the modified spherical Bessel function i_n(x)/x**n; for n = 0 it is sinh(x)/x",
     reference="DLMF 10.51.5",
     numpy="support.sinh_ratio", c="support.sinh_ratio")

rule("_cosh_ratio", args=(x,), value=cosh(x) / x,
     partials={x: sinh_ratio(0, x) - out / x},
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     note="cosh(x) leaves the float range at 710.5, the quotient at 717",
     numpy="support.cosh_ratio", c="support.cosh_ratio")

exp_ratio = later("_exp_ratio")

rule("expi", args=(x,), value=Ei(x), aliases=("expinti",),
     partials={x: exp_ratio(x)},
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: oo}, "limit from the right", value=-oo)],
     ulp=8,
     reference="DLMF 6.2.5",
     numpy="special.expi", c=scipy("expi"))

rule("exp1", args=(x,), value=expint(1, x), aliases=("expint",),
     partials={x: exp_ratio(-x)},
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: -oo}, "limit from the right", value=oo)],
     ulp=8,
     reference="DLMF 6.2.1",
     numpy="special.exp1", c=scipy("exp1"))

rule("_exp_ratio", args=(x,), value=exp(x) / x,
     partials={x: out * ((x - 1) / x)},
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     note="exp(x) leaves the float range at 709.8, the quotient at 716; 1 - 1/x has few digits "
          "near 1",
     numpy="support.exp_ratio", c="support.exp_ratio")

expn = later("_expn", 2)

rule("expn", args=(n, x), value=expint(n, x),
     partials={n: ORDER, x: -expn(n - 1, x)},
     complex=real_only,
     domain={n: integers(0, 5), x: (0, oo)},
     at=[point({n: 2, x: 0.0}, {x: -oo}, "limit from the right", value=1)],
     ulp=8,
     reference="DLMF 8.19.13",
     numpy="special.expn", c=scipy("expn"))

rule("_expn", args=(n, x), value=expint(n, x),
     partials={n: ORDER, x: -expn(n - 1, x)},
     complex=real_only,
     domain={n: integers(-2, 5), x: (0, oo)},
     note="of negative orders too; SciPy's is 0 from 717 on, and off by 12 ulp near 1",
     reference="DLMF 8.19.13, 8.19.17",
     numpy="support.expn_order", c=scipy("expn"))

spence_slope = later("_spence_slope", 2)

rule("spence", args=(x,), value=polylog(2, 1 - x),
     partials={x: -spence_slope(0, x)},
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: -oo}, "vertical tangent", value=pi**2 / 6),
         point({x: 1}, {x: -1}, "log(x)/(1 - x) is 0/0", value=0)],
     ulp=8,
     note="the dilogarithm of 1 - x",
     reference="DLMF 25.12.2, " + SCIPY + "spence.html",
     numpy="special.spence", c=scipy("spence"))

rule("dilog", args=(x,), value=polylog(2, x), aliases=("dilogarithm",),
     partials={x: spence_slope(0, 1 - x)},
     complex=real_only,
     domain={x: (-oo, 1)},
     at=[point({x: 0.0}, {x: 1}, "log(1 - x)/x is 0/0", value=0),
         point({x: 1}, {x: oo}, "vertical tangent", value=pi**2 / 6)],
     ulp=8,
     note="spence(1 - x) has no digit left where x is small",
     reference="DLMF 25.12.1",
     numpy="support.dilog", c=scipy("spence"))

rule("_spence_slope", args=(n, x), value=log_share(n, x),
     partials={n: ORDER, x: -(n + 1) * spence_slope(n + 1, x)},
     domain={n: integers(0, 3), x: (0, oo)},
     note="the integral over s from 0 to 1 of s**n/(1 + s*(x - 1))**(n + 1); for n = 0 it is "
          "log(x)/(x - 1), and each is smooth at 1 and gives the derivative of the one before",
     numpy="support.spence_slope", c=scipy("spence"))

refused("its two values are complex, also of real numbers; write them "
        "sqrt(pi)/2*exp(1j*pi/4) * erfc(exp(-1j*pi/4)*x) and erfcx(exp(-1j*pi/4)*x)/2",
        "special.modfresnelp")

refused("its two values are complex, also of real numbers; write them "
        "sqrt(pi)/2*exp(-1j*pi/4) * erfc(exp(1j*pi/4)*x) and erfcx(exp(1j*pi/4)*x)/2",
        "special.modfresnelm")
