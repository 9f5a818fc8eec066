"""Rules of exponentials and logarithms."""

from __future__ import annotations

from typing import Any

import mpmath
from sympy import Abs, And, Eq, Rational, cosh, exp, log, oo, tanh
from sympy.codegen import cfunctions

from diffrules.meanings import Meaning
from diffrules.vocabulary import (
    integers,
    isnan,
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

base, h, m, n, q, t, u, v, w = map(symbol, ("base", "h", "m", "n", "q", "t", "u", "v", "w"))
# Below the second one, products lose digits in either dtype.
HALF, TINY = Rational(1, 2), Rational(1, 2**126)


def shares() -> list[Any]:
    """Return the singular points of the logarithm of a sum of two exponentials."""
    return [
        point({x: 3, y: 3}, {x: HALF, y: HALF}, "equal shares"),
        point({x: oo, y: oo}, {x: HALF, y: HALF}, "equal shares", value=oo),
        point({x: -oo, y: -oo}, {x: HALF, y: HALF}, "equal shares", value=-oo),
        point({x: oo, y: 0}, {x: 1, y: 0}, "limit: x is all of the sum", value=oo),
        point({x: -oo, y: 0}, {x: 0, y: 1}, "limit: y is all of the sum", value=0),
    ]


def zero() -> list[Any]:
    """Return the singular points of a logarithm."""
    return [point({x: at}, {x: oo}, "limit from the right", value=-oo) for at in (0.0, -0.0)]


rule("exp", args=(x,), value=exp(x),
     partials={x: out},
     domain={x: (-oo, oo)},
     ulp=4)

exp2_slope, exp10_slope = later("_exp2_slope"), later("_exp10_slope")

exp2 = rule("exp2", args=(x,), value=2**x,
     partials={x: exp2_slope(x)},
     domain={x: (-oo, oo)},
     ulp=4,
     note="log(2)*out is inf in [1024, 1024.53), where the derivative is finite",
     numpy=("np.exp2", "special.exp2"), math="math.exp2", c="exp2")

rule("_exp2_slope", args=(x,), value=log(2) * 2**x,
     let={h: exp2(x / 2), q: log(2)**2 * h},
     partials={x: q * h},
     domain={x: (-oo, oo)},
     ulp=4,
     note="log(2)*2**x, the power in two halves",
     numpy="support.exp2_slope", math="support.exp2_slope_scalar", c="support.exp2_slope")

exp10 = rule("exp10", args=(x,), value=10**x,
     partials={x: exp10_slope(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=4,
     note="SciPy's function, and so out, is 0 already where the derivative is 5e-308",
     numpy="special.exp10", math=10**x)

rule("_exp10_slope", args=(x,), value=log(10) * 10**x,
     let={h: exp10(x / 2), q: log(10)**2 * h},
     partials={x: q * h},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=4,
     note="log(10)*10**x, the power in two halves",
     numpy="support.exp10_slope", c="support.exp10_slope")

expm1 = rule("expm1", args=(x,), value=cfunctions.expm1(x),
     partials={x: exp(x)},
     domain={x: (-oo, oo)},
     ulp=4,
     note="out + 1 is 0 beyond x = -37",
     numpy=("np.expm1", "special.expm1"))

rule("log", args=(x,), value=log(x),
     partials={x: 1 / Abs(x)},
     complex={x: 1 / x},
     domain={x: (0, oo)},
     at=zero(),
     ulp=1,
     note="the absolute value is for x = -0.0")

rule("log2", args=(x,), value=log(x) / log(2),
     partials={x: 1 / (Abs(x) * log(2))},
     complex={x: 1 / (x * log(2))},
     domain={x: (0, oo)},
     at=zero(),
     ulp=1,
     note="as for log",
     numpy="np.log2", math="math.log2", c="log2")

rule("log10", args=(x,), value=log(x) / log(10),
     partials={x: 1 / (Abs(x) * log(10))},
     complex={x: 1 / (x * log(10))},
     domain={x: (0, oo)},
     at=zero(),
     ulp=1,
     note="as for log",
     numpy="np.log10", math="math.log10", c="log10")

log1p = rule("log1p", args=(x,), value=cfunctions.log1p(x),
     partials={x: 1 / (1 + x)},
     domain={x: (-1, oo)},
     at=[point({x: -1}, {x: oo}, "limit from the right", value=-oo)],
     ulp=2,
     numpy=("np.log1p", "special.log1p"))

BASES = [{x: (0, oo), base: (0, 1)}, {x: (0, oo), base: (1, oo)}]
divide, reciprocal = later("divide", 2), later("reciprocal")
# q**2/(x*base) without leaving the float range: divided by the larger number first, at its ends.
MIXED = {q: 1 / log(base), m: x * base, w: q**2 / m, u: q**2 / base, v: q**2 / x}
mixed = where(And(m > TINY, w > 0), w, where(x < base, u / x, v / base))
slope_x, slope_base = later("_log_base_x", 2), later("_log_base_base", 2)

rule("log_base", args=(x, base), value=log(x) / log(base), aliases=("logb",),
     partials={x: slope_x(Abs(x), base), base: slope_base(x, base)},
     complex={x: 1 / (x * log(base)), base: -out / (base * log(base))},
     domain=BASES,
     at=[point({x: 0.0, base: 2}, {x: oo, base: oo}, "limit from the right", value=-oo)],
     ulp={x: 4, base: 6},
     note="the logarithm to any base; log2 and log10 are a little more precise. NumPy's float32 "
          "logarithm is off by 2 ulp, and is in the partial in the base three times")

rule("_log_base_x", args=(x, base), value=1 / (x * log(base)),
     let=MIXED,
     partials={x: -out / x, base: -mixed},
     complex=real_only,
     domain=BASES,
     note="in an order in which nothing leaves the float range early",
     numpy=divide(reciprocal(log(base)), x))

rule("_log_base_base", args=(x, base), value=-log(x) / (base * log(base)**2),
     let={**MIXED, t: out / base},
     partials={x: -mixed, base: -t * (1 + 2 * q)},
     complex=real_only,
     domain=BASES,
     note="as for the partial in x",
     numpy=-divide(log(x) / log(base)**2, base))

share, share2 = later("_share", 2), later("_share2", 2)
both_shares, both_shares2 = later("_both_shares", 2), later("_both_shares2", 2)
FINITE = {x: (-oo, oo), y: (-oo, oo)}

logaddexp = rule("logaddexp", args=(x, y), value=log(exp(x) + exp(y)),
     partials={x: share(x, y), y: share(y, x)},
     complex=real_only,
     domain=FINITE,
     at=shares(),
     ulp=4,
     note="exp(x - out) is off by 6e-11 near 1e6, and the rounding error of x - y is hundreds of "
          "ulp of its exponential",
     numpy="np.logaddexp",
     math=where(Eq(x, y), x + log(2), where(x > y, x + log1p(exp(y - x)), y + log1p(exp(x - y)))))

rule("_share", args=(x, y), value=1 / (1 + exp(y - x)),
     partials={x: both_shares(x, y), y: -both_shares(x, y)},
     complex=real_only,
     domain=FINITE,
     ulp=8,
     note="a share of a sum of exponentials",
     numpy="support.share", math="support.share_scalar", c="support.share")

rule("_both_shares", args=(x, y), value=1 / (4 * cosh((x - y) / 2)**2),
     let={u: x / 2, v: y / 2, t: out * tanh(u - v)},
     partials={x: -t, y: t},
     complex=real_only,
     domain=FINITE,
     ulp=8,
     note="the product of both shares; the derivative of such a product is a difference without "
          "digits where they are nearly equal",
     numpy=share(x, y) * share(y, x))

rule("logaddexp2", args=(x, y), value=log(2**x + 2**y) / log(2),
     partials={x: share2(x, y), y: share2(y, x)},
     complex=real_only,
     domain=FINITE,
     at=shares(),
     ulp=4,
     note="as for logaddexp",
     numpy="np.logaddexp2",
     math=where(Eq(x, y), x + 1, where(x > y, x + log1p(exp2(y - x)) / log(2),
                                       y + log1p(exp2(x - y)) / log(2))))

rule("_share2", args=(x, y), value=1 / (1 + 2**(y - x)),
     partials={x: both_shares2(x, y), y: -both_shares2(x, y)},
     complex=real_only,
     domain=FINITE,
     ulp=8,
     note="a share of a sum of powers of two",
     numpy="support.share2", math="support.share2_scalar", c="support.share2")

rule("_both_shares2", args=(x, y), value=log(2) / (4 * cosh(log(2) * (x - y) / 2)**2),
     let={u: x / 2, v: y / 2, h: log(2) * out, t: h * tanh(log(2) * (u - v))},
     partials={x: -t, y: t},
     complex=real_only,
     domain=FINITE,
     ulp=8,
     note="log(2) times the product of both shares, as _both_shares",
     numpy=log(2) * share2(x, y) * share2(y, x))


class exprel_derivative(Meaning):  # noqa: N801
    """The derivative of ``(exp(x) - 1)/x``, n times: the integral of t**n exp(xt), 0 to 1."""

    nargs = 2
    slow = False

    @staticmethod
    def numeric(n: Any, x: Any) -> Any:
        """Return it by the series of Kummer's function."""
        return mpmath.hyp1f1(n + 1, n + 2, x) / (n + 1)


exprel_order = later("_exprel", 2)

rule("exprel", args=(x,), value=(exp(x) - 1) / x,
     partials={x: exprel_order(1, x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     at=[point({x: 0}, {x: HALF}, "smooth: the value is its limit", value=1)],
     ulp=8,
     note="(exp(x) - out)/x has few digits near 0, and overflows before the derivative does; the "
          "form that keeps all digits costs 5 times the value",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.exprel.html",
     numpy="special.exprel", c=exprel_order(0, x))

rule("_exprel", args=(n, x), value=exprel_derivative(n, x),
     partials={n: not_differentiable("the order is a whole number"), x: exprel_order(n + 1, x)},
     complex=real_only,
     domain={n: integers(0, 3), x: (-oo, oo)},
     ulp=8,
     note="the derivative of exprel, n times: the integral of t**n*exp(x*t) from 0 to 1",
     reference="DLMF 13.4.1",
     numpy="support.exprel_order", c="support.exprel_order")

rule("powm1", args=(x, y), value=x**y - 1,
     partials={x: later("_power", 4)(1, 0, x, y), y: later("_power", 4)(0, 1, x, y)},
     complex=real_only,
     domain={x: (0, oo), y: (-oo, oo)},
     ulp=4,
     note="the partials of power",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.powm1.html",
     numpy="special.powm1", c=scipy("powm1"))

rule("ldexp", args=(x, y), value=x * 2**y,
     partials={x: later("ldexp", 2)(where(isnan(x), x, 1), y), y: 0},
     complex=real_only,
     domain={x: (-oo, oo), y: integers(-20, 20)},
     ulp=1,
     note="the choice is 1, in the dtype of x; the exponent is a whole number, so 0 in y",
     numpy="np.ldexp", math="math.ldexp", c="support.ldexp")
