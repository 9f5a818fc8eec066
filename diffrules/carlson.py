"""Rules of Carlson's elliptic integrals."""

from __future__ import annotations

from functools import cache
from typing import Any

import mpmath
from sympy import Function, Rational, oo, pi, sqrt

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
    where,
    x,
    y,
)

i, j, k, n, p, q, s, t, z = (symbol(name) for name in "ijknpqstz")
HALF = Rational(1, 2)
POSITIVE = {x: (0, oo), y: (0, oo), z: (0, oo)}
POWER = not_differentiable("the power is a whole number")

class carlson_c(Meaning):  # noqa: N801
    """Carlson's degenerate integral; the principal value where ``y < 0``."""

    nargs = 2
    numeric = staticmethod(mpmath.elliprc)

class carlson_f(Meaning):  # noqa: N801
    """Carlson's symmetric integral of the first kind."""

    nargs = 3
    numeric = staticmethod(mpmath.elliprf)

class carlson_d(Meaning):  # noqa: N801
    """Carlson's integral of the second kind."""

    nargs = 3
    numeric = staticmethod(mpmath.elliprd)

class carlson_g(Meaning):  # noqa: N801
    """Carlson's completely symmetric integral of the second kind."""

    nargs = 3
    numeric = staticmethod(mpmath.elliprg)

class carlson_j(Meaning):  # noqa: N801
    """Carlson's symmetric integral of the third kind; the principal value where ``p < 0``."""

    nargs = 4

    @staticmethod
    def numeric(x: Any, y: Any, z: Any, p: Any) -> Any:
        """Return the real part where mpmath continues it past the pole."""
        found = mpmath.elliprj(x, y, z, p)
        return mpmath.re(found) if mpmath.im(p) == 0 else found

@cache
def _places(precision: int, width: int) -> list[tuple[Any, Any]]:
    """Return places and weights for arguments between 1 and ``exp(width)``."""
    digits = (precision + 16) * mpmath.log(2)
    step, rate, start = 1.9 * mpmath.pi**2 / digits, mpmath.mpf(3) / 4, mpmath.mpf(6)
    reach = start + mpmath.log(2 * digits) / rate
    found = []
    for place in range(int(-reach / step), int((width + reach) / step) + 1):
        at = place * step
        before, after = mpmath.exp(-rate * (at + start)), mpmath.exp(rate * (at - width - start))
        found.append((mpmath.exp(at - before + after), step * (1 + rate * (before + after))))
    return found

class carlson_powers(Meaning):  # noqa: N801
    """The integral of a product of powers: a derivative of one of those above, but for a factor."""

    nargs = 8

    @staticmethod
    def numeric(i: Any, j: Any, k: Any, n: Any, x: Any, y: Any, z: Any, p: Any) -> Any:
        """Return it by the trapezoidal rule in log(t), the step of which grows far out."""
        orders, args = [int(order) for order in (i, j, k, n)], [x, y, z, p]
        least, most = min(arg for arg in args if arg > 0), max(args)
        total = mpmath.mpf(0)
        for place, weight in _places(mpmath.mp.prec, 4 * int(mpmath.log(most / least) / 4 + 1)):
            t = least * place
            below = mpmath.sqrt((t + x) * (t + y) * (t + z))
            for order, arg in zip(orders, args, strict=True):
                below = below * (t + arg)**order if order else below
            total += weight * t / below
        return total

    def fdiff(self, argindex: int = 5) -> Function:
        """Return the derivative of the integrand, integrated."""
        *powers, x, y, z, p = self.args
        power = powers[argindex - 5]
        powers[argindex - 5] = power + 1
        return -(power + (HALF if argindex < 8 else 0)) * carlson_powers(*powers, x, y, z, p)

powers = later("_carlson", 8)

rule("_carlson", args=(i, j, k, n, x, y, z, p),
     value=Rational(3, 4) * carlson_powers(i, j, k, n, x, y, z, p),
     partials={i: POWER, j: POWER, k: POWER, n: POWER,
               x: -(i + HALF) * powers(i + 1, j, k, n, x, y, z, p),
               y: -(j + HALF) * powers(i, j + 1, k, n, x, y, z, p),
               z: -(k + HALF) * powers(i, j, k + 1, n, x, y, z, p),
               p: -n * powers(i, j, k, n + 1, x, y, z, p)},
     complex=real_only,
     domain={i: integers(0, 1), j: integers(0, 1), k: integers(0, 1), n: integers(1, 1),
             **POSITIVE, p: (0, oo)},
     ulp=8,
     note="3/4 of the integral of (t + x)**-(i + 1/2) * (t + y)**-(j + 1/2) * "
          "(t + z)**-(k + 1/2) * (t + p)**-n over t from 0 to infinity: the "
          "derivatives of the named integrals are multiples of it, so that it leaves the range "
          "where they do",
     reference="DLMF 19.16(ii), 19.18(i)",
     numpy="support.carlson_slope", c="support.carlson_slope")

