"""Rules of distribution functions, and of their inverses in each argument."""

from __future__ import annotations

import math
from typing import Any

from sympy import (
    And,
    Eq,
    Mod,
    Rational,
    beta,
    betainc_regularized,
    exp,
    gamma,
    log,
    lowergamma,
    oo,
    uppergamma,
)

from diffrules.domains import Domain, interval
from diffrules.errors import ndtri, ndtri_slope
from diffrules.incomplete import (
    INVERSE,
    POSITIVE,
    SHARE,
    SOME,
    UPPER,
    SlopeOf,
    beta_density,
    beta_lag_a,
    beta_lag_b,
    beta_slope_a,
    beta_slope_b,
    betainccinv,
    excess,
    gamma_density,
    gamma_lag,
    gamma_score,
    gamma_slope,
    log_rest,
    missing,
    over_gamma,
)
from diffrules.inverses import inverse_of
from diffrules.vocabulary import (
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
    y,
)

a, b, dfd, dfn, k, m, mn, n, p, s, std, v = (
    symbol(name)
    for name in ("a", "b", "dfd", "dfn", "k", "m", "mn", "n", "p", "s", "std", "v")
)
WHOLE = not_differentiable("it is a whole number")
gammaincinv, gammainccinv = later("gammaincinv", 2), later("gammainccinv", 2)
ANY, UNIT = (0, oo), (0, 1)
# Where functions continued to all numbers reach 0, the inverses that SciPy has end.
MARGIN = Rational(1, 1000)
COSTLY = "the derivatives in shapes are integrals that cost 20 times the function"

def of_scipy(name: str) -> dict[str, Any]:
    """Return the fields that all entries here have alike."""
    page = f"https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.{name}.html"
    return {"complex": real_only, "reference": page, "numpy": f"special.{name}", "c": scipy(name)}

# The gamma distribution, and chi squared: a gamma distribution of half the degrees of freedom.

chdtr_density = later("_chdtr_density", 2)

rule("_chdtr_density", args=(v, x), value=(x / 2)**(v / 2 - 1) * exp(-x / 2) / gamma(v / 2) / 2,
     let={s: where(Eq(out, 0), 1, x), k: where(And(v >= 2, Eq(x, 0)), 1, 0)},
     partials={v: out * gamma_score(v / 2, s / 2) / 2,
               x: where(k > 0, (chdtr_density(where(k > 0, v - 2, 1), x) - out) / 2,
                        out / where(k > 0, 1, x) * (v / 2 - 1 - x / 2))},
     complex=real_only,
     domain={v: ANY, x: ANY},
     ulp={out: 8},
     note="halves of subnormal numbers would lose the last bit",
     numpy="support.chdtr_density", c=scipy("chdtr"))

rule("chdtr", args=(v, x), value=lowergamma(v / 2, x / 2) / gamma(v / 2),
     partials={v: gamma_slope(v / 2, x / 2) / 2, x: chdtr_density(v, x)},
     domain={v: ANY, x: ANY},
     ulp={v: 16, x: 8},
     note=COSTLY,
     **of_scipy("chdtr"))

rule("chdtrc", args=(v, x), value=uppergamma(v / 2, x / 2) / gamma(v / 2),
     partials={v: -gamma_slope(v / 2, x / 2) / 2, x: -chdtr_density(v, x)},
     domain={v: ANY, x: ANY},
     ulp={v: 16, x: 8},
     note=COSTLY,
     **of_scipy("chdtrc"))

rule("chdtri", args=(v, p), value=2 * gammainccinv(v / 2, p),
     partials={v: gamma_lag(v / 2, out / 2), p: -2 * over_gamma(v / 2, out / 2)},
     domain={v: SOME, p: UNIT},
     ulp={p: 1024},
     note=INVERSE,
     **of_scipy("chdtri"))

gamma_shape = inverse_of("gammainc", 2, 0, POSITIVE, rising=False)

rule("chdtriv", args=(p, x), value=2 * gamma_shape(p, x / 2),
     partials={p: 2 / gamma_slope(out / 2, x / 2), x: 1 / gamma_lag(out / 2, x / 2)},
     domain={p: UNIT, x: ANY},
     note=INVERSE + ": SciPy's is off by 7e12 ulp at p = 5e-324, and by 2e12 at x = 1.5e-323; of "
                    "normal numbers 860 ulp were measured in p",
     **of_scipy("chdtriv"))

gdtr_density = later("_gdtr_density", 3)

