"""Rules of elliptic integrals and functions, and of the arithmetic-geometric mean."""

from __future__ import annotations

from typing import Any

import mpmath
from sympy import Eq, Expr, Max, Rational, elliptic_e, elliptic_f, elliptic_k, oo, sin, sqrt

from diffrules.carlson import carlson_powers
from diffrules.meanings import Meaning
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

a, b, c, j, k, m, n, p, s, u = (symbol(name) for name in "abcjkmnpsu")
phi = symbol("phi")
HALF = Rational(1, 2)
ORDER = not_differentiable("the order is a whole number")
POWER = not_differentiable("the power is a whole number")

class mean_of_gauss(Meaning):  # noqa: N801
    """The arithmetic-geometric mean of two numbers of one sign."""

    nargs = 2

    @staticmethod
    def numeric(x: Any, y: Any) -> Any:
        """Return it; of negative numbers it is negative."""
        return -mpmath.agm(-x, -y) if mpmath.re(x) < 0 else mpmath.agm(x, y)

class share_of_mean(Meaning):  # noqa: N801
    """The elasticity of the arithmetic-geometric mean in y, and its derivatives in log(y)."""

    nargs = 3

    @staticmethod
    def numeric(n: Any, x: Any, y: Any) -> Any:
        """Return it by differences; at 0 it is the limit."""
        if not x or not y:
            return mpmath.mpf(0 if x or n else 1)

        def mean(exponent: Any) -> Any:
            return mpmath.log(mpmath.agm(1, mpmath.exp(exponent)))
        return mpmath.diff(mean, mpmath.log(y / x), int(n) + 1)

class elliptic_moment(Meaning):  # noqa: N801
    """The integral of ``sin(t)**(2*j) * (1 - m*sin(t)**2)**(-k - 1/2)`` from 0 to phi."""

    nargs = 4

    @staticmethod
    def numeric(j: Any, k: Any, phi: Any, m: Any) -> Any:
        """Return it by Carlson's integrals, DLMF 19.25(i)."""
        turns = mpmath.nint(phi / mpmath.pi)

        def upto(sine: Any, square: Any) -> Any:
            delta = 1 - m * sine**2
            return sine**(2 * j + 1) * carlson_powers.numeric(0, k, j - k, 0, square, delta, 1, 1)

        found = upto(mpmath.sin(phi - turns * mpmath.pi), mpmath.cos(phi)**2) / 2
        return found + turns * upto(1, 0) if turns else found

    def fdiff(self, argindex: int = 3) -> Expr:
        """Return the integrand, or the integral of its derivative."""
        j, k, phi, m = self.args
        if argindex == 3:
            return sin(phi)**(2 * j) * (1 - m * sin(phi)**2)**(-k - HALF)
        return (k + HALF) * elliptic_moment(j + 1, k + 1, phi, m)

class jacobi_am(Meaning):  # noqa: N801
    """Jacobi's amplitude, the angle whose sine and cosine are sn and cn."""

    nargs = 2

    @staticmethod
    def numeric(u: Any, m: Any) -> Any:
        """Return it by theta functions, and by how many periods come before."""
        sn, cn = (mpmath.re(mpmath.ellipfun(name, u, m=m)) for name in ("sn", "cn"))
        return mpmath.atan2(sn, cn) + 2 * mpmath.pi * mpmath.nint(u / (4 * mpmath.ellipk(m)))

    def fdiff(self, argindex: int = 1) -> Expr:
        """Return the derivative of the inverse of an integral."""
        dn = jacobi_dn(*self.args)
        return dn if argindex == 1 else -dn * elliptic_moment(1, 1, self, self.args[1]) / 2

class jacobi_sn(Meaning):  # noqa: N801
    """Jacobi's elliptic function sn."""

    nargs = 2

    @staticmethod
    def numeric(u: Any, m: Any) -> Any:
        """Return it by theta functions."""
        return mpmath.re(mpmath.ellipfun("sn", u, m=m))

    def fdiff(self, argindex: int = 1) -> Expr:
        """Return the derivative of the sine of the amplitude."""
        return jacobi_cn(*self.args) * jacobi_am(*self.args).fdiff(argindex)