OF_SECOND = {x: -powers(1, 0, 1, 0, x, y, z, 1),
             y: -powers(0, 1, 1, 0, x, y, z, 1),
             z: -3 * powers(0, 0, 2, 0, x, y, z, 1)}

second = rule("_elliprd", args=(x, y, z), value=carlson_d(x, y, z) / 6,
     partials={arg: slope / 6 for arg, slope in OF_SECOND.items()},
     complex=real_only,
     domain=POSITIVE,
     ulp=8,
     note="a sixth of elliprd, which leaves the range where the derivatives of elliprf do. "
          "SciPy's is infinite or NaN where an argument is beyond 1e205 or below 1e-205, although "
          "the value may be an ordinary number",
     numpy="support.elliprd_sixth", c="support.elliprd_sixth")

QUADRATURE = ("by quadrature, for three to five times the cost of the value; a difference of two "
              "integrals has few digits where arguments are close, and none where they are equal")

rule("elliprc", args=(x, y), value=carlson_c(x, y),
     let={s: where(y > 0, y, 1), t: where(y > 0, -1, y), q: (out - 1 / sqrt(x)) / (t - x) / 2},
     partials={x: where(y > 0, -second(s, s, x), q),
               y: where(y > 0, -2 * second(x, s, s), -(out / 2 + x * q) / t)},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     at=[point({x: 0.0, y: 1}, {x: -oo, y: -pi / 4}, "limit from the right")],
     ulp=8,
     note="(out - 1/sqrt(x))/(2*(y - x)) is 0/0 at x = y; where y < 0 the value is the principal "
          "value, and that form serves; the form that keeps all digits costs 6 times the value",
     reference="DLMF 19.18.4, 19.2.20",
     numpy="special.elliprc", c=scipy("elliprc"))

rule("elliprf", args=(x, y, z), value=carlson_f(x, y, z),
     partials={x: -second(y, z, x), y: -second(x, z, y), z: -second(x, y, z)},
     complex=real_only,
     domain=POSITIVE,
     at=[point({x: 0.0, y: 1, z: 1}, {x: -oo, y: -pi / 8, z: -pi / 8}, "limit from the right")],
     ulp=8,
     note="the form that keeps all digits costs 4 times the value",
     reference="DLMF 19.18.4",
     numpy="special.elliprf", c=scipy("elliprf"))

rule("elliprd", args=(x, y, z), value=carlson_d(x, y, z),
     partials=OF_SECOND,
     complex=real_only,
     domain=POSITIVE,
     ulp=8,
     note=QUADRATURE,
     reference="DLMF 19.16.17, 19.18(i)",
     numpy="special.elliprd", c=scipy("elliprd"))

rule("elliprg", args=(x, y, z), value=carlson_g(x, y, z),
     partials={x: powers(1, 0, 0, -1, x, y, z, 0) / 6,
               y: powers(0, 1, 0, -1, x, y, z, 0) / 6,
               z: powers(0, 0, 1, -1, x, y, z, 0) / 6},
     complex=real_only,
     domain=POSITIVE,
     ulp=8,
     note=QUADRATURE,
     reference="DLMF 19.16.3, 19.18(i)",
     numpy="special.elliprg", c=scipy("elliprg"))

rule("elliprj", args=(x, y, z, p), value=carlson_j(x, y, z, p),
     partials={x: -powers(1, 0, 0, 1, x, y, z, p),
               y: -powers(0, 1, 0, 1, x, y, z, p),
               z: -powers(0, 0, 1, 1, x, y, z, p),
               p: -2 * powers(0, 0, 0, 2, x, y, z, p)},
     complex=real_only,
     domain={**POSITIVE, p: (0, oo)},
     ulp=8,
     note=QUADRATURE + ". Where p < 0 the value is Cauchy's principal value, and the partials have "
          "the digits that SciPy's functions leave in such differences",
     reference="DLMF 19.16.2, 19.18(i), 19.20.14",
     numpy="special.elliprj", c=scipy("elliprj"))