rule("_gdtr_density", args=(a, b, x), value=a**b * x**(b - 1) * exp(-a * x) / gamma(b),
     partials={a: out / a * (b - a * x), b: out * gamma_score(b, a * x),
               x: out / x * (b - 1 - a * x)},
     complex=real_only,
     domain={a: ANY, b: ANY, x: ANY},
     ulp={out: 8},
     note="the product of a and x is taken with the digits of two doubles",
     numpy="support.gdtr_density", c=scipy("gdtr"))

rule("gdtr", args=(a, b, x), value=lowergamma(b, a * x) / gamma(b),
     partials={a: gdtr_density(x, b, a), b: gamma_slope(b, a * x), x: gdtr_density(a, b, x)},
     domain={a: ANY, b: ANY, x: ANY},
     ulp={a: 8, x: 8},
     note=f"{COSTLY}; the rounding of a*x enters that in b",
     **of_scipy("gdtr"))

rule("gdtrc", args=(a, b, x), value=uppergamma(b, a * x) / gamma(b),
     partials={a: -gdtr_density(x, b, a), b: -gamma_slope(b, a * x), x: -gdtr_density(a, b, x)},
     domain={a: ANY, b: ANY, x: ANY},
     ulp={a: 8, x: 8},
     note=f"{COSTLY}; the rounding of a*x enters that in b",
     **of_scipy("gdtrc"))

rule("gdtria", args=(p, b, x), value=gammaincinv(b, p) / x,
     partials={p: 1 / gdtr_density(x, b, out), b: gamma_lag(b, out * x) / x, x: -out / x},
     domain={p: UNIT, b: SOME, x: ANY},
     note=INVERSE + "; the derivatives in shapes are integrals that cost 3 times the value",
     **of_scipy("gdtria"))

rule("gdtrib", args=(a, p, x), value=gamma_shape(p, a * x),
     partials={a: x / gamma_lag(out, a * x), p: 1 / gamma_slope(out, a * x),
               x: a / gamma_lag(out, a * x)},
     domain={a: ANY, p: UNIT, x: ANY},
     note=INVERSE,
     **of_scipy("gdtrib"))

rule("gdtrix", args=(a, b, p), value=gammaincinv(b, p) / a,
     partials={a: -out / a, b: gamma_lag(b, a * out) / a, p: 1 / gdtr_density(a, b, out)},
     domain={a: ANY, b: SOME, p: UNIT},
     note=INVERSE,
     **of_scipy("gdtrix"))

# Poisson's distribution.

whole = rule("_whole", args=(x,), value=x - Mod(x, 1),
     partials={x: 0},
     domain={x: (-oo, oo)},
     complex=real_only,
     note="of a whole number of Python NumPy's floor is a float64, and makes one of float32",
     numpy="support.whole", math="support.whole_scalar", c="floor")

rule("pdtr", args=(k, m), value=uppergamma(k + 1, m) / gamma(k + 1),
     partials={k: WHOLE, m: -gamma_density(whole(k) + 1, m)},
     domain={k: integers(0, oo), m: ANY},
     ulp=8,
     **of_scipy("pdtr"))

rule("pdtrc", args=(k, m), value=lowergamma(k + 1, m) / gamma(k + 1),
     partials={k: WHOLE, m: gamma_density(whole(k) + 1, m)},
     domain={k: integers(0, oo), m: ANY},
     ulp=8,
     **of_scipy("pdtrc"))

rule("pdtri", args=(k, y), value=gammainccinv(k + 1, y),
     partials={k: WHOLE, y: -over_gamma(whole(k) + 1, out)},
     domain={k: integers(0, oo), y: UNIT},
     ulp=1024,
     note=INVERSE,
     **of_scipy("pdtri"))

rule("pdtrik", args=(p, m),
     value=inverse_of("pdtr", 2, 0, POSITIVE)(p, m),
     partials={p: -1 / gamma_slope(out + 1, m), m: 1 / gamma_lag(out + 1, m)},
     domain=Domain((p, m), ({p: interval(UNIT), m: interval((0, 100))},), log(p) + m > MARGIN),
     ulp={p: 128, m: 16},
     note="of the function of all positive numbers k that has the same values at whole ones",
     **of_scipy("pdtrik"))

# The beta distribution in its shapes.

beta_a = inverse_of("betainc", 3, 0, POSITIVE, rising=False)
beta_b = inverse_of("betainc", 3, 1, POSITIVE)

rule("btdtria", args=(p, b, x), value=beta_a(p, b, x),
     let={s: beta_lag_a(out, b, x)},
     partials={p: 1 / beta_slope_a(out, b, x), b: -beta_lag_b(out, b, x) / s, x: 1 / s},
     domain={p: UNIT, b: ANY, x: UNIT},
     note=INVERSE + "; the derivatives in shapes are integrals that cost 10 times the value",
     **of_scipy("btdtria"))

