"""Rules of Lambert's W function and Wright's omega."""

from __future__ import annotations

from typing import Any

import mpmath
import sympy
from sympy import LambertW, exp, oo

from diffrules.meanings import Meaning
from diffrules.vocabulary import later, out, rule, scipy, symbol, where, x

p, q, r, s, t = (symbol(name) for name in "pqrst")

class omega(Meaning):  # noqa: N801
    """Wright's omega function, the root w of w + log(w) = x."""

    nargs = 1

    @staticmethod
    def numeric(x: Any) -> Any:
        """Return Lambert's W of the exponential, far out the root by Newton's method."""
        if mpmath.re(x) < 100:
            turns = mpmath.ceil((mpmath.im(x) - mpmath.pi) / (2 * mpmath.pi))
            return mpmath.lambertw(mpmath.exp(x), int(turns))
        root = x - mpmath.log(x)
        for _ in range(100):
            step = (root + mpmath.log(root) - x) / (1 + 1 / root)
            root -= step
            if abs(step) <= abs(root) * mpmath.eps * 8:
                break
        return root

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """Return the derivative, by its definition."""
        found = omega(self.args[0])
        return found / (1 + found)

lambertw_slope, lambertw_rest = later("_lambertw_slope"), later("_lambertw_rest")

rule("lambertw", args=(x,), value=LambertW(x),
     partials={x: lambertw_slope(x)},
     domain={x: (-exp(-1), oo)},
     ulp=8,
     note="the principal branch, real for real x, where SciPy's is complex; SciPy's has 8 digits "
          "next to the branch point -1/e",
     reference="DLMF 4.13",
     numpy="support.lambertw", c=scipy("lambertw"))

rule("_lambertw_slope", args=(x,), value=exp(-LambertW(x)) / (1 + LambertW(x)),
     let={r: lambertw_rest(x)},
     partials={x: -out * (out * (1 + 1 / r))},
     domain={x: (-exp(-1), oo)},
     ulp={out: 4, x: 8},
     note="out/(x*(1 + out)) is 0/0 at 0, and has no digits next to the branch point",
     reference="DLMF 4.13.4",
     numpy="support.lambertw_slope", c=scipy("lambertw"))

rule("_lambertw_rest", args=(x,), value=1 + LambertW(x),
     partials={x: lambertw_slope(x)},
     domain={x: (-exp(-1), oo)},
     ulp=4,
     note="the sum has no digits next to the branch point; from a double of twice the digits of "
          "1 + e*x it has all",
     reference="DLMF 4.13.6",
     numpy="support.lambertw_rest", c=scipy("lambertw"))

share = later("_omega_share")

rule("wrightomega", args=(x,), value=omega(x),
     let={s: where(x < -1, x, -1), p: exp(s), q: exp(-out), t: where(x < -1, p * q, out)},
     partials={x: share(t)},
     complex={x: share(out)},
     domain={x: (-oo, oo)},
     ulp=8,
     note="SciPy's value is off by 30 ulp about x = -33; exp(x)*exp(-out) is not",
     reference="Corless and Jeffrey 2002, The Wright omega function",
     numpy="special.wrightomega", c=scipy("wrightomega"))

rule("_omega_share", args=(x,), value=x / (1 + x),
     partials={x: (1 / (1 + x))**2},
     domain={x: (0, oo)},
     ulp={out: 4, x: 8},
     note="by the rule of quotients its derivative is a difference that has no digits where x is "
          "large")
