"""Rules of hypergeometric functions in their argument."""

from __future__ import annotations

from sympy import Rational, gamma, hyper, oo, rf

from diffrules.vocabulary import (
    closed,
    integers,
    later,
    not_differentiable,
    real_only,
    refused,
    rule,
    scipy,
    symbol,
    x,
)

a, b, c, n, v, z = (symbol(name) for name in "abcnvz")
HALF = Rational(1, 2)
derivative, slope = later("_hyp0f1_derivative", 3), later("_hyp1f1_derivative", 4)
PARAMETER = not_differentiable("the derivatives in parameters have no closed form")

rule("hyp0f1", args=(v, z), value=hyper([], [v], z),
     partials={v: PARAMETER, z: derivative(1, v, z)},
     complex=real_only,
     domain=[{v: closed(HALF, 10), z: (0, oo)}, {v: closed(2, 10), z: (-1, 0)}],
     ulp=16,
     note="SciPy's values are off by up to 5000 ulp where they are large, and NaN beyond",
     reference="DLMF 16.3.1",
     numpy="special.hyp0f1", c=scipy("hyp0f1"))

rule("_hyp0f1_derivative", args=(n, v, z),
     value=hyper([], [v + n], z) * gamma(v) / gamma(v + n),
     partials={n: not_differentiable("a number of derivatives"), v: PARAMETER,
               z: derivative(n + 1, v, z)},
     complex=real_only,
     domain=[{n: integers(0, 3), v: closed(HALF, 10), z: (0, oo)},
             {n: integers(0, 3), v: closed(2, 10), z: (-1, 0)}],
     note="the derivative of order n in z of hyp0f1; the rounding error of v + n is undone",
     reference="DLMF 16.3.1, 10.39.9, 10.40.1",
     numpy="support.hyp0f1_derivative", c=scipy("hyp0f1"))

rule("hyp1f1", args=(a, b, x), value=hyper([a], [b], x),
     partials={a: PARAMETER, b: PARAMETER,
               x: slope(1, a, b, x)},
     complex=real_only,
     domain={a: closed(HALF, 5), b: closed(HALF, 5), x: closed(-30, 100)},
     ulp=256,
     note="SciPy's values are off by up to 150 ulp in this domain, but 1e-8 of them where a lacks "
          "2e-8 to 5; at infinity it does not end. The partial is summed by itself, within 16 ulp "
          "of positive x; 110 were measured between zeros at negative x. It costs 13 times the "
          "value",
     reference="DLMF 13.3.15",
     numpy="special.hyp1f1", c=scipy("hyp1f1"))

rule("_hyp1f1_derivative", args=(n, a, b, x),
     value=rf(a, n) / rf(b, n) * hyper([a + n], [b + n], x),
     partials={n: not_differentiable("a number of derivatives"), a: PARAMETER, b: PARAMETER,
               x: slope(n + 1, a, b, x)},
     complex=real_only,
     domain={n: integers(0, 3), a: closed(HALF, 5), b: closed(HALF, 5), x: closed(-30, 100)},
     note="the derivative of order n in x of hyp1f1",
     reference="DLMF 13.3.16, 13.2.39",
     numpy="support.hyp1f1_derivative", c=scipy("hyp1f1"))

rule("hyp2f1", args=(a, b, c, z), value=hyper([a, b], [c], z),
     partials={a: PARAMETER, b: PARAMETER, c: PARAMETER,
               z: a * b / c * later("hyp2f1", 4)(a + 1, b + 1, c + 1, z)},
     complex=real_only,
     domain={a: closed(HALF, 3), b: closed(HALF, 3), c: closed(HALF, 5),
             z: (-HALF, Rational(9, 10))},
     ulp=64,
     note="SciPy's values are off by up to 120 ulp in this domain; beyond z = -1 by up to 4e4 ulp",
     reference="DLMF 15.5.1",
     numpy="special.hyp2f1", c=scipy("hyp2f1"))

refused("SciPy's values have 7 digits between x = 6 and x = 100, and no derivative of full "
        "precision can be made of them; the derivative in x is -a*hyperu(a + 1, b + 1, x)",
        "special.hyperu")
