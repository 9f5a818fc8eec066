"""Rules of error functions and the normal distribution."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import And, Function, Rational, erfcinv, erfinv, exp, log, oo, pi, sqrt

from diffrules.exponential import log1p
from diffrules.vocabulary import (
    closed,
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
)

k, n, s, t = (symbol(name) for name in ("k", "n", "s", "t"))
HALF = Rational(1, 2)

class hermite(Function):  # type: ignore[misc]  # noqa: N801
    """The Hermite function of any order; SymPy's refuses the negative ones."""

    nargs = 2

    def fdiff(self, argindex: int = 2) -> Function:
        """Return the derivative in the second argument (DLMF 18.9.25)."""
        order, at = self.args
        return 2 * order * hermite(order - 1, at)

    def _mpmathcode(self, printer: Any) -> str:
        order, at = map(printer._print, self.args)
        return f"mpmath.hermite({order}, {at})"

gauss = rule("_gauss", args=(x, k), value=exp(-k * x**2),
     partials={x: -2 * k * x * out, k: not_differentiable("1/2 or 1")},
     complex=real_only,
     domain={x: (-oo, oo), k: closed(Rational(1, 2), 1)},
     note="the rounding error of x**2, 400 ulp of the result at x = 26, is undone",
     numpy="support.gauss", c="support.gauss")

rule("erf", args=(x,), value=sympy.erf(x),
     partials={x: 2 / sqrt(pi) * gauss(x, 1)},
     complex={x: 2 / sqrt(pi) * exp(-x**2)},
     domain={x: (-oo, oo)},
     reference="DLMF 7.2.1",
     numpy="special.erf")

erfc = rule("erfc", args=(x,), value=sympy.erfc(x),
     partials={x: -2 / sqrt(pi) * gauss(x, 1)},
     complex={x: -2 / sqrt(pi) * exp(-x**2)},
     domain={x: (-oo, oo)},
     reference="DLMF 7.2.2",
     numpy="special.erfc")

erfcx_order = later("_erfcx", 2)

erfcx = rule("erfcx", args=(x,), value=exp(x**2) * erfc(x),
     partials={x: -2 * erfcx_order(1, x)},
     complex={x: 2 * x * out - 2 / sqrt(pi)},
     domain={x: (-oo, oo)},
     note="2*x*out - 2/sqrt(pi) has no digit left at x = 1e8",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.erfcx.html",
     numpy="special.erfcx", c="support.erfcx")

rule("_erfcx", args=(n, x), value=2 / sqrt(pi) * hermite(-n - 1, x),
     partials={n: not_differentiable("the order is a whole number"),
               x: -2 * (n + 1) * erfcx_order(n + 1, x)},
     complex=real_only,
     domain={n: integers(0, 3), x: (-oo, oo)},
     note="exp(x**2) times the integral of erfc from x to infinity, n times repeated; positive, "
          "and each gives the derivative of the one before without a difference",
     reference="DLMF 7.18.2, 12.7.7",
     numpy="support.erfcx_order", c="support.erfcx_order")

rule("erfinv", args=(x,), value=erfinv(x),
     partials={x: sqrt(pi) / 2 * exp(out**2)},
     complex=real_only,
     domain={x: (-1, 1)},
     at=[point({x: 1}, {x: oo}, "pole", value=oo),
         point({x: -1}, {x: oo}, "pole", value=-oo)],
     reference="DLMF 7.17",
     numpy="special.erfinv", c=scipy("erfinv"))

rule("erfcinv", args=(x,), value=erfcinv(x),
     partials={x: -sqrt(pi) / 2 * where(And(x > 0, x < HALF), erfcx(out) / x, exp(out**2))},
     complex=real_only,
     domain={x: (0, 2)},
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: 2}, {x: -oo}, "pole", value=-oo)],
     note="exp(out**2) multiplies the rounding error of out by 2*out**2, over 1000 near 0; there "
          "erfcx(out)/x is the same",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.erfcinv.html",
     numpy="special.erfcinv", c=scipy("erfcinv"))

ndtr = rule("ndtr", args=(x,), value=erfc(-x / sqrt(2)) / 2,
     partials={x: gauss(x, HALF) / sqrt(2 * pi)},
     complex={x: exp(-x**2 / 2) / sqrt(2 * pi)},
     domain={x: (-oo, oo)},
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.ndtr.html",
     numpy="special.ndtr", math=erfc(-x / sqrt(2)) / 2)

rule("log_ndtr", args=(x,), value=log(erfc(-x / sqrt(2)) / 2),
     let={s: where(x < 0, x, -1), t: where(x < 0, 1, x)},
     partials={x: where(x < 0, sqrt(2 / pi) / erfcx(-s / sqrt(2)),
                        gauss(t, HALF) / (sqrt(2 * pi) * ndtr(t)))},
     complex={x: sqrt(2 / pi) / erfcx(-x / sqrt(2))},
     domain={x: (-oo, oo)},
     note="density over ndtr is 0/0 beyond x = -38. Each branch sees only its own side, so that "
          "the other cannot give NaN when the rule is differentiated again",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.log_ndtr.html",
     numpy="special.log_ndtr",
     c=where(x < 0, log(erfcx(-x / sqrt(2)) / 2) - x**2 / 2, log1p(-erfc(x / sqrt(2)) / 2)))
