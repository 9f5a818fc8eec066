"""``reduce``, ``accumulate`` and ``outer`` of ufuncs."""

import numpy as np
import pytest

import autodiff as ad
from autodiff.rules.ufunc_methods import ACCUMULATIONS, REDUCTIONS

RNG = np.random.default_rng(11)
X = RNG.uniform(0.5, 1.8, (2, 3, 2))
MASK = RNG.random((2, 3, 2)) > 0.3
COMPLEX = (np.add, np.multiply, np.subtract, np.divide)


def name(value):
    return value.__name__


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("ufunc", REDUCTIONS, ids=name)
def test_reduce(check_rule, ufunc, axis):
    check_rule(lambda x: ufunc.reduce(x, axis=axis), X, complex=ufunc in COMPLEX)
    check_rule(lambda x: ufunc.reduce(x, axis, None, None, True), X, complex=False)


def test_reduce_goes_along_the_first_axis_unless_told():
    assert np.add.reduce(ad.Variable(X)).shape == (3, 2)
    assert np.add.reduce(ad.Variable(2.0)).value == 2.0


@pytest.mark.parametrize("axis", [None, (0, 2)], ids=str)
@pytest.mark.parametrize(
    "ufunc",
    [np.add, np.multiply, np.maximum, np.minimum, np.fmax, np.fmin, np.logaddexp, np.logaddexp2],
    ids=name,
)
def test_reduce_several_axes(check_rule, ufunc, axis):
    check_rule(lambda x: ufunc.reduce(x, axis=axis), X, complex=False)
    check_rule(lambda x: ufunc.reduce(x, axis=axis, initial=0.9, where=MASK), X, complex=False)


@pytest.mark.parametrize("ufunc", [np.subtract, np.hypot, np.power], ids=name)
def test_reduce_with_initial_where_order_matters(check_rule, ufunc):
    check_rule(lambda x: ufunc.reduce(x, axis=1, initial=1.3), X, complex=False)


@pytest.mark.parametrize("ufunc", [np.subtract, np.divide], ids=name)
def test_reduce_of_several_axes_is_refused_where_order_matters(ufunc):
    with pytest.raises(TypeError, match="one axis"):
        ufunc.reduce(ad.Variable(X), axis=None)


@pytest.mark.parametrize("axis", [0, -2])
@pytest.mark.parametrize("ufunc", ACCUMULATIONS, ids=name)
def test_accumulate(check_rule, ufunc, axis):
    check_rule(lambda x: ufunc.accumulate(x, axis=axis), X, complex=ufunc in COMPLEX)


@pytest.mark.parametrize("ufunc", REDUCTIONS, ids=name)
def test_outer(check_rule, ufunc):
    check_rule(ufunc.outer, X[0], X[1, 0] + 1.4, complex=ufunc in COMPLEX)


def test_outer_with_a_constant():
    found = np.multiply.outer([1.0, 2.0], ad.Variable([3.0, 4.0]))
    np.testing.assert_array_equal(found.value, [[3.0, 4.0], [6.0, 8.0]])


def test_outer_of_comparisons_and_steps():
    x = ad.Variable([1.0, -2.0])
    np.testing.assert_array_equal(np.greater.outer(x, [0.0]), [[True], [False]])
    found = ad.grad(lambda x: np.sum(np.copysign.outer(x, [1.0, -1.0, -1.0])))(x.value)
    np.testing.assert_array_equal(found, [-1.0, 1.0])


def test_logical_reductions_are_plain():
    x = np.array([[1.0, 0.0], [2.0, 3.0]])
    for method in (np.logical_and.reduce, np.logical_or.accumulate, np.logical_xor.reduce):
        found = method(ad.Variable(x), axis=1)
        assert type(found) is np.ndarray
        np.testing.assert_array_equal(found, method(x, axis=1))


