"""Cubic splines, differentiable in values, knots, end conditions and points of evaluation.

A spline is made of the slopes at its knots, which solve a tridiagonal system, so everything
about it is a composition of `solve_banded` and arithmetic.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate

from autodiff.box import raw
from autodiff.scipy.interpolate.piecewise import Followed, in_double
from autodiff.scipy.linalg import solve_banded
from autodiff.scipy.mirror import any_box, gathered
from autodiff.values import shape_of


def _prepared(x: Any, y: Any, axis: int) -> tuple[Any, Any, int]:
    """Return knots, values with `axis` first, and `axis` counted from 0.

    Raises
    ------
    ValueError
        If the shapes do not fit, or the knots do not ascend.
    """
    x, y = in_double(x), in_double(y)
    axis = range(len(shape_of(y)))[axis]
    if len(shape_of(x)) != 1 or shape_of(x)[0] != shape_of(y)[axis] or shape_of(x)[0] < 2:
        raise ValueError(
            f"a spline needs two knots or more and a value for each along axis {axis}; x has "
            f"shape {shape_of(x)}, y has shape {shape_of(y)}"
        )
    if not np.all(np.diff(raw(x)) > 0):
        raise ValueError("`x` must be strictly increasing sequence.")
    return x, np.moveaxis(y, axis, 0), axis


def _columns(h: Any, y: Any) -> Any:
    """Return distances of knots, shaped to go along the first axis of `y`."""
    return np.reshape(h, (-1, *(1,) * (len(shape_of(y)) - 1)))


def _hermite(x: Any, y: Any, slopes: Any) -> Any:
    """Return the coefficients of the cubic pieces with these values and slopes."""
    h = _columns(x[1:] - x[:-1], y)
    secant = (y[1:] - y[:-1]) / h
    bend = (slopes[:-1] + slopes[1:] - 2.0 * secant) / h
    return np.stack([bend / h, (secant - slopes[:-1]) / h - bend, slopes[:-1], y[:-1]])


def _end(condition: Any, h: Any, secants: Any, shape: tuple[int, ...]) -> tuple[Any, Any, Any]:
    """Return the equation of the slope at an end: its factor, the neighbour's, the right side.

    The distances and secants are those at the end, the outermost first; at the right end the
    sign of a second derivative is turned by the caller.
    """
    if isinstance(condition, str):
        if _is_free(condition):
            if len(h) == 1:
                return 1.0, 0.0, secants[0]
            d = h[0] + h[1]
            right = ((h[0] + 2.0 * d) * h[1] * secants[0] + h[0] ** 2 * secants[1]) / d
            return h[1], d, right
        if condition not in {"clamped", "natural"}:
            raise ValueError(f"bc_type={condition} is not allowed.")
        condition = (1 if condition == "clamped" else 2, np.zeros(shape))
    order, value = condition
    if order not in (1, 2) or shape_of(gathered(value)) != shape:
        raise ValueError(
            f"an end condition is (1 or 2, value) with a value of shape {shape}; got {condition}"
        )
    if order == 1:
        return 1.0, 0.0, value
    return 2.0 * h[0], h[0], 3.0 * h[0] * secants[0] - 0.5 * value * h[0] ** 2


def _is_free(condition: Any) -> bool:
    return isinstance(condition, str) and condition == "not-a-knot"


def _turned(condition: Any) -> Any:
    """Return an end condition as seen from the other side, for x that runs backward."""
    if isinstance(condition, str) or condition[0] == 1:
        return condition
    return (condition[0], -gathered(condition[1]))


def _tridiagonal(lower: Any, diagonal: Any, upper: Any, right: Any) -> Any:
    """Return the solution of a tridiagonal system; right side and solution have `y`'s shape."""
    zero = np.zeros(1)
    bands = np.stack(
        [
            np.concatenate((zero, upper)),
            diagonal,
            np.concatenate((lower, zero)),
        ]
    )
    shape = shape_of(right)
    columns = np.reshape(right, (shape[0], int(np.prod(shape[1:]))))
    return np.reshape(solve_banded((1, 1), bands, columns, check_finite=False), shape)


