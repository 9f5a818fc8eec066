"""Differences, gradients and integrals of samples along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import operand
from autodiff.primitives import Linear, implements, normal_axes
from autodiff.rules.dtypes import in_dtype
from autodiff.rules.elementwise import parallel
from autodiff.rules.indexing import part_of
from autodiff.rules.shapes import with_size
from autodiff.values import dtype_of, shape_of


def _diff(x: Any, *, n: int, axis: int) -> Any:
    return np.diff(x, n, axis)


def _diff_back(grad: Any, x: Any, *, n: int, axis: int) -> Any:
    """Return the transpose: differences of a cotangent with zeros around it, n times negated."""
    if x.shape[axis] <= n:
        return np.zeros(x.shape, dtype_of(grad))
    shape = shape_of(grad)
    zeros = np.zeros(with_size(shape, axis, n), dtype_of(grad))
    found = np.diff(np.concatenate([zeros, grad, zeros], axis), n, axis)
    return -found if n % 2 else found


diff_rule = Linear("np.diff", _diff, _diff_back)


@implements(np.diff)
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours along `axis`, `n` times."""
    a = operand(a)
    if n == 0:
        return a
    if not shape_of(a):
        raise ValueError("np.diff needs an array of at least one dimension")
    if n < 0:
        raise ValueError(f"order of np.diff must not be negative, but got {n}")
    (axis,) = normal_axes(axis, len(shape_of(a)))
    parts = [_with_axis(part, a, axis) for part in (prepend, a, append) if part is not None]
    joined = np.concatenate(parts, axis) if len(parts) > 1 else a
    return diff_rule(joined, n=n, axis=axis)


def _with_axis(part: Any, a: Any, axis: int) -> Any:
    """Return what is joined to `a`; a single number once for each row."""
    part, shape = operand(part), shape_of(a)
    if shape_of(part):
        return part
    return np.broadcast_to(part, with_size(shape, axis, 1))


@implements(np.ediff1d)
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Differences of neighbours of the flattened array."""
    ary = operand(ary)
    parts = (to_begin, diff(np.reshape(ary, -1)), to_end)
    flat = [
        in_dtype(np.reshape(operand(part), -1), dtype_of(ary)) for part in parts if part is not None
    ]
    return np.concatenate(flat) if len(flat) > 1 else flat[0]


@implements(np.gradient)
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Slopes by central differences; differentiable in the spacing too."""
    f = operand(f)
    axes = normal_axes(tuple(axis) if isinstance(axis, list) else axis, len(shape_of(f)))
    given = [operand(v) for v in varargs] or [1.0]
    if len(given) == 1 and not shape_of(given[0]):
        given *= len(axes)
    if len(given) != len(axes):
        raise TypeError(
            f"np.gradient takes one distance, or a distance or places for each of {len(axes)} axes"
        )
    if edge_order not in {1, 2}:
        raise ValueError(f"edge_order of np.gradient is 1 or 2, not {edge_order}")
    found = tuple(
        _slopes(f, _steps(places, f, one), one, edge_order)
        for one, places in zip(axes, given, strict=True)
    )
    return found[0] if len(found) == 1 else found


def _steps(places: Any, f: Any, axis: int) -> Any:
    """Return the distances between neighbours, along `axis`; a number where all are equal."""
    if not shape_of(places):
        return places
    shape = shape_of(f)
    if shape_of(places) != (shape[axis],):
        raise ValueError(
            f"places of np.gradient have shape {shape_of(places)}; axis {axis} has {shape[axis]}"
        )
    return np.reshape(np.diff(places), [-1 if i == axis else 1 for i in range(len(shape))])


def _slopes(f: Any, steps: Any, axis: int, edge_order: int) -> Any:
    """Return at each entry the slope of the parabola through it and its neighbours."""
    size = shape_of(f)[axis]
    if size < edge_order + 1:
        raise ValueError(
            f"np.gradient needs {edge_order + 1} entries along axis {axis}, not {size}"
        )
    rise = diff(f, axis=axis) / steps
    before, after = part_of(rise, axis, 0, -1), part_of(rise, axis, 1, None)
    share: Any = 0.5
    near = far = share
    if shape_of(steps):
        left, right = part_of(steps, axis, 0, -1), part_of(steps, axis, 1, None)
        share = left / (left + right)
        near, far = part_of(share, axis, 0, 1), 1.0 - part_of(share, axis, -1, None)
    first, last = part_of(rise, axis, 0, 1), part_of(rise, axis, -1, None)
    if edge_order == 2:
        bend = before - after
        first = first + part_of(bend, axis, 0, 1) * near
        last = last - part_of(bend, axis, -1, None) * far
    found = np.concatenate([first, before + (after - before) * share, last], axis)
    return in_dtype(found, dtype_of(f)) if dtype_of(f).kind in "fc" else found


@implements(np.trapezoid)
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """Integral by the trapezoidal rule; differentiable in `y`, `x` and `dx`."""
    y = operand(y)
    (axis,) = normal_axes(axis, len(shape_of(y)))
    width = dx
    if x is not None:
        x = operand(x)
        if len(shape_of(x)) == 1:
            width = np.reshape(np.diff(x), (-1,) + (1,) * (len(shape_of(y)) - 1 - axis))
        else:
            width = np.diff(x, axis=axis - len(shape_of(y)))
    heights = part_of(y, axis, 1, None) + part_of(y, axis, 0, -1)
    return np.sum(width * heights / 2.0, axis=axis)


def _unwrap(p: Any, **static: Any) -> Any:
    return np.unwrap(p, **static)


unwrap_rule = parallel("np.unwrap", _unwrap)


@implements(np.unwrap)
def unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: float = 2 * np.pi) -> Any:
    """Angles shifted by whole periods so that they do not jump; the derivative is 1."""
    return unwrap_rule(p, discont=discont, axis=axis, period=period)
