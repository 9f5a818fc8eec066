"""Rules of incomplete gamma and beta functions, and Student's t."""

from __future__ import annotations

from typing import Any

from sympy import (
    And,
    Eq,
    Function,
    Or,
    Rational,
    beta,
    betainc_regularized,
    exp,
    gamma,
    log,
    lowergamma,
    oo,
    polygamma,
    sqrt,
    uppergamma,
)

from diffrules.exponential import log1p
from diffrules.vocabulary import (
    indicator,
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

a, b, k, n, s, t = (symbol(name) for name in ("a", "b", "k", "n", "s", "t"))
HALF = Rational(1, 2)
digamma, step = later("digamma"), later("_polygamma_step", 3)

class SlopeOf(Function):  # type: ignore[misc]
    """The derivative of an entry in one argument, for which SymPy has no function."""

    entry: str
    orders: tuple[int, ...]

    def _mpmathcode(self, printer: Any) -> str:
        args = ", ".join(map(printer._print, self.args))
        call = f"function({self.entry!r}, {len(self.orders)})"
        return f"mpmath.diff({call}, ({args}), {self.orders})"

class gammainc_a(SlopeOf):  # noqa: N801
    """The derivative of ``gammainc(a, x)`` in ``a``."""

    entry, orders = "gammainc", (1, 0)

class betainc_a(SlopeOf):  # noqa: N801
    """The derivative of ``betainc(a, b, x)`` in ``a``."""

    entry, orders = "betainc", (1, 0, 0)

class betainc_b(SlopeOf):  # noqa: N801
    """The derivative of ``betainc(a, b, x)`` in ``b``."""

    entry, orders = "betainc", (0, 1, 0)

class stdtr_n(SlopeOf):  # noqa: N801
    """The derivative of ``stdtr(n, x)`` in ``n``."""

    entry, orders = "stdtr", (1, 0)

gamma_density = later("_gamma_density", 2)

rule("_gamma_density", args=(a, x), value=x**(a - 1) * exp(-x) / gamma(a),
     let={s: where(Eq(out, 0), 1, x)},
     partials={a: out * (log(s) - digamma(a)),
               x: where(a < 1, out * ((a - 1) / x - 1), gamma_density(a - 1, x) - out)},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     note="the exponential of its logarithm has few digits where a is large; from a = 1 on its "
          "logarithmic derivative times it is 0 times infinity at 0",
     reference="Loader 2000, Fast and accurate computation of binomial probabilities",
     numpy="support.gamma_density", c=scipy("gammainc"))

gamma_slope = rule("_gammainc_a", args=(a, x), value=gammainc_a(a, x),
     let={k: gamma_density(a, x), s: where(Eq(k, 0), 1, x)},
     partials={a: not_differentiable("the second derivative of incomplete gamma functions in a "
                                     "is missing"),
               x: k * (log(s) - digamma(a))},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     note="within 5e-13 of mpmath for a from 1e-6 to 1e5 and all x down to values of 1e-290: the "
          "power series where a <= 2 and x <= 1, else Gaussian quadrature of an integral of one "
          "sign, so that no tail is a difference",
     numpy="support.gammainc_a", c=scipy("gammainc"))

rule("gammainc", args=(a, x), value=lowergamma(a, x) / gamma(a),
     partials={a: gamma_slope(a, x), x: gamma_density(a, x)},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     reference="DLMF 8.8.13",
     numpy="special.gammainc", c=scipy("gammainc"))

rule("gammaincc", args=(a, x), value=uppergamma(a, x) / gamma(a),
     partials={a: -gamma_slope(a, x), x: -gamma_density(a, x)},
     complex=real_only,
     domain={a: (0, oo), x: (0, oo)},
     reference="DLMF 8.8.14",
     numpy="special.gammaincc", c=scipy("gammaincc"))

beta_density = later("_beta_density", 3)

rule("_beta_density", args=(a, b, x), value=x**(a - 1) * (1 - x)**(b - 1) / beta(a, b),
     let={k: indicator(And(a >= 1, b >= 1, Or(Eq(x, 0), Eq(x, 1)))),
          s: where(Eq(out, 0), 1, x), t: where(Eq(out, 0), 0, -x)},
     partials={a: out * (log(s) + step(0, a, b)), b: out * (log1p(t) + step(0, b, a)),
               x: where(k > 0,
                        (a + b - 1) * (beta_density(a - 1, b, x) - beta_density(a, b - 1, x)),
                        out * ((a - 1) / x - (b - 1) / (1 - x)))},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     note="the exponential of its logarithm has few digits where a or b is large; at 0 and 1 its "
          "logarithmic derivative is infinite",
     reference="Loader 2000, Fast and accurate computation of binomial probabilities",
     numpy="support.beta_density", c=scipy("betainc"))

SECOND_OF_BETA = not_differentiable("second derivatives of the incomplete beta function in a and b "
                                    "are missing")

QUADRATURE = ("within 5e-13 of mpmath for a and b from 1e-6 to 1e5 and all x down to values of "
              "1e-290: by Gaussian quadrature of an integral of one sign, so that no tail is a "
              "difference")

beta_slope_a = rule("_betainc_a", args=(a, b, x), value=betainc_a(a, b, x),
     let={k: beta_density(a, b, x), s: where(Eq(k, 0), 1, x)},
     partials={a: SECOND_OF_BETA, b: SECOND_OF_BETA,
               x: k * (log(s) + step(0, a, b))},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     note=QUADRATURE,
     numpy="support.betainc_a", c=scipy("betainc"))

beta_slope_b = rule("_betainc_b", args=(a, b, x), value=betainc_b(a, b, x),
     let={k: beta_density(a, b, x), t: where(Eq(k, 0), 0, -x)},
     partials={a: SECOND_OF_BETA, b: SECOND_OF_BETA,
               x: k * (log1p(t) + step(0, b, a))},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     note=QUADRATURE,
     numpy="support.betainc_b", c=scipy("betainc"))

rule("betainc", args=(a, b, x), value=betainc_regularized(a, b, 0, x),
     partials={a: beta_slope_a(a, b, x), b: beta_slope_b(a, b, x), x: beta_density(a, b, x)},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     reference="DLMF 8.17.20",
     numpy="special.betainc", c=scipy("betainc"))

rule("betaincc", args=(a, b, x), value=betainc_regularized(a, b, x, 1),
     partials={a: -beta_slope_a(a, b, x), b: -beta_slope_b(a, b, x), x: -beta_density(a, b, x)},
     complex=real_only,
     domain={a: (0, oo), b: (0, oo), x: (0, 1)},
     reference="DLMF 8.17.4",
     numpy="special.betaincc", c=scipy("betaincc"))

half_step, t_score = later("_half_step", 2), later("_t_score", 2)

TAIL = betainc_regularized(n / 2, HALF, 0, n / (n + x**2)) / 2

t_density = rule("_t_density", args=(n, x),
     value=(1 + x**2 / n)**(-(n + 1) / 2) / sqrt(n) / beta(n / 2, HALF),
     partials={n: out * t_score(n, x), x: -(n + 1) * x / (n + x**2) * out},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     numpy="support.t_density", c=scipy("stdtr"))

rule("_half_step", args=(n, x),
     value=polygamma(n, x + HALF) - polygamma(n, x) - (-1)**n * gamma(n + 1) / (2 * x**(n + 1)),
     partials={n: not_differentiable("the order is a whole number"), x: half_step(n + 1, x)},
     complex=real_only,
     domain={n: integers(0, 3), x: (0, oo)},
     note="the first term of the difference stands in the density of Student's t with the other "
          "sign; what is left has few digits as it stands",
     reference="DLMF 5.11, 5.15.8",
     numpy="support.half_step", c=scipy("polygamma"))

rule("_t_score", args=(n, x),
     value=(polygamma(0, n / 2 + HALF) - polygamma(0, n / 2) - 1 / n - log(1 + x**2 / n)
            + (1 + 1 / n) * x**2 / (n + x**2)) / 2,
     partials={n: half_step(1, n / 2) / 4
                  + x**2 / (n + x**2) / (2 * n) * ((x**2 - 1) / (n + x**2) - 1 / n),
               x: x * (1 - x**2) / (n + x**2)**2},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     note="the derivative of the logarithm of Student's density in n; the value as it stands has "
          "few digits where n is large",
     numpy="support.t_score", c=scipy("stdtr"))

t_slope = rule("_stdtr_n", args=(n, x), value=stdtr_n(n, x),
     partials={n: not_differentiable("the second derivative of Student's t in its degrees of "
                                     "freedom is missing"),
               x: t_density(n, x) * t_score(n, x)},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     note="within 5e-13 of mpmath for n from 1e-6 to 1e5 and all x down to values of 1e-280; by "
          "way of betainc it would be a difference without digits where n is large",
     numpy="support.stdtr_n", c=scipy("stdtr"))

rule("stdtr", args=(n, x), value=where(x < 0, TAIL, 1 - TAIL),
     partials={n: t_slope(n, x), x: t_density(n, x)},
     complex=real_only,
     domain={n: (0, oo), x: (-oo, oo)},
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.stdtr.html",
     numpy="special.stdtr", c=scipy("stdtr"))
