"""Linear interpolation, `np.interp`.

The value is ``A(x, xp) fp``, a mean of two values with the weights of a hat function, and its
derivative in `x` is the slope ``D(x, xp) fp``. Moving the knots moves the line: in `xp` the
derivative is minus the slope times the weights. Everything below is made of A, D and their
transposes, so every order follows. At a knot the slope is the mean of both sides, and outside
the knots it is 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.careful import careful_product
from autodiff.primitives import Primitive, implements
from autodiff.rules.indexing import scatter_rule
from autodiff.values import shape_of


def _interp(x: Any, xp: Any, fp: Any) -> Any:
    return np.interp(x, xp, fp)


def _slope(x: Any, xp: Any, fp: Any) -> Any:
    """Return the slope at `x`: ``D(x, xp) fp``."""
    slopes = np.pad(np.diff(fp) / np.diff(xp), 1)
    left, right = _sides(x, xp)
    return 0.5 * (slopes[left] + slopes[right])


def _slope_back(grad: Any, x: Any, xp: Any) -> Any:
    """Return the transpose of the slope in the values, applied to `grad`."""
    shape = (shape_of(xp)[0] + 1,)
    left, right = (scatter_rule(grad, index=side, shape=shape) for side in _sides(x, xp))
    return -np.diff(np.pad(careful_product(0.5 * (left + right)[1:-1], 1.0 / np.diff(xp)), 1))


def _sides(x: Any, xp: Any) -> tuple[Any, Any]:
    """Return the numbers of the segments just left and right of `x`; 0 is before all knots."""
    knots, points = np.asarray(raw(xp)), np.asarray(raw(x))
    return knots.searchsorted(points, "left"), knots.searchsorted(points, "right")


def _spread(grad: Any, x: Any, xp: Any) -> Any:
    """Return the transpose of the interpolation in the values, applied to `grad`."""
    size = xp.shape[0]
    segment = np.clip(_sides(x, xp)[1] - 1, 0, max(size - 2, 0))
    following = np.minimum(segment + 1, size - 1)
    start, width = xp[segment], xp[following] - xp[segment]
    weight = np.clip((x - start) / np.where(width == 0.0, 1.0, width), 0.0, 1.0)
    shares = careful_product(grad, 1.0 - weight), careful_product(grad, weight)
    total = np.zeros(size, np.result_type(*shares))
    np.add.at(total, segment, shares[0])
    np.add.at(total, following, shares[1])
    return total


def _times_slope(grad: Any, x: Any, xp: Any, fp: Any) -> Any:
    return careful_product(grad, _slope(x, xp, fp))


def _kept(part: Any, grad: Any, x: Any) -> Any:
    """Return `part` with 0 where the rule of zero removed a NaN among the points."""
    removed = (raw(grad) == 0.0) & np.isnan(raw(x))
    return np.where(removed, 0.0, part) if np.any(removed) else part


spread_rule: Primitive = Primitive(
    "the transpose of np.interp",
    _spread,
    [
        lambda grad, out, g, x, xp: _kept(interp_rule(x, xp, grad), g, x),
        lambda grad, out, g, x, xp: _times_slope(g, x, xp, grad),
        lambda grad, out, g, x, xp: -spread_rule(_times_slope(g, x, xp, grad), x, xp),
    ],
    [
        lambda tangent, out, g, x, xp: spread_rule(_kept(tangent, g, x), x, xp),
        lambda tangent, out, g, x, xp: _slope_back(careful_product(tangent, g), x, xp),
        lambda tangent, out, g, x, xp: (
            -_slope_back(careful_product(interp_rule(x, xp, tangent), g), x, xp)
        ),
    ],
    reads="args",
)
interp_rule: Primitive = Primitive(
    "np.interp",
    _interp,
    [
        lambda grad, out, x, xp, fp: _times_slope(grad, x, xp, fp),
        lambda grad, out, x, xp, fp: -spread_rule(_times_slope(grad, x, xp, fp), x, xp),
        lambda grad, out, x, xp, fp: spread_rule(grad, x, xp),
    ],
    [
        lambda tangent, out, x, xp, fp: _times_slope(tangent, x, xp, fp),
        lambda tangent, out, x, xp, fp: -_times_slope(interp_rule(x, xp, tangent), x, xp, fp),
        lambda tangent, out, x, xp, fp: interp_rule(x, xp, tangent),
    ],
    reads="args",
)


@implements(np.interp)
def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """Linear interpolation; differentiable in the points, the knots and the values."""
    x, xp, fp = operand(x), operand(xp), operand(fp)
    if not len(shape_of(xp)) == len(shape_of(fp)) == 1 or shape_of(xp) != shape_of(fp):
        raise ValueError(
            "np.interp needs knots and values in two sequences of one length, not shapes "
            f"{shape_of(xp)} and {shape_of(fp)}"
        )
    if period is not None:
        return interp_rule(*_in_one_period(x, xp, fp, np.abs(period)))
    found = interp_rule(x, xp, fp)
    if left is not None:
        found = np.where(raw(x) < raw(xp)[0], left, found)
    return found if right is None else np.where(raw(x) > raw(xp)[-1], right, found)


def _in_one_period(x: Any, xp: Any, fp: Any, period: Any) -> tuple[Any, Any, Any]:
    """Return points and sorted knots in one period, with a knot more at each end."""
    if raw(period) == 0.0:
        raise ValueError("the period of np.interp must not be 0")
    x, xp = x % period, xp % period
    order = np.argsort(raw(xp))
    xp, fp = xp[order], fp[order]
    xp = np.concatenate((xp[-1:] - period, xp, xp[:1] + period))
    return x, xp, np.concatenate((fp[-1:], fp, fp[:1]))