class jacobi_cn(Meaning):  # noqa: N801
    """Jacobi's elliptic function cn."""

    nargs = 2

    @staticmethod
    def numeric(u: Any, m: Any) -> Any:
        """Return it by theta functions."""
        return mpmath.re(mpmath.ellipfun("cn", u, m=m))

    def fdiff(self, argindex: int = 1) -> Expr:
        """Return the derivative of the cosine of the amplitude."""
        return -jacobi_sn(*self.args) * jacobi_am(*self.args).fdiff(argindex)

class jacobi_dn(Meaning):  # noqa: N801
    """Jacobi's elliptic function dn."""

    nargs = 2

    @staticmethod
    def numeric(u: Any, m: Any) -> Any:
        """Return it by theta functions."""
        return mpmath.re(mpmath.ellipfun("dn", u, m=m))

    def fdiff(self, argindex: int = 1) -> Expr:
        """Return the derivative of ``sqrt(1 - m*sn**2)``."""
        sn, m = jacobi_sn(*self.args), self.args[1]
        explicit = sn if argindex == 2 else 0
        return -sn * (m * sn.fdiff(argindex) + explicit / 2) / self

share, slope = later("_agm_share", 3), later("_agm_slope", 2)

mean = rule("agm", args=(x, y), value=mean_of_gauss(x, y),
     partials={x: where(Eq(x, 0), oo, slope(x, y)), y: where(Eq(y, 0), oo, slope(y, x))},
     complex=real_only,
     domain=[{x: (0, oo), y: (0, oo)}, {x: (-oo, 0), y: (-oo, 0)}],
     at=[point({x: 0.0, y: 1}, {x: oo, y: 0}, "limit from the right", value=0),
         point({x: 1, y: 0.0}, {x: 0, y: oo}, "limit from the right", value=0)],
     ulp=8,
     note="the form that keeps all digits costs 8 times the value",
     reference="DLMF 19.8(i)",
     numpy="special.agm", c=scipy("agm"))

rule("_agm_share", args=(n, x, y), value=share_of_mean(n, x, y),
     partials={n: ORDER, x: -share(n + 1, x, y) / x, y: share(n + 1, x, y) / y},
     complex=real_only,
     domain={n: integers(0, 1), x: (0, oo), y: (0, oo)},
     ulp=8,
     note="the derivative of log(agm(x, y)) in log(y), and n more of them: along Gauss' sequence, "
          "in which nothing is subtracted",
     reference="DLMF 19.8(i)",
     numpy="support.agm_share", c="support.agm_share")

rule("_agm_slope", args=(x, y), value=share_of_mean(0, y, x) * mean_of_gauss(x, y) / x,
     let={s: share(0, x, y) - share(1, x, y) / share(0, y, x)},
     partials={x: -s * out / x, y: s * out / y},
     complex=real_only,
     domain={x: (0, oo), y: (0, oo)},
     ulp=8,
     note="the derivative of agm(x, y) in x; agm itself has few digits where it is subnormal",
     reference="DLMF 19.8(i)",
     numpy="support.agm_slope", c="support.agm_slope")

first = rule("ellipk", args=(m,), value=elliptic_k(m),
     let={p: 1 - m},
     partials={m: where(Eq(m, 1), oo, out * share(0, 1, sqrt(p)) / (2 * p))},
     complex=real_only,
     domain={m: (-oo, 1)},
     at=[point({m: 1}, {m: oo}, "pole", value=oo)],
     ulp=8,
     note="(ellipe(m) - (1 - m)*out)/(2*m*(1 - m)) is 0/0 at 0; it costs ten times the value, "
          "which is a polynomial",
     reference="DLMF 19.4.1, 19.8.5",
     numpy="special.ellipk", c=scipy("ellipk"))

