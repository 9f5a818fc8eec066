"""Rules of orthogonal polynomials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
from sympy import Rational, oo

from diffrules.meanings import Meaning
from diffrules.vocabulary import (
    closed,
    integers,
    later,
    not_differentiable,
    real_only,
    rule,
    scipy,
    symbol,
    x,
)

n, k, m, v, a, b, p, q = (symbol(name) for name in "nkmvabpq")
ORDER = not_differentiable("the degree is a whole number")
COUNT = not_differentiable("a number of derivatives")
SHAPE = not_differentiable("SciPy has no derivative of orthogonal polynomials in their parameters")
DEGREES = integers(0, 5)
INSIDE = closed(-1, 1)


Step = Callable[..., tuple[Any, Any, Any]]


def polynomial(name: str, step: Step) -> type[Meaning]:
    """Return a polynomial by its recurrence; of a negative degree it is 0.

    Parameters
    ----------
    name : str
        What SymPy calls it.
    step : function
        ``step(k, *parameters)`` gives A, B, C of ``p[k+1] = (A*x + B)*p[k] - C*p[k-1]``,
        DLMF table 18.9.1.
    """

    def numeric(degree: Any, *args: Any) -> Any:
        *parameters, at = args
        before, found = mpmath.mpf(0), mpmath.mpf(1 if degree >= 0 else 0)
        for k in range(int(degree)):
            a, b, c = step(mpmath.mpf(k), *parameters)
            before, found = found, (a * at + b) * found - c * before
        return found

    return type(name, (Meaning,), {"numeric": staticmethod(numeric)})


legendre = polynomial("legendre_polynomial", lambda k: ((2 * k + 1) / (k + 1), 0, k / (k + 1)))
chebyshev_t = polynomial("chebyshev_t", lambda k: (2 if k else 1, 0, 1))
chebyshev_u = polynomial("chebyshev_u", lambda k: (2, 0, 1))
hermite = polynomial("hermite_polynomial", lambda k: (2, 0, 2 * k))
hermite_e = polynomial("hermite_e", lambda k: (1, 0, k))
gegenbauer = polynomial(
    "gegenbauer_polynomial",
    lambda k, a: (2 * (k + a) / (k + 1), 0, ((k - 1) + 2 * a) / (k + 1)),
)
laguerre = polynomial(
    "laguerre_polynomial",
    lambda k, a: (-1 / (k + 1), (2 * k + a + 1) / (k + 1), (k + a) / (k + 1)),
)


def choices(n: Any, k: int) -> Any:
    """Return the binomial coefficient of a whole k, without gamma functions."""
    return mpmath.fprod((n - j) / (k - j) for j in range(k))


class jacobi(Meaning):  # noqa: N801
    """Jacobi's polynomial of degree n with parameters a and b."""

    @staticmethod
    def numeric(degree: Any, a: Any, b: Any, at: Any) -> Any:
        """Return it by its sum, DLMF 18.5.8."""
        degree = int(degree)
        return mpmath.fsum(
            choices(degree + a, degree - s) * choices(degree + b, s)
            * ((at - 1) / 2)**s * ((at + 1) / 2)**(degree - s)
            for s in range(degree + 1)
        )


class shifted_jacobi(Meaning):  # noqa: N801
    """Jacobi's polynomial of ``2*x - 1`` with parameters p - q and q - 1, from ``x**n`` on."""

    @staticmethod
    def numeric(degree: Any, p: Any, q: Any, at: Any) -> Any:
        """Return it scaled as SciPy has it (DLMF 18.1.2)."""
        scale = choices(2 * degree + p - 1, int(degree))
        return jacobi.numeric(degree, p - q, q - 1, 2 * at - 1) / scale


