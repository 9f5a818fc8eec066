"""Rules of Dawson's integral and the Voigt profile: parts of the Faddeeva function."""

from __future__ import annotations

from typing import Any

import mpmath
import sympy
from sympy import oo

from diffrules.entry import refused
from diffrules.meanings import Meaning
from diffrules.vocabulary import (
    integers,
    later,
    not_differentiable,
    real_only,
    rule,
    scipy,
    symbol,
    x,
)

gamma, m, n, sigma = (symbol(name) for name in ("gamma", "m", "n", "sigma"))

def faddeeva(order: Any, z: Any) -> Any:
    """Return a derivative of exp(-z**2) erfc(-i z), Im z >= 0 (DLMF 7.2.3, 7.10.1)."""
    # The smaller one of real and imaginary part needs its digits too.
    parts = [mpmath.mag(part) for part in (z.real, z.imag) if part]
    lack = max(mpmath.mag(z), 0) - min(parts, default=0)
    if lack > 40:
        with mpmath.extraprec(lack):
            return faddeeva_of_size(order, z)
    return faddeeva_of_size(order, z)

def faddeeva_of_size(order: Any, z: Any) -> Any:
    """Return it to the digits of its absolute value."""
    size = abs(z)
    if size**2 > 2.5 * mpmath.mp.dps + 20:
        term = total = mpmath.factorial(order) / z**(order + 1)
        for k in range(10000):
            term *= (2 * k + 1 + order) * (2 * k + 2 + order) / (4 * (k + 1) * z**2)
            total += term
            if abs(term) <= abs(total) * mpmath.eps:
                break
        total *= 1j * (-1)**order / mpmath.sqrt(mpmath.pi)
        if mpmath.im(z) < 1:
            total += (-1)**order * mpmath.hermite(order, z) * mpmath.exp(-z**2)
        return total
    with mpmath.extradps(order * (int(size) + 2) + 20):
        value = mpmath.exp(-z**2) * mpmath.erfc(-1j * z)
        slope = 2j / mpmath.sqrt(mpmath.pi) - 2 * z * value
        return upwards(order, z, value, slope)

def upwards(order: int, z: Any, value: Any, slope: Any) -> Any:
    """Return a derivative of a solution of w'' = -2 z w' - 2 w from the first two."""
    for k in range(1, order + 1):
        value, slope = slope, -2 * z * slope - 2 * k * value
    return value

class dawson(Meaning):  # noqa: N801
    """A derivative of Dawson's integral."""

    nargs = 2

    @staticmethod
    def numeric(order: Any, x: Any) -> Any:
        """Return the derivative `order` (DLMF 7.2.5)."""
        if isinstance(x, mpmath.mpf):
            return mpmath.sqrt(mpmath.pi) / 2 * faddeeva(int(order), mpmath.mpc(x)).imag
        value = x * mpmath.hyp1f1(1, 1.5, -x**2)
        return upwards(int(order), x, value, 1 - 2 * x * value)

    def fdiff(self, argindex: int = 2) -> sympy.Expr:
        """Return the next derivative."""
        return dawson(self.args[0] + 1, self.args[1])

class voigt(Meaning):  # noqa: N801
    """A derivative of the Voigt profile, in x and in gamma."""

    nargs = 5

    @staticmethod
    def numeric(n: Any, m: Any, x: Any, sigma: Any, gamma: Any) -> Any:
        """Return the derivative, `n` times in x and `m` times in gamma (DLMF 7.19.4)."""
        n, m, width = int(n), int(m), sigma * mpmath.sqrt(2)
        found = 1j**m * faddeeva(n + m, mpmath.mpc(abs(x), gamma) / width)
        sign = -1 if x < 0 and n % 2 else 1
        return sign * found.real / mpmath.sqrt(mpmath.pi) / width**(n + m + 1)

    def fdiff(self, argindex: int = 3) -> sympy.Expr:
        """Return the next derivative; that in sigma by the equation of heat."""
        n, m, x, sigma, gamma = self.args
        if argindex == 4:
            return sigma * voigt(n + 2, m, x, sigma, gamma)
        return voigt(n + int(argindex == 3), m + int(argindex == 5), x, sigma, gamma)

dawsn_order, voigt_order = later("_dawsn", 2), later("_voigt", 5)
voigt_spread = later("_voigt_spread", 5)
ORDER = not_differentiable("the order is a whole number")

rule("dawsn", args=(x,), value=dawson(0, x), aliases=("dawson",),
     partials={x: dawsn_order(1, x)},
     domain={x: (-oo, oo)},
     ulp=8,
     note="1 - 2*x*out has no digit left at x = 1e8; the form that keeps all digits costs 11 "
          "times the value",
     reference="DLMF 7.2.5, 7.10.3",
     numpy="special.dawsn", c=scipy("dawsn"))

rule("_dawsn", args=(n, x), value=dawson(n, x),
     partials={n: ORDER, x: dawsn_order(n + 1, x)},
     domain={n: integers(0, 3), x: (-oo, oo)},
     note="the derivative n of Dawson's integral",
     reference="DLMF 7.10.3",
     numpy="support.dawsn_order", c=scipy("dawsn"))

rule("voigt_profile", args=(x, sigma, gamma), value=voigt(0, 0, x, sigma, gamma),
     partials={x: voigt_order(1, 0, x, sigma, gamma),
               sigma: voigt_spread(0, 0, x, sigma, gamma),
               gamma: voigt_order(0, 1, x, sigma, gamma)},
     complex=real_only,
     domain={x: (-oo, oo), sigma: (0, oo), gamma: (0, oo)},
     ulp={x: 16},
     note="the real part of the Faddeeva function; its derivative 2*i/sqrt(pi) - 2*z*w has few "
          "digits where z is large. The profile solves the equation of heat in sigma**2/2, which "
          "gives the derivative in sigma. Those in sigma and gamma change their signs, where a "
          "ten thousandth beside it 1e4 ulp were measured; the form that keeps all digits costs "
          "10 times the value",
     reference="DLMF 7.19",
     numpy="special.voigt_profile", c=scipy("voigt_profile"))

rule("_voigt", args=(n, m, x, sigma, gamma), value=voigt(n, m, x, sigma, gamma),
     partials={n: ORDER, m: ORDER,
               x: voigt_order(n + 1, m, x, sigma, gamma),
               sigma: voigt_spread(n, m, x, sigma, gamma),
               gamma: voigt_order(n, m + 1, x, sigma, gamma)},
     complex=real_only,
     domain={n: integers(0, 2), m: integers(0, 1),
             x: (-oo, oo), sigma: (0, oo), gamma: (0, oo)},
     reference="DLMF 7.19",
     numpy="support.voigt_order", c=scipy("voigt_profile"))

rule("_voigt_spread", args=(n, m, x, sigma, gamma), value=sigma * voigt(n + 2, m, x, sigma, gamma),
     partials={n: ORDER, m: ORDER,
               x: voigt_spread(n + 1, m, x, sigma, gamma),
               sigma: voigt_order(n + 2, m, x, sigma, gamma)
                      + sigma * voigt_spread(n + 2, m, x, sigma, gamma),
               gamma: voigt_spread(n, m + 1, x, sigma, gamma)},
     complex=real_only,
     domain={n: integers(0, 1), m: integers(0, 1),
             x: (-oo, oo), sigma: (0, oo), gamma: (0, oo)},
     note="the derivative in sigma as one product, whose factors may leave the float range",
     reference="DLMF 7.19",
     numpy="support.voigt_spread", c=scipy("voigt_profile"))

refused("its value is complex, also of a real number; write erfcx(-1j*z), the same function",
        "special.wofz")
