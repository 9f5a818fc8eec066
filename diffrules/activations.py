"""Rules of activation functions, and of the logarithms and exponentials that go with them."""

from __future__ import annotations

from sympy import Abs, Eq, Float, Rational, exp, oo, pi, sqrt, tanh

from diffrules.errors import gauss, ndtr
from diffrules.exponential import expm1, logaddexp
from diffrules.hyperbolic import sech
from diffrules.logistic import expit
from diffrules.piecewise import HALF, maximum, minimum
from diffrules.vocabulary import indicator, point, real_only, rule, symbol, where, x

a, t, w = symbol("a"), symbol("t"), symbol("w")
# Klambauer et al. 2017, appendix A.1: mean 0 and variance 1 are a fixed point.
SCALE = Float("1.05070098735548049341933498529460", 32)
ALPHA = Float("1.67326324235437728481704299167170", 32)
SLOPE = Rational(1, 100)
CUBIC = Rational(44715, 10**6)

rule("relu", args=(x,), value=maximum(x, 0),
     partials={x: indicator(x > 0)},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: 0}, "the common choice"),
         point({x: -0.0}, {x: 0}, "the common choice")])

rule("leaky_relu", args=(x,), value=where(x > 0, x, SLOPE * x),
     partials={x: where(Eq(x, 0), (1 + SLOPE) / 2, where(x > 0, 1, SLOPE))},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: (1 + SLOPE) / 2}, "the mean of both sides")],
     note="slope 0.01 on the negative side")

elu = rule("elu", args=(x,), value=maximum(x, 0) + expm1(minimum(x, 0)), aliases=("celu",),
     partials={x: exp(minimum(x, 0))},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: 1}, "both sides agree")],
     note="alpha is 1, where celu is elu; for another alpha of celu write alpha * celu(x / alpha)",
     reference="Clevert et al. 2015, arXiv:1511.07289; Barron 2017, arXiv:1704.07483")

rule("selu", args=(x,),
     value=SCALE * maximum(x, 0) + SCALE * ALPHA * expm1(minimum(x, 0)),
     partials={x: where(x > 0, SCALE, where(x < 0, SCALE * ALPHA * exp(minimum(x, 0)),
                                            SCALE * (1 + ALPHA) / 2))},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: SCALE * (1 + ALPHA) / 2}, "the mean of both sides")],
     reference="Klambauer et al. 2017, arXiv:1706.02515")

rule("softplus", args=(x,), value=logaddexp(x, 0),
     partials={x: expit(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     note="log(1 + exp(x)) is inf from x = 710 on, and 0 below -37",
     numpy=logaddexp(x, 0))

rule("softsign", args=(x,), value=x / (1 + Abs(x)),
     let={t: 1 / (1 + Abs(x))},
     partials={x: t**2},
     complex=real_only,
     domain={x: (-oo, oo)},
     at=[point({x: 0.0}, {x: 1}, "both sides agree")],
     note="1/(1 + |x|)**2 leaves the float range at 1e154")

rule("silu", args=(x,), value=x * expit(x), aliases=("swish",),
     partials={x: expit(x) * (1 + x * expit(-x))},
     complex=real_only,
     domain={x: (-oo, oo)},
     reference="Elfwing et al. 2017, arXiv:1702.03118")

rule("gelu", args=(x,), value=x * ndtr(x),
     partials={x: ndtr(x) + x * gauss(x, HALF) / sqrt(2 * pi)},
     complex=real_only,
     domain={x: (-oo, oo)},
     note="(1 + erf(x/sqrt(2)))/2 in the place of ndtr is 0 below -8.3",
     reference="Hendrycks and Gimpel 2016, arXiv:1606.08415")

rule("gelu_tanh", args=(x,), value=x * expit(2 * sqrt(2 / pi) * x * (1 + CUBIC * x**2)),
     let={t: minimum(maximum(x, -40), 40), a: 2 * sqrt(2 / pi) * (1 + 3 * CUBIC * t**2),
          w: 2 * sqrt(2 / pi) * t * (1 + CUBIC * t**2)},
     partials={x: expit(w) * (1 + t * a * expit(-w))},
     complex=real_only,
     domain={x: (-oo, oo)},
     note="(1 + tanh(w/2))/2 in the place of expit(w) is 0 below -5. Beyond 40 the derivative is "
          "0 and 1, but the cube leaves the float range",
     reference="Hendrycks and Gimpel 2016, arXiv:1606.08415")

rule("mish", args=(x,), value=x * tanh(logaddexp(x, 0)),
     let={t: logaddexp(x, 0)},
     partials={x: tanh(t) + x * sech(t)**2 * expit(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     reference="Misra 2019, arXiv:1908.08681")

rule("hard_tanh", args=(x,), value=minimum(maximum(x, -1), 1),
     partials={x: where(Eq(Abs(x), 1), HALF, indicator(Abs(x) < 1))},
     complex=real_only,
     domain=[{x: (-oo, -1)}, {x: (-1, 1)}, {x: (1, oo)}],
     at=[point({x: 1}, {x: HALF}, "the mean of both sides"),
         point({x: -1}, {x: HALF}, "the mean of both sides")])