rule("btdtrib", args=(a, p, x), value=beta_b(a, p, x),
     let={s: beta_lag_b(a, out, x)},
     partials={a: -beta_lag_a(a, out, x) / s, p: 1 / beta_slope_b(a, out, x), x: 1 / s},
     domain={a: ANY, p: UNIT, x: UNIT},
     note=INVERSE + "; the derivatives in shapes are integrals that cost 8 times the value",
     **of_scipy("btdtrib"))

# The binomial distribution, and that of failures before the n-th success.

TRIALS = Domain((k, n, p), ({k: integers(0, 40), n: integers(1, 60), p: interval(UNIT)},), k < n)
CONTINUED = "of the function of all positive numbers k and n that has the same values at whole ones"

rule("bdtr", args=(k, n, p), value=betainc_regularized(n - k, k + 1, 0, 1 - p),
     let={s: n - whole(k)},
     partials={k: WHOLE, n: WHOLE, p: where(k < n, -beta_density(whole(k) + 1, s, p), 0)},
     domain=TRIALS,
     ulp=8,
     note="the form that keeps all digits costs 7 times the value",
     **of_scipy("bdtr"))

rule("bdtrc", args=(k, n, p), value=betainc_regularized(k + 1, n - k, 0, p),
     let={s: n - whole(k)},
     partials={k: WHOLE, n: WHOLE, p: where(k < n, beta_density(whole(k) + 1, s, p), 0)},
     domain=TRIALS,
     ulp=8,
     note="the form that keeps all digits costs 8 times the value",
     **of_scipy("bdtrc"))

rule("bdtri", args=(k, n, y), value=inverse_of("bdtr", 3, 2, SHARE, rising=False)(k, n, y),
     let={m: whole(k) + 1, v: n - whole(k),
          s: where(UPPER, later("nbdtri", 3)(whole(k), v, y), out)},
     partials={k: WHOLE, n: WHOLE,
               y: -1 / where(UPPER, beta_density(v, m, s), beta_density(m, v, s))},
     domain=Domain((k, n, y), ({k: integers(0, 40), n: integers(1, 60), y: interval(UNIT)},),
                   k < n),
     note=f"{INVERSE}; above 1/2 at what it lacks to 1, by nbdtri, which has few digits for "
          "subnormal y; SciPy's betaincinv is NaN at 73% of all y below 1e-100 for k = 3, n = 7",
     **of_scipy("bdtri"))

def second(*args: Any) -> Any:
    """Return the number of trials."""
    return args[1]

successes = inverse_of("bdtr", 3, 0, (0.0, second))
OF_BDTRIK = Domain((y, n, p), ({y: interval(UNIT), n: interval((2, 40)), p: interval(UNIT)},),
                   log(y) - n * log(1 - p) > MARGIN)
failures = later("_bdtrik_failures", 3)
WITH_FAILURES = {m: failures(y, n, p), k: n - m + 1,
                 s: beta_lag_a(k, m, p) - beta_lag_b(k, m, p)}

rule("bdtrik", args=(y, n, p), value=successes(y, n, p),
     let=WITH_FAILURES,
     partials={y: 1 / (beta_density(k, m, p) * s), n: -beta_lag_b(k, m, p) / s, p: 1 / s},
     domain=OF_BDTRIK,
     ulp={y: 64},
     off=3e-11,
     note=f"{CONTINUED}; the partials are those at the digits that the value lacks"
          + "; the derivatives in shapes are integrals that cost 67 times the value",
     **of_scipy("bdtrik"))

rule("_bdtrik_failures", args=(y, n, p), value=n - successes(y, n, p),
     let={**WITH_FAILURES, m: out},
     partials={y: -1 / (beta_density(k, m, p) * s), n: beta_lag_a(k, m, p) / s, p: -1 / s},
     complex=real_only,
     domain=OF_BDTRIK,
     note="the difference as it stands has few digits where nearly all trials are successes",
     numpy="support.bdtrik_failures", c=scipy("bdtrik"))

def first(*args: Any) -> Any:
    """Return the number of successes."""
    return args[0]

rule("bdtrin", args=(k, y, p),
     value=inverse_of("bdtr", 3, 1, (first, math.inf), rising=False)(k, y, p),
     let={s: beta_lag_b(k + 1, out - k, p)},
     partials={k: 1 - beta_lag_a(k + 1, out - k, p) / s, y: -1 / beta_slope_b(k + 1, out - k, p),
               p: 1 / s},
     domain={k: (0, 40), y: UNIT, p: UNIT},
     note=CONTINUED
          + "; the derivatives in shapes are integrals that cost 8 times the value",
     **of_scipy("bdtrin"))

