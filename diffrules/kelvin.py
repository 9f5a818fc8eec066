"""Rules of Kelvin functions."""

from __future__ import annotations

from typing import Any

import mpmath
from sympy import oo

from diffrules.bessel import i_slope, k_slope
from diffrules.entry import refused
from diffrules.meanings import Meaning
from diffrules.vocabulary import (
    integers,
    later,
    not_differentiable,
    point,
    real_only,
    rule,
    scipy,
    symbol,
    x,
)

k, m = symbol("k"), symbol("m")
SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated/scipy.special."
# The function at 50 digits from here on is that of a complex argument.
FAR = 20

class kelvin_slope(Meaning):  # noqa: N801
    """The derivative of order ``m`` of ber, bei, ker or kei, for ``k`` from 0 to 3."""

    nargs = 3

    @staticmethod
    def numeric(kind: Any, order: Any, x: Any) -> Any:
        """Return it, DLMF 10.61.1, 10.61.2, 10.65.1 and 10.65.3 to 5."""
        kind, m = int(kind), int(order)
        if abs(x) > FAR:
            slope = i_slope.numeric if kind < 2 else k_slope.numeric
            turn = mpmath.expjpi(mpmath.mpf(1) / 4)
            found = turn**m * slope(m, 0, turn * x)
            return found.imag if kind % 2 else found.real
        with mpmath.extraprec(4 * FAR):
            found = _sum(kind, m, x)
        return +found

    def fdiff(self, argindex: int = 3) -> Meaning:
        """Return the derivative in the argument: one order more of it."""
        kind, order, at = self.args
        return kelvin_slope(kind, order + 1, at)

def _sum(kind: int, m: int, x: Any) -> Any:
    """Return a derivative by power series in x and its logarithm."""
    if kind < 2:
        return _series(kind, m, x)
    part, sign = kind - 2, 1 if kind == 2 else -1
    log = mpmath.log(x / 2) + mpmath.euler
    total = sign * mpmath.pi / 4 * _series(1 - part, m, x) + _series(part, m, x, harmonic=True)
    for j in range(m + 1):
        factor = log if j == 0 else (-1)**(j - 1) * mpmath.factorial(j - 1) / x**j
        total -= mpmath.binomial(m, j) * factor * _series(part, m - j, x)
    return total

def _series(part: int, m: int, x: Any, harmonic: bool = False) -> Any:
    """Return the derivative of the sum over j of ``(-1)**j * (x/2)**(2*k)/k!**2``, k = 2*j + part.

    The terms may have harmonic numbers as factors.
    """
    total, k = mpmath.mpf(0), part
    while True:
        if 2 * k >= m:
            term = mpmath.ff(2 * k, m) * x**(2 * k - m) / (4**k * mpmath.factorial(k)**2)
            total += (-1)**(k // 2) * term * (mpmath.harmonic(k) if harmonic else 1)
            if 2 * k > m + abs(x) and abs(term) <= abs(total) * mpmath.eps:
                return total
        k += 2

of = later("_kelvin", 3)
REGULAR = ("real and imaginary parts of one complex function: near its zeros, a part has its error "
           "from the size of the other")

rule("ber", args=(x,), value=kelvin_slope(0, 0, x),
     partials={x: of(0, 1, x)},
     complex=real_only,
     domain={x: (-1000, 1000)},
     ulp=16,
     off=1e-10,
     note=REGULAR,
     reference="DLMF 10.61.1",
     numpy="special.ber", c=scipy("ber"))

rule("bei", args=(x,), value=kelvin_slope(1, 0, x),
     partials={x: of(1, 1, x)},
     complex=real_only,
     domain={x: (-1000, 1000)},
     ulp=128,
     off=1e-10,
     note=REGULAR + "; 100 ulp were measured there at x = 155",
     reference="DLMF 10.61.1",
     numpy="special.bei", c=scipy("bei"))

rule("ker", args=(x,), value=kelvin_slope(2, 0, x),
     partials={x: of(2, 1, x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=32,
     off=4e-9,
     note=REGULAR + "; 26 ulp were measured there",
     reference="DLMF 10.61.2",
     numpy="special.ker", c=scipy("ker"))

rule("kei", args=(x,), value=kelvin_slope(3, 0, x),
     partials={x: of(3, 1, x)},
     complex=real_only,
     domain={x: (0, oo)},
     ulp=24,
     off=4e-9,
     note=REGULAR + "; 21 ulp were measured at 1/2",
     reference="DLMF 10.61.2",
     numpy="special.kei", c=scipy("kei"))

rule("berp", args=(x,), value=kelvin_slope(0, 1, x),
     partials={x: of(0, 2, x)},
     complex=real_only,
     domain={x: (-1000, 1000)},
     ulp=64,
     off=1e-10,
     note="-bei(x) - out/x is 0/0 at 0; " + REGULAR + "; 32 ulp were measured there",
     reference="DLMF 10.61.3",
     numpy="special.berp", c=scipy("berp"))

rule("beip", args=(x,), value=kelvin_slope(1, 1, x),
     partials={x: of(1, 2, x)},
     complex=real_only,
     domain={x: (-1000, 1000)},
     ulp=32,
     off=1e-10,
     note="ber(x) - out/x is 0/0 at 0; " + REGULAR + "; 17 ulp were measured there",
     reference="DLMF 10.61.3",
     numpy="special.beip", c=scipy("beip"))

rule("kerp", args=(x,), value=kelvin_slope(2, 1, x),
     partials={x: of(2, 2, x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     ulp=16,
     off=4e-9,
     note=REGULAR,
     reference="DLMF 10.61.3",
     numpy="special.kerp", c=scipy("kerp"))

rule("keip", args=(x,), value=kelvin_slope(3, 1, x),
     partials={x: of(3, 2, x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "vertical tangent", value=0)],
     ulp=24,
     off=4e-9,
     note=REGULAR + "; 17 ulp were measured there",
     reference="DLMF 10.61.3",
     numpy="special.keip", c=scipy("keip"))

rule("_kelvin", args=(k, m, x), value=kelvin_slope(k, m, x),
     partials={k: not_differentiable("ber, bei, ker or kei"),
               m: not_differentiable("a number of derivatives"), x: of(k, m + 1, x)},
     complex=real_only,
     domain={k: integers(0, 3), m: integers(0, 2), x: (0, 1000)},
     ulp=16,
     note="the derivative of order m of ber, bei, ker or kei",
     reference="DLMF 10.61, 10.65",
     numpy="support.kelvin_order", c=scipy("kelvin"))

refused("its four values are complex; write ber(x) + 1j*bei(x), ker(x) + 1j*kei(x), "
        "berp(x) + 1j*beip(x) and kerp(x) + 1j*keip(x)", "special.kelvin")
