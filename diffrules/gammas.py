"""Rules of gamma and beta functions."""

from __future__ import annotations

from typing import Any

import mpmath
import sympy
from sympy import Abs, And, Rational, beta, gamma, log, oo, pi, polygamma, sign

from diffrules.meanings import Meaning
from diffrules.piecewise import maximum
from diffrules.trigonometric import cospi, sinpi
from diffrules.vocabulary import (
    integers,
    later,
    not_differentiable,
    out,
    point,
    real_only,
    refused,
    rule,
    scipy,
    symbol,
    where,
    x,
    y,
)

h, k, m, n, q, r, s, t, z = (symbol(name) for name in "hkmnqrstz")
HALF = Rational(1, 2)

BETWEEN_POLES = [{x: (0, oo)}, {x: (-1, 0)}, {x: (-2, -1)}]

psi, trigamma = later("_psi"), later("trigamma")
mirrored = later("_psi_mirrored")


class inverse_psi(Meaning):  # noqa: N801
    """The positive number whose digamma is x."""

    nargs = 1

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """Return one over the derivative of digamma there."""
        return 1 / polygamma(1, self)

    @staticmethod
    def numeric(at: Any) -> Any:
        """Return it by Newton's method from below, where digamma is concave."""
        enough = mpmath.eps * 8
        # The digits of the root are those of digamma behind the point.
        with mpmath.extraprec(20 + max(0, mpmath.mag(at))):
            found = 1 / (mpmath.psi(0, 1) - at) if at < -3 else mpmath.exp(at) + mpmath.mpf(1) / 4
            for _ in range(200):
                step = (mpmath.psi(0, found) - at) / mpmath.psi(1, found)
                found = found - step if step < found else found / 2
                if abs(step) <= abs(found) * enough:
                    break
            else:
                raise ValueError(f"Newton's method does not end for {at}")
        return +found


class gamma_ratio(Meaning):  # noqa: N801
    """Pochhammer's symbol, ``gamma(z + m) / gamma(z)``."""

    nargs = 2
    slow = False

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """Return it times a difference of digamma functions, or times one of them."""
        z, m = self.args
        less = polygamma(0, z) if argindex == 1 else 0
        return self * (polygamma(0, z + m) - less)

    @staticmethod
    def numeric(z: Any, m: Any) -> Any:
        """Return it with the digits that the sum and the logarithms lose where z is large."""
        with mpmath.extraprec(20 + 2 * max(0, mpmath.mag(z))):
            found = mpmath.gamma(z + m) / mpmath.gamma(z)
        return +found


rule("gamma", args=(x,), value=gamma(x),
     partials={x: out * psi(x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo),
         point({x: -0.0}, {x: -oo}, "pole", value=-oo)],
     ulp=8,
     note="the form that keeps all digits costs 5 times the value",
     reference="DLMF 5.2.2",
     numpy="special.gamma", c="tgamma")

