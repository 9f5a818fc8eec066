"""`autodiff.scipy.signal`: convolutions in all modes, filters with and without state."""

import numpy as np
import pytest
import scipy.signal

import autodiff as ad
import autodiff.scipy.signal as sig


def array(*shape, seed=1):
    return np.random.default_rng(seed).uniform(-1.0, 1.0, shape)


MODES = ["full", "same", "valid"]
SHAPES = [
    pytest.param((6,), (3,), id="long-short"),
    pytest.param((2,), (5,), id="short-long"),
    pytest.param((1,), (1,), id="one"),
    pytest.param((4,), (4,), id="equal"),
    pytest.param((2, 3), (2, 2), id="matrices"),
    pytest.param((2, 1, 2), (1, 2, 2), id="three axes"),
    pytest.param((), (), id="numbers"),
]


def fits(mode, first, second):
    """Return whether SciPy takes the shapes: in mode valid one must be the larger everywhere."""
    pairs = list(zip(first, second, strict=True))
    return mode != "valid" or all(m >= n for m, n in pairs) or all(m <= n for m, n in pairs)


@pytest.mark.parametrize("method", ["direct", "fft"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("first", "second"), SHAPES)
def test_convolve(check_rule, first, second, mode, method):
    x, y = array(*first), array(*second, seed=2)

    def call(x, y):
        return sig.convolve(x, y, mode, method)

    if fits(mode, first, second):
        check_rule(call, x, y, single=first != ())
    else:
        with pytest.raises(ValueError, match="valid"):
            ad.vjp(call, x, y)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("first", "second"), SHAPES)
def test_correlate(check_rule, first, second, mode):
    if fits(mode, first, second):
        x, y = array(*first), array(*second, seed=2)
        check_rule(lambda x, y: sig.correlate(x, y, mode), x, y, single=first != ())


@pytest.mark.parametrize("function", [sig.fftconvolve, sig.oaconvolve])
@pytest.mark.parametrize(
    ("mode", "axes", "shape"),
    [
        ("full", None, (2, 2)),
        ("same", 0, (2, 1)),
        ("valid", [-1], (1, 2)),
        ("valid", (0, 1), (2, 2)),
    ],
)
def test_convolutions_by_fft(check_rule, function, mode, axes, shape):
    check_rule(lambda x, y: function(x, y, mode, axes), array(3, 3), array(*shape, seed=2))


@pytest.mark.parametrize("boundary", ["fill", "wrap", "symm"])
@pytest.mark.parametrize("mode", MODES)
def test_convolve2d(check_rule, mode, boundary):
    for value in (0, 0.5) if boundary == "fill" else (0,):
        for function in (sig.convolve2d, sig.correlate2d):
            check_rule(
                lambda x, y, f=function, value=value: f(x, y, mode, boundary, value),
                array(2, 3),
                array(2, 2, seed=2),
            )


@pytest.mark.parametrize("boundary", ["circular", "symmetric", "pad"])
def test_other_names_of_boundaries(boundary):
    x, y = array(3, 4), array(2, 2, seed=2)
    value = ad.vjp(lambda x: sig.convolve2d(x, y, boundary=boundary), x)[0]
    np.testing.assert_allclose(value, scipy.signal.convolve2d(x, y, boundary=boundary), rtol=1e-13)
    with pytest.raises(ValueError, match="boundary"):
        ad.vjp(lambda x: sig.convolve2d(x, y, boundary="nothing"), x)


def test_small_entries_beside_a_large_fill_value():
    x, y = np.full((3, 3), 1e-10), np.ones((1, 1))
    value = ad.vjp(lambda x: sig.convolve2d(x, y, "same", fillvalue=1e10), x)[0]
    np.testing.assert_array_equal(value, x)


@pytest.mark.parametrize(("first", "second"), [((3, 2), (5, 4)), ((5, 4), (3, 2))])
def test_valid_correlation_of_complex_matrices(first, second):
    x, y = array(*first) + 1j, array(*second) * 1j + 1.0
    value = ad.vjp(lambda x: sig.correlate2d(x, y, "valid"), x)[0]
    np.testing.assert_allclose(value, scipy.signal.correlate2d(x, y, "valid"), rtol=1e-12)
    ad.check_grads(lambda x, y: sig.correlate2d(x, y, "valid"), (x, y), order=1)


