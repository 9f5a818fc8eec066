"""Reversing, rotating, shifting, repeating and windows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from autodiff.box import apply
from autodiff.primitives import Linear, implements, normal_axes
from autodiff.rules.indexing import add_at_places, numbered
from autodiff.values import shape_of


@implements(np.flip)
def flip(m: Any, axis: Any = None) -> Any:
    """Reverse the order of entries along axes."""
    ndim = len(shape_of(m))
    axes = normal_axes(axis, ndim)
    return m[tuple(slice(None, None, -1 if i in axes else None) for i in range(ndim))]


@implements(np.flipud)
def flipud(m: Any) -> Any:
    """Reverse the order along the first axis."""
    return flip(m, 0)


@implements(np.fliplr)
def fliplr(m: Any) -> Any:
    """Reverse the order along the second axis."""
    return flip(m, 1)


@implements(np.rot90)
def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """Rotate `k` times by 90 degrees in the plane of two axes."""
    first, second = normal_axes(tuple(axes), len(shape_of(m)))
    if first == second:
        raise ValueError(f"np.rot90 turns in the plane of two different axes, not {axes}")
    if k % 2 == 0:
        return flip(m, (first, second)) if k % 4 else np.positive(m)
    turned = np.swapaxes(m, first, second)
    return flip(turned, first if k % 4 == 1 else second)


def _roll(x: Any, *, shift: Any, axis: Any) -> Any:
    return np.roll(x, shift, axis)


def _roll_back(grad: Any, x: Any, *, shift: Any, axis: Any) -> Any:
    return np.roll(grad, np.negative(shift), axis)


roll_rule = Linear("np.roll", _roll, _roll_back)


@implements(np.roll)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Shift entries along axes, round the ends."""
    return roll_rule(a, shift=shift, axis=axis)


def _windows(x: Any, **static: Any) -> Any:
    return sliding_window_view(x, **static)


def _windows_back(grad: Any, x: Any, **static: Any) -> Any:
    return apply(from_windows_rule, (grad,), {"shape": x.shape, **static})


def _from_windows(grad: Any, *, shape: Any, **static: Any) -> Any:
    array = np.zeros(shape, grad.dtype)
    add_at_places(array, sliding_window_view(numbered(shape), **static), grad)
    return array


windows_rule = Linear("sliding_window_view", _windows, _windows_back)
from_windows_rule = Linear(
    "the transpose of sliding_window_view",
    _from_windows,
    lambda grad, x, *, shape, **static: windows_rule(grad, **static),
)


@implements(sliding_window_view)
def windows(x: Any, window_shape: Any, axis: Any = None) -> Any:
    """Sliding windows, along new axes at the end."""
    return windows_rule(x, window_shape=window_shape, axis=axis)


def _tile(x: Any, *, reps: tuple[int, ...]) -> Any:
    return np.tile(x, reps)


def _tile_back(grad: Any, x: Any, *, reps: tuple[int, ...]) -> Any:
    """Sum over the copies: along each axis the number of the copy comes before the entry."""
    shape = (1,) * (len(reps) - len(x.shape)) + x.shape
    reps = (1,) * (len(shape) - len(reps)) + reps
    pairs = [size for pair in zip(reps, shape, strict=True) for size in pair]
    copies = tuple(range(0, len(pairs), 2))
    return np.reshape(np.sum(np.reshape(grad, pairs), axis=copies), x.shape)


tile_rule = Linear("np.tile", _tile, _tile_back)


@implements(np.tile)
def tile(A: Any, reps: Any) -> Any:  # noqa: N803 -- NumPy's name
    """Repeat an array `reps` times along each axis."""
    return tile_rule(A, reps=tuple(int(rep) for rep in np.ravel(reps)))


def _repeat(x: Any, *, repeats: int, axis: int) -> Any:
    return np.repeat(x, repeats, axis)


def _repeat_back(grad: Any, x: Any, *, repeats: int, axis: int) -> Any:
    shape = (*x.shape[: axis + 1], repeats, *x.shape[axis + 1 :])
    return np.sum(np.reshape(grad, shape), axis=axis + 1)


repeat_rule = Linear("np.repeat", _repeat, _repeat_back)


@implements(np.repeat)
def repeat(a: Any, repeats: Any, axis: int | None = None) -> Any:
    """Repeat entries, or slices along `axis`."""
    if axis is None:
        a, axis = np.ravel(a), 0
    (axis,) = normal_axes(axis, len(shape_of(a)))
    counts = np.asarray(repeats)
    if counts.size == 1:
        return repeat_rule(a, repeats=int(counts.item()), axis=axis)
    chosen = np.repeat(np.arange(shape_of(a)[axis]), counts)
    return np.take(a, chosen, axis)


@implements(np.resize)
def resize(a: Any, new_shape: Any) -> Any:
    """Change the shape to one of any size, filled with repeated copies."""
    flat = np.ravel(a)
    shape = tuple(int(size) for size in np.ravel(new_shape))
    if min(shape, default=0) < 0:
        raise ValueError(f"np.resize needs sizes of 0 or more, not {shape}")
    (held,), wanted = shape_of(flat), math.prod(shape)
    if not held:
        return np.zeros(shape, flat.dtype)
    if wanted > held:
        flat = tile(flat, -(-wanted // held))
    return np.reshape(flat[:wanted], shape)
