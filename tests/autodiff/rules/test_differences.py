"""Differences, slopes, integrals and unwrapped angles."""

import numpy as np
import pytest

import autodiff as ad

RNG = np.random.default_rng(19)
X = RNG.normal(size=(3, 4))
PLACES = np.cumsum(RNG.uniform(0.3, 1.0, 4))


@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 9])
def test_diff(check_rule, n, axis):
    check_rule(lambda x: np.diff(x, n, axis), X)


def test_diff_with_ends(check_rule):
    check_rule(lambda x, p, a: np.diff(x, 2, prepend=p, append=a), X, np.array(0.3), X[:, :2])


@pytest.mark.parametrize(("x", "n"), [(2.0, 1), ([1.0, 2.0], -1)], ids=str)
def test_diff_refuses_what_numpy_does(x, n):
    for given in (x, ad.Variable(x)):
        with pytest.raises(ValueError, match=r"diff|order"):
            np.diff(given, n)


def test_ediff1d(check_rule):
    check_rule(np.ediff1d, X)
    check_rule(lambda x, e, b: np.ediff1d(x, e, b), X, X[:2], np.array(1.5))


def test_the_ends_of_ediff1d_take_its_dtype():
    x, end = np.ones(3, np.float32), np.array(2.0)
    value, pullback = ad.vjp(np.ediff1d, x, end)
    assert value.dtype == np.ediff1d(x, end).dtype == np.float32
    assert pullback(value)[1].dtype == float


@pytest.mark.parametrize("edge_order", [1, 2])
@pytest.mark.parametrize(
    ("spacing", "axis"),
    [
        ((), None),
        ((), 0),
        ((), (1, 0)),
        ((0.3,), None),
        ((0.3, 0.5), None),
        ((0.3, PLACES), None),
        ((PLACES,), -1),
        ((np.arange(3.0) * 2.0,), 0),
        ((PLACES, 0.2), (1, 0)),
    ],
    ids=str,
)
def test_gradient(check_rule, spacing, axis, edge_order):
    check_rule(lambda x: np.gradient(x, *spacing, axis=axis, edge_order=edge_order), X)


@pytest.mark.parametrize("edge_order", [1, 2])
def test_gradient_in_distances_and_places(check_rule, edge_order):
    check_rule(
        lambda x, p, h: np.gradient(x, p, h, axis=(1, 0), edge_order=edge_order),
        *(X, PLACES, np.array(0.4)),
        complex=False,
    )


@pytest.mark.parametrize(
    ("spacing", "how", "error"),
    [
        ((1.0, 1.0, 1.0), {}, TypeError),
        ((PLACES,), {}, TypeError),
        ((PLACES[:3],), {"axis": 1}, ValueError),
        ((), {"edge_order": 3}, ValueError),
    ],
    ids=str,
)
def test_gradient_refuses_what_numpy_does(spacing, how, error):
    for given in (X, ad.Variable(X)):
        with pytest.raises(error):
            np.gradient(given, *spacing, **how)


def test_gradient_needs_entries():
    with pytest.raises(ValueError, match="2 entries"):
        np.gradient(ad.Variable([1.0]))


@pytest.mark.parametrize("axis", [0, -1])
def test_trapezoid(check_rule, axis):
    check_rule(lambda y: np.trapezoid(y, axis=axis), X)
    check_rule(lambda y: np.trapezoid(y, dx=0.3, axis=axis), X)
    check_rule(lambda y, x: np.trapezoid(y, x, axis=axis), X, np.cumsum(X**2, axis=axis))


def test_trapezoid_over_places(check_rule):
    check_rule(np.trapezoid, X, PLACES)
    check_rule(lambda y, x: np.trapezoid(y, x, axis=0), X, PLACES[:3])
    check_rule(lambda x: np.trapezoid([1.0, 2.0, 4.0], x), PLACES[:3])


@pytest.mark.parametrize(
    "how", [{}, {"axis": 0}, {"period": 3.0, "discont": 2.0}, {"discont": 4.0}], ids=str
)
def test_unwrap(check_rule, how):
    angles = np.cumsum(
        [[1.0, 5.0, 4.2, -2.4], [6.5, 0.3, -0.1, 2.6], [-8.8, 1.1, 5.5, 0.7]], axis=1
    )
    check_rule(lambda p: np.unwrap(p, **how), angles, complex=False)