rule("gammaln", args=(x,), value=log(Abs(gamma(x))),
     partials={x: psi(x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     note="the form that keeps all digits costs 3 times the value",
     reference="DLMF 5.2.2",
     numpy="special.gammaln", math="math.lgamma", c="lgamma")

rule("loggamma", args=(x,), value=log(gamma(x)),
     partials={x: psi(x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     reference="DLMF 5.2.2",
     numpy="special.loggamma", c="support.loggamma")

rule("rgamma", args=(x,), value=1 / gamma(x),
     let={s: where(x < HALF, x, 0), t: where(x < HALF, 1, x), q: maximum(x, 100) - 1,
          r: where(x < 100, out, later("rgamma")(q) / q)},
     partials={x: where(x < HALF, gamma(1 - s) * (cospi(s) - sinpi(s) * mirrored(s) / pi),
                        -r * psi(t))},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: 1}, "gamma has a pole, its reciprocal has none", value=0),
         point({x: -1}, {x: -1}, "gamma has a pole, its reciprocal has none", value=0),
         point({x: -2}, {x: 2}, "gamma has a pole, its reciprocal has none", value=0)],
     ulp=8,
     note="-out*psi(x) is 0 times infinity at the poles of gamma; by reflection it is smooth; "
          "SciPy's value is 0 where it has few digits left; the form that keeps all digits costs "
          "8 times the value",
     reference="DLMF 5.5.3",
     numpy="special.rgamma", c=scipy("rgamma"))

rule("gammasgn", args=(x,), value=sign(gamma(x)),
     partials={x: 0},
     complex=real_only,
     domain=BETWEEN_POLES,
     ulp=1,
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.gammasgn.html",
     numpy="special.gammasgn", c=scipy("gammasgn"))

rule("digamma", args=(x,), value=polygamma(0, x), aliases=("psi",),
     partials={x: trigamma(x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     ulp=8,
     off=1e-9,
     reference="DLMF 5.2.2",
     numpy=("special.digamma", "special.psi"), c="support.digamma")

rule("_psi", args=(x,), value=polygamma(0, x),
     partials={x: trigamma(x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     ulp=8,
     note="digamma; SciPy's has few digits beside the negative poles",
     reference="DLMF 5.5.4",
     numpy="support.psi", c="support.digamma")

rule("_psi_mirrored", args=(x,), value=polygamma(0, 1 - x),
     partials={x: -trigamma(1 - x)},
     complex=real_only,
     domain={x: (-oo, 1)},
     ulp={out: 4, x: 8},
     note="digamma at 1 - x, whose rounding error would be seen beside the root",
     reference="DLMF 5.4",
     numpy="support.psi_mirrored", c="support.digamma_mirrored")

rule("invdigamma", args=(x,), value=inverse_psi(x),
     let={s: where(x < 38, out, 1), t: s * trigamma(1 + s), r: s / (1 + s * t)},
     partials={x: where(x < 38, s * r, out)},
     complex=real_only,
     domain={x: (-oo, 700)},
     ulp=8,
     note="the positive number whose digamma is x; 1/trigamma(out) without the pole of trigamma, "
          "and out itself where the square of that leaves the float range",
     reference="Minka 2000, Estimating a Dirichlet distribution, appendix C",
     numpy="support.invdigamma", c=scipy("digamma"))

zeta, zeta_derivative = later("zeta", 2), later("_zeta_derivative", 3)

rule("trigamma", args=(x,), value=polygamma(1, x),
     partials={x: later("polygamma", 2)(2, x)},
     complex=real_only,
     domain=BETWEEN_POLES,
     at=[point({x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     note="the form that keeps all digits costs 5 times the value",
     reference="DLMF 5.15, 25.11.12",
     numpy="support.trigamma", c=zeta(2, x))

rule("polygamma", args=(n, x), value=polygamma(n, x),
     partials={n: not_differentiable("the order is a whole number"),
               x: later("polygamma", 2)(n + 1, x)},
     complex=real_only,
     domain={n: integers(0, 5), x: (0, oo)},
     ulp=8,
     reference="DLMF 5.15",
     numpy="support.polygamma", c="support.polygamma")

rule("zeta", args=(s, q), value=sympy.zeta(s, q),
     partials={s: not_differentiable("SciPy has no derivative of the zeta function in s"),
               q: zeta_derivative(1, s, q)},
     complex=real_only,
     domain={s: (1, oo), q: (0, oo)},
     ulp=8,
     note="SciPy's zeta(s + 1, q) loses digits of large s, is NaN of very large ones, and can be "
          "subnormal where the partial is not; the form that keeps all digits costs 6 times the "
          "value",
     reference="DLMF 25.11.17",
     numpy="special.zeta", c="support.zeta")

rule("_zeta_derivative", args=(n, s, q),
     value=(-1) ** n * gamma(s + n) / gamma(s) * sympy.zeta(s + n, q),
     partials={n: not_differentiable("a whole number"),
               s: not_differentiable("SciPy has no derivative of the zeta function in s"),
               q: zeta_derivative(n + 1, s, q)},
     complex=real_only,
     domain={n: integers(0, 3), s: (1, oo), q: (0, oo)},
     note="the derivative of order n in q of zeta(s, q), which is a normal number where "
          "zeta(s + n, q) need not be one; the rounding error of s + n is undone",
     reference="DLMF 25.11.17",
     numpy="support.zeta_derivative", c="support.zeta_derivative")

step = later("_polygamma_step", 3)

rule("_polygamma_step", args=(n, x, y), value=polygamma(n, x + y) - polygamma(n, x),
     partials={n: not_differentiable("the order is a whole number"),
               x: step(n + 1, x, y), y: later("polygamma", 2)(n + 1, x + y)},
     complex=real_only,
     domain={n: integers(0, 3), x: (0, oo), y: (0, oo)},
     note="the difference as it stands has few digits where y is small beside x",
     reference="DLMF 5.11, 25.11.43",
     numpy="support.polygamma_step", c="support.polygamma_step")

area, slope = later("_beta", 2), later("_beta_slope", 2)

rule("beta", args=(x, y), value=beta(x, y),
     partials={x: slope(x, y), y: slope(y, x)},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     ulp=8,
     off=3e-9,
     note="SciPy's value has few digits where an argument is large; the form that keeps all "
          "digits costs 28 times the value",
     reference="DLMF 5.12",
     numpy="special.beta", c=scipy("beta"))

rule("_beta", args=(x, y), value=beta(x, y),
     partials={x: -out * step(0, x, y), y: -out * step(0, y, x)},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     note="beta, from an exponent in two parts",
     reference="DLMF 5.11.1, 5.12.1",
     numpy="support.beta_area", c=scipy("beta"))

rule("_beta_slope", args=(x, y), value=beta(x, y) * (polygamma(0, x) - polygamma(0, x + y)),
     let={s: step(0, x, y)},
     partials={x: area(x, y) * (s**2 - step(1, x, y)),
               y: area(x, y) * (s * step(0, y, x) - later("polygamma", 2)(1, x + y))},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     note="the derivative of beta in x, whose factors need not be in the float range",
     reference="DLMF 5.12.1, 5.2.2",
     numpy="support.beta_slope", c=scipy("beta"))

rule("betaln", args=(x, y), value=log(Abs(beta(x, y))),
     partials={x: -step(0, x, y), y: -step(0, y, x)},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     ulp=8,
     off=5e-9,
     note="the form that keeps all digits costs 8 times the value",
     reference="DLMF 5.12",
     numpy="special.betaln", c=scipy("betaln"))

ratio = later("_poch", 2)

rule("poch", args=(z, m), value=gamma_ratio(z, m),
     partials={z: later("_poch_slope", 2)(z, m), m: later("_poch_rate", 2)(z, m)},
     complex=real_only,
     domain={z: (0, oo), m: (0, 100)},
     ulp=8,
     note="Pochhammer's symbol, the rising factorial. SciPy's value, off by 10000 ulp where it is "
          "large, overflows before the partials; the form that keeps all digits costs 45 times "
          "the value",
     reference="DLMF 5.2.5",
     numpy="special.poch", c=scipy("poch"))

rule("_poch", args=(z, m), value=gamma_ratio(z, m),
     partials={z: later("_poch_slope", 2)(z, m), m: later("_poch_rate", 2)(z, m)},
     complex=real_only,
     domain={z: (0, oo), m: (0, 100)},
     ulp={out: 16, z: 8, m: 16},
     note="poch, from an exponent in two parts",
     reference="DLMF 5.2.5, 5.11.1",
     numpy="support.poch", c=scipy("poch"))

rule("_poch_slope", args=(z, m),
     value=gamma_ratio(z, m) * (polygamma(0, z + m) - polygamma(0, z)),
     let={s: step(0, z, m)},
     partials={z: ratio(z, m) * (s**2 + step(1, z, m)),
               m: ratio(z, m) * (s * psi(z + m) + trigamma(z + m))},
     complex=real_only,
     domain={z: (0, oo), m: (0, 100)},
     note="the derivative of poch in z, whose factors need not be in the float range",
     reference="DLMF 5.2.5, 5.2.2",
     numpy="support.poch_slope", c=scipy("poch"))

rule("_poch_rate", args=(z, m), value=gamma_ratio(z, m) * polygamma(0, z + m),
     let={t: psi(z + m)},
     partials={z: ratio(z, m) * (step(0, z, m) * t + trigamma(z + m)),
               m: ratio(z, m) * (t**2 + trigamma(z + m))},
     complex=real_only,
     domain={z: (0, oo), m: (0, 100)},
     note="the derivative of poch in m; the rounding error of z + m is undone",
     reference="DLMF 5.2.5, 5.2.2",
     numpy="support.poch_rate", c=scipy("poch"))

choices = later("_binomial", 2)

rule("binom", args=(n, k), value=gamma(n + 1) / gamma(k + 1) / gamma(n - k + 1),
     let={h: choices(n, k)},
     partials={n: h * step(0, n - k + 1, k), k: h * step(0, k + 1, n - 2 * k)},
     complex=real_only,
     domain=And(k > 0, k < n, n < 100),
     ulp=16,
     note="SciPy's value is off by over 100 ulp; the rounding errors of sums of n and k are in "
          "its logarithmic derivatives; the form that keeps all digits costs 25 times the value",
     reference="DLMF 1.2.6, 5.5.2",
     numpy="special.binom", c=scipy("binom"))

rule("_binomial", args=(n, k), value=gamma(n + 1) / gamma(k + 1) / gamma(n - k + 1),
     partials={n: out * step(0, n - k + 1, k), k: out * step(0, k + 1, n - 2 * k)},
     complex=real_only,
     domain=And(k > 0, k < n, n < 100),
     note="binom, from an exponent in two parts",
     reference="DLMF 1.2.6, 5.5.2",
     numpy="support.binomial", c=scipy("binom"))

refused("Riemann's zeta function has no derivative in SciPy; zeta(s, q) is differentiable in q",
        "special.zetac")
