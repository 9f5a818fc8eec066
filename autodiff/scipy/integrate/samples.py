"""Integrals of samples: the trapezoidal rule and Simpson's."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.integrate

from autodiff.box import operand
from autodiff.rules.matrix_parts import reciprocal
from autodiff.scipy.mirror import mirrors
from autodiff.values import dtype_of, shape_of


def _last(y: Any, x: Any, dx: Any, axis: int) -> tuple[Any, Any]:
    """Return `y` with `axis` last, and the distances between the samples."""
    y = operand(y)
    if x is None:
        return np.moveaxis(y, axis, -1), dx
    x = operand(x)
    x = x if len(shape_of(x)) == 1 else np.moveaxis(x, axis, -1)
    return np.moveaxis(y, axis, -1), x[..., 1:] - x[..., :-1]


@mirrors(scipy.integrate.trapezoid)
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """Integrate samples along `axis` by the trapezoidal rule; `scipy.integrate.trapezoid`."""
    y, d = _last(y, x, dx, axis)
    return np.sum(d * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)


@mirrors(scipy.integrate.cumulative_trapezoid)
def cumulative_trapezoid(
    y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1, initial: float | None = None
) -> Any:
    """Integrate samples up to each of them; `scipy.integrate.cumulative_trapezoid`."""
    y, d = _last(y, x, dx, axis)
    found = np.cumsum(d * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)
    if initial is not None:
        if initial != 0:
            raise ValueError("`initial` must be `None` or `0`.")
        start = np.zeros((*shape_of(found)[:-1], 1), dtype_of(found))
        found = np.concatenate((start, found), -1)
    return np.moveaxis(found, -1, axis)


@mirrors(scipy.integrate.simpson)
def simpson(y: Any, x: Any = None, *, dx: Any = 1.0, axis: int = -1) -> Any:
    """Integrate samples along `axis` by parabolas; `scipy.integrate.simpson`.

    The last interval of an odd number of them is under the parabola of the last three samples.
    """
    y, d = _last(y, x, dx, axis)
    count = shape_of(y)[-1]
    if count <= 2:
        return np.sum(d * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)
    d = np.broadcast_to(d, (*shape_of(d)[:-1], count - 1))
    # As SciPy has it, what is divided by a distance of 0 counts as 0.
    h, k = d[..., :-1:2], d[..., 1::2]
    left, middle, right = y[..., :-2:2], y[..., 1:-1:2], y[..., 2::2]
    ends = left * (2.0 - k * reciprocal(h, 0.0)) + right * (2.0 - h * reciprocal(k, 0.0))
    total = np.sum((h + k) / 6.0 * (ends + middle * (h + k) ** 2 * reciprocal(h * k, 0.0)), -1)
    if count % 2:
        return total
    h, k = d[..., -2], d[..., -1]
    newest = (2.0 * k**2 + 3.0 * h * k) * reciprocal(6.0 * (h + k), 0.0) * y[..., -1]
    before = (k**2 + 3.0 * h * k) * reciprocal(6.0 * h, 0.0) * y[..., -2]
    return total + newest + before - k**3 * reciprocal(6.0 * h * (h + k), 0.0) * y[..., -3]
