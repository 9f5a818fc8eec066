"""Polynomials by their coefficients."""

import numpy as np
import pytest

import autodiff as ad
from autodiff import Variable, grad


def made(*shapes):
    rng = np.random.default_rng(0)
    return [rng.uniform(0.5, 1.5, shape) for shape in shapes]


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("shape", [(), (3,), (2, 2), (0,)], ids=str)
def test_values(check_rule, count, shape):
    check_rule(np.polyval, *made(count, shape))


def test_values_of_many_polynomials(check_rule):
    check_rule(np.polyval, *made((3, 2), 2))


def test_values_at_zero():
    p = np.array([2.0, 3.0, 4.0])
    of_p, of_x = grad(np.polyval, (0, 1))(p, 0.0)
    np.testing.assert_array_equal(of_p, [0.0, 0.0, 1.0])
    assert of_x == 3.0
    assert np.polyval(np.ones(0), Variable(2.0)) == 0.0


def test_a_masked_infinity():
    x = np.array([2.0, np.inf])
    with np.errstate(invalid="ignore"):
        found = grad(lambda p: np.sum(np.where(np.isinf(x), 0.0, np.polyval(p, x))))(np.ones(3))
    np.testing.assert_array_equal(found, [4.0, 2.0, 1.0])


CALLS = {
    "vander": (np.vander, [3]),
    "vander columns": (lambda x: np.vander(x, 2, increasing=True), [3]),
    "vander more columns": (lambda x: np.vander(x, N=5), [2]),
    "polyadd": (np.polyadd, [3, 2]),
    "polyadd equal": (np.polyadd, [2, 2]),
    "polyadd number": (np.polyadd, [3, ()]),
    "polysub": (np.polysub, [2, 4]),
    "polymul": (np.polymul, [3, 2]),
    "polydiv": (np.polydiv, [5, 3]),
    "polydiv equal": (np.polydiv, [3, 3]),
    "polydiv number": (np.polydiv, [3, 1]),
    "polyder": (np.polyder, [4]),
    "polyder twice": (lambda p: np.polyder(p, 2), [4]),
    "polyder zero times": (lambda p: np.polyder(p, m=0), [4]),
    "polyint": (np.polyint, [3]),
    "polyint twice": (lambda p, k: np.polyint(p, 2, k), [3, 2]),
    "polyint one constant": (lambda p, k: np.polyint(p, 2, k), [3, 1]),
    "poly": (np.poly, [3]),
}


@pytest.mark.parametrize(("call", "shapes"), CALLS.values(), ids=CALLS)
def test_coefficients(check_rule, call, shapes):
    check_rule(call, *made(*shapes))


def test_vander_at_zero(check_rule):
    check_rule(np.vander, np.array([0.0, 2.0, -1.0]))


def test_leading_zeros_are_dropped_from_a_product():
    found = np.polymul(Variable([0.0, 1.0, 2.0]), Variable([0.0, 0.0]))
    np.testing.assert_array_equal(found.value, np.polymul([0.0, 1.0, 2.0], [0.0, 0.0]))


def test_remainders():
    quotient, rest = np.polydiv(Variable([1.0, 2.0]), np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(quotient, [0.0])
    np.testing.assert_array_equal(rest.value, [1.0, 2.0])
    _, rest = np.polydiv(Variable([1.0, 2.0, 1.0]), np.array([1.0, 1.0]))
    np.testing.assert_array_equal(rest.value, [0.0])


def test_conjugate_zeros_give_real_coefficients():
    zeros = np.array([1 + 2j, 1 - 2j])
    found = np.poly(Variable(zeros))
    assert found.dtype == float
    np.testing.assert_allclose(found.value, np.poly(zeros))


def test_zeros_and_coefficients():
    # The derivative of a coefficient in a zero, by Vieta: d(-(a + b)) and d(a b).
    np.testing.assert_allclose(
        ad.jacobian(np.poly)(np.array([2.0, 3.0])), [[0, 0], [-1, -1], [3, 2]]
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p: np.polyder(p, -1), "must not be negative"),
        (lambda p: np.polyint(p, -1), "must not be negative"),
        (lambda p: np.polyint(p, 3, np.ones(2)), "needs one constant or 3"),
        (lambda p: np.vander(p[None]), "needs a vector"),
        (lambda p: np.vander(p, -1), "columns, not -1"),
        (lambda p: np.polyfit(p, p, -1), "degree of 0 or more"),
        (lambda p: np.poly(p[None]), "square matrix"),
    ],
)
def test_what_is_wrong_is_said(call, words):
    with pytest.raises(ValueError, match=words):
        call(Variable(np.ones(3)))


