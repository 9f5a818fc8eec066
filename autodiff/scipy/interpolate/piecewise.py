"""Piecewise polynomials with tracked coefficients, breakpoints or points of evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate

from autodiff.box import raw
from autodiff.scipy.mirror import any_box, gathered
from autodiff.values import dtype_of, shape_of


def falling(order: int, nu: int) -> Any:
    """Return the factors of the coefficients, highest power first, of the `nu`-th derivative."""
    powers = np.arange(order - 1, nu - 1, -1.0)
    factors = np.ones(len(powers))
    for step in range(nu):
        factors *= powers - step
    return factors


def along_first(factors: Any, c: Any) -> Any:
    """Return numbers shaped to multiply along the first axis of `c`."""
    return np.reshape(factors, (-1, *(1,) * (len(shape_of(c)) - 1)))


def in_double(value: Any) -> Any:
    """Return an array of double precision, which SciPy's polynomials are of."""
    value = gathered(value)
    wanted = np.result_type(dtype_of(value), np.float64)
    return value if dtype_of(value) == wanted else value.astype(wanted)


class Followed:
    """What SciPy's piecewise polynomials do with tracked values; a class to put before theirs.

    The breakpoint at which a piece starts belongs to that piece: derivatives at a kink are
    those from the right.
    """

    _c: Any
    _x: Any
    axis: int
    extrapolate: Any

    def _follow(self, c: Any, x: Any, extrapolate: Any, axis: int) -> None:
        """Become the polynomial with these attributes, tracked or not."""
        self._c, self._x = c, x
        self._asarray = np.asarray
        self.extrapolate = True if extrapolate is None else extrapolate
        self.axis = axis

    def _is_followed(self, *more: Any) -> bool:
        return any_box((self._c, self._x, *more))

    @property
    def c(self) -> Any:
        """Coefficients, highest power first: shape (powers, pieces, ...)."""
        return self._c

    @c.setter
    def c(self, new: Any) -> None:
        self._c = gathered(new)

    @property
    def x(self) -> Any:
        """Breakpoints."""
        return self._x

    @x.setter
    def x(self, new: Any) -> None:
        self._x = gathered(new)

    def _made(self, c: Any, x: Any, extrapolate: Any) -> Any:
        found = object.__new__(PPoly)
        found._follow(c, x, extrapolate, self.axis)
        return found

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        """Return the value, or the `nu`-th derivative, at `x`."""
        if not self._is_followed(x):
            own: Any = super()
            return own.__call__(x, nu, extrapolate)
        if nu < 0:
            raise ValueError("Order of derivative cannot be negative.")
        x = gathered(x)
        extrapolate = self.extrapolate if extrapolate is None else extrapolate
        first, last = self._x[0], self._x[-1]
        if extrapolate == "periodic":
            x = first + np.remainder(x - first, last - first)
        # A descending row of breakpoints is an ascending one of their negatives.
        sign = 1.0 if raw(last) > raw(first) else -1.0
        places, points = sign * np.asarray(raw(self._x)), sign * np.asarray(raw(x))
        piece = np.clip(np.searchsorted(places, points, "right") - 1, 0, len(places) - 2)
        trailing = shape_of(self._c)[2:]
        t = np.reshape(x - self._x[piece], shape_of(x) + (1,) * len(trailing))
        factors = falling(shape_of(self._c)[0], nu)
        value: Any = np.zeros(shape_of(x) + trailing, dtype_of(self._c)) + 0.0 * t
        for power, factor in enumerate(factors):
            value = value * t + float(factor) * self._c[power][piece]
        if extrapolate is False:
            outside = (points < places[0]) | (points > places[-1]) | np.isnan(points)
            value = np.where(np.reshape(outside, shape_of(t)), np.nan, value)
        if not self.axis:
            return value
        order = list(range(len(shape_of(value))))
        count = len(shape_of(x))
        ahead = order[count : count + self.axis]
        return np.transpose(value, ahead + order[:count] + order[count + self.axis :])

    def derivative(self, nu: int = 1) -> Any:
        """Return the polynomial that is the `nu`-th derivative."""
        if not self._is_followed():
            own: Any = super()
            return own.derivative(nu)
        if nu < 0:
            return self.antiderivative(-nu)
        order = shape_of(self._c)[0]
        if nu >= order:
            return self._made(0.0 * self._c[:1], self._x, self.extrapolate)
        factors = along_first(falling(order, nu), self._c)
        return self._made(self._c[: order - nu] * factors, self._x, self.extrapolate)

    def antiderivative(self, nu: int = 1) -> Any:
        """Return the polynomial that is the `nu`-th integral, 0 at the first breakpoint."""
        if not self._is_followed():
            own: Any = super()
            return own.antiderivative(nu)
        if nu <= 0:
            return self.derivative(-nu)
        c, x = self._c, self._x
        for _ in range(nu):
            order = shape_of(c)[0]
            c = c / along_first(np.arange(order, 0, -1.0), c)
            width = np.reshape(x[1:] - x[:-1], (-1, *(1,) * (len(shape_of(c)) - 2)))
            area: Any = 0.0
            for power in range(order):
                area = (area + c[power]) * width
            start = np.zeros((1, *shape_of(area)[1:]), dtype_of(area))
            starts = np.concatenate((start, np.cumsum(area, axis=0)[:-1]))
            c = np.concatenate((c, starts[None]))
        periodic = self.extrapolate == "periodic"
        return self._made(c, x, False if periodic else self.extrapolate)

    def solve(self, y: Any = 0.0, discontinuity: bool = True, extrapolate: Any = None) -> Any:
        """Return where a plain polynomial has the value `y`; `roots` is that of 0."""
        if not self._is_followed(y):
            own: Any = super()
            return own.solve(y, discontinuity, extrapolate)
        raise TypeError(
            "the places where a tracked spline has a value have no rule; find one with "
            "autodiff.scipy.optimize.brentq(lambda x, *args: ..., a, b, args)"
        )

    def integrate(self, a: Any, b: Any, extrapolate: Any = None) -> Any:
        """Return the integral from `a` to `b`."""
        if not self._is_followed(a, b):
            own: Any = super()
            return own.integrate(a, b, extrapolate)
        extrapolate = self.extrapolate if extrapolate is None else extrapolate
        whole = self._made(self._c, self._x, True).antiderivative()
        if extrapolate != "periodic":
            return whole(b, extrapolate=extrapolate) - whole(a, extrapolate=extrapolate)
        first, last = self._x[0], self._x[-1]

        def up_to(x: Any) -> Any:
            turns = np.floor((raw(x) - raw(first)) / (raw(last) - raw(first)))
            return whole(x - turns * (last - first)) + turns * whole(last)

        return up_to(b) - up_to(a)


class PPoly(Followed, scipy.interpolate.PPoly):  # type: ignore[misc]
    """Piecewise polynomial in its coefficients `c` and breakpoints `x`; SciPy's `PPoly`."""

    def __init__(self, c: Any, x: Any, extrapolate: Any = None, axis: int = 0) -> None:
        if not any_box((c, x)):
            super().__init__(c, x, extrapolate, axis)
            return
        c = in_double(c)
        if axis:
            c = np.moveaxis(np.moveaxis(c, axis + 1, 0), axis + 1, 0)
        self._follow(c, in_double(x), extrapolate, axis)
