"""Running sums and products."""

import numpy as np
import pytest

import autodiff as ad
from autodiff.rules.cumulative import recurrence_rule

RNG = np.random.default_rng(7)
X = RNG.uniform(0.4, 1.6, (2, 3, 2)) * np.where(RNG.random((2, 3, 2)) < 0.3, -1.0, 1.0)
HOLES = np.where(RNG.random((2, 3, 2)) > 0.2, X, np.nan)
RUNNING = [np.cumsum, np.cumprod, np.nancumsum, np.nancumprod]


def name(value):
    return value.__name__


@pytest.mark.parametrize("axis", [None, 0, 1, -1], ids=str)
@pytest.mark.parametrize("running", RUNNING, ids=name)
def test_axes(check_rule, running, axis):
    check_rule(lambda x: running(x, axis=axis), X)


@pytest.mark.parametrize("axis", [None, 1], ids=str)
def test_products_with_zeros(check_rule, axis):
    x = X * np.array([1.0, 0.0, 1.0])[:, None]
    check_rule(lambda x: np.cumprod(x, axis=axis), x)


def test_third_derivative_at_zeros():
    def last(x):
        return np.cumprod(x)[-1]

    found = ad.jacobian(ad.hessian(last))(np.zeros(3))
    assert found[0, 1, 2] == found[2, 1, 0] == 1.0
    assert np.count_nonzero(found) == 6


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("include_initial", [False, True])
@pytest.mark.parametrize("running", [np.cumulative_sum, np.cumulative_prod], ids=name)
def test_array_api(check_rule, running, include_initial, axis):
    check_rule(lambda x: running(x, axis=axis, include_initial=include_initial), X)


def test_array_api_needs_an_axis():
    np.testing.assert_array_equal(
        np.cumulative_sum(ad.Variable([1.0, 2.0]), include_initial=True).value, [0.0, 1.0, 3.0]
    )
    with pytest.raises(ValueError, match="axis"):
        np.cumulative_sum(ad.Variable(X))


@pytest.mark.parametrize("shape", [(), (1,), (0,), (2, 0), (0, 2)], ids=str)
@pytest.mark.parametrize("running", RUNNING, ids=name)
def test_small_shapes(running, shape):
    x = np.full(shape, 1.5)
    value, pullback = ad.vjp(running, x)
    np.testing.assert_array_equal(value, running(x))
    np.testing.assert_array_equal(pullback(np.ones(value.shape))[0], np.ones(shape))


@pytest.mark.parametrize("running", [np.nancumsum, np.nancumprod], ids=name)
def test_nan_is_left_out(running):
    value, pullback = ad.vjp(lambda x: running(x, axis=1), HOLES)
    np.testing.assert_allclose(value, running(HOLES, axis=1), rtol=1e-14)
    plain = getattr(np, running.__name__[3:])
    filled = np.where(np.isnan(HOLES), 0.0 if plain is np.cumsum else 1.0, HOLES)
    (wanted,) = ad.vjp(lambda x: plain(x, axis=1), filled)[1](np.ones(X.shape))
    np.testing.assert_allclose(
        pullback(np.ones(X.shape))[0], np.where(np.isnan(HOLES), 0.0, wanted), rtol=1e-14
    )


@pytest.mark.parametrize("running", RUNNING, ids=name)
def test_dtype(running):
    value, pullback = ad.vjp(lambda x: running(x, 0, np.float64), X.astype(np.float32))
    assert value.dtype == np.float64
    assert pullback(np.ones(value.shape))[0].dtype == np.float32


def test_zero_cotangents_meet_no_overflow():
    x = np.array([1e200, 1e200, 1e200])
    with np.errstate(over="ignore"):
        pullback = ad.vjp(np.cumprod, x)[1]
    (found,) = pullback(np.array([1.0, 0.0, 0.0]))
    np.testing.assert_array_equal(found, [1.0, 0.0, 0.0])


@pytest.mark.parametrize("size", [1, 2, 3, 8, 13])
def test_recurrence(check_rule, size):
    a, b = RNG.normal(size=(2, 2, size))
    wanted = b.copy()
    for i in range(1, size):
        wanted[:, i] += a[:, i] * wanted[:, i - 1]
    np.testing.assert_allclose(recurrence_rule(a, b, axis=1), wanted, rtol=1e-12, atol=1e-14)
    check_rule(lambda a, b: recurrence_rule(a, b, axis=1), a, b)


@pytest.mark.parametrize("running", [np.cumsum, np.cumprod])
def test_the_array_by_name(check_rule, running):
    check_rule(lambda x: running(a=x, axis=0), np.array([0.5, 2.0, 1.5]))
