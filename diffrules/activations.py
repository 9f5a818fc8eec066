"""Rules of activation functions of neural networks."""

from __future__ import annotations

from sympy import Abs, And, Eq, Float, Or, Rational, exp, oo, pi, sqrt, tanh

from diffrules.errors import erfcx, erfcx_order, gauss, ndtr, normal_share
from diffrules.exponential import expm1, logaddexp
from diffrules.logistic import expit, parts, past
from diffrules.piecewise import HALF, maximum, minimum
from diffrules.powers import hypot
from diffrules.vocabulary import (
    indicator,
    later,
    out,
    point,
    real_only,
    rule,
    symbol,
    where,
    x,
)

a, d, h, p, q, r, s, t, u, w = (symbol(name) for name in "adhpqrstuw")
limit, other, slope = symbol("limit"), symbol("other"), symbol("slope")
# Klambauer et al. 2017, appendix A.1: mean 0 and variance 1 are a fixed point.
SCALE = Float("1.05070098735548049341933498529460", 32)
ALPHA = Float("1.67326324235437728481704299167170", 32)
SLOPE = Rational(1, 100)
QUARTER = Rational(1, 4)
CUBIC, STEEP = Rational(44715, 10**6), 2 * sqrt(2 / pi)
# Where the derivative is 0. Beside it the derivative is written as a sum of terms that all have
# the sign of the distance.
SILU = parts(Float("-1.27846454276107379510935873902298015543947749", 45))
MISH = parts(Float("-1.19243121451549521213758834042073940560068641", 45))
GELU_TANH = parts(Float("-0.752461422071016258487954443288916090605392178", 45))
# The exponentials there.
SILU_EXP = Float("0.278464542761073795109358739022980155439477", 42)
# MISH_EXP**2 + 4*MISH_EXP + 6 + 4*(the zero)
MISH_REST = Float("2.53630693228503931780378052078207170408225", 42)
MISH_EXP = Float("0.303482535281528928821436743539643058364491", 42)
GELU_TANH_ROOT = Float("-0.752461422071016258487954443288916090605392", 42)
GELU_TANH_EXP = Float("0.291955211914767134594976833278125805842226171", 42)
FLAX = "https://docs.jax.dev/en/latest/jax.nn.html"
TORCH = "https://docs.pytorch.org/docs/stable/nn.functional.html"

rule("relu", args=(x,), value=maximum(x, 0),
     partials={x: indicator(x > 0)},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: 0}, "the common choice"),
         point({x: -0.0}, {x: 0}, "the common choice")],
     ulp=4)

rule("leaky_relu", args=(x,), value=where(x > 0, x, SLOPE * x),
     partials={x: where(Eq(x, 0), (1 + SLOPE) / 2, where(x > 0, 1, SLOPE))},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: (1 + SLOPE) / 2}, "the mean of both sides")],
     ulp=4,
     note="slope 0.01 on the negative side")

elu = rule("elu", args=(x,), value=maximum(x, 0) + expm1(minimum(x, 0)), aliases=("celu",),
     partials={x: exp(minimum(x, 0))},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: 1}, "both sides agree")],
     ulp=4,
     note="alpha is 1, where celu is elu; for another alpha of celu write alpha * celu(x / alpha)",
     reference="Clevert et al. 2015, arXiv:1511.07289; Barron 2017, arXiv:1704.07483")

rule("selu", args=(x,),
     value=SCALE * maximum(x, 0) + SCALE * ALPHA * expm1(minimum(x, 0)),
     partials={x: where(x > 0, SCALE, where(x < 0, SCALE * ALPHA * exp(minimum(x, 0)),
                                            SCALE * (1 + ALPHA) / 2))},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: SCALE * (1 + ALPHA) / 2}, "the mean of both sides")],
     ulp=4,
     reference="Klambauer et al. 2017, arXiv:1706.02515")

