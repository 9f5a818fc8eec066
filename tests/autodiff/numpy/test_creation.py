"""Arrays made of tracked values."""

import numpy as np
import pytest

import autodiff as ad
import autodiff.numpy as anp
from autodiff.box import Box

X = np.array([0.5, 2.0, -1.0])


@pytest.mark.parametrize(
    "call",
    [
        lambda m, x: m.array([x[0], 1.0, x[1] * x[2]]),
        lambda m, x: m.array([[x[0], 2], [x[1], x[2] ** 2]]),
        lambda m, x: m.array([x, 2 * x]),
        lambda m, x: m.array(((x[0],), [x[1]])),
        lambda m, x: m.array([x, [1.0, 2.0, 3.0]]),
        lambda m, x: m.array(x, ndmin=3),
        lambda m, x: m.array(x[0], ndmin=1),
        lambda m, x: m.asarray(x),
        lambda m, x: m.asarray([x[0], x[1]]),
        lambda m, x: m.asanyarray([x, x]),
        lambda m, x: m.ascontiguousarray(x[0] * x[1]),
        lambda m, x: m.asfortranarray([x, x]),
        lambda m, x: m.full((2, 3), x),
        lambda m, x: m.full(4, x[1]),
        lambda m, x: m.full((2, 3), x, None, "F"),
        lambda m, x: m.full_like(np.zeros((2, 3)), x),
        lambda m, x: m.full_like(np.zeros((2, 3)), x, None, "F"),
        lambda m, x: m.asarray_chkfinite([x[0], 1.0]),
    ],
)
def test_derivatives_of_arrays(call):
    def f(x):
        return call(anp, x)

    ad.check_grads(f, (X,))
    found = ad.vjp(f, X)[0]
    assert np.array_equal(found, call(np, X))
    assert type(f(X)) in (np.ndarray, np.float64, type(anp.zeros(1)))


def test_array_of_many_levels():
    def f(x):
        return ad.grad(lambda y: anp.sum(anp.array([x, y, x * y]) ** 2))(x)

    # d/dx of 2 x + 2 x^3
    assert ad.grad(f)(3.0) == 56.0


def test_array_copies_a_variable():
    x = ad.Variable([1.0, 2.0])
    y = anp.array(x)
    y[0] = 5.0
    assert x.value.tolist() == [1.0, 2.0]
    assert anp.asarray(x) is x


def test_dtypes():
    x = ad.Variable([1.5, 2.5])
    assert anp.array(x, dtype=np.float32).dtype == np.float32
    assert anp.asarray([x[0], 1.0], np.float32).dtype == np.float32
    plain = anp.array(x, dtype=int)
    assert type(plain) is np.ndarray
    assert plain.tolist() == [1, 2]
    assert anp.full(2, x[0], dtype=np.float32).dtype == np.float32
    assert anp.array([1, 2]).dtype == int
    assert anp.array([1, 2], np.float32).dtype == np.float32


def test_shapes_that_differ_are_an_error():
    x = ad.Variable([1.0, 2.0])
    with pytest.raises(ValueError, match="shape"):
        anp.array([x, 1.0])


@pytest.mark.parametrize("other", [1.0, ad.Variable(1.0)], ids=["plain", "tracked"])
def test_a_number_that_is_not_finite_is_an_error_where_numpy_says_so(other):
    with pytest.raises(ValueError, match="infs or NaNs"):
        anp.asarray_chkfinite([other, np.inf])


def test_a_value_that_escaped_is_a_constant():
    kept = []
    ad.grad(lambda x: kept.append(x) or x * x)(3.0)
    assert not isinstance(anp.array(kept), Box)
    assert np.asarray(anp.array(kept)).tolist() == [3.0]


def test_isscalar():
    assert anp.isscalar(ad.Variable(2.0))
    assert not anp.isscalar(ad.Variable([2.0]))


@pytest.mark.parametrize(
    "call",
    [
        lambda m, x: m.arange(x, 5.0),
        lambda m, x: m.arange(0.0, 3.0, x),
        lambda m, x: m.arange(x, stop=5.0, step=x / 2),
    ],
)
def test_arange(call):
    ad.check_grads(lambda x: call(anp, x), (0.7,))
    np.testing.assert_allclose(ad.vjp(lambda x: call(anp, x), 0.7)[0], call(np, 0.7), rtol=1e-15)


def test_empty_range():
    assert ad.jacobian(lambda x: anp.arange(x, 0.0))(3.0).shape == (0,)