class ferrers(Meaning):  # noqa: N801
    """Ferrers' function of order m and degree v, with the sign of Condon and Shortley."""

    nargs = 3

    @staticmethod
    def numeric(m: Any, v: Any, x: Any) -> Any:
        """Return it by the sum of Legendre's polynomial, DLMF 14.7.8 and 14.9.3."""
        m, v = int(m), int(v)
        if m < 0:
            ratio = mpmath.factorial(v + m) / mpmath.factorial(v - m) if v + m >= 0 else 0
            return (-1) ** m * ratio * ferrers.numeric(-m, v, x)
        below, found = mpmath.mpf(0), mpmath.mpf(v >= m)
        for k in range(m):
            found *= -(2 * k + 1) * mpmath.sqrt(1 - x * x)
        for k in range(m, v):
            below, found = found, ((2 * k + 1) * x * found - (k + m) * below) / (k + 1 - m)
        return found


class ferrers_derivative(Meaning):  # noqa: N801
    """The derivative of order k of `ferrers` in x."""

    nargs = 4

    @staticmethod
    def numeric(k: Any, m: Any, v: Any, x: Any) -> Any:
        """Return it by Leibniz's rule; each term is odd, or each is even."""
        k, m, v = int(k), int(m), int(v)
        if m < 0:
            ratio = mpmath.factorial(v + m) / mpmath.factorial(v - m) if v + m >= 0 else 0
            return (-1) ** m * ratio * ferrers_derivative.numeric(k, -m, v, x)
        half, total = mpmath.mpf(m) / 2, mpmath.mpf(0)
        for i in range(k + 1):
            # The derivatives of a power of 1 - x*x, by those in x*x.
            power = mpmath.fsum(
                mpmath.binomial(i, s) * mpmath.ff(i - s, s) * (2 * x) ** (i - 2 * s)
                * (-1) ** (i - s) * mpmath.ff(half, i - s) * ((1 - x) * (1 + x)) ** (half - i + s)
                for s in range(i // 2 + 1)
            )
            order = k - i
            rising = 2**order * mpmath.rf(m + mpmath.mpf(0.5), order)
            part = gegenbauer.numeric(v - m - order, m + order + mpmath.mpf(0.5), x)
            total += mpmath.binomial(k, i) * power * rising * part
        return (-1) ** m * mpmath.fac2(2 * m - 1) * total


# Private: by recurrences in pairs of doubles, which keep all digits next to all zeros.
ultraspherical, shifted = later("_gegenbauer", 4), later("_shifted_gegenbauer", 4)
physicists, probabilists = later("_hermite", 2), later("_hermite_norm", 2)
associated, raised = later("_laguerre", 4), later("_jacobi", 5)
shifted_raised, ferrers_of = later("_shifted_jacobi", 5), later("_ferrers_slope", 4)

rule("eval_legendre", args=(n, x), value=legendre(n, x),
     partials={n: ORDER, x: ultraspherical(n - 1, 1, Rational(1, 2), x)},
     complex=real_only,
     domain={n: DEGREES, x: INSIDE},
     ulp=4,
     note="the recurrence with P_n and P_(n-1) is 0/0 at -1 and 1; the one in pairs of doubles, "
          "which keeps all digits next to all zeros, costs 10 times the value",
     reference="DLMF 18.9.19, 18.7.9",
     numpy="special.eval_legendre", c=scipy("eval_legendre"))

rule("eval_chebyt", args=(n, x), value=chebyshev_t(n, x),
     partials={n: ORDER, x: n * ultraspherical(n - 1, 0, 1, x)},
     complex=real_only,
     domain={n: DEGREES, x: INSIDE},
     ulp=4,
     note="SciPy's eval_chebyu loses all digits next to its zeros; the recurrence in pairs of "
          "doubles, which keeps them, costs 8 times the value",
     reference="DLMF 18.9.21, 18.7.4",
     numpy="special.eval_chebyt", c=scipy("eval_chebyt"))

rule("eval_chebyu", args=(n, x), value=chebyshev_u(n, x),
     partials={n: ORDER, x: 2 * ultraspherical(n - 1, 1, 1, x)},
     complex=real_only,
     domain={n: DEGREES, x: INSIDE},
     ulp=4,
     note="the recurrence in pairs of doubles, which keeps all digits next to all zeros, costs "
          "10 times the value",
     reference="DLMF 18.9.19, 18.7.4",
     numpy="special.eval_chebyu", c=scipy("eval_chebyu"))

rule("eval_chebyc", args=(n, x), value=2 * chebyshev_t(n, x / 2),
     partials={n: ORDER, x: n * ultraspherical(n - 1, 0, 1, x / 2)},
     complex=real_only,
     domain={n: DEGREES, x: closed(-2, 2)},
     ulp=8,
     note="SciPy's eval_chebys loses all digits next to its zeros; the recurrence in pairs of "
          "doubles, which keeps them, costs 8 times the value",
     reference="DLMF 18.1.3, 18.7.4",
     numpy="special.eval_chebyc", c=scipy("eval_chebyc"))

rule("eval_chebys", args=(n, x), value=chebyshev_u(n, x / 2),
     partials={n: ORDER, x: ultraspherical(n - 1, 1, 1, x / 2)},
     complex=real_only,
     domain={n: DEGREES, x: closed(-2, 2)},
     ulp=8,
     note="the recurrence in pairs of doubles, which keeps all digits next to all zeros, costs "
          "10 times the value",
     reference="DLMF 18.1.3",
     numpy="special.eval_chebys", c=scipy("eval_chebys"))

rule("eval_gegenbauer", args=(n, a, x), value=gegenbauer(n, a, x),
     partials={n: ORDER, a: SHAPE, x: 2 * a * ultraspherical(n - 1, 1, a, x)},
     complex=real_only,
     domain={n: DEGREES, a: (0, 10), x: INSIDE},
     ulp=16,
     note="the recurrence in pairs of doubles, which keeps all digits next to all zeros, costs "
          "8 times the value; of subnormal x the last digits are multiplied by 2*a",
     reference="DLMF 18.9.19",
     numpy="special.eval_gegenbauer", c=scipy("eval_gegenbauer"))

rule("_gegenbauer", args=(n, m, a, x), value=gegenbauer(n, a + m, x),
     partials={n: ORDER, m: COUNT, a: SHAPE, x: 2 * (a + m) * ultraspherical(n - 1, m + 1, a, x)},
     complex=real_only,
     domain={n: DEGREES, m: integers(0, 2), a: (0, 10), x: INSIDE},
     ulp=16,
     note="that of a + m, which is not rounded",
     reference="DLMF 18.9.19",
     numpy="support.gegenbauer", c="support.gegenbauer")

rule("_shifted_gegenbauer", args=(n, m, a, x), value=gegenbauer(n, a + m, 2 * x - 1),
     partials={n: ORDER, m: COUNT, a: SHAPE, x: 4 * (a + m) * shifted(n - 1, m + 1, a, x)},
     complex=real_only,
     domain={n: DEGREES, m: integers(0, 2), a: (0, 10), x: closed(0, 1)},
     ulp=4,
     note="that of a + m, which is not rounded",
     reference="DLMF 18.9.19",
     numpy="support.shifted_gegenbauer", c="support.shifted_gegenbauer")

rule("eval_jacobi", args=(n, a, b, x), value=jacobi(n, a, b, x),
     partials={n: ORDER, a: SHAPE, b: SHAPE,
               x: (n + a + b + 1) / 2 * raised(n - 1, 1, a, b, x)},
     complex=real_only,
     domain={n: DEGREES, a: (-1, 10), b: (-1, 10), x: INSIDE},
     ulp=8,
     off=4e-11,
     note="the recurrence in pairs of doubles, which keeps all digits next to all zeros, costs "
          "15 times the value, 6 times if the parameters are numbers",
     reference="DLMF 18.9.15",
     numpy="special.eval_jacobi", c=scipy("eval_jacobi"))

rule("_jacobi", args=(n, m, a, b, x), value=jacobi(n, a + m, b + m, x),
     partials={n: ORDER, m: COUNT, a: SHAPE, b: SHAPE,
               x: (n + a + b + 2 * m + 1) / 2 * raised(n - 1, m + 1, a, b, x)},
     complex=real_only,
     domain={n: DEGREES, m: integers(0, 2), a: (-1, 10), b: (-1, 10), x: INSIDE},
     ulp=8,
     note="that of a + m and b + m, which are not rounded: a - b may be small",
     reference="DLMF 18.9.15",
     numpy="support.jacobi_polynomial", c=scipy("eval_jacobi"))

rule("eval_sh_legendre", args=(n, x), value=legendre(n, 2 * x - 1),
     partials={n: ORDER, x: 2 * shifted(n - 1, 1, Rational(1, 2), x)},
     complex=real_only,
     domain={n: DEGREES, x: closed(0, 1)},
     ulp=4,
     note="the recurrence in pairs of doubles, which keeps all digits next to all zeros, costs "
          "10 times the value",
     reference="DLMF 18.7.10",
     numpy="special.eval_sh_legendre", c=scipy("eval_sh_legendre"))

rule("eval_sh_chebyt", args=(n, x), value=chebyshev_t(n, 2 * x - 1),
     partials={n: ORDER, x: 2 * n * shifted(n - 1, 0, 1, x)},
     complex=real_only,
     domain={n: DEGREES, x: closed(0, 1)},
     ulp=4,
     note="SciPy's eval_sh_chebyu loses all digits next to its zeros; the recurrence in pairs of "
          "doubles, which keeps them, costs 10 times the value",
     reference="DLMF 18.7.7",
     numpy="special.eval_sh_chebyt", c=scipy("eval_sh_chebyt"))

rule("eval_sh_chebyu", args=(n, x), value=chebyshev_u(n, 2 * x - 1),
     partials={n: ORDER, x: 4 * shifted(n - 1, 1, 1, x)},
     complex=real_only,
     domain={n: DEGREES, x: closed(0, 1)},
     ulp=4,
     note="the recurrence in pairs of doubles, which keeps all digits next to all zeros, costs "
          "10 times the value",
     reference="DLMF 18.7.8",
     numpy="special.eval_sh_chebyu", c=scipy("eval_sh_chebyu"))

rule("eval_sh_jacobi", args=(n, p, q, x), value=shifted_jacobi(n, p, q, x),
     partials={n: ORDER, p: SHAPE, q: SHAPE, x: n * shifted_raised(n - 1, 1, p, q, x)},
     complex=real_only,
     domain={n: DEGREES, p: (6, 10), q: (1, 5), x: closed(0, 1)},
     ulp=8,
     note="the polynomials begin with x**n, so that the derivative is n times another one; the "
          "recurrence in pairs of doubles, which keeps all digits next to all zeros, costs 14 "
          "times the value",
     reference="DLMF 18.1.2, 18.9.15",
     numpy="special.eval_sh_jacobi", c=scipy("eval_sh_jacobi"))

rule("_shifted_jacobi", args=(n, m, p, q, x), value=shifted_jacobi(n, p + 2 * m, q + m, x),
     partials={n: ORDER, m: COUNT, p: SHAPE, q: SHAPE,
               x: n * shifted_raised(n - 1, m + 1, p, q, x)},
     complex=real_only,
     domain={n: DEGREES, m: integers(0, 2), p: (6, 10), q: (1, 5), x: closed(0, 1)},
     ulp=8,
     note="that of p + 2*m and q + m, which are not rounded",
     reference="DLMF 18.1.2, 18.9.15",
     numpy="support.shifted_jacobi", c=scipy("eval_sh_jacobi"))

rule("eval_laguerre", args=(n, x), value=laguerre(n, 0, x),
     partials={n: ORDER, x: -associated(n - 1, 1, 0, x)},
     complex=real_only,
     domain={n: DEGREES, x: (-oo, oo)},
     ulp=4,
     note="SciPy's eval_genlaguerre is NaN where x is large, and loses all digits next to its "
          "zeros; the recurrence in pairs of doubles costs 8 times the value",
     reference="DLMF 18.9.23",
     numpy="special.eval_laguerre", c=scipy("eval_laguerre"))

rule("eval_genlaguerre", args=(n, a, x), value=laguerre(n, a, x),
     partials={n: ORDER, a: SHAPE, x: -associated(n - 1, 1, a, x)},
     complex=real_only,
     domain={n: DEGREES, a: (-1, 10), x: (-oo, oo)},
     ulp=4,
     off=3e-12,
     note="SciPy's own is NaN where x is large, and loses all digits next to its zeros; the "
          "recurrence in pairs of doubles costs 7 times the value",
     reference="DLMF 18.9.23",
     numpy="special.eval_genlaguerre", c=scipy("eval_genlaguerre"))

rule("_laguerre", args=(n, m, a, x), value=laguerre(n, a + m, x),
     partials={n: ORDER, m: COUNT, a: SHAPE, x: -associated(n - 1, m + 1, a, x)},
     complex=real_only,
     domain={n: DEGREES, m: integers(0, 2), a: (-1, 10), x: (-oo, oo)},
     ulp=4,
     note="that of a + m, which is not rounded",
     reference="DLMF 18.9.23",
     numpy="support.laguerre", c="support.laguerre")

rule("eval_hermite", args=(n, x), value=hermite(n, x),
     partials={n: ORDER, x: 2 * n * physicists(n - 1, x)},
     complex=real_only,
     domain={n: DEGREES, x: (-oo, oo)},
     ulp=4,
     note="SciPy's own is NaN where x is large, and loses all digits next to its zeros; the "
          "recurrence in pairs of doubles costs 6 times the value",
     reference="DLMF 18.9.25",
     numpy="special.eval_hermite", c=scipy("eval_hermite"))

rule("_hermite", args=(n, x), value=hermite(n, x),
     partials={n: ORDER, x: 2 * n * physicists(n - 1, x)},
     complex=real_only,
     domain={n: DEGREES, x: (-oo, oo)},
     ulp=4,
     reference="DLMF 18.9.25",
     numpy="support.hermite", c="support.hermite")

rule("eval_hermitenorm", args=(n, x), value=hermite_e(n, x),
     partials={n: ORDER, x: n * probabilists(n - 1, x)},
     complex=real_only,
     domain={n: DEGREES, x: (-oo, oo)},
     ulp=4,
     note="SciPy's own is NaN where x is large, and loses all digits next to its zeros; the "
          "recurrence in pairs of doubles costs 11 times the value",
     reference="DLMF 18.9.27",
     numpy="special.eval_hermitenorm", c=scipy("eval_hermitenorm"))

rule("_hermite_norm", args=(n, x), value=hermite_e(n, x),
     partials={n: ORDER, x: n * probabilists(n - 1, x)},
     complex=real_only,
     domain={n: DEGREES, x: (-oo, oo)},
     ulp=4,
     reference="DLMF 18.9.27",
     numpy="support.hermite_norm", c="support.hermite_norm")

rule("lpmv", args=(m, v, x), value=ferrers(m, v, x),
     partials={m: not_differentiable("the order is a whole number"),
               v: not_differentiable("the derivative in the degree has no closed form"),
               x: ferrers_of(1, m, v, x)},
     complex=real_only,
     domain={m: integers(0, 3), v: integers(0, 5), x: (-1, 1)},
     ulp=4,
     note="SciPy's values lose digits next to -1 and 1; the recurrence with two degrees is 0/0 "
          "there. Of other degrees than whole numbers the values are off by up to 600 ulp; the "
          "polynomial in pairs of doubles costs 11 times the value",
     reference="DLMF 14.7.10, 18.9.19",
     numpy="special.lpmv", c=scipy("lpmv"))

rule("_ferrers_slope", args=(k, m, v, x), value=ferrers_derivative(k, m, v, x),
     partials={k: COUNT, m: ORDER, v: ORDER, x: ferrers_of(k + 1, m, v, x)},
     complex=real_only,
     domain={k: integers(0, 2), m: integers(0, 3), v: integers(0, 5), x: (-1, 1)},
     ulp=64,
     note="the derivative of order k of lpmv(m, v, x)",
     reference="DLMF 14.7.10, 18.9.19",
     numpy="support.ferrers_slope", c=scipy("lpmv"))