rule("softplus", args=(x,), value=logaddexp(x, 0),
     partials={x: expit(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=4,
     note="log(1 + exp(x)) is inf from x = 710 on, and 0 below -37",
     numpy=logaddexp(x, 0))

rule("softsign", args=(x,), value=x / (1 + Abs(x)),
     let={t: 1 / (1 + Abs(x))},
     partials={x: t**2},
     complex=real_only,
     domain={x: (-oo, oo)},
     at=[point({x: 0.0}, {x: 1}, "both sides agree")],
     ulp=4,
     note="1/(1 + |x|)**2 leaves the float range at 1e154")

rule("silu", args=(x,), value=x / (1 + exp(-x)), aliases=("swish",),
     let={t: minimum(x, 0), d: past(t, *SILU), h: exp(t / 2), s: 1 + exp(t),
          w: (d + SILU_EXP * expm1(d)) / s * h / s},
     partials={x: where(x < 0, w * h, expit(x) * (1 + x * expit(-x)))},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     note="expit(x)*(1 + x*expit(-x)) has no digit left beside x = -1.28, and exp(x) has few below "
          "-708",
     reference="Elfwing et al. 2017, arXiv:1702.03118",
     numpy=where(x < 0, later("xexpx")(minimum(x, 0)) / (1 + exp(minimum(x, 0))),
                 x / (1 + exp(-maximum(x, 0)))))

gelu_rest = later("_gelu_rest")

rule("gelu", args=(x,), value=x * ndtr(x),
     let={t: minimum(x, -QUARTER), h: gauss(t, HALF / 2), w: h * gelu_rest(t) / sqrt(2 * pi)},
     partials={x: where(x < -QUARTER, w * h,
                        ndtr(x) + x * gauss(x, HALF) / sqrt(2 * pi))},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=8,
     note="ndtr loses 1600 ulp in its tail; ndtr(x) + x*density has no digit left beside x = "
          "-0.75; the form that keeps all digits costs 3 times the value",
     reference="Hendrycks and Gimpel 2016, arXiv:1606.08415",
     numpy=where(x < -1, x * gauss(x, HALF) * erfcx(-minimum(x, -1) / sqrt(2)) / 2, x * ndtr(x)))

rule("_gelu_rest", args=(x,), value=x + sqrt(2 * pi) * exp(x**2 / 2) * normal_share(x),
     partials={x: 1 + sqrt(pi) * erfcx_order(1, -x / sqrt(2))},
     complex=real_only,
     domain={x: (-oo, 0)},
     ulp=16,
     note="the derivative of gelu over the density: x plus Mills' ratio of -x",
     numpy="support.gelu_rest", c="support.gelu_rest")

gelu_gate = later("_gelu_gate")

rule("gelu_tanh", args=(x,), value=x / (1 + exp(-STEEP * x * (1 + CUBIC * x**2))),
     let={t: minimum(maximum(x, -40), 40), d: past(t, *GELU_TANH), s: t**2 + GELU_TANH_ROOT * t,
          a: STEEP * d * (1 + CUBIC * (s + GELU_TANH_ROOT**2)),
          p: STEEP * d * (1 + 3 * CUBIC * (s + GELU_TANH_ROOT**2)),
          h: gelu_gate(where(x < 0, t, -t)), q: 1 + h**2,
          w: (p + GELU_TANH_EXP * expm1(minimum(a, 40))) * h / q**2},
     partials={x: where(x < 0, w * h,
                        1 / q + STEEP * t * (1 + 3 * CUBIC * t**2) * h**2 / q**2)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=6,
     note="beyond 40 the derivative is 0 and 1, but the cube leaves the float range",
     reference="Hendrycks and Gimpel 2016, arXiv:1606.08415",
     numpy="support.gelu_tanh", c="support.gelu_tanh")

rule("_gelu_gate", args=(x,), value=exp(STEEP * x * (1 + CUBIC * x**2) / 2),
     partials={x: out * STEEP * (1 + 3 * CUBIC * x**2) / 2},
     complex=real_only,
     domain={x: (-26, 0)},
     ulp=4,
     note="the gate is expit of twice the exponent, whose rounding error, 500 ulp of the result in "
          "the tail, is undone",
     numpy="support.gelu_gate", c="support.gelu_gate")

# Their squares alone would overflow on the way to 0: exp(2*x) is what they become.
E, F = exp(minimum(x, 0)), exp(-maximum(x, 0))

rule("mish", args=(x,), value=x * exp(x) * (exp(x) + 2) / (exp(2 * x) + 2 * exp(x) + 2),
     let={t: minimum(maximum(x, -800), 0), s: exp(t), d: past(t, *MISH), a: MISH_EXP * expm1(d),
          p: a * (s**2 + (4 + MISH_EXP) * s + MISH_REST) + 4 * d * (1 + s),
          h: exp(t / 2), w: p * h / (s**2 + 2 * s + 2)**2, u: where(x < 0, 0, x), q: exp(-u),
          r: 1 + 2 * q + 2 * q**2},
     partials={x: where(x < 0, w * h, 1 - 2 * q**2 / r + 4 * u * q**2 * (1 + q) / r**2)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=6,
     note="x*tanh(log(1 + exp(x))); its derivative as it stands has no digit left beside -1.19, "
          "and few below -708",
     reference="Misra 2019, arXiv:1908.08681",
     numpy=where(x < 0, later("xexpx")(minimum(x, 0)) * (E + 2) / (1 + (1 + E)**2),
                 maximum(x, 0) * (1 + 2 * F) / (HALF + (1 + 2 * F)**2 / 2)))

rule("hard_tanh", args=(x,), value=minimum(maximum(x, -1), 1),
     partials={x: where(Eq(Abs(x), 1), HALF, indicator(Abs(x) < 1))},
     complex=real_only,
     domain=[{x: (-oo, -1)}, {x: (-1, 1)}, {x: (1, oo)}],
     at=[point({x: 1}, {x: HALF}, "the mean of both sides"),
         point({x: -1}, {x: HALF}, "the mean of both sides")],
     ulp=4,
     note="comparisons, and halves at the corners, cost 3 times the value")

rule("relu6", args=(x,), value=minimum(maximum(x, 0), 6),
     partials={x: where(Or(Eq(x, 0), Eq(x, 6)), HALF, indicator(And(x > 0, x < 6)))},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, 6)}, {x: (6, oo)}],
     at=[point({x: 0.0}, {x: HALF}, "the mean of both sides"),
         point({x: 6}, {x: HALF}, "the mean of both sides")],
     ulp=4,
     reference=TORCH)

rule("hard_sigmoid", args=(x,), value=minimum(maximum(x + 3, 0), 6) / 6,
     partials={x: where(Eq(Abs(x), 3), Rational(1, 12), indicator(Abs(x) < 3) / 6)},
     complex=real_only,
     domain=[{x: (-oo, -3)}, {x: (-3, 3)}, {x: (3, oo)}],
     at=[point({x: -3}, {x: Rational(1, 12)}, "the mean of both sides"),
         point({x: 3}, {x: Rational(1, 12)}, "the mean of both sides")],
     ulp=4,
     reference=TORCH)

rule("hard_silu", args=(x,), value=x * minimum(maximum(x + 3, 0), 6) / 6, aliases=("hard_swish",),
     let={t: minimum(maximum(x, -3), 3), a: 2 * t + 3},
     partials={x: where(x > 3, 1, where(Eq(x, 3), Rational(5, 4),
                  where(Eq(x, -3), -Rational(1, 4), where(x < -3, 0, a / 6))))},
     complex=real_only,
     domain=[{x: (-oo, -3)}, {x: (-3, 3)}, {x: (3, oo)}],
     at=[point({x: -3}, {x: -Rational(1, 4)}, "the mean of both sides"),
         point({x: 3}, {x: Rational(5, 4)}, "the mean of both sides")],
     ulp=4,
     reference="Howard et al. 2019, arXiv:1905.02244",
     numpy=where(x > 3, x, minimum(maximum(x, -3), 3) * maximum(minimum(x, 3) + 3, 0) / 6))

rule("hard_shrink", args=(x,), value=where(Abs(x) > HALF, x, 0),
     partials={x: indicator(Abs(x) > HALF)},
     complex=real_only,
     domain=[{x: (-oo, -HALF)}, {x: (-HALF, HALF)}, {x: (HALF, oo)}],
     at=[point({x: HALF}, {x: 0}, "a jump: the side the value is of"),
         point({x: -HALF}, {x: 0}, "a jump: the side the value is of")],
     ulp=4,
     note="what is at most 1/2 in size becomes 0",
     reference=TORCH)

rule("soft_shrink", args=(x,), value=x - minimum(maximum(x, -HALF), HALF),
     partials={x: where(Eq(Abs(x), HALF), HALF, indicator(Abs(x) > HALF))},
     complex=real_only,
     domain=[{x: (-oo, -HALF)}, {x: (-HALF, HALF)}, {x: (HALF, oo)}],
     at=[point({x: HALF}, {x: HALF}, "the mean of both sides"),
         point({x: -HALF}, {x: HALF}, "the mean of both sides")],
     ulp=4,
     note="what is at most 1/2 in size becomes 0, the rest comes nearer to 0 by 1/2",
     reference=TORCH,
     numpy=where(Abs(x) > HALF, x - minimum(maximum(x, -HALF), HALF), 0))

rule("tanh_shrink", args=(x,), value=x - tanh(x),
     partials={x: tanh(x)**2},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=6,
     reference=TORCH,
     numpy="support.tanh_shrink", c="support.tanh_shrink")

rule("threshold", args=(x, limit, other), value=where(x > limit, x, other),
     partials={x: indicator(x > limit), limit: 0, other: 1 - indicator(x > limit)},
     complex=real_only,
     domain=[{x: (0, oo), limit: (-oo, 0), other: (-oo, oo)},
             {x: (-oo, 0), limit: (0, oo), other: (-oo, oo)}],
     at=[point({x: 2, limit: 2, other: 5}, {x: 0, limit: 0, other: 1},
               "a jump: the side the value is of")],
     ulp=4,
     reference=TORCH)

rule("prelu", args=(x, slope), value=where(x > 0, x, slope * x),
     partials={x: where(Eq(x, 0), (1 + slope) / 2, where(x > 0, 1, slope)), slope: minimum(x, 0)},
     complex=real_only,
     domain=[{x: (-oo, 0), slope: (-oo, oo)}, {x: (0, oo), slope: (-oo, oo)}],
     at=[point({x: 0.0, slope: HALF}, {x: Rational(3, 4), slope: 0}, "the mean of both sides")],
     ulp=4,
     reference="He et al. 2015, arXiv:1502.01852",
     numpy=where(x > 0, x, slope * minimum(x, 0)))

rule("sparse_plus", args=(x,), value=where(x > 1, x, maximum(x + 1, 0)**2 / 4),
     partials={x: maximum(minimum(x, 1) + 1, 0) / 2},
     complex=real_only,
     domain=[{x: (-oo, -1)}, {x: (-1, 1)}, {x: (1, oo)}],
     at=[point({x: -1}, {x: 0}, "both sides agree"), point({x: 1}, {x: 1}, "both sides agree")],
     ulp=4,
     reference=FLAX,
     numpy=where(x > 1, x, minimum(maximum(x + 1, 0), 2)**2 / 4))

rule("sparse_sigmoid", args=(x,), value=minimum(maximum(x + 1, 0), 2) / 2,
     partials={x: where(Eq(Abs(x), 1), QUARTER, indicator(Abs(x) < 1) / 2)},
     complex=real_only,
     domain=[{x: (-oo, -1)}, {x: (-1, 1)}, {x: (1, oo)}],
     at=[point({x: -1}, {x: QUARTER}, "the mean of both sides"),
         point({x: 1}, {x: QUARTER}, "the mean of both sides")],
     ulp=4,
     reference=FLAX)

squareplus_slope = later("_squareplus_slope")

squareplus = rule("squareplus", args=(x,),
     value=where(x < 0, 2 / (sqrt(x**2 + 4) - x), (x + sqrt(x**2 + 4)) / 2),
     partials={x: squareplus_slope(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=4,
     note="the smoothing is 4, as in JAX and Keras",
     reference="Barron 2021, arXiv:2112.11687",
     numpy=where(x < 0, 1 / (hypot(x / 2, 1) - minimum(x, 0) / 2), x / 2 + hypot(x / 2, 1)))

rule("_squareplus_slope", args=(x,),
     value=where(x < 0, 2 / (x**2 + 4 - x * sqrt(x**2 + 4)), (1 + x / sqrt(x**2 + 4)) / 2),
     let={h: 1 / hypot(x, 2), q: h * h},
     partials={x: 2 * q * h},
     complex=real_only,
     domain={x: (-oo, oo)},
     ulp=4,
     note="the derivative of squareplus over its root is a difference without digits at 1e8",
     numpy=squareplus(x) / hypot(x, 2))
