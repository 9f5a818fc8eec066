"""Rules of Airy functions."""

from __future__ import annotations

from typing import Any

from sympy import Abs, Expr, Rational, airyai, airyaiprime, airybi, airybiprime, exp, oo, sqrt

from diffrules.digits import FUNCTIONS
from diffrules.meanings import Meaning
from diffrules.vocabulary import (
    closed,
    integers,
    later,
    not_differentiable,
    out,
    real_only,
    rule,
    scipy,
    symbol,
    where,
    x,
)

k, m = symbol("k"), symbol("m")
SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated/scipy.special."
PHASE = Rational(2, 3) * sqrt(Abs(x))**3
USUAL = [{x: closed(-10, 0)}, {x: (0, oo)}]
LIMITS = ("SciPy's values are off by up to 850 units in the last place where they are large or "
          "small, and 1e7 at -1e5, where the phase is rounded; the partials hold down to -1e10")

class scaled_airy(Meaning):  # noqa: N801
    """The derivative of order ``m`` of scaled Ai, Ai', Bi or Bi', for ``k`` from 0 to 3.

    By polynomials in ``sqrt(x)`` as factors of the function and its first derivative.
    """

    nargs = 3

    def fdiff(self, argindex: int = 3) -> Meaning:
        """Return the derivative in the argument: one order more of it."""
        kind, order, at = self.args
        return scaled_airy(kind, order + 1, at)

    @staticmethod
    def numeric(kind: Any, order: Any, at: Any) -> Any:
        """Return it to the digits of the caller."""
        kind = int(kind)
        sign = 0 if at < 0 else 1 if kind < 2 else -1
        root = FUNCTIONS.sqrt(abs(at))
        # Of p and q in (p*A + q*A')*exp(sign*z), by powers of the root.
        p, q = ({0: 1}, {}) if kind % 2 == 0 else ({}, {0: 1})
        for _ in range(int(order)):
            p, q = (
                _added(_slope(p), _moved(p, 1, sign), _moved(q, 2, 1)),
                _added(p, _slope(q), _moved(q, 1, sign)),
            )
        function = FUNCTIONS.airyai if kind < 2 else FUNCTIONS.airybi
        values = function(at), function(at, derivative=1)
        total = sum(
            factor * (at ** (power // 2) if at < 0 else root**power) * value
            for sums, value in zip((p, q), values, strict=True)
            for power, factor in sums.items()
        )
        return total * FUNCTIONS.exp(sign * 2 * root**3 / 3)

def _slope(sums: dict[int, Any]) -> dict[int, Any]:
    return {n - 2: FUNCTIONS.mpf(n) / 2 * factor for n, factor in sums.items() if n}

def _moved(sums: dict[int, Any], by: int, factor: int) -> dict[int, Any]:
    return {n + by: factor * old for n, old in sums.items() if factor}

def _added(*parts: dict[int, Any]) -> dict[int, Any]:
    total: dict[int, Any] = {}
    for sums in parts:
        for n, factor in sums.items():
            total[n] = total.get(n, 0) + factor
    return total

ai, ai_prime = later("_airy_ai"), later("_airy_ai_prime")
bi, bi_prime = later("_airy_bi"), later("_airy_bi_prime")
ai_second, bi_second = later("_airy_ai_second"), later("_airy_bi_second")
scaled = later("_scaled_airy", 3)

rule("airyai", args=(x,), value=airyai(x),
     partials={x: ai_prime(x)},
     complex=real_only,
     domain=USUAL,
     ulp=8,
     note=LIMITS,
     reference="DLMF 9.2",
     numpy="special.airy[0]", c=scipy("airy"))

rule("airyaiprime", args=(x,), value=airyaiprime(x),
     partials={x: ai_second(x)},
     complex=real_only,
     domain=USUAL,
     ulp=8,
     note=LIMITS,
     reference="DLMF 9.2.1",
     numpy="special.airy[1]", c=scipy("airy"))

rule("airybi", args=(x,), value=airybi(x),
     partials={x: bi_prime(x)},
     complex=real_only,
     domain=USUAL,
     ulp=8,
     note=LIMITS + "; the form that keeps all digits costs 4 times the value",
     reference="DLMF 9.2",
     numpy="special.airy[2]", c=scipy("airy"))

rule("airybiprime", args=(x,), value=airybiprime(x),
     partials={x: bi_second(x)},
     complex=real_only,
     domain=USUAL,
     ulp=8,
     note=LIMITS + "; the form that keeps all digits costs 4 times the value",
     reference="DLMF 9.2.1",
     numpy="special.airy[3]", c=scipy("airy"))

rule("_airy_ai", args=(x,), value=airyai(x),
     partials={x: ai_prime(x)},
     complex=real_only,
     domain=USUAL,
     ulp=8,
     note="airyai with all digits",
     reference="DLMF 9.6",
     numpy="support.airy_ai", c=scipy("airy"))

rule("_airy_ai_prime", args=(x,), value=airyaiprime(x),
     partials={x: ai_second(x)},
     complex=real_only,
     domain=USUAL,
     ulp=8,
     note="airyaiprime with all digits",
     reference="DLMF 9.6",
     numpy="support.airy_ai_prime", c=scipy("airy"))

rule("_airy_bi", args=(x,), value=airybi(x),
     partials={x: bi_prime(x)},
     complex=real_only,
     domain=USUAL,
     ulp=8,
     note="airybi with all digits",
     reference="DLMF 9.6",
     numpy="support.airy_bi", c=scipy("airy"))

rule("_airy_bi_prime", args=(x,), value=airybiprime(x),
     partials={x: bi_second(x)},
     complex=real_only,
     domain=USUAL,
     ulp=8,
     note="airybiprime with all digits",
     reference="DLMF 9.6",
     numpy="support.airy_bi_prime", c=scipy("airy"))

rule("_airy_ai_second", args=(x,), value=x * airyai(x),
     partials={x: ai(x) + x * ai_prime(x)},
     complex=real_only,
     domain=USUAL,
     ulp={out: 8, x: 32},
     note="x*airyai(x) with all digits, also where airyai(x) is subnormal. Its slope is a sum "
          "with a large condition number next to its zeros: 24 ulp were measured",
     reference="DLMF 9.2.1",
     numpy="support.airy_ai_second", c=scipy("airy"))

rule("_airy_bi_second", args=(x,), value=x * airybi(x),
     partials={x: bi(x) + x * bi_prime(x)},
     complex=real_only,
     domain=USUAL,
     ulp={out: 8, x: 32},
     note="x*airybi(x) with all digits. Its slope is a sum with a large condition number next to "
          "its zeros: 11 ulp of single precision were measured",
     reference="DLMF 9.2.1",
     numpy="support.airy_bi_second", c=scipy("airy"))

SCALED = ("the sum of a function and its slope has no digit left at 1e11; by expansions in which "
          "what cancels is left out")

rule("airyaix", args=(x,), value=exp(PHASE) * airyai(x),
     partials={x: scaled(0, 1, x)},
     complex=real_only,
     domain={x: (0, oo)},
     ulp=16,
     note=SCALED,
     reference=SCIPY + "airye.html",
     numpy="special.airye[0]", c=scipy("airye"))

rule("airyaiprimex", args=(x,), value=exp(PHASE) * airyaiprime(x),
     partials={x: scaled(1, 1, x)},
     complex=real_only,
     domain={x: (0, oo)},
     ulp=16,
     note=SCALED,
     reference=SCIPY + "airye.html",
     numpy="special.airye[1]", c=scipy("airye"))

rule("airybix", args=(x,), value=where(x < 0, 1, exp(-PHASE)) * airybi(x),
     partials={x: scaled(2, 1, x)},
     complex=real_only,
     domain=USUAL,
     ulp=16,
     note=SCALED,
     reference=SCIPY + "airye.html",
     numpy="special.airye[2]", c=scipy("airye"))

rule("airybiprimex", args=(x,), value=where(x < 0, 1, exp(-PHASE)) * airybiprime(x),
     partials={x: scaled(3, 1, x)},
     complex=real_only,
     domain=USUAL,
     ulp=16,
     note=SCALED,
     reference=SCIPY + "airye.html",
     numpy="special.airye[3]", c=scipy("airye"))

rule("_scaled_airy", args=(k, m, x), value=scaled_airy(k, m, x),
     partials={k: not_differentiable("Ai, Ai', Bi or Bi'"),
               m: not_differentiable("a number of derivatives"), x: scaled(k, m + 1, x)},
     complex=real_only,
     domain={k: integers(0, 3), m: integers(0, 1), x: (0, oo)},
     ulp=256,
     note="the derivative of order m of a function of airye",
     reference="DLMF 9.6, 10.40",
     numpy="support.scaled_airy", c=scipy("airye"))

class airy_integral(Meaning):  # noqa: N801
    """The integral of Ai (``k`` 0) or Bi (1) from 0 to x."""

    nargs = 2

    @staticmethod
    def numeric(kind: Any, x: Any) -> Any:
        """Return it to the digits of the caller, DLMF 9.10."""
        return (FUNCTIONS.airybi if kind else FUNCTIONS.airyai)(x, derivative=-1)

    def fdiff(self, argindex: int = 2) -> Expr:
        """Return the integrand."""
        kind, x = self.args
        return airybi(x) if kind else airyai(x)

BEHIND = ("; SciPy's values have few digits between -6 and 5, that of Ai has none at 9. The "
          "partial is right")
# Where SciPy's values have some digits.
BETWEEN, OPPOSITE = {x: closed(-6, 5)}, {x: closed(-5, 6)}

rule("itairyai", args=(x,), value=airy_integral(0, x),
     partials={x: ai(x)},
     complex=real_only,
     domain=BETWEEN,
     ulp=8,
     off=1e-4,
     note="the integral of Ai from 0 to x, the first output of SciPy's itairy"
          + BEHIND,
     reference="DLMF 9.10, " + SCIPY + "itairy.html",
     numpy="special.itairy[0]", c=scipy("itairy"))

rule("itairybi", args=(x,), value=airy_integral(1, x),
     partials={x: bi(x)},
     complex=real_only,
     domain=BETWEEN,
     ulp=8,
     off=2e-5,
     note="the integral of Bi from 0 to x, the second output of SciPy's itairy"
          + BEHIND,
     reference="DLMF 9.10, " + SCIPY + "itairy.html",
     numpy="special.itairy[1]", c=scipy("itairy"))

rule("itairyai_opposite", args=(x,), value=-airy_integral(0, -x),
     partials={x: ai(-x)},
     complex=real_only,
     domain=OPPOSITE,
     ulp=8,
     off=1e-4,
     note="the integral of Ai(-t) from 0 to x, the third output of SciPy's itairy"
          + BEHIND,
     reference="DLMF 9.10, " + SCIPY + "itairy.html",
     numpy="special.itairy[2]", c=scipy("itairy"))

rule("itairybi_opposite", args=(x,), value=-airy_integral(1, -x),
     partials={x: bi(-x)},
     complex=real_only,
     domain=OPPOSITE,
     ulp=8,
     off=2e-5,
     note="the integral of Bi(-t) from 0 to x, the fourth output of SciPy's itairy"
          + BEHIND,
     reference="DLMF 9.10, " + SCIPY + "itairy.html",
     numpy="special.itairy[3]", c=scipy("itairy"))