FITS = {
    "degree 0": {"deg": 0},
    "line": {"deg": 1},
    "parabola": {"deg": 2, "rcond": 1e-12},
    "weights": {"deg": 1, "w": np.array([1.0, 2.0, 1.0, 0.5, 3.0])},
    "covariance": {"deg": 1, "cov": True},
    "unscaled covariance": {"deg": 1, "cov": "unscaled"},
}


@pytest.mark.parametrize("keywords", FITS.values(), ids=FITS)
@pytest.mark.parametrize("shape", [5, (5, 2)], ids=str)
def test_fits(check_rule, keywords, shape):
    x, y = np.array([-1.0, 0.2, 0.5, 1.5, 2.0]), made(shape)[0]
    check_rule(lambda x, y: np.polyfit(x, y, **keywords), x, y, complex=False)


def test_fits_in_full():
    x, y = np.array([-1.0, 0.2, 0.5, 1.5, 2.0]), made(5)[0]
    found = np.polyfit(x, Variable(y), 1, full=True)
    for ours, theirs in zip(found, np.polyfit(x, y, 1, full=True), strict=True):
        np.testing.assert_allclose(getattr(ours, "value", ours), theirs)
    with pytest.raises(ValueError, match="more than 3 points"):
        np.polyfit(x[:3], Variable(y[:3]), 2, cov=True)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (lambda x: (x[:0], x[:0], 1), "not shapes"),
        (lambda x: (x[None], x, 1), "not shapes"),
        (lambda x: (x, x[:2], 1), "not shapes"),
        (lambda x: (x, x[:, None, None], 1), "not shapes"),
        (lambda x: (x, x, 1, None, False, x[:2]), "weight for each of 3 points"),
    ],
)
def test_points_that_do_not_fit(points, words):
    x = np.array([1.0, 2.0, 4.0])
    with pytest.raises(TypeError):
        np.polyfit(*points(x))
    with pytest.raises(TypeError, match=words):
        np.polyfit(*points(Variable(x)))


def test_a_product_with_no_coefficients():
    found = np.polymul(Variable([1.0, 2.0]), np.zeros(0))
    np.testing.assert_array_equal(found.value, np.polymul([1.0, 2.0], np.zeros(0)))


def test_a_fit_that_is_not_determined():
    with pytest.warns(np.exceptions.RankWarning, match="degree 2"):
        np.polyfit(np.ones(3), Variable(np.ones(3)), 2)
    assert ad.grad(lambda y: np.polyfit([0, 1], y, 1)[0])(np.ones(2)) == pytest.approx([-1.0, 1.0])


def test_weights_of_a_fit(check_rule):
    x, y = np.array([-1.0, 0.2, 0.5, 1.5]), made(4)[0]
    check_rule(
        lambda y, w: np.polyfit(x, y, 1, w=w), y, np.array([1.0, 2.0, 1.5, 0.5]), complex=False
    )


def test_roots(check_rule):
    check_rule(np.roots, np.array([1.0, -6.0, 11.0, -6.0]))
    check_rule(np.roots, np.array([2.0, 1.0, 3.0]))
    found = np.roots(Variable([0.0, 2.0, -6.0, 0.0]))
    np.testing.assert_array_equal(found.value, [3.0, 0.0])
    assert np.roots(Variable([0.0, 3.0])).size == 0
    assert np.roots(Variable([0.0])).size == 0
    # d(root)/d(coefficient of power k) is -root**k / p'(root)
    slope = ad.grad(lambda p: np.sort(np.roots(p))[1])(np.array([1.0, -5.0, 6.0]))
    np.testing.assert_allclose(slope, [-9.0, -3.0, -1.0], rtol=1e-10)
