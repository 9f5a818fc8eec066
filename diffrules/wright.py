"""Rules of Wright's generalized Bessel function."""

from __future__ import annotations

from typing import Any

import mpmath
from sympy import exp, log

from diffrules.meanings import Meaning
from diffrules.vocabulary import (
    later,
    not_differentiable,
    out,
    real_only,
    rule,
    scipy,
    symbol,
    x,
)

a, b = symbol("a"), symbol("b")
SHAPE = not_differentiable("SciPy has no sum of the terms times their digamma functions")

class wright(Meaning):  # noqa: N801
    """The sum over k of ``x**k / (k! * gamma(a*k + b))``."""

    nargs = 3

    @staticmethod
    def numeric(a: Any, b: Any, x: Any) -> Any:
        """Return the sum, DLMF 10.46.1."""
        total, power, k = mpmath.mpf(0), mpmath.mpf(1), 0
        while True:
            term = power * mpmath.rgamma(a * k + b)
            total += term
            k += 1
            power *= x / k
            if not power or (k > x and abs(term) <= abs(total) * mpmath.eps):
                return total

    def fdiff(self, argindex: int = 3) -> Meaning:
        """Return the derivative in x."""
        a, b, x = self.args
        return wright(a, a + b, x)

of, log_of = later("wright_bessel", 3), later("log_wright_bessel", 3)
INSIDE = {a: (0, 3), b: (0, 5), x: (0, 100)}

rule("wright_bessel", args=(a, b, x), value=wright(a, b, x),
     partials={a: SHAPE, b: SHAPE, x: of(a, a + b, x)},
     complex=real_only,
     domain=INSIDE,
     ulp=512,
     note="right to 1e-11, as SciPy says and as was measured",
     reference="DLMF 10.46.1",
     numpy="special.wright_bessel", c=scipy("wright_bessel"))

rule("log_wright_bessel", args=(a, b, x), value=log(wright(a, b, x)),
     partials={a: SHAPE, b: SHAPE, x: exp(log_of(a, a + b, x) - out)},
     complex=real_only,
     domain=INSIDE,
     note="right to 1e-11; 5e6 ulp were measured in x at a subnormal b, where SciPy's value is "
          "-725 and off by 9e-10. A quotient of two wright_bessel is infinite over infinite where "
          "x is large",
     reference="DLMF 10.46.1",
     numpy="special.log_wright_bessel", c=scipy("log_wright_bessel"))
