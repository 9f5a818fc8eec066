"""Rules of parabolic cylinder functions in their argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import mpmath
import sympy
from sympy import Rational

from diffrules.domains import Interval
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

a, v = symbol("a"), symbol("v")
HALF, QUARTER = Rational(1, 2), Rational(1, 4)
ORDER = not_differentiable("parabolic cylinder functions have no derivative of closed form in it")


class OfWeber(Meaning):
    """A solution of Weber's equation, or its derivative, from both of them at 0.

    Attributes
    ----------
    order : int
        0 for the solution, 1 for its derivative.
    factor : callable
        Of parameter and argument: what the second derivative is, over the solution.
    """

    nargs = 2
    order: ClassVar[int]
    factor: ClassVar[Callable[..., Any]]
    other: ClassVar[type[OfWeber]]

    def fdiff(self, argindex: int = 2) -> sympy.Expr:
        """Return the derivative of the solution, or the second one by the equation."""
        parameter, at = self.args
        found = type(self).other(parameter, at)
        return type(self).factor(parameter, at) * found if self.order else found


def solution(
    name: str, factor: Callable[..., Any], start: Callable[..., Any]
) -> tuple[type[OfWeber], type[OfWeber]]:
    """Return the SymPy functions of a solution and of its derivative.

    `start` gives both at 0, by the parameter.
    """

    def series(order: int, parameter: Any, at: Any) -> Any:
        # Digits that solutions lose which fall while others grow like exp(x**2/4).
        with mpmath.extraprec(40 + int(1.5 * at * at)):
            constant = factor(parameter, mpmath.mpf(0))
            square = factor(parameter, mpmath.mpf(1)) - constant
            terms = [*start(parameter)]
            found, power, k, small = mpmath.mpf(0), mpmath.mpf(1), 0, 0
            while small < 8:
                more = constant * terms[k] + (square * terms[k - 2] if k > 1 else 0)
                terms.append(more / ((k + 1) * (k + 2)))
                part = (k + 1) * terms[k + 1] * power if order else terms[k] * power
                found, power, k = found + part, power * at, k + 1
                small = small + 1 if abs(part) <= abs(found) * mpmath.eps else 0
        return +found

    def made(order: int) -> type[OfWeber]:
        def numeric(parameter: Any, at: Any) -> Any:
            return series(order, parameter, at)

        return type(f"{name}{'_prime' * order}", (OfWeber,), {
            "order": order, "factor": staticmethod(factor), "numeric": staticmethod(numeric),
        })  # fmt: skip

    value, prime = made(0), made(1)
    value.other, prime.other = prime, value
    return value, prime


def of_d(v: Any, x: Any) -> Any:
    """Return what multiplies D and V in their equation."""
    return x**2 / 4 - v - HALF_OF[isinstance(x, sympy.Basic)]


def of_w(a: Any, x: Any) -> Any:
    """Return what multiplies W in its equation."""
    return a - x**2 / 4


HALF_OF = {True: HALF, False: mpmath.mpf("0.5")}


def start_of_d(v: Any) -> tuple[Any, Any]:
    """Return D and its derivative at 0, DLMF 12.2.6 and 12.2.7."""
    root = mpmath.sqrt(mpmath.pi) * mpmath.mpf(2) ** (v / 2)
    return (root * mpmath.rgamma((1 - v) / 2),
            -root * mpmath.sqrt(2) * mpmath.rgamma(-v / 2))  # fmt: skip


def start_of_v(v: Any) -> tuple[Any, Any]:
    """Return V and its derivative at 0, DLMF 12.2.8 and 12.2.9."""
    size = mpmath.pi * mpmath.mpf(2) ** (-v / 2)
    return (size * mpmath.rgamma(1 + v / 2) ** 2 * mpmath.rgamma(-v / 2),
            size * mpmath.sqrt(2) * mpmath.rgamma((1 + v) / 2) ** 2
            * mpmath.rgamma((1 - v) / 2))  # fmt: skip


def start_of_w(a: Any) -> tuple[Any, Any]:
    """Return W and its derivative at 0, DLMF 12.14.2 and 12.14.3."""
    share = mpmath.sqrt(abs(mpmath.gamma(mpmath.mpc(0.25, a / 2))
                            / mpmath.gamma(mpmath.mpc(0.75, a / 2))))  # fmt: skip
    return share / mpmath.mpf(2) ** 0.75, -1 / share / mpmath.mpf(2) ** 0.25


def of_cylinder(
    letter: str, name: str, factor: Callable[..., Any], start: Callable[..., Any],
    domain: dict[Any, Interval], note: str, reference: str,
) -> None:  # fmt: skip
    """Write the entries of the two outputs of a function of SciPy's."""
    value, prime = solution(f"cylinder_{letter}", factor, start)
    parameter = next(iter(domain))
    title = f"parabolic_{letter}"
    page = f"https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.{name}.html"
    rule(title, args=(parameter, x), value=value(parameter, x),
         partials={parameter: ORDER, x: later(f"{title}_prime", 2)(parameter, x)},
         complex=real_only,
         domain=domain,
         note=f"the first output of SciPy's {name}. {note}",
         reference=f"{reference}, {page}",
         numpy=f"special.{name}[0]", c=scipy(name))
    rule(f"{title}_prime", args=(parameter, x), value=prime(parameter, x),
         partials={parameter: ORDER,
                   x: factor(parameter, x) * later(title, 2)(parameter, x)},
         complex=real_only,
         domain=domain,
         note=f"the second output of SciPy's {name}, the derivative of the first. {note}",
         reference=f"{reference}, {page}",
         numpy=f"special.{name}[1]", c=scipy(name))


WHOLE = {v: integers(0, 4), x: closed(-6, 6)}

of_cylinder("d", "pbdv", of_d, start_of_d, WHOLE,
            "Of other orders than whole numbers SciPy's values are off by 1e-8 near x = 6, and "
            "wrong in the third digit near -6",
            "DLMF 12.2.2")
of_cylinder("v", "pbvv", of_d, start_of_v, WHOLE,
            "Of other orders than whole numbers SciPy's values are off by 1e-8 near x = 6, and "
            "wrong in the first digit near -6; of whole ones they are off by 7000 ulp at v = 4, "
            "x = -5.8, and NaN in single precision",
            "DLMF 12.2.2")
of_cylinder("w", "pbwa", of_w, start_of_w, {a: closed(-2, 2), x: closed(-2, 2)},
            "For |a| and |x| up to 5 SciPy's values are off by 2e-9",
            "DLMF 12.14.1")
