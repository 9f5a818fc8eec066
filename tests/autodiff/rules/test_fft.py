"""Fourier transforms: derivatives, half spectra, lengths, axes and norms."""

import numpy as np
import pytest

import autodiff as ad
from autodiff import Variable

NORMS = (None, "backward", "ortho", "forward")
TO_COMPLEX = (np.fft.fft, np.fft.ifft)
OF_REAL = (np.fft.rfft, np.fft.ihfft)
TO_REAL = (np.fft.irfft, np.fft.hfft)


def name(function):
    return getattr(function, "__name__", str(function))


def made(shape, *, complex=False):
    rng = np.random.default_rng(0)
    x = rng.uniform(-1.0, 1.0, shape)
    return x + 1j * rng.uniform(-1.0, 1.0, shape) if complex else x


@pytest.mark.parametrize("function", TO_COMPLEX + OF_REAL + TO_REAL, ids=name)
@pytest.mark.parametrize("size", [2, 3, 6, 7])
@pytest.mark.parametrize("n", [None, 1, 4, 5, 9])
def test_lengths(check_rule, function, size, n):
    takes_complex = function not in OF_REAL
    check_rule(lambda x: function(x, n), made(size), complex=takes_complex)


@pytest.mark.parametrize("function", TO_COMPLEX + OF_REAL + TO_REAL, ids=name)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("axis", "n"), [(0, 3), (1, None), (-2, 4), (-3, 6)])
def test_axes_and_norms(check_rule, function, norm, axis, n):
    takes_complex = function not in OF_REAL
    check_rule(
        lambda x: function(x, n=n, axis=axis, norm=norm),
        made((2, 3, 2)),
        complex=takes_complex,
        order=1,
    )


@pytest.mark.parametrize("function", TO_COMPLEX + OF_REAL + TO_REAL, ids=name)
def test_an_empty_batch(check_rule, function):
    check_rule(function, np.zeros((0, 3)), complex=function not in OF_REAL)


SEVERAL = (np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn)
TWO = (np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2)
KEYWORDS = (
    {},
    {"axes": (0,)},
    {"axes": (1, -3)},
    {"axes": (-1, 0), "norm": "ortho"},
    {"s": (2, 5), "axes": (0, 2)},
    {"s": (4, -1), "axes": (2, 1), "norm": "forward"},
    {"axes": (1, 1)},
    {"s": (2, 5), "axes": (1, 1)},
    {"axes": [2, 0, 1]},
)


@pytest.mark.parametrize("function", SEVERAL + TWO, ids=name)
@pytest.mark.parametrize("keywords", KEYWORDS, ids=str)
def test_several_axes(check_rule, function, keywords):
    takes_complex = "rfft" not in name(function) or name(function).startswith("i")
    check_rule(lambda x: function(x, **keywords), made((2, 3, 4)), complex=takes_complex, order=1)


@pytest.mark.parametrize("function", [np.fft.fftshift, np.fft.ifftshift], ids=name)
@pytest.mark.parametrize("axes", [None, 0, -1, (1, 2), [0]], ids=str)
def test_shifts(check_rule, function, axes):
    check_rule(lambda x: function(x, axes=axes), made((3, 4, 5)), order=1)


@pytest.mark.parametrize("size", [1, 2, 5, 6])
@pytest.mark.parametrize("norm", NORMS)
def test_the_transpose_of_half_a_spectrum_by_its_matrix(size, norm):
    half = np.fft.rfft(np.eye(size), axis=0, norm=norm)
    ct = made(size // 2 + 1, complex=True)
    _, pullback = ad.vjp(lambda x: np.fft.rfft(x, norm=norm), np.zeros(size))
    np.testing.assert_allclose(pullback(ct)[0], (half.T @ ct).real, atol=1e-14)
    # Of the first frequency, and of the middle one, only the real part is read.
    real = np.array([np.fft.irfft(e, size, norm=norm) for e in np.eye(size // 2 + 1)])
    imaginary = np.array([np.fft.irfft(1j * e, size, norm=norm) for e in np.eye(size // 2 + 1)])
    grad = made(size)
    _, pullback = ad.vjp(lambda z: np.fft.irfft(z, size, norm=norm), 0j * ct)
    np.testing.assert_allclose(pullback(grad)[0], real @ grad - 1j * (imaginary @ grad), atol=1e-14)


def test_the_transpose_is_not_conjugated():
    ct = made(5, complex=True)
    _, pullback = ad.vjp(np.fft.fft, made(5, complex=True))
    np.testing.assert_allclose(pullback(ct)[0], np.fft.fft(ct))


@pytest.mark.parametrize("function", TO_COMPLEX + TO_REAL + OF_REAL, ids=name)
def test_single_precision_stays(function):
    x = made(5).astype(np.float32)
    if function not in OF_REAL:
        x = x.astype(np.complex64)
    found = function(Variable(x))
    assert found.dtype == function(x).dtype
    value, pullback = ad.vjp(function, x)
    assert pullback(value)[0].dtype == x.dtype


def test_energy_of_a_signal():
    # Parseval: sum(abs(fft(x))**2) = n * sum(x**2)
    x = made(6)
    power = ad.grad(lambda v: np.sum(np.real(np.fft.fft(v)) ** 2 + np.imag(np.fft.fft(v)) ** 2))
    np.testing.assert_allclose(power(x), 12 * x)


def test_frequencies_of_a_tracked_spacing():
    found = ad.grad(lambda d: np.sum(np.fft.rfftfreq(5, d)))(2.0)
    np.testing.assert_allclose(found, -np.sum(np.fft.rfftfreq(5)) / 4.0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: np.fft.fft(x, 0), "number of FFT data points"),
        (lambda x: np.fft.fft(x, norm="other"), "norm"),
        (lambda x: np.fft.fftn(x, s=(2, 2), axes=(0,)), "different lengths"),
        (lambda x: np.fft.fft(x, axis=3), "out of bounds"),
    ],
)
def test_what_is_wrong_is_said(call, words):
    with pytest.raises((ValueError, IndexError)):
        call(np.ones(3))
    with pytest.raises(ValueError, match=words):
        call(Variable(np.ones(3)))