rule("nbdtr", args=(k, n, p), value=betainc_regularized(n, k + 1, 0, p),
     partials={k: WHOLE, n: WHOLE, p: beta_density(n, k + 1, p)},
     domain={k: integers(0, 40), n: integers(1, 40), p: UNIT},
     ulp=8,
     note="the form that keeps all digits costs 10 times the value",
     **of_scipy("nbdtr"))

rule("nbdtrc", args=(k, n, p), value=betainc_regularized(k + 1, n, 0, 1 - p),
     partials={k: WHOLE, n: WHOLE, p: -beta_density(n, k + 1, p)},
     domain={k: integers(0, 40), n: integers(1, 40), p: UNIT},
     ulp=8,
     note="the form that keeps all digits costs 10 times the value",
     **of_scipy("nbdtrc"))

rule("nbdtri", args=(k, n, y), value=inverse_of("nbdtr", 3, 2, SHARE)(k, n, y),
     let={m: k + 1, a: where(UPPER, m, n), b: where(UPPER, n, m),
          s: where(UPPER, betainccinv(m, n, y), out)},
     partials={k: WHOLE, n: WHOLE, y: 1 / beta_density(a, b, s)},
     domain={k: integers(0, 40), n: integers(1, 40), y: UNIT},
     note=f"{INVERSE}; above 1/2 at what it lacks to 1. SciPy's value is off by 4e13 ulp at "
          "y = 4e-323; of normal numbers 1000 ulp were measured in y",
     **of_scipy("nbdtri"))

rule("nbdtrik", args=(y, n, p), value=inverse_of("nbdtr", 3, 0, POSITIVE)(y, n, p),
     let={s: beta_lag_b(n, out + 1, p)},
     partials={y: 1 / beta_slope_b(n, out + 1, p), n: -beta_lag_a(n, out + 1, p) / s, p: 1 / s},
     domain=Domain((y, n, p), ({y: interval(UNIT), n: interval((0, 40)), p: interval(UNIT)},),
                   log(y) - n * log(p) > MARGIN),
     note=CONTINUED
          + "; the derivatives in shapes are integrals that cost 9 times the value",
     **of_scipy("nbdtrik"))

rule("nbdtrin", args=(k, y, p),
     value=inverse_of("nbdtr", 3, 1, POSITIVE, rising=False)(k, y, p),
     let={s: beta_lag_a(out, k + 1, p)},
     partials={k: -beta_lag_b(out, k + 1, p) / s, y: 1 / beta_slope_a(out, k + 1, p), p: 1 / s},
     domain={k: (0, 40), y: UNIT, p: UNIT},
     note=CONTINUED
          + "; the derivatives in shapes are integrals that cost 9 times the value",
     **of_scipy("nbdtrin"))

# Fisher's F.

class fdtr_dfn(SlopeOf):  # noqa: N801
    """The derivative of ``fdtr(dfn, dfd, x)`` in ``dfn``."""

    entry, orders = "fdtr", (1, 0, 0)

class fdtr_dfd(SlopeOf):  # noqa: N801
    """The derivative of ``fdtr(dfn, dfd, x)`` in ``dfd``."""

    entry, orders = "fdtr", (0, 1, 0)

SHARED = {s: dfd + dfn * x}
SCORES = {dfn: (excess(0, dfn / 2, dfd / 2) - log_rest(dfd * (x - 1) / s)) / 2,
          dfd: (excess(0, dfd / 2, dfn / 2) - log_rest(dfn * (1 - x) / s)) / 2,
          x: (dfn / 2 - 1) / x - (dfn + dfd) * dfn / (2 * s)}
OF_FISHER = missing("Fisher's distribution", dfn, dfd)
BOX = {dfn: ANY, dfd: ANY, x: ANY}
TWICE = ("the derivative of the density in dfn or dfd changes its sign twice; near the root of "
         "its integral digits are lost: up to 200 ulp were measured")

fdtr_density = rule("_fdtr_density", args=(dfn, dfd, x),
     value=dfn**(dfn / 2) * dfd**(dfd / 2) * x**(dfn / 2 - 1) / beta(dfn / 2, dfd / 2)
           * (dfd + dfn * x)**(-(dfn + dfd) / 2),
     let=SHARED,
     partials={arg: out * score for arg, score in SCORES.items()},
     complex=real_only,
     domain=BOX,
     note="in terms of the rounded variable of betainc it has few digits",
     numpy="support.fdtr_density", c=scipy("fdtr"))