def _row(*numbers: Any) -> Any:
    return np.stack([gathered(number) for number in numbers])


def _slopes(x: Any, y: Any, start: Any, end: Any) -> Any:
    """Return the slopes at the knots of a spline with two end conditions."""
    h = x[1:] - x[:-1]
    along = _columns(h, y)
    secants = (y[1:] - y[:-1]) / along
    shape = shape_of(y)[1:]
    if shape_of(x)[0] == 3 and _is_free(start) and _is_free(end):
        # Both conditions are the same one; a parabola through the points is taken.
        first, last = (1.0, 1.0, 2.0 * secants[0]), (1.0, 1.0, 2.0 * secants[1])
    else:
        outer = [h[i] for i in range(min(2, len(h)))]
        first = _end(start, outer, secants[:2], shape)
        outer = [h[-1 - i] for i in range(min(2, len(h)))]
        last = _end(_turned(end), outer, secants[::-1][:2], shape)
    right = 3.0 * (along[1:] * secants[:-1] + along[:-1] * secants[1:])
    return _tridiagonal(
        np.concatenate((h[1:], _row(last[1]))),
        np.concatenate((_row(first[0]), 2.0 * (h[:-1] + h[1:]), _row(last[0]))),
        np.concatenate((_row(first[1]), h[:-1])),
        np.concatenate(
            (np.reshape(first[2], (1, *shape)), right, np.reshape(last[2], (1, *shape)))
        ),
    )


def _periodic_slopes(x: Any, y: Any) -> Any:
    """Return the slopes at the knots of a periodic spline.

    The system is tridiagonal but for two corners: the last slope is found from the solutions
    for the right side and for the column that it stands in.
    """
    h = x[1:] - x[:-1]
    along = _columns(h, y)
    secants = (y[1:] - y[:-1]) / along
    count = shape_of(h)[0]
    if count == 1:
        return np.concatenate((secants, secants))
    if count == 2:
        mean = np.sum(secants / along, axis=0) / np.sum(1.0 / along, axis=0)
        return np.stack([mean] * 3)
    before = np.concatenate((h[-1:], h[:-1]))  # the distance before each knot; h is after it
    earlier = np.concatenate((secants[-1:], secants[:-1]))
    right = 3.0 * (along * earlier + _columns(before, y) * secants)
    diagonal = 2.0 * (before + h)
    lower, upper = h[1:-1], before[:-2]
    corner = np.concatenate((-h[:1], np.zeros(count - 3), -before[-2:-1]))
    own = _tridiagonal(lower, diagonal[:-1], upper, right[:-1])
    of_last = _tridiagonal(lower, diagonal[:-1], upper, corner)
    left = right[-1] - h[-1] * own[-1] - before[-1] * own[0]
    last = left / (diagonal[-1] + h[-1] * of_last[-1] + before[-1] * of_last[0])
    slopes = own + _columns(of_last, y) * last
    return np.concatenate((slopes, last[None], slopes[:1]))


def _pchip_end(h: Any, k: Any, m: Any, n: Any) -> Any:
    """Return the slope at an end: that of a parabola, limited so that the shape is kept."""
    slope = ((2.0 * h + k) * m - h * n) / (h + k)
    sign = np.sign(raw(m))
    steep = (sign != np.sign(raw(n))) & (np.abs(raw(slope)) > 3.0 * np.abs(raw(m)))
    limited = np.where(steep, 3.0 * m, slope)
    return np.where(np.sign(raw(slope)) != sign, 0.0, limited)


