"""Weighted means, variances, covariances and correlations."""

import numpy as np
import pytest

import autodiff as ad

RNG = np.random.default_rng(5)
X = RNG.normal(size=(2, 3, 2))
MASK = np.array([[[True, False]], [[True, True]]]) | (RNG.random((2, 3, 2)) > 0.4)
WEIGHTS = RNG.uniform(0.5, 1.5, (2, 3, 2))
SPREADS = [np.var, np.std, np.nanvar, np.nanstd]
ROWS = RNG.normal(size=(3, 5))


def name(value):
    return value.__name__


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"axis": 0},
        {"axis": -1, "keepdims": True},
        {"axis": (0, 2), "ddof": 1},
        {"axis": 1, "correction": 0.5},
        {"axis": 1, "where": MASK},
        {"axis": (1, 2), "where": MASK, "ddof": 1, "keepdims": True},
        {"axis": 1, "mean": np.full((2, 1, 2), 0.2)},
    ],
    ids=str,
)
@pytest.mark.parametrize("spread", SPREADS, ids=name)
def test_spreads(check_rule, spread, how):
    check_rule(lambda x: spread(x, **how), X)


@pytest.mark.parametrize("spread", [np.var, np.std], ids=name)
def test_spread_of_complex_numbers(check_rule, spread):
    z = X + 1j * X[::-1]
    check_rule(lambda z: spread(z, axis=1), z)
    assert spread(ad.Variable(z)).dtype == np.float64


def test_the_mean_given_is_differentiated(check_rule):
    check_rule(lambda x, m: np.var(x, axis=1, mean=m), X, X.mean(axis=1, keepdims=True) + 0.1)


@pytest.mark.parametrize("spread", [np.var, np.std], ids=name)
def test_equal_values(spread):
    x = np.full(4, 2.0)
    np.testing.assert_array_equal(ad.grad(spread)(x), np.zeros(4))
    assert ad.jvp(spread, (x,), (np.arange(4.0),))[1] == 0.0
    assert ad.grad(spread)(2.0) == 0.0


@pytest.mark.parametrize("spread", [np.var, np.std, np.nanvar, np.nanstd], ids=name)
@pytest.mark.parametrize("x", [3.5, np.array([3.5]), np.array([[1 + 2j]])], ids=repr)
def test_one_value_has_no_spread_to_all_orders(spread, x):
    def change(t):
        return ad.jvp(spread, (t,), (x * 0 + 1.0,))[1]

    def slope(t):
        return np.abs(ad.vjp(spread, t)[1](1.0)[0])

    assert spread(x) == ad.vjp(spread, x)[0] == 0.0
    for derivative in (change, slope):
        assert np.all(derivative(x) == 0.0)
        assert np.all(ad.elementwise_grad(derivative)(x) == 0.0)


def test_nan_spreads_leave_nan_out():
    x = np.array([1.0, np.nan, 4.0, 6.0])
    found = ad.grad(np.nanstd)(x)
    wanted = ad.grad(np.std)(x[[0, 2, 3]])
    np.testing.assert_allclose(found, [wanted[0], 0.0, *wanted[1:]], rtol=1e-14)


def test_ddof_and_correction_are_one_number():
    with pytest.raises(ValueError, match="correction"):
        np.var(ad.Variable(X), ddof=1, correction=1)


def test_positional_arguments():
    found = np.var(ad.Variable(X), 1, None, None, 1, True)
    np.testing.assert_allclose(found.value, np.var(X, 1, None, None, 1, True))


@pytest.mark.parametrize(
    ("axis", "weights"),
    [
        (None, WEIGHTS),
        (1, WEIGHTS),
        ((0, 2), WEIGHTS),
        (1, WEIGHTS[0, :, 0]),
        ((1, 0), WEIGHTS[:, :, 0].T),
        (-1, WEIGHTS[0, 0]),
    ],
    ids=["all", "one axis", "two axes", "of an axis", "of two axes", "of the last"],
)
@pytest.mark.parametrize("keepdims", [False, True])
def test_average(check_rule, axis, weights, keepdims):
    check_rule(lambda x, w: np.average(x, axis, w, keepdims=keepdims), X, weights)


def test_average_without_weights(check_rule):
    check_rule(lambda x: np.average(x, axis=1), X)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["none", "all"])
def test_average_with_the_sum_of_weights(weights):
    found, total = np.average(ad.Variable(X), 1, weights, True)
    wanted = np.average(X, 1, weights, True)
    np.testing.assert_allclose(found.value, wanted[0], rtol=1e-14)
    np.testing.assert_allclose(total, wanted[1], rtol=1e-14)


@pytest.mark.parametrize(
    ("weights", "axis", "error", "match"),
    [
        (np.ones(3), None, TypeError, "axis="),
        (np.ones(4), 1, ValueError, "shape"),
        (np.zeros(3), 1, ZeroDivisionError, "0"),
    ],
)
def test_average_refuses(weights, axis, error, match):
    with pytest.raises(error, match=match):
        np.average(ad.Variable(X), axis, weights)


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"rowvar": False},
        {"bias": True},
        {"ddof": 2},
        {"y": ROWS[:2] ** 2},
        {"y": ROWS[0] ** 2},
        {"fweights": [1, 2, 0, 1, 3]},
        {"aweights": [0.5, 2.0, 1.0, 0.3, 0.4]},
        {"aweights": [0.5, 2.0, 1.0, 0.3, 0.4], "ddof": 0},
        {"fweights": [1, 2, 0, 1, 3], "aweights": [0.5, 2.0, 1.0, 0.3, 0.4]},
    ],
    ids=str,
)
def test_cov(check_rule, how):
    check_rule(lambda x: np.cov(x, **how), ROWS)


def test_cov_in_all_arguments(check_rule):
    weights = np.arange(1.0, 6.0)
    check_rule(
        lambda x, y, w: np.cov(x, y, aweights=w), ROWS, ROWS[:1] ** 2, weights, complex=False
    )


@pytest.mark.parametrize("how", [{}, {"rowvar": False}, {"y": ROWS[0] ** 2}], ids=str)
def test_corrcoef(check_rule, how):
    check_rule(lambda x: np.corrcoef(x, **how), ROWS)


def test_of_one_variable(check_rule):
    check_rule(np.cov, ROWS[0])
    assert np.corrcoef(ad.Variable(ROWS[0])).value == 1.0


def test_cov_of_complex_variables(check_rule):
    z = ROWS + 1j * ROWS[::-1, ::-1]
    check_rule(np.cov, z)
    check_rule(lambda z: np.cov(z, aweights=[0.5, 2.0, 1.0, 0.3, 0.4]), z)
    check_rule(np.corrcoef, z)


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=name)
def test_cov_in_dtype(dtype):
    x = ROWS.astype(np.float32)
    found = np.cov(ad.Variable(x), dtype=dtype)
    assert found.dtype == dtype
    np.testing.assert_allclose(found.value, np.cov(x, dtype=dtype), rtol=1e-5)
    assert np.cov(ad.Variable(x)).dtype == np.float64


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"ddof": 1.5}, ValueError),
        ({"aweights": [1.0, 2.0]}, RuntimeError),
        ({"aweights": [1.0, 2.0, -1.0, 1.0, 1.0]}, ValueError),
        ({"fweights": [1.0, 2.5, 1.0, 1.0, 1.0]}, TypeError),
    ],
    ids=str,
)
def test_cov_refuses(how, error):
    with pytest.raises(error):
        np.cov(ad.Variable(ROWS), **how)
    with pytest.raises(error):
        np.cov(ROWS, **how)
