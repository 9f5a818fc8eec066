"""Rules of the noncentral distributions: chi squared, Fisher's F and Student's t."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

import mpmath
import sympy
from sympy import Rational, oo

from diffrules.inverses import inverse_of
from diffrules.meanings import Meaning
from diffrules.vocabulary import (
    integers,
    later,
    not_differentiable,
    out,
    real_only,
    refused,
    rule,
    scipy,
    symbol,
    x,
)

df, dfd, dfn, f, i, nc, p, s, y = (
    symbol(name) for name in ("df", "dfd", "dfn", "f", "i", "nc", "p", "s", "y"))
POSITIVE = (0.0, float(oo))
MOST = (0, 100)
SOME, SHARES = (Rational(1, 2), 20), (Rational(1, 100), Rational(99, 100))
FREEDOM = not_differentiable("the derivative in degrees of freedom has no closed form")
COUNT = not_differentiable("a whole number")


def weights(mean: Any) -> list[Any]:
    """Return the probabilities of Poisson's distribution, to where the rest is negligible."""
    found = [mpmath.exp(-mean)]
    while len(found) <= mean or found[-1] > mpmath.eps / 2**40:
        found.append(found[-1] * mean / len(found))
    return found


class noncentral_chi_squared(Meaning):  # noqa: N801
    """The distribution function of the noncentral chi squared."""

    nargs = 3

    @staticmethod
    def numeric(x: Any, df: Any, nc: Any) -> Any:
        """Return the mixture of central ones; each is the next one and a density."""
        shares, at, order = weights(nc / 2), x / 2, df / 2
        order += len(shares) - 1
        central = mpmath.gammainc(order, 0, at, regularized=True)
        found = shares[-1] * central
        term = at**order * mpmath.exp(-at) * mpmath.rgamma(order + 1)
        for share in reversed(shares[:-1]):
            term *= order / at
            order -= 1
            central += term
            found += share * central
        return found

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """Return a density."""
        return chi_squared_density(0, *self.args) if argindex == 1 else -chi_squared_density(
            1, *self.args)  # fmt: skip


class chi_squared_density(Meaning):  # noqa: N801
    """The density of the noncentral chi squared of ``df + 2*i`` degrees of freedom."""

    nargs = 4

    @staticmethod
    def numeric(i: Any, x: Any, df: Any, nc: Any) -> Any:
        """Return it by Bessel's function, DLMF 10.39.9."""
        order, at, mean = df / 2 + i, x / 2, nc / 2
        bessel = mpmath.hyp0f1(order, at * mean) * mpmath.rgamma(order)
        return at ** (order - 1) * mpmath.exp(-at - mean) * bessel / 2

    def fdiff(self, argindex: int = 2) -> sympy.Expr:
        """Return a combination with the next one."""
        i, x, df, nc = self.args
        above = chi_squared_density(i + 1, x, df, nc)
        if argindex == 4:
            return (above - self) / 2
        return self * ((df / 2 + i - 1) / x - Rational(1, 2)) + above * nc / (2 * x)


