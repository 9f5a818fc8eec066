"""Rules of spherical Bessel functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from sympy import oo

from diffrules.digits import FUNCTIONS
from diffrules.meanings import Meaning
from diffrules.vocabulary import (
    integers,
    later,
    not_differentiable,
    point,
    real_only,
    rule,
    scipy,
    symbol,
    x,
)

m, n = symbol("m"), symbol("n")

class SphericalSlope(Meaning):
    """A spherical Bessel function differentiated, by neighbours in the order."""

    nargs = 3
    down: ClassVar[int]
    up: ClassVar[int]

    def fdiff(self, argindex: int = 3) -> Meaning:
        """Return the derivative in the argument: one order more of it."""
        order, of, at = self.args
        return type(self)(order + 1, of, at)

    @classmethod
    def sum(cls, function: Callable[..., Any], order: Any, of: Any, at: Any) -> Any:
        """Return the derivative of `order`, DLMF 10.51.1 and 10.51.4."""
        weights = {int(of): FUNCTIONS.mpf(1)}
        for _ in range(int(order)):
            grown: dict[int, Any] = {}
            for k, weight in weights.items():
                for other, factor in ((k - 1, cls.down * k), (k + 1, cls.up * (k + 1))):
                    grown[other] = grown.get(other, 0) + weight * factor / (2 * k + 1)
            weights = grown
        return FUNCTIONS.fsum(w * function(k, at) for k, w in weights.items() if w)

def regular(sign: int) -> Callable[[int, Any], Any]:
    """Return j (`sign` -1) or i (1), DLMF 10.53.1, 10.53.3."""
    def function(k: int, at: Any) -> Any:
        return at**k / FUNCTIONS.fac2(2 * k + 1) * FUNCTIONS.hyp0f1(k + 1.5, sign * at * at / 4)
    return function

def irregular(k: int, at: Any) -> Any:
    """Return y, DLMF 10.53.2."""
    factor = -1 if k == 0 else -FUNCTIONS.fac2(2 * k - 1)
    return factor * FUNCTIONS.hyp0f1(0.5 - k, -at * at / 4) / at**(k + 1)

def falling(k: int, at: Any) -> Any:
    """Return k, DLMF 10.49.12."""
    total = sum(
        FUNCTIONS.factorial(k + j) / FUNCTIONS.factorial(j) / FUNCTIONS.factorial(k - j)
        / (2 * at)**j
        for j in range(k + 1)
    )
    return FUNCTIONS.pi / 2 * FUNCTIONS.exp(-at) / at * total

class spherical_j_slope(SphericalSlope):  # noqa: N801
    """The derivative of order ``m`` of the function j of order ``n``."""

    down, up = 1, -1

    @staticmethod
    def numeric(order: Any, of: Any, at: Any) -> Any:
        """Return it to the digits of the caller."""
        return spherical_j_slope.sum(regular(-1), order, of, at)

class spherical_y_slope(SphericalSlope):  # noqa: N801
    """The derivative of order ``m`` of the function y of order ``n``."""

    down, up = 1, -1

    @staticmethod
    def numeric(order: Any, of: Any, at: Any) -> Any:
        """Return it to the digits of the caller."""
        return spherical_y_slope.sum(irregular, order, of, at)

class spherical_i_slope(SphericalSlope):  # noqa: N801
    """The derivative of order ``m`` of the modified function i of order ``n``."""

    down, up = 1, 1

    @staticmethod
    def numeric(order: Any, of: Any, at: Any) -> Any:
        """Return it to the digits of the caller."""
        return spherical_i_slope.sum(regular(1), order, of, at)

class spherical_k_slope(SphericalSlope):  # noqa: N801
    """The derivative of order ``m`` of the modified function k of order ``n``."""

    down, up = -1, -1

    @staticmethod
    def numeric(order: Any, of: Any, at: Any) -> Any:
        """Return it to the digits of the caller."""
        return spherical_k_slope.sum(falling, order, of, at)

ORDER = not_differentiable("the order is a whole number")
COUNT = not_differentiable("a number of derivatives")
j_of, y_of = later("_spherical_j", 3), later("_spherical_y", 3)
i_of, k_of = later("_spherical_i", 3), later("_spherical_k", 3)

rule("spherical_jn", args=(n, x), value=spherical_j_slope(0, n, x),
     partials={n: ORDER, x: j_of(1, n, x)},
     complex=real_only,
     domain={n: integers(0, 5), x: (-oo, oo)},
     ulp=16,
     note="spherical_jn(n - 1, x) - (n + 1)/x*out cancels near 0, and has no value at 0; next "
          "to the zeros of the partial, which have a large condition number, 14 ulp were measured",
     reference="DLMF 10.51.1",
     numpy="special.spherical_jn", c=scipy("spherical_jn"))

rule("_spherical_j", args=(m, n, x), value=spherical_j_slope(m, n, x),
     partials={m: COUNT, n: ORDER, x: j_of(m + 1, n, x)},
     complex=real_only,
     domain={m: integers(0, 2), n: integers(0, 5), x: (-oo, oo)},
     ulp=8,
     note="the derivative of order m of spherical_jn(n, x)",
     reference="DLMF 10.51.1, 10.53.1",
     numpy="support.spherical_j", c=scipy("spherical_jn"))

rule("spherical_yn", args=(n, x), value=spherical_y_slope(0, n, x),
     partials={n: ORDER, x: y_of(1, n, x)},
     complex=real_only,
     domain={n: integers(0, 5), x: (0, oo)},
     at=[point({n: 1, x: 0.0}, {x: oo}, "pole", value=-oo)],
     ulp=16,
     note="next to its zeros the partial has a large condition number: 9 ulp were measured",
     reference="DLMF 10.51.1",
     numpy="special.spherical_yn", c=scipy("spherical_yn"))

rule("_spherical_y", args=(m, n, x), value=spherical_y_slope(m, n, x),
     partials={m: COUNT, n: ORDER, x: y_of(m + 1, n, x)},
     complex=real_only,
     domain={m: integers(0, 2), n: integers(0, 5), x: (0, oo)},
     ulp=8,
     note="the derivative of order m of spherical_yn(n, x)",
     reference="DLMF 10.51.1",
     numpy="support.spherical_y", c=scipy("spherical_yn"))

rule("spherical_in", args=(n, x), value=spherical_i_slope(0, n, x),
     partials={n: ORDER, x: i_of(1, n, x)},
     complex=real_only,
     domain={n: integers(0, 5), x: (-oo, oo)},
     ulp=16,
     note="spherical_in(n - 1, x) - (n + 1)/x*out cancels near 0, and has no value at 0; the power "
          "series up to 25 has the rounding error of x**2 x/2 times",
     reference="DLMF 10.51.4",
     numpy="special.spherical_in", c=scipy("spherical_in"))

rule("_spherical_i", args=(m, n, x), value=spherical_i_slope(m, n, x),
     partials={m: COUNT, n: ORDER, x: i_of(m + 1, n, x)},
     complex=real_only,
     domain={m: integers(0, 2), n: integers(0, 5), x: (-oo, oo)},
     ulp=16,
     note="the derivative of order m of spherical_in(n, x); as for that",
     reference="DLMF 10.49.8, 10.51.4, 10.53.3",
     numpy="support.spherical_i", c=scipy("spherical_in"))

rule("spherical_kn", args=(n, x), value=spherical_k_slope(0, n, x),
     partials={n: ORDER, x: k_of(1, n, x)},
     complex=real_only,
     domain={n: integers(0, 5), x: (0, oo)},
     at=[point({n: 1, x: 0.0}, {x: -oo}, "pole", value=oo)],
     ulp=8,
     reference="DLMF 10.51.4",
     numpy="special.spherical_kn", c=scipy("spherical_kn"))

rule("_spherical_k", args=(m, n, x), value=spherical_k_slope(m, n, x),
     partials={m: COUNT, n: ORDER, x: k_of(m + 1, n, x)},
     complex=real_only,
     domain={m: integers(0, 2), n: integers(0, 5), x: (0, oo)},
     ulp=8,
     note="the derivative of order m of spherical_kn(n, x)",
     reference="DLMF 10.49.12, 10.51.4",
     numpy="support.spherical_k", c=scipy("spherical_kn"))