class TestLogarithmsOfSums:
    def test_far_from_zero(self):
        x = np.array([1e6, 1e6 + 1.0, 1e6 - 3.0])
        weights = np.exp(x - x.max())
        np.testing.assert_allclose(
            ad.grad(np.logaddexp.reduce)(x), weights / weights.sum(), rtol=1e-14
        )

    def test_a_small_term(self):
        assert np.logaddexp.reduce(ad.Variable([0.0, -50.0])).value == np.exp(-50.0)
        np.testing.assert_allclose(
            ad.grad(np.logaddexp.reduce)(np.array([0.0, -800.0, -50.0])),
            [1.0, 0.0, np.exp(-50.0)],
            rtol=1e-14,
        )

    @pytest.mark.parametrize(
        ("x", "wanted"),
        [
            ([-np.inf, -np.inf], [0.5, 0.5]),
            ([np.inf, 1.0, np.inf], [0.5, 0.0, 0.5]),
            ([-np.inf, 1.0], [0.0, 1.0]),
        ],
        ids=str,
    )
    def test_infinities(self, x, wanted):
        x = np.array(x)
        for ufunc in (np.logaddexp, np.logaddexp2):
            np.testing.assert_array_equal(ad.grad(ufunc.reduce)(x), wanted)
            np.testing.assert_array_equal(ad.jacobian(ufunc.reduce, mode="forward")(x), wanted)

    def test_no_entries(self):
        value, pullback = ad.vjp(np.logaddexp.reduce, np.zeros((0, 2)))
        np.testing.assert_array_equal(value, [-np.inf, -np.inf])
        assert pullback(np.ones(2))[0].shape == (0, 2)


class TestRunningExtremes:
    def test_ties_share(self):
        found = ad.jacobian(np.maximum.accumulate)(np.array([1.0, 1.0, 2.0, 0.0, 2.0]))
        wanted = [
            [1.0, 0.0, 0.0, 0.0, 0.0],
            [0.5, 0.5, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 0.5, 0.0, 0.5],
        ]
        np.testing.assert_array_equal(found, wanted)

    def test_the_last_of_three_ties_has_a_third(self):
        found = ad.jacobian(np.minimum.accumulate)(np.full(3, 2.0))
        np.testing.assert_allclose(found[2], np.full(3, 1 / 3), rtol=1e-15)

    def test_nan(self):
        x = np.array([1.0, np.nan, 0.5])
        np.testing.assert_array_equal(ad.jacobian(np.maximum.accumulate)(x)[2], [0.0, 1.0, 0.0])
        np.testing.assert_array_equal(ad.jacobian(np.fmin.accumulate)(x)[2], [0.0, 0.0, 1.0])


def test_reduceat_is_refused():
    with pytest.raises(TypeError, match=r"np\.add\.reduceat"):
        np.add.reduceat(ad.Variable(X[0, 0]), [0, 1])


@pytest.mark.parametrize("axis", [None, (0, 2), -1], ids=str)
def test_reduce_of_hypot(check_rule, axis):
    check_rule(lambda x: np.hypot.reduce(x, axis=axis), X, complex=False)
    keywords = {"axis": axis, "keepdims": True, "initial": 0.9, "where": MASK}
    check_rule(lambda x: np.hypot.reduce(x, **keywords), X, complex=False)


def test_hypot_starts_from_zero():
    found = np.hypot.reduce(ad.Variable([[-3.0, 2.0]]))
    np.testing.assert_array_equal(found.value, np.hypot.reduce([[-3.0, 2.0]]))
    gradient = ad.grad(lambda x: np.sum(np.hypot.reduce(x)))(np.array([[-3.0, 2.0]]))
    np.testing.assert_array_equal(gradient, [[-1.0, 1.0]])
    assert np.hypot.reduce(ad.Variable(np.zeros(0))).value == 0.0


def test_reduce_of_nothing_has_the_error_of_numpy():
    with pytest.raises(ValueError, match="subtract which has no identity"):
        np.subtract.reduce(ad.Variable(np.zeros(0)))
