"""Rules of gamma and beta functions."""

from __future__ import annotations

import sympy
from sympy import Abs, And, Rational, beta, gamma, log, oo, pi, polygamma, sign

from diffrules.trigonometric import cospi, sinpi
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

k, n, q, s, t = (symbol(name) for name in ("k", "n", "q", "s", "t"))
HALF = Rational(1, 2)

BETWEEN_POLES = [{x: (0, oo)}, {x: (-1, 0)}, {x: (-2, -1)}]

digamma = later("digamma")

trigamma = later("trigamma")

rule("gamma", args=(x,), value=gamma(x),
     partials={x: out * digamma(x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     reference="DLMF 5.2.2",
     numpy="special.gamma", c="tgamma")

rule("gammaln", args=(x,), value=log(Abs(gamma(x))),
     partials={x: digamma(x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     reference="DLMF 5.2.2",
     numpy="special.gammaln", math="math.lgamma", c="lgamma")

rule("rgamma", args=(x,), value=1 / gamma(x),
     let={s: where(x < HALF, x, 0), t: where(x < HALF, 1, x)},
     partials={x: where(x < HALF, gamma(1 - s) * (cospi(s) - sinpi(s) * digamma(1 - s) / pi),
                        -out * digamma(t))},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: 1}, "gamma has a pole, its reciprocal has none", value=0),
         point({x: -1}, {x: -1}, "gamma has a pole, its reciprocal has none", value=0),
         point({x: -2}, {x: 2}, "gamma has a pole, its reciprocal has none", value=0)],
     note="-out*digamma(x) is 0 times infinity at the poles of gamma; by reflection it is smooth",
     reference="DLMF 5.5.3",
     numpy="special.rgamma", c=scipy("rgamma"))

rule("gammasgn", args=(x,), value=sign(gamma(x)),
     partials={x: 0},
     complex=real_only,
     domain=BETWEEN_POLES,
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.gammasgn.html",
     numpy="special.gammasgn", c=scipy("gammasgn"))

rule("digamma", args=(x,), value=polygamma(0, x), aliases=("psi",),
     partials={x: trigamma(x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     reference="DLMF 5.2.2",
     numpy=("special.digamma", "special.psi"), c="support.digamma")

zeta = later("zeta", 2)

rule("trigamma", args=(x,), value=polygamma(1, x),
     partials={x: -2 * zeta(3, x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     reference="DLMF 5.15, 25.11.12",
     numpy=zeta(2, x))

rule("polygamma", args=(n, x), value=polygamma(n, x),
     partials={n: not_differentiable("the order is a whole number"),
               x: later("polygamma", 2)(n + 1, x)},
     complex=real_only,
     domain={n: integers(0, 5), x: (0, oo)},
     reference="DLMF 5.15",
     numpy="support.polygamma", c="support.polygamma")

rule("zeta", args=(s, q), value=sympy.zeta(s, q),
     partials={s: not_differentiable("SciPy has no derivative of the zeta function in s"),
               q: -s * zeta(s + 1, q)},
     complex=real_only,
     domain={s: (1, oo), q: (0, oo)},
     reference="DLMF 25.11.17",
     numpy="special.zeta", c="support.zeta")

step = later("_polygamma_step", 3)

rule("_polygamma_step", args=(n, x, y), value=polygamma(n, x + y) - polygamma(n, x),
     partials={n: not_differentiable("the order is a whole number"),
               x: step(n + 1, x, y), y: later("polygamma", 2)(n + 1, x + y)},
     complex=real_only,
     domain={n: integers(0, 3), x: (0, oo), y: (0, oo)},
     note="the difference as it stands has few digits where y is small beside x",
     reference="DLMF 5.11, 25.11.43",
     numpy="support.polygamma_step", c="support.polygamma_step")

rule("beta", args=(x, y), value=beta(x, y),
     partials={x: -out * step(0, x, y), y: -out * step(0, y, x)},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     reference="DLMF 5.12",
     numpy="special.beta", c=scipy("beta"))

rule("betaln", args=(x, y), value=log(Abs(beta(x, y))),
     partials={x: -step(0, x, y), y: -step(0, y, x)},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     reference="DLMF 5.12",
     numpy="special.betaln", c=scipy("betaln"))

rule("binom", args=(n, k), value=gamma(n + 1) / gamma(k + 1) / gamma(n - k + 1),
     partials={n: out * step(0, n - k + 1, k), k: out * step(0, k + 1, n - 2 * k)},
     complex=real_only,
     domain=And(k > 0, k < n, n < 100),
     reference="DLMF 1.2.6, 5.5.2",
     numpy="special.binom", c=scipy("binom"))