def test_empty_arrays():
    value, pullback = ad.vjp(sig.fftconvolve, np.ones(0), np.ones(2))
    assert value.shape == (0,)
    in_x, in_y = pullback(value)
    assert in_x.shape == (0,)
    np.testing.assert_array_equal(in_y, [0.0, 0.0])


def test_convolve_is_a_product_of_polynomials():
    gradient = ad.grad(lambda x, y: sig.convolve(x, y)[1], argnums=(0, 1))
    in_x, in_y = gradient(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    np.testing.assert_array_equal(in_x, [4.0, 3.0])
    np.testing.assert_array_equal(in_y, [2.0, 1.0])


FILTERS = [
    pytest.param([0.5, 0.2, 0.1], [2.0, -0.6, 0.2], id="same order"),
    pytest.param([0.5], [1.0, -0.6, 0.2], id="recursive"),
    pytest.param([0.5, 0.2, 0.1], [2.0], id="finite"),
]


@pytest.mark.parametrize(("shape", "axis"), [((5,), -1), ((2,), 0), ((3, 2), 0), ((2, 3, 1), 1)])
@pytest.mark.parametrize(("b", "a"), FILTERS)
def test_lfilter(check_rule, b, a, shape, axis):
    check_rule(lambda b, a, x: sig.lfilter(b, a, x, axis), np.array(b), np.array(a), array(*shape))


@pytest.mark.parametrize(("shape", "axis"), [((4,), -1), ((1,), -1), ((3, 2), 0)])
@pytest.mark.parametrize(("b", "a"), FILTERS)
def test_lfilter_with_state(check_rule, b, a, shape, axis):
    order = max(len(b), len(a)) - 1
    state = list(shape)
    state[axis] = order

    def call(b, a, x, zi):
        return sig.lfilter(b, a, x, axis, zi)

    check_rule(call, np.array(b), np.array(a), array(*shape), array(*state, seed=5))


def test_a_signal_filtered_in_two_parts():
    b, a, x = np.array([0.5, 0.2, 0.1]), np.array([2.0, -0.6, 0.2]), array(7)

    def parts(b, a, x):
        start, state = sig.lfilter(b, a, x[:3], zi=np.zeros(2))
        return np.concatenate((start, sig.lfilter(b, a, x[3:], zi=state)[0]))

    def whole(b, a, x):
        return sig.lfilter(b, a, x)

    weights = array(7, seed=8)
    for ours, wanted in zip(
        ad.vjp(parts, b, a, x)[1](weights), ad.vjp(whole, b, a, x)[1](weights), strict=True
    ):
        np.testing.assert_allclose(ours, wanted, rtol=1e-12)


def test_sections(check_rule):
    sos = scipy.signal.butter(4, 0.3, output="sos")

    def with_unit_lead(others, x):
        parts = (others[:, :3], np.ones((2, 1)), others[:, 3:])
        return sig.sosfilt(np.concatenate(parts, 1), x, 0)

    others, x = np.delete(sos, 3, 1), array(6, 2)
    ad.check_grads(with_unit_lead, (others, x), order=1)
    value = ad.vjp(with_unit_lead, others, x)[0]
    np.testing.assert_allclose(value, scipy.signal.sosfilt(sos, x, 0), rtol=1e-12)
    check_rule(sig.lfilter_zi, np.array([0.5, 0.2, 0.1]), np.array([2.0, -0.6, 0.2]))

    def with_state(x, zi):
        return sig.sosfilt(sos, x, zi=zi)

    check_rule(with_state, array(6), array(2, 2), complex=False)


@pytest.mark.parametrize(
    "keywords",
    [{}, {"padtype": "even"}, {"padtype": "constant", "padlen": 3}, {"padtype": None}],
    ids=str,
)
def test_filtfilt(check_rule, keywords):
    b, a = np.array([0.5, 0.2, 0.1]), np.array([2.0, -0.6, 0.2])
    check_rule(lambda b, a, x: sig.filtfilt(b, a, x, **keywords), b, a, array(11), complex=False)


def test_plain_values_get_scipys_own_result():
    x, y = array(5), array(3)
    np.testing.assert_array_equal(sig.convolve(x, y), scipy.signal.convolve(x, y))
    assert sig.butter is scipy.signal.butter
    assert "butter" in dir(sig)