def _pchip_slopes(x: Any, y: Any) -> Any:
    """Return slopes that keep the data monotone: weighted harmonic means of the secants."""
    h = _columns(x[1:] - x[:-1], y)
    m = (y[1:] - y[:-1]) / h
    if shape_of(x)[0] == 2:
        return np.concatenate((m, m))
    sign = np.sign(raw(m))
    flat = (sign[1:] != sign[:-1]) | (sign[1:] == 0.0) | (sign[:-1] == 0.0)
    before, after = np.where(flat, 1.0, m[:-1]), np.where(flat, 1.0, m[1:])
    v, w = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    inner = np.where(flat, 0.0, (v + w) / (v / before + w / after))
    first = _pchip_end(h[0], h[1], m[0], m[1])
    last = _pchip_end(h[-1], h[-2], m[-1], m[-2])
    return np.concatenate((first[None], inner, last[None]))


class CubicHermiteSpline(Followed, scipy.interpolate.CubicHermiteSpline):  # type: ignore[misc]
    """Cubic spline with given values and slopes; SciPy's `CubicHermiteSpline`."""

    def __init__(self, x: Any, y: Any, dydx: Any, axis: int = 0, extrapolate: Any = None) -> None:
        if not any_box((x, y, dydx)):
            super().__init__(x, y, dydx, axis, extrapolate)
            return
        slopes = _prepared(x, dydx, axis)[1]
        x, y, axis = _prepared(x, y, axis)
        self._follow(_hermite(x, y, slopes), x, extrapolate, axis)


class CubicSpline(Followed, scipy.interpolate.CubicSpline):  # type: ignore[misc]
    """Cubic spline with continuous second derivative; SciPy's `CubicSpline`.

    Parameters
    ----------
    x : array, shape (n,)
        Knots.
    y : array
        Values, n of them along `axis`.
    axis : int
    bc_type : str or pair
        ``"not-a-knot"``, ``"periodic"``, ``"clamped"``, ``"natural"``; a pair has one for each
        end, which may be ``(order, value)``: that derivative, 1 or 2, is `value` there.
    extrapolate : bool, "periodic" or None

    Raises
    ------
    ValueError
        As SciPy's.

    Notes
    -----
    Knots, values, the values of end conditions and the places of evaluation may be tracked.

    Examples
    --------
    >>> import numpy as np
    >>> import autodiff as ad
    >>> x = np.array([0.0, 1.0, 2.0, 3.0])
    >>> def middle(y):
    ...     return CubicSpline(x, y, bc_type="natural")(1.5)
    >>> print(np.round(ad.grad(middle)(np.array([0.0, 1.0, 0.0, 2.0])), 6))
    [-0.075  0.575  0.575 -0.075]
    """

    def __init__(
        self,
        x: Any,
        y: Any,
        axis: int = 0,
        bc_type: Any = "not-a-knot",
        extrapolate: Any = None,
    ) -> None:
        if not any_box((x, y, bc_type)):
            super().__init__(x, y, axis, bc_type, extrapolate)
            return
        x, y, axis = _prepared(x, y, axis)
        periodic = isinstance(bc_type, str) and bc_type == "periodic"
        if periodic:
            if not np.allclose(raw(y)[0], raw(y)[-1], rtol=1e-15, atol=1e-15):
                raise ValueError(
                    f"The first and last `y` point along axis {axis} must be identical (within "
                    "machine precision) when bc_type='periodic'."
                )
            slopes = _periodic_slopes(x, y)
        else:
            start, end = (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
            slopes = _slopes(x, y, start, end)
        if extrapolate is None:
            extrapolate = "periodic" if periodic else True
        self._follow(_hermite(x, y, slopes), x, extrapolate, axis)


class PchipInterpolator(Followed, scipy.interpolate.PchipInterpolator):  # type: ignore[misc]
    """Cubic spline that keeps the data monotone; SciPy's `PchipInterpolator`."""

    def __init__(self, x: Any, y: Any, axis: int = 0, extrapolate: Any = None) -> None:
        if not any_box((x, y)):
            super().__init__(x, y, axis, extrapolate)
            return
        x, y, axis = _prepared(x, y, axis)
        self._follow(_hermite(x, y, _pchip_slopes(x, y)), x, extrapolate, axis)
