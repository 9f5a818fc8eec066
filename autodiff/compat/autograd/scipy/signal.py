"""`autodiff.scipy.signal`, and autograd's `convolve` along some axes of many arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.box import operand
from autodiff.compat.autograd._delegate import delegate
from autodiff.primitives import Bilinear
from autodiff.values import shape_of

Axes = tuple[Sequence[int], Sequence[int]]

_get, _names = delegate(__name__, "autodiff.scipy.signal")


def __getattr__(name: str) -> Any:
    return _get(name)


def __dir__() -> list[str]:
    return sorted({*_names(), "convolve"})


def convolve(
    A: Any,  # noqa: N803 -- autograd's name
    B: Any,  # noqa: N803
    axes: Axes | None = None,
    dot_axes: Axes = ((), ()),
    mode: str = "full",
) -> Any:
    """Convolve along some axes, sum products along others, for all pairs along the rest.

    Parameters
    ----------
    A, B : arrays
    axes : pair of sequences of int, optional
        Axes of `A`, and those of `B`, to convolve along; all if not given.
    dot_axes : pair of sequences of int
        Axes to sum products along, of equal sizes.
    mode : {"full", "valid", "same"}
        As in `scipy.signal.convolve`.

    Returns
    -------
    array
        Its axes are the rest of `A`, the rest of `B`, and those of the convolution.
    """
    A, B = operand(A), operand(B)  # noqa: N806
    ndim = len(shape_of(A))
    if axes is None:
        axes = (range(ndim), range(ndim))
    left, left_rest = _canonical(A, axes[0], dot_axes[0])
    right, right_rest = _canonical(B, axes[1], dot_axes[1])
    found = _full(left, right)
    sizes = [(shape_of(A)[i], shape_of(B)[j]) for i, j in zip(axes[0], axes[1], strict=True)]
    found = found[(slice(None), slice(None), *(_part(*pair, mode) for pair in sizes))]
    return np.reshape(found, left_rest + right_rest + shape_of(found)[2:])


def _canonical(x: Any, axes: Sequence[int], dot_axes: Sequence[int]) -> tuple[Any, tuple[int, ...]]:
    """Return `x` with axes (rest, summed, convolved ...), and the sizes of the rest."""
    shape = shape_of(x)
    axes = [axis % len(shape) for axis in axes]
    dot_axes = [axis % len(shape) for axis in dot_axes]
    rest = [axis for axis in range(len(shape)) if axis not in axes and axis not in dot_axes]
    sizes = tuple(shape[axis] for axis in rest)
    moved = np.transpose(x, (*rest, *dot_axes, *axes))
    summed = math.prod(shape[axis] for axis in dot_axes)
    return np.reshape(moved, (math.prod(sizes), summed, *(shape[axis] for axis in axes))), sizes


def _part(first: int, second: int, mode: str) -> slice:
    """Return which entries of a full convolution along one axis the `mode` keeps."""
    if mode == "full":
        return slice(None)
    if mode == "valid":
        return slice(min(first, second) - 1, max(first, second))
    if mode == "same":
        start = (second - 1) // 2
        return slice(start, start + first)
    raise ValueError(f"mode is 'full', 'valid' or 'same', not {mode!r}")


def _convolve_full(x: Any, y: Any) -> Any:
    """Return ``out[p, q, n] = sum(x[p, d, n - k] * y[q, d, k])`` over d and k."""
    if math.prod(x.shape[2:]) < math.prod(y.shape[2:]):
        return np.swapaxes(_convolve_full(y, x), 0, 1)
    count, window = x.ndim - 2, y.shape[2:]
    padded = np.pad(x, [(0, 0), (0, 0), *((size - 1, size - 1) for size in window)])
    places = tuple(range(2, x.ndim))
    views = np.lib.stride_tricks.sliding_window_view(padded, window, places) if count else padded
    inner = (1, *range(2 + count, 2 + 2 * count))
    found = np.tensordot(views, _reversed(y), (inner, (1, *places)))
    return np.moveaxis(found, -1, 1)


def _reversed(y: Any) -> Any:
    """Return `y` in reverse along the axes of the convolution."""
    return y[(slice(None), slice(None), *[slice(None, None, -1)] * (len(shape_of(y)) - 2))]


def _first_back(grad: Any, y: Any, x: Any) -> Any:
    """Return the cotangent of the first argument: that of the output against the second."""
    found = _full(grad, np.swapaxes(_reversed(y), 0, 1))
    starts = shape_of(y)[2:]
    kept = (slice(size - 1, size - 1 + own) for size, own in zip(starts, x.shape[2:], strict=True))
    return found[(slice(None), slice(None), *kept)]


def _second_back(grad: Any, x: Any, y: Any) -> Any:
    """Return the cotangent of the second argument."""
    return _first_back(np.swapaxes(grad, 0, 1), x, y)


_full = Bilinear("convolve", _convolve_full, (_first_back, _second_back))