rule("ellipkm1", args=(p,), value=elliptic_k(1 - p),
     partials={p: -where(Eq(p, 0), oo, out * share(0, 1, sqrt(p)) / (2 * p))},
     complex=real_only,
     domain={p: (0, oo)},
     at=[point({p: 0.0}, {p: -oo}, "pole", value=oo)],
     ulp=8,
     note="it costs ten times the value, which is a polynomial",
     reference="DLMF 19.4.1, 19.8.5",
     numpy="special.ellipkm1", c=scipy("ellipkm1"))

rule("ellipe", args=(m,), value=elliptic_e(m),
     partials={m: -first(m) * share(0, sqrt(1 - m), 1) / 2},
     complex=real_only,
     domain={m: (-oo, 1)},
     at=[point({m: 1}, {m: -oo}, "limit from the left", value=1)],
     ulp=8,
     note="(out - ellipk(m))/(2*m) is 0/0 at 0; it costs ten times the value, a polynomial",
     reference="DLMF 19.4.2, 19.8.5",
     numpy="special.ellipe", c=scipy("ellipe"))

integrand = later("_ellip_integrand", 4)

rule("_ellip_integrand", args=(j, k, phi, m),
     value=sin(phi)**(2 * j) * (1 - m * sin(phi)**2)**(-k - HALF),
     partials={j: POWER, k: POWER,
               phi: sin(2 * phi) * (j * integrand(Max(j - 1, 0), k, phi, m)
                                    + (k + HALF) * m * integrand(j, k + 1, phi, m)),
               m: (k + HALF) * integrand(j + 1, k + 1, phi, m)},
     complex=real_only,
     domain={j: integers(0, 1), k: integers(-1, 1), phi: (-oo, oo), m: (-oo, 1)},
     note="1 - m*sin(phi)**2 is computed as cos(phi)**2 + (1 - m)*sin(phi)**2, which has no "
          "difference next to its zero",
     numpy="support.ellip_integrand", c="support.ellip_integrand")

moment = later("_ellip_moment", 4)

rule("_ellip_moment", args=(j, k, phi, m), value=elliptic_moment(j, k, phi, m) / 2,
     partials={j: POWER, k: POWER,
               phi: integrand(j, k, phi, m) / 2, m: (k + HALF) * moment(j + 1, k + 1, phi, m)},
     complex=real_only,
     domain=[{j: integers(1, 1), k: integers(0, 1), phi: (-oo, oo), m: (-oo, 1)}],
     ulp=8,
     note="half the integral of sin(t)**(2*j) * (1 - m*sin(t)**2)**(-k - 1/2) over t from 0 to phi",
     reference="DLMF 19.25(i)",
     numpy="support.ellip_moment", c="support.ellip_moment")

rule("ellipkinc", args=(phi, m), value=elliptic_f(phi, m),
     partials={phi: integrand(0, 0, phi, m), m: moment(1, 1, phi, m)},
     complex=real_only,
     domain={phi: (-oo, oo), m: (-oo, 1)},
     ulp=8,
     note="the derivative in m by other integrals is a difference, and 0/0 at m = 0; the form "
          "that keeps all digits costs 4 times the value",
     reference="DLMF 19.4.5, 19.25.5",
     numpy="special.ellipkinc", c=scipy("ellipkinc"))

rule("ellipeinc", args=(phi, m), value=elliptic_e(phi, m),
     partials={phi: integrand(0, -1, phi, m), m: -moment(1, 0, phi, m)},
     complex=real_only,
     domain={phi: (-oo, oo), m: (-oo, 1)},
     ulp=8,
     note="(out - ellipkinc(phi, m))/(2*m) is a difference, and 0/0 at m = 0; the form that keeps "
          "all digits costs 3 times the value",
     reference="DLMF 19.4.6, 19.25.9",
     numpy="special.ellipeinc", c=scipy("ellipeinc"))

