"""Convolution and correlation of sequences."""

import numpy as np
import pytest

from autodiff import Variable, grad


def made(*shapes):
    rng = np.random.default_rng(0)
    return [rng.uniform(-1.0, 1.0, shape) for shape in shapes]


MODES = ("full", "same", "valid")
SIZES = [(1, 1), (4, 1), (1, 3), (4, 3), (5, 4), (4, 4), (2, 5), (3, 6), (4, 6)]


@pytest.mark.parametrize("function", [np.convolve, np.correlate], ids=["convolve", "correlate"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("n", "m"), SIZES)
def test_modes(check_rule, function, mode, n, m):
    check_rule(lambda a, v: function(a, v, mode), *made(n, m))


@pytest.mark.parametrize(("n", "m"), [((), 2), (3, ()), ((), ())])
def test_numbers(check_rule, n, m):
    check_rule(np.convolve, *made(n, m))
    with pytest.raises(ValueError, match="small depth"):
        np.correlate(*made(n, m))
    with pytest.raises(ValueError, match="not single numbers"):
        np.correlate(*map(Variable, made(n, m)))


@pytest.mark.parametrize("function", [np.convolve, np.correlate], ids=["convolve", "correlate"])
def test_defaults_and_numbers_of_modes(check_rule, function):
    check_rule(function, *made(4, 2))
    check_rule(lambda a, v: function(a, v, mode=1), *made(4, 2))


def test_correlation_conjugates_the_second():
    a, v = np.array([1 + 1j, 2.0, 3j]), np.array([1j, 2 - 1j])
    for mode in MODES:
        found = np.correlate(Variable(a), Variable(v), mode)
        np.testing.assert_allclose(found.value, np.correlate(a, v, mode))


@pytest.mark.parametrize("mode", MODES)
def test_a_masked_gap_in_the_signal(mode):
    signal = np.array([1.0, np.nan, 3.0, 4.0, 5.0, 6.0])
    known = ~np.isnan(np.convolve(signal, np.ones(2), mode))

    def loss(kernel):
        return np.sum(np.where(known, np.convolve(signal, kernel, mode), 0.0))

    def by_hand(kernel):
        total = 0.0
        for i in np.flatnonzero(known):
            start = i + (mode == "valid")
            for j in range(2):
                if 0 <= start - j < 6:
                    total = total + signal[start - j] * kernel[j]
        return total

    np.testing.assert_allclose(grad(loss)(np.ones(2)), grad(by_hand)(np.ones(2)))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda a: np.convolve(a, a, "other"), "'full', 'same' or 'valid'"),
        (lambda a: np.convolve(a, np.ones(0)), "cannot be empty"),
        (lambda a: np.correlate(a, np.ones(0)), "cannot be empty"),
        (lambda a: np.convolve(a, np.ones((2, 2))), "too deep"),
    ],
)
def test_what_is_wrong_is_said(call, words):
    with pytest.raises(ValueError, match=words):
        call(Variable(np.ones(3)))