fdtr_slope_dfn, fdtr_slope_dfd = (
    rule(f"_fdtr_{arg}", args=(dfn, dfd, x), value=slope(dfn, dfd, x),
         let=SHARED,
         partials={dfn: OF_FISHER, dfd: OF_FISHER,
                   x: fdtr_density(dfn, dfd, x) * SCORES[arg]},
         complex=real_only,
         domain=BOX,
         note=TWICE,
         numpy=f"support.fdtr_{arg}", c=scipy("fdtr"))
    for arg, slope in ((dfn, fdtr_dfn), (dfd, fdtr_dfd))
)

fdtr_lag_dfn, fdtr_lag_dfd = (
    rule(f"_fdtr_lag_{arg}", args=(dfn, dfd, x),
         value=-slope(dfn, dfd, x) / fdtr_density(dfn, dfd, x),
         let=SHARED,
         partials={dfn: OF_FISHER, dfd: OF_FISHER,
                   x: -SCORES[arg] - out * SCORES[x]},
         complex=real_only,
         domain=BOX,
         note=TWICE,
         numpy=f"support.fdtr_lag_{arg}", c=scipy("fdtr"))
    for arg, slope in ((dfn, fdtr_dfn), (dfd, fdtr_dfd))
)

BELOW = betainc_regularized(dfn / 2, dfd / 2, 0, dfn * x / (dfd + dfn * x))
ABOVE = betainc_regularized(dfd / 2, dfn / 2, 0, dfd / (dfd + dfn * x))

rule("fdtr", args=(dfn, dfd, x), value=BELOW,
     partials={dfn: fdtr_slope_dfn(dfn, dfd, x), dfd: fdtr_slope_dfd(dfn, dfd, x),
               x: fdtr_density(dfn, dfd, x)},
     domain=BOX,
     ulp={x: 8},
     note=f"{COSTLY}; {TWICE}",
     **of_scipy("fdtr"))

rule("fdtrc", args=(dfn, dfd, x), value=ABOVE,
     partials={dfn: -fdtr_slope_dfn(dfn, dfd, x), dfd: -fdtr_slope_dfd(dfn, dfd, x),
               x: -fdtr_density(dfn, dfd, x)},
     domain=BOX,
     ulp={x: 8},
     note=f"{COSTLY}; {TWICE}",
     **of_scipy("fdtrc"))

rule("fdtri", args=(dfn, dfd, p), value=inverse_of("fdtr", 3, 2, POSITIVE)(dfn, dfd, p),
     partials={dfn: fdtr_lag_dfn(dfn, dfd, out), dfd: fdtr_lag_dfd(dfn, dfd, out),
               p: 1 / fdtr_density(dfn, dfd, out)},
     domain={dfn: SOME, dfd: SOME, p: UNIT},
     note=INVERSE + "; the derivatives in shapes are integrals that cost 14 times the value",
     **of_scipy("fdtri"))

rule("fdtridfd", args=(dfn, p, x), value=inverse_of("fdtr", 3, 1, POSITIVE)(dfn, p, x),
     let={s: fdtr_lag_dfd(dfn, out, x)},
     partials={dfn: -fdtr_lag_dfn(dfn, out, x) / s, p: 1 / fdtr_slope_dfd(dfn, out, x), x: 1 / s},
     domain={dfn: (1, 20), p: (Rational(1, 20), Rational(9, 10)), x: (3, 6)},
     note="in the domain given there is one such number; elsewhere there can be none, or two; the "
          "derivatives in shapes are integrals that cost 12 times the value",
     **of_scipy("fdtridfd"))

# Parameters of the normal distribution.

rule("nrdtrimn", args=(p, std, x), value=x - std * ndtri(p),
     partials={p: -std * ndtri_slope(p), std: -ndtri(p), x: 1},
     domain={p: UNIT, std: ANY, x: (-oo, oo)},
     ulp={std: 8, x: 8},
     **of_scipy("nrdtrimn"))

rule("nrdtrisd", args=(mn, p, x), value=(x - mn) / ndtri(p),
     partials={mn: -1 / ndtri(p), p: -(out / ndtri(p)) * ndtri_slope(p), x: 1 / ndtri(p)},
     domain=And((x - mn) * (p - Rational(1, 2)) > 0, p > 0, p < 1),
     ulp={mn: 8, x: 8},
     note="in p 39 ulp were measured next to p = 1/2",
     **of_scipy("nrdtrisd"))