# SciPy takes m = 1 for what is nearer to it, which is wrong beyond the first quarter period.
INSIDE = {u: (-100, 100), m: (0, 1 - Rational(1, 10**9))}
OF_JACOBI = ("SciPy's value is that of m = 1 from m = 1 - 1e-10 on, wrong beyond the first quarter "
             "period, and its error grows with u; the partials are our own, and cost ten times "
             "the value")

jacobi, integral = later("_ellipj", 5), later("_ellipj_integral", 3)

rule("_ellipj", args=(a, b, c, u, m),
     value=jacobi_sn(u, m)**a * jacobi_cn(u, m)**b * jacobi_dn(u, m)**c,
     let={s: a * jacobi(Max(a - 1, 0), b + 1, c + 1, u, m)
             - b * jacobi(a + 1, Max(b - 1, 0), c + 1, u, m)
             - c * m * jacobi(a + 1, b + 1, c - 1, u, m)},
     partials={a: POWER, b: POWER, c: POWER,
               u: s, m: -(s * integral(1, u, m) + c * jacobi(a + 2, b, c - 2, u, m)) / 2},
     complex=real_only,
     domain={a: integers(0, 1), b: integers(0, 1), c: integers(1, 1), **INSIDE},
     ulp=16,
     note="sn**a * cn**b * dn**c",
     reference="DLMF 22.7, 22.13(i), 22.20(ii)",
     numpy="support.ellipj_power", c=scipy("ellipj"))

rule("_ellipj_integral", args=(n, u, m), value=elliptic_moment(n, n, jacobi_am(u, m), m),
     let={s: jacobi(2 * n, 0, -2 * n, u, m)},
     partials={n: POWER,
               u: s, m: (n + HALF) * integral(n + 1, u, m) - s * integral(1, u, m) / 2},
     complex=real_only,
     domain={n: integers(1, 1), **INSIDE},
     ulp=8,
     note="the integral of (sn/dn)**(2*n) from 0 to u, of which the derivatives in m are made",
     reference="DLMF 19.25(i), 22.14(ii)",
     numpy="support.ellipj_integral", c=scipy("ellipj"))

rule("ellipsn", args=(u, m), value=jacobi_sn(u, m),
     partials={u: jacobi(0, 1, 1, u, m), m: -jacobi(0, 1, 1, u, m) * integral(1, u, m) / 2},
     complex=real_only,
     domain=INSIDE,
     ulp=8,
     note=OF_JACOBI,
     reference="DLMF 22.13.1",
     numpy="special.ellipj[0]", c=scipy("ellipj"))

rule("ellipcn", args=(u, m), value=jacobi_cn(u, m),
     partials={u: -jacobi(1, 0, 1, u, m), m: jacobi(1, 0, 1, u, m) * integral(1, u, m) / 2},
     complex=real_only,
     domain=INSIDE,
     ulp=12,
     note=OF_JACOBI + "; 9.2 ulp were measured in m, in which three factors have an error each",
     reference="DLMF 22.13.2",
     numpy="special.ellipj[1]", c=scipy("ellipj"))

rule("ellipdn", args=(u, m), value=jacobi_dn(u, m),
     partials={u: -m * jacobi(1, 1, 0, u, m),
               m: (m * jacobi(1, 1, 0, u, m) * integral(1, u, m) - jacobi(2, 0, -1, u, m)) / 2},
     complex=real_only,
     domain=INSIDE,
     ulp=8,
     note=OF_JACOBI,
     reference="DLMF 22.13.3",
     numpy="special.ellipj[2]", c=scipy("ellipj"))

rule("ellipam", args=(u, m), value=jacobi_am(u, m),
     partials={u: jacobi(0, 0, 1, u, m), m: -jacobi(0, 0, 1, u, m) * integral(1, u, m) / 2},
     complex=real_only,
     domain=INSIDE,
     ulp=8,
     note=OF_JACOBI,
     reference="DLMF 22.16(i)",
     numpy="special.ellipj[3]", c=scipy("ellipj"))
