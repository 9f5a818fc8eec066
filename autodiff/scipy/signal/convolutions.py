"""Convolutions and correlations, by SciPy's own methods."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.signal

from autodiff.box import operand
from autodiff.primitives import Bilinear, normal_axes
from autodiff.rules.complex import conjugate
from autodiff.scipy.mirror import mirrors
from autodiff.values import dtype_of, shape_of, unbroadcast

Function = Callable[..., Any]


def reversed_along(x: Any, axes: Sequence[int]) -> Any:
    """Return `x` with its entries in reverse order along `axes`."""
    backward, forward = slice(None, None, -1), slice(None)
    return x[tuple(backward if i in axes else forward for i in range(len(shape_of(x))))]


def padded(x: Any, before: Sequence[int], after: Sequence[int]) -> Any:
    """Return `x` with so many zeros before and after it, along each axis."""
    return np.pad(x, tuple(zip(before, after, strict=True)))


def _into_full(grad: Any, mode: str, first: Any, second: Any, axes: Sequence[int]) -> Any:
    """Return a cotangent of the full convolution from that of the part that `mode` keeps."""
    before, after = [0] * len(first), [0] * len(first)
    for axis in axes if mode != "full" else ():
        m, n = first[axis], second[axis]
        start = min(m, n) - 1 if mode == "valid" else (n - 1) // 2
        before[axis] = start
        after[axis] = m + n - 1 - start - shape_of(grad)[axis]
    return padded(grad, before, after)


@functools.cache
def _convolution(function: Function, mode: str, along: tuple[int, ...], *last: Any) -> Bilinear:
    """Return the rule of one of SciPy's convolutions, for arrays with equally many axes.

    Parameters
    ----------
    along : tuple of int
        The axes of the convolution; the others are broadcast.
    *last
        What SciPy's function takes after the mode.
    """

    def forward(x: Any, y: Any) -> Any:
        return function(x, y, mode, *last)

    def back(grad: Any, other: Any, x: Any, first: Any, second: Any) -> Any:
        if 0 in first or 0 in second:
            return np.zeros(x.shape, dtype_of(grad))
        valid = _convolution(function, "valid", along, *last)
        full = _into_full(grad, mode, first, second, along)
        found = valid(full, reversed_along(other, along))
        return unbroadcast(found, shape_of(found), x.shape)

    return Bilinear(
        f"scipy.signal.{function.__name__}",
        forward,
        (
            lambda grad, y, x: back(grad, y, x, x.shape, shape_of(y)),
            lambda grad, x, y: back(grad, x, y, shape_of(x), y.shape),
        ),
    )


def _same_ndim(x: Any, y: Any, name: str) -> tuple[Any, Any, int]:
    x, y = operand(x), operand(y)
    ndim = len(shape_of(x))
    if ndim != len(shape_of(y)):
        raise ValueError(f"scipy.signal.{name}: the two arrays need equally many axes")
    return x, y, ndim


@mirrors(scipy.signal.convolve)
def convolve(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """Convolve two arrays, along all axes; `scipy.signal.convolve`."""
    x, y, ndim = _same_ndim(in1, in2, "convolve")
    if ndim == 0:
        return x * y
    return _convolution(scipy.signal.convolve, mode, tuple(range(ndim)), method)(x, y)


def _turned(y: Any) -> Any:
    """Return the conjugate of `y` in reverse order along all axes."""
    y = operand(y)
    return conjugate(reversed_along(y, range(len(shape_of(y)))))


@mirrors(scipy.signal.correlate)
def correlate(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """Correlate two arrays, along all axes; `scipy.signal.correlate`.

    It is the convolution with the conjugate of `in2` in reverse order.
    """
    return convolve(in1, _turned(in2), mode, method)


def _by_fft(function: Function, x: Any, y: Any, mode: str, axes: Any) -> Any:
    x, y, ndim = _same_ndim(x, y, function.__name__)
    if ndim == 0:
        return x * y
    chosen = normal_axes(None if axes is None else tuple(np.atleast_1d(axes).tolist()), ndim)
    return _convolution(function, mode, chosen, chosen)(x, y)


@mirrors(scipy.signal.fftconvolve)
def fftconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """Convolve two arrays along `axes` through their transforms; `scipy.signal.fftconvolve`."""
    return _by_fft(scipy.signal.fftconvolve, in1, in2, mode, axes)


@mirrors(scipy.signal.oaconvolve)
def oaconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """Convolve two arrays along `axes` piece by piece; `scipy.signal.oaconvolve`."""
    return _by_fft(scipy.signal.oaconvolve, in1, in2, mode, axes)


BOUNDARIES = {
    "fill": "fill",
    "pad": "fill",
    "wrap": "wrap",
    "circular": "wrap",
    "symm": "symm",
    "symmetric": "symm",
}
"""Names of what surrounds a matrix, the second one of each an older one of SciPy."""


def _beyond(size: int, width: int, boundary: str) -> Any:
    """Return which entries of an axis stand at the places from ``-width`` to ``size + width``."""
    places = np.arange(-width, size + width)
    if boundary == "wrap":
        return places % size
    folded = places % (2 * size)
    return np.where(folded < size, folded, 2 * size - 1 - folded)


def _matrices(
    x: Any, y: Any, mode: str, boundary: str, fillvalue: Any, start: tuple[int, int]
) -> Any:
    """Convolve two matrices; in mode same the part of the full result from `start` on is kept."""
    if boundary not in BOUNDARIES:
        raise ValueError(f"boundary is one of {', '.join(BOUNDARIES)}, not {boundary!r}")
    boundary = BOUNDARIES[boundary]
    (m, n), (p, q) = shape_of(x), shape_of(y)
    if boundary == "fill" and type(fillvalue) is int and fillvalue == 0:
        full = _convolution(scipy.signal.convolve2d, "full", (0, 1))(x, y)
    else:
        if boundary == "fill":
            width = (p - 1, q - 1)
            inside = padded(np.ones((m, n), bool), width, width)
            around = np.where(inside, padded(x, width, width), fillvalue)
        else:
            rows, columns = _beyond(m, p - 1, boundary), _beyond(n, q - 1, boundary)
            around = x[rows[:, None], columns]
        full = _convolution(scipy.signal.convolve2d, "valid", (0, 1))(around, y)
    top, left = start
    return full if mode == "full" else full[top : top + m, left : left + n]


@mirrors(scipy.signal.convolve2d)
def convolve2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0
) -> Any:
    """Convolve two matrices, with a choice of what surrounds `in1`; `scipy.signal.convolve2d`."""
    x, y, _ = _same_ndim(in1, in2, "convolve2d")
    if mode == "valid":
        return _convolution(scipy.signal.convolve2d, mode, (0, 1))(x, y)
    p, q = shape_of(y)
    return _matrices(x, y, mode, boundary, fillvalue, ((p - 1) // 2, (q - 1) // 2))


@mirrors(scipy.signal.correlate2d)
def correlate2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0
) -> Any:
    """Correlate two matrices; `scipy.signal.correlate2d`."""
    y = _turned(in2)
    x, y, _ = _same_ndim(in1, y, "correlate2d")
    if mode == "valid":
        found = convolve2d(x, y, mode)
        # SciPy conjugates the smaller one.
        return found if shape_of(x) >= shape_of(y) else conjugate(found)
    p, q = shape_of(y)
    return _matrices(x, y, mode, boundary, fillvalue, (p // 2, q // 2))