class noncentral_fisher(Meaning):  # noqa: N801
    """The distribution function of the noncentral F."""

    nargs = 4

    @staticmethod
    def numeric(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
        """Return the mixture of central ones; each is the next one and a density."""
        shares, other, order = weights(nc / 2), dfd / 2, dfn / 2
        at, rest = dfn * f / (dfd + dfn * f), dfd / (dfd + dfn * f)
        order += len(shares) - 1
        central = mpmath.betainc(order, other, 0, at, regularized=True)
        found = shares[-1] * central
        term = at**order * rest**other / (order * mpmath.beta(order, other))
        for share in reversed(shares[:-1]):
            term *= order / (at * (order + other - 1))
            order -= 1
            central += term
            found += share * central
        return found

    def fdiff(self, argindex: int = 4) -> sympy.Expr:
        """Return a density."""
        if argindex == 4:
            return fisher_density(0, 0, *self.args)
        return -self.args[3] * fisher_density(1, 0, *self.args) / 2


class fisher_density(Meaning):  # noqa: N801
    """A mixture of beta densities over their first shapes to the power s, these i larger."""

    nargs = 6

    @staticmethod
    def numeric(s: Any, i: Any, dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
        """Return the sum."""
        other, order, found = dfd / 2, dfn / 2 + i, mpmath.mpf(0)
        at, rest = dfn * f / (dfd + dfn * f), dfd / (dfd + dfn * f)
        density = at**order * rest**other / mpmath.beta(order, other)
        for share in weights(nc / 2):
            found += share * density / order**s
            density *= at * (order + other) / order
            order += 1
        return found / f

    def fdiff(self, argindex: int = 6) -> sympy.Expr:
        """Return a combination with others."""
        s, i, dfn, dfd, nc, f = self.args
        if argindex == 5:
            return (fisher_density(s, i + 1, dfn, dfd, nc, f) - self) / 2
        rest = dfd / (dfd + dfn * f)
        below = fisher_density(s - 1, i, dfn, dfd, nc, f)
        return (rest * below - (dfd / 2 * (1 - rest) + 1) * self) / f


Slopes: TypeAlias = Mapping[int, Callable[..., Any]]


def inverse_with(
    slopes: Slopes, name: str, nargs: int, place: int, rising: bool = True
) -> type[Meaning]:
    """Return an inverse of an entry with its derivatives, of its arguments and of itself.

    Differences of roots to many digits take minutes; a root is found once.
    """
    root = inverse_of(name, nargs, place, POSITIVE, rising=rising)

    @cache
    def known(precision: int, *args: Any) -> Any:
        return root.numeric(*args)

    def numeric(*args: Any) -> Any:
        return known(mpmath.mp.prec, *args)

    def fdiff(self: Any, argindex: int = 1) -> Any:
        return slopes[argindex](*self.args, self)

    return type(root.__name__, (root,), {"fdiff": fdiff, "numeric": staticmethod(numeric)})


def of_scipy(name: str) -> dict[str, Any]:
    """Return the fields that all entries here have alike."""
    page = f"https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.{name}.html"
    return {"complex": real_only, "reference": page, "numpy": f"special.{name}", "c": scipy(name)}


MIXTURE = ("a mixture of central densities, from the largest term on both sides; the difference "
           "of two distribution functions has few digits. It costs up to 20 times the function")
density = later("_chndtr_density", 4)
QUANTILE: Slopes = {
    1: lambda p, df, nc, x: 1 / chi_squared_density(0, x, df, nc),
    3: lambda p, df, nc, x: chi_squared_density(1, x, df, nc) / chi_squared_density(0, x, df, nc),
}
NONCENTRALITY: Slopes = {
    1: lambda x, df, p, nc: chi_squared_density(0, x, df, nc) / chi_squared_density(1, x, df, nc),
    3: lambda x, df, p, nc: -1 / chi_squared_density(1, x, df, nc),
}

rule("chndtr", args=(x, df, nc), value=noncentral_chi_squared(x, df, nc),
     partials={x: density(0, x, df, nc), df: FREEDOM, nc: -density(1, x, df, nc)},
     domain={x: MOST, df: MOST, nc: MOST},
     ulp=16,
     note=MIXTURE,
     **of_scipy("chndtr"))

rule("_chndtr_density", args=(i, x, df, nc), value=chi_squared_density(i, x, df, nc),
     partials={i: COUNT, df: FREEDOM,
               x: out * ((df / 2 + i - 1) / x - Rational(1, 2))
                  + density(i + 1, x, df, nc) * nc / (2 * x),
               nc: (density(i + 1, x, df, nc) - out) / 2},
     complex=real_only,
     domain={i: integers(0, 2), x: (0, 10), df: (1, 100), nc: MOST},
     note=MIXTURE,
     numpy="support.chndtr_density", c=scipy("chndtr"))

rule("chndtrix", args=(p, df, nc),
     value=inverse_with(QUANTILE, "chndtr", 3, 0)(p, df, nc),
     partials={p: 1 / density(0, out, df, nc), df: FREEDOM,
               nc: density(1, out, df, nc) / density(0, out, df, nc)},
     domain={p: SHARES, df: SOME, nc: SOME},
     ulp={p: 256, nc: 32},
     note="one over the density at out",
     **of_scipy("chndtrix"))

rule("chndtrinc", args=(x, df, p),
     value=inverse_with(NONCENTRALITY, "chndtr", 3, 2, rising=False)(x, df, p),
     partials={x: density(0, x, df, out) / density(1, x, df, out), df: FREEDOM,
               p: -1 / density(1, x, df, out)},
     domain={x: (20, 40), df: (1, 5), p: (Rational(1, 100), Rational(9, 10))},
     ulp={x: 16, p: 32},
     note="there is such a number where p is less than chdtr(df, x)",
     **of_scipy("chndtrinc"))

refused("all its derivatives need that of chndtr in the degrees of freedom, which has no closed "
        "form; chndtr and chndtrix are differentiable in the other arguments",
        "special.chndtridf")

mixture, share = later("_ncfdtr_density", 6), later("_ncfdtr_share", 6)
OF_FISHER: Slopes = {
    3: lambda dfn, dfd, nc, p, f: f * fisher_density(1, 0, dfn, dfd, nc, f)
                                  / (2 * fisher_density(0, 0, dfn, dfd, nc, f)),
    4: lambda dfn, dfd, nc, p, f: 1 / fisher_density(0, 0, dfn, dfd, nc, f),
}
FISHER = {dfn: SOME, dfd: (2, 20), nc: SOME}

rule("ncfdtr", args=(dfn, dfd, nc, f), value=noncentral_fisher(dfn, dfd, nc, f),
     partials={dfn: FREEDOM, dfd: FREEDOM, nc: -share(1, 0, dfn, dfd, nc, f) / 2,
               f: mixture(0, 0, dfn, dfd, nc, f)},
     domain={**FISHER, f: (0, oo)},
     ulp=16,
     note=MIXTURE,
     **of_scipy("ncfdtr"))

rule("_ncfdtr_density", args=(s, i, dfn, dfd, nc, f),
     value=fisher_density(s, i, dfn, dfd, nc, f),
     let={y: dfd / (dfd + dfn * f)},
     partials={s: COUNT, i: COUNT, dfn: FREEDOM, dfd: FREEDOM,
               nc: (mixture(s, i + 1, dfn, dfd, nc, f) - out) / 2,
               f: (y * mixture(s - 1, i, dfn, dfd, nc, f)
                   - (dfd / 2 * dfn * f / (dfd + dfn * f) + 1) * out) / f},
     complex=real_only,
     domain={s: integers(0, 1), i: integers(0, 1), **FISHER, f: (0, oo)},
     note=MIXTURE + "; the terms are divided by the power s of their first shapes",
     numpy="support.ncfdtr_density", c=scipy("ncfdtr"))

rule("_ncfdtr_share", args=(s, i, dfn, dfd, nc, f),
     value=f * fisher_density(s, i, dfn, dfd, nc, f),
     let={y: dfd / (dfd + dfn * f)},
     partials={s: COUNT, i: COUNT, dfn: FREEDOM, dfd: FREEDOM,
               nc: (share(s, i + 1, dfn, dfd, nc, f) - out) / 2,
               f: (y * share(s - 1, i, dfn, dfd, nc, f)
                   - dfd / 2 * dfn * f / (dfd + dfn * f) * out) / f},
     complex=real_only,
     domain={s: integers(0, 1), i: integers(0, 1), **FISHER, f: (0, oo)},
     note="far out the density is too small for a number where f times it is not",
     numpy="support.ncfdtr_share", c=scipy("ncfdtr"))

rule("ncfdtri", args=(dfn, dfd, nc, p),
     value=inverse_with(OF_FISHER, "ncfdtr", 4, 3)(dfn, dfd, nc, p),
     partials={dfn: FREEDOM, dfd: FREEDOM,
               nc: out * mixture(1, 0, dfn, dfd, nc, out)
                   / (2 * mixture(0, 0, dfn, dfd, nc, out)),
               p: 1 / mixture(0, 0, dfn, dfd, nc, out)},
     domain={**FISHER, p: SHARES},
     note="one over the density at out; SciPy's values are off by 1e-8 for dfd less than 1",
     **of_scipy("ncfdtri"))

refused("SciPy's values have 4 digits or, where two numbers solve the equation, are another root; "
        "no derivative of full precision can be made of them",
        "special.ncfdtridfn", "special.ncfdtridfd", "special.ncfdtrinc")

refused("SciPy's values have 6 digits where t and nc have opposite signs; the derivatives in t and "
        "nc are integrals for which there is no helper yet",
        "special.nctdtr", "special.nctdtrit")

refused("SciPy's values have 7 digits, and are 1e100 where no root is found; no derivative of full "
        "precision can be made of them",
        "special.nctdtridf")

refused("SciPy's values have 8 digits; no derivative of full precision can be made of them",
        "special.nctdtrinc")
