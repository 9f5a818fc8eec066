"""Fourier transforms.

Those along one axis are linear rules, the others are made of them. Cotangents pair with tangents
by ``Re(sum(ct * tangent))`` without conjugation, so the transpose of a transform is the same
transform, not its inverse. Those of half spectra come in pairs: the transpose of `rfft` is `hfft`
and that of `ihfft` is `irfft`, up to a factor 2 of the frequencies that stand for two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import operand
from autodiff.primitives import Linear, implements, normal_axes
from autodiff.rules.indexing import at_axis, scatter_rule
from autodiff.rules.shapes import with_size
from autodiff.values import dtype_of, shape_of

Transform = Callable[..., Any]


def _fitted(x: Any, size: int, axis: int) -> Any:
    """Return `x` cut off, or continued by zeros, to `size` along `axis`."""
    shape = shape_of(x)
    if shape[axis] == size:
        return x
    (axis,) = normal_axes(axis, len(shape))
    index = at_axis(axis, slice(min(size, shape[axis])))
    if shape[axis] > size:
        return x[index]
    return scatter_rule(x, index=index, shape=with_size(shape, axis, size))


def _weighted(spectrum: Any, size: int, axis: int, weight: float) -> Any:
    """Return half a spectrum with a factor for the frequencies that stand for two of `size`."""
    shape = shape_of(spectrum)
    weights = np.full(shape[axis], weight, np.zeros((), dtype_of(spectrum)).real.dtype)
    weights[0] = 1.0
    if size % 2 == 0:
        weights[-1] = 1.0
    (axis,) = normal_axes(axis, len(shape))
    return spectrum * weights.reshape((-1,) + (1,) * (len(shape) - 1 - axis))


def _whole(forward: Transform) -> Transform:
    """Return the transpose of `fft` or `ifft`."""

    def back(grad: Any, x: Any, *, n: int, axis: int, norm: Any) -> Any:
        return _fitted(forward(grad, n, axis, norm), x.shape[axis], axis)

    return back


def _from_half(to_real: Transform) -> Transform:
    """Return the transpose of a transform of real numbers to half a spectrum."""

    def back(grad: Any, x: Any, *, n: int, axis: int, norm: Any) -> Any:
        return _fitted(to_real(_weighted(grad, n, axis, 0.5), n, axis, norm), x.shape[axis], axis)

    return back


def _to_half(to_spectrum: Transform) -> Transform:
    """Return the transpose of a transform of half a spectrum to real numbers."""

    def back(grad: Any, x: Any, *, n: int, axis: int, norm: Any) -> Any:
        spectrum = _weighted(to_spectrum(grad, n, axis, norm), n, axis, 2.0)
        return _fitted(spectrum, x.shape[axis], axis)

    return back


def _transform(function: Any, transpose: Transform, doc: str, *, half: bool = False) -> Transform:
    """Register the rule of a transform along one axis; `half`: of half a spectrum."""

    def forward(x: Any, *, n: int, axis: int, norm: Any) -> Any:
        return function(x, n, axis, norm)

    rule = Linear(f"np.fft.{function.__name__}", forward, transpose)

    def call(a: Any, n: int | None = None, axis: int = -1, norm: Any = None) -> Any:
        a = operand(a)
        if n is None:
            size = shape_of(a)[normal_axes(axis, len(shape_of(a)))[0]]
            n = 2 * (size - 1) if half else size
        return rule(a, n=n, axis=axis, norm=norm)

    return implements(function, doc=doc)(call)


fft = _transform(np.fft.fft, _whole(np.fft.fft), "Fourier transform along an axis.")
ifft = _transform(np.fft.ifft, _whole(np.fft.ifft), "Inverse of `fft`.")
rfft = _transform(
    np.fft.rfft, _from_half(np.fft.hfft), "Fourier transform of real numbers, half the spectrum."
)
irfft = _transform(np.fft.irfft, _to_half(np.fft.ihfft), "Inverse of `rfft`.", half=True)
hfft = _transform(
    np.fft.hfft,
    _to_half(np.fft.rfft),
    "Real spectrum of a Hermitian signal, half of it given.",
    half=True,
)
ihfft = _transform(np.fft.ihfft, _from_half(np.fft.irfft), "Inverse of `hfft`.")


def _sizes(
    a: Any, s: Sequence[int] | None, axes: Sequence[int] | None, *, half: bool = False
) -> list[tuple[int, int]]:
    """Return axis and size of each transform of one axis, as NumPy reads `s` and `axes`."""
    shape = shape_of(a)
    if axes is None:
        axes = range(-len(shape if s is None else s), 0)
    normal_axes(tuple(axes), len(shape))
    sizes = [shape[axis] for axis in axes] if s is None else list(s)
    if len(sizes) != len(axes):
        raise ValueError(f"s={s} and axes={axes} of a Fourier transform have different lengths")
    if s is None and half:
        sizes[-1] = 2 * (sizes[-1] - 1)
    given = zip(axes, sizes, strict=True)
    return [(axis, shape[axis] if size == -1 else size) for axis, size in given]


def _over_axes(transform: Transform) -> Transform:
    def call(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
        a = operand(a)
        for axis, size in reversed(_sizes(a, s, axes)):
            a = transform(a, size, axis, norm)
        return a

    return call


fftn = implements(np.fft.fftn, doc="Fourier transform over `axes`.")(_over_axes(fft))
ifftn = implements(np.fft.ifftn, doc="Inverse of `fftn`.")(_over_axes(ifft))


@implements(np.fft.rfftn)
def rfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """Fourier transform of real numbers, half of the spectrum along the last of `axes`."""
    a = operand(a)
    *others, (axis, size) = _sizes(a, s, axes)
    a = rfft(a, size, axis, norm)
    for axis, size in reversed(others):
        a = fft(a, size, axis, norm)
    return a


@implements(np.fft.irfftn)
def irfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """Inverse of `rfftn`."""
    a = operand(a)
    *others, (last, last_size) = _sizes(a, s, axes, half=True)
    for axis, size in others:
        a = ifft(a, size, axis, norm)
    return irfft(a, last_size, last, norm)


def _of_two_axes(function: Any, transform: Transform) -> None:
    def call(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
        return transform(a, s, axes, norm)

    implements(function, doc=f"`{transform.__name__}` over the last two axes.")(call)


for _function, _transform_n in (
    (np.fft.fft2, fftn),
    (np.fft.ifft2, ifftn),
    (np.fft.rfft2, rfftn),
    (np.fft.irfft2, irfftn),
):
    _of_two_axes(_function, _transform_n)


def _shift(function: Any, opposite: Any, doc: str) -> None:
    def forward(x: Any, *, axes: Any) -> Any:
        return function(x, axes)

    def back(grad: Any, x: Any, *, axes: Any) -> Any:
        return opposite(grad, axes)

    rule = Linear(f"np.fft.{function.__name__}", forward, back)

    def call(x: Any, axes: Any = None) -> Any:
        return rule(operand(x), axes=axes)

    implements(function, doc=doc)(call)


_shift(np.fft.fftshift, np.fft.ifftshift, "Move the frequency 0 to the middle.")
_shift(np.fft.ifftshift, np.fft.fftshift, "Inverse of `fftshift`.")
