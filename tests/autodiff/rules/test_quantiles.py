"""Medians and quantiles: NumPy's values by every method, stable order, and slopes in q."""

import warnings

import numpy as np
import pytest

import autodiff as ad
from autodiff.rules.quantiles import STRETCH

RNG = np.random.default_rng(13)
X = RNG.permutation(20).reshape(2, 5, 2) * 0.3 - 2.5
HOLES = np.where(RNG.random((2, 5, 2)) > 0.2, X, np.nan)
WEIGHTS = RNG.uniform(0.2, 1.0, (2, 5, 2))
METHODS = [
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", *STRETCH),
    *("lower", "higher", "midpoint", "nearest"),
]
OF_Q = [np.quantile, np.percentile, np.nanquantile, np.nanpercentile]


def name(value):
    return getattr(value, "__name__", str(value))


def scaled(function, q):
    return np.multiply(q, 100) if "percentile" in function.__name__ else q


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2)], ids=str)
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("median", [np.median, np.nanmedian], ids=name)
def test_median(check_rule, median, axis, keepdims):
    check_rule(lambda x: median(x, axis=axis, keepdims=keepdims), X, complex=False)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("function", OF_Q, ids=name)
def test_values(function, method):
    """Of all methods, with places that are whole, ends, rows of NaN, and several q."""
    for q in (0.0, 1.0, 0.37, 0.25, np.array(0.5), [0.1, 0.9]):
        for how in ({}, {"axis": 1}, {"axis": (0, -1), "keepdims": True}):
            for x in (X, HOLES):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)
                    wanted = function(x, scaled(function, q), method=method, **how)
                found = function(ad.Variable(x), scaled(function, q), method=method, **how)
                np.testing.assert_allclose(found.value, wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("method", METHODS)
def test_derivatives(check_rule, method):
    def call(x):
        return np.quantile(x, [0.1, 0.85], axis=0, method=method)

    check_rule(call, X[0], complex=False, single=False)


@pytest.mark.parametrize("function", OF_Q, ids=name)
@pytest.mark.parametrize("q", [0.3, [[0.2, 0.7]]], ids=str)
def test_functions(check_rule, function, q):
    if np.ndim(q) > 1 and function in OF_Q[2:]:
        q = q[0]
    call = lambda x: function(x, scaled(function, q), axis=(0, 1), keepdims=True)  # noqa: E731
    check_rule(call, X, complex=False, single=False)


@pytest.mark.parametrize(
    ("weights", "axis"),
    [(WEIGHTS, None), (WEIGHTS, (0, 2)), (WEIGHTS[0, :, 0], 1)],
    ids=["all", "two axes", "of an axis"],
)
@pytest.mark.parametrize("function", OF_Q, ids=name)
def test_weights(check_rule, function, weights, axis):
    if function in OF_Q[2:]:  # NumPy indexes weights of one axis as if they had all
        weights = np.broadcast_to(weights if weights.ndim > 1 else weights[:, None], X.shape)

    def call(x):
        q = scaled(function, [0.2, 0.7])
        return function(x, q, axis=axis, weights=weights, method="inverted_cdf")

    check_rule(call, X, complex=False, single=False)


@pytest.mark.parametrize("function", [np.nanmedian, np.nanquantile, np.nanpercentile], ids=name)
def test_nan_is_left_out(function):
    how = () if function is np.nanmedian else (scaled(function, 0.4),)
    value, pullback = ad.vjp(lambda x: function(x, *how, axis=1), HOLES)
    (found,) = pullback(np.ones(value.shape))
    assert not found[np.isnan(HOLES)].any()
    np.testing.assert_allclose(found.sum(axis=1), np.ones(value.shape), rtol=1e-14)
    chosen = np.sum(np.where(np.isnan(HOLES), 0.0, HOLES) * found, axis=1)
    np.testing.assert_allclose(chosen, value, rtol=1e-12)


def test_nan_elsewhere_is_nan():
    found = np.median(ad.Variable([[1.0, np.nan], [1.0, 3.0]]), axis=1)
    np.testing.assert_array_equal(found.value, [np.nan, 2.0])
    gradient = ad.grad(lambda x: np.median(x, axis=1)[1])(np.array([[1.0, np.nan], [1.0, 3.0]]))
    np.testing.assert_array_equal(gradient, [[0.0, 0.0], [0.5, 0.5]])


@pytest.mark.parametrize(
    ("x", "wanted"),
    [
        ([3.0, 1.0, 2.0], [0.0, 0.0, 1.0]),
        ([3.0, 1.0, 2.0, 5.0], [0.5, 0.0, 0.5, 0.0]),
        ([1.0, 1.0, 1.0, 1.0], [0.0, 0.5, 0.5, 0.0]),
        ([3.0, 1.0, np.inf, np.inf], [0.5, 0.0, 0.5, 0.0]),
        ([np.inf, np.inf], [0.5, 0.5]),
    ],
    ids=str,
)
def test_median_has_the_derivative_of_its_entries(x, wanted):
    np.testing.assert_array_equal(ad.grad(np.median)(np.array(x)), wanted)
    assert np.median(ad.Variable(x)).value == np.median(x)


class TestSlopeInQ:
    @pytest.mark.parametrize("method", STRETCH)
    def test_inside(self, check_rule, method):
        check_rule(
            lambda x, q: np.quantile(x, q, axis=0, method=method),
            *(X[0], np.array([0.37, 0.62])),
            complex=False,
            single=False,
        )

    def test_of_percentile_and_rows_of_different_length(self, check_rule):
        check_rule(
            lambda q: np.nanpercentile(HOLES, q, axis=1),
            np.array(36.0),
            complex=False,
            single=False,
        )

    def test_at_an_entry_it_is_the_mean_of_both_sides(self):
        gradient = ad.grad(lambda q: np.quantile(np.array([1.0, 2.0, 4.0]), q))
        assert gradient(0.5) == 3.0
        assert gradient(0.0) == 2.0
        assert gradient(1.0) == 4.0

    def test_methods_that_jump_have_0(self):
        gradient = ad.grad(lambda q: np.quantile(X[0, :, 0], q, method="nearest"))
        assert gradient(0.3) == 0.0

    def test_beyond_the_first_entry(self):
        gradient = ad.grad(lambda q: np.quantile(X[0, :, 0], q, method="weibull"))
        assert gradient(0.01) == 0.0


@pytest.mark.parametrize("x", [np.array(2.5), np.array([1.5])], ids=["0-d", "one"])
@pytest.mark.parametrize("function", [np.median, np.nanmedian], ids=name)
def test_one_entry(check_rule, function, x):
    check_rule(function, x, complex=False)


def test_no_entries():
    with pytest.warns(RuntimeWarning, match=r"empty|invalid"):
        found = np.median(ad.Variable(np.zeros((0, 2))), axis=0)
    np.testing.assert_array_equal(found, [np.nan, np.nan])


def test_complex():
    z = np.array([1j, 2.0, 4.0, 5.0 + 1j])
    value, pullback = ad.vjp(np.median, z)
    assert value == np.median(z)
    np.testing.assert_array_equal(pullback(1.0 + 0j)[0], [0.0, 0.5, 0.5, 0.0])
    with pytest.raises(TypeError, match="complex"):
        np.quantile(ad.Variable(z), 0.5)


def test_dtype():
    x = ad.Variable(X.astype(np.float32))
    assert np.median(x).dtype == np.quantile(x, 0.3).dtype == np.float32
    assert np.quantile(x, np.float64(0.3)).dtype == np.float64


def test_dtype_of_a_tracked_order():
    def quantile(x, q):
        return np.quantile(x, q)

    x, q = np.array([1.0, 2.0, 4.0], np.float32), np.array([0.3, 0.6], np.float32)
    value, pullback = ad.vjp(quantile, x, q)
    assert value.dtype == quantile(x, q).dtype == np.float32
    assert [part.dtype for part in pullback(np.ones(2, np.float32))] == [np.float32] * 2


@pytest.mark.parametrize("q", [0.5, np.array(0.5), np.array([0.0, 0.5]), np.float32(0.3)], ids=str)
def test_dtype_is_that_of_entries_and_order(q):
    x = np.array([1.0, 2.0, 4.0], np.float32)
    assert np.quantile(ad.Variable(x), q).dtype == np.quantile(x, q).dtype
