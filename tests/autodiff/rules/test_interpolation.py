"""np.interp in points, knots and values; at and outside of the knots."""

import numpy as np
import pytest

import autodiff as ad
from autodiff import Variable, grad

X = np.array([-1.5, 0.3, 0.8, 1.7, 2.2, 3.9, 5.5])
XP = np.array([-1.0, 0.5, 2.0, 2.5, 4.0])
FP = np.array([1.0, -2.0, 0.5, 3.0, 2.0])
KEYWORDS = (
    {},
    {"left": -7.0},
    {"right": 2.5},
    {"left": 0.5, "right": np.nan},
    {"period": 4.5},
    {"period": -4.5},
)


@pytest.mark.parametrize("keywords", [k for k in KEYWORDS if k.get("right") is not np.nan], ids=str)
@pytest.mark.parametrize("x", [X, X[:6].reshape(2, 3), X[2], X[:0], X[:1]], ids=np.shape)
def test_all_arguments(check_rule, keywords, x):
    check_rule(lambda x, xp, fp: np.interp(x, xp, fp, **keywords), x, XP, FP, complex=False)


def test_complex_values(check_rule):
    fp = FP + 1j * FP[::-1]
    check_rule(np.interp, X, XP, fp)
    check_rule(lambda fp: np.interp(X, XP, fp, left=1j), fp)


def test_one_knot(check_rule):
    check_rule(np.interp, X, XP[:1], FP[:1], complex=False)


def test_third_order(check_rule):
    check_rule(np.interp, X[1:3], XP, FP, complex=False, order=3)


def test_values_outside_and_the_period_are_followed(check_rule):
    check_rule(lambda x, a, b: np.interp(x, XP, FP, a, b), X, 1.0, 2.0, complex=False)
    check_rule(lambda x, p: np.interp(x, XP, FP, period=p), X, 5.3, complex=False)


SLOPES = {
    "inside": (0.0, -2.0),
    "a knot": (0.5, (-2.0 + 2.5 / 1.5) / 2),
    "the first knot": (-1.0, -1.0),
    "the last knot": (4.0, -1.0 / 3),
    "before": (-2.0, 0.0),
    "after": (9.0, 0.0),
}


@pytest.mark.parametrize(("x", "slope"), SLOPES.values(), ids=SLOPES)
def test_the_slope_at_special_points(x, slope):
    assert grad(lambda x: np.interp(x, XP, FP))(x) == pytest.approx(slope)
    assert ad.jvp(lambda x: np.interp(x, XP, FP), (x,), (1.0,))[1] == pytest.approx(slope)
    # Moving points and knots together changes nothing, also at a knot.
    assert grad(lambda t: np.interp(x + t, XP + t, FP))(0.0) == pytest.approx(0.0)
    np.testing.assert_allclose(grad(lambda fp: np.interp(x, XP, fp))(FP).sum(), 1.0)


def test_a_jump_outside_has_the_slope_of_a_constant():
    assert grad(lambda x: np.interp(x, XP, FP, left=9.0))(-1.0) == -1.0


def test_mixed_derivatives_agree_at_a_knot():
    x, fp = np.array([0.5, 2.0]), FP

    def f(x, fp):
        return np.sum(np.interp(x, XP, fp) * np.array([1.0, 3.0]))

    second = ad.hessian(f, (0, 1))(x, fp)
    np.testing.assert_allclose(second[0][1], second[1][0].T)


def test_a_masked_nan():
    x = np.array([0.0, np.nan])

    def f(xp, fp):
        return np.sum(np.where(np.isnan(x), 0.0, np.interp(x, xp, fp)))

    of_xp, of_fp = grad(f, (0, 1))(XP, FP)
    np.testing.assert_allclose(of_fp, [1 / 3, 2 / 3, 0, 0, 0])
    np.testing.assert_allclose(of_xp, 2.0 * of_fp)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: np.interp(x, XP, FP[1:]), "of one length"),
        (lambda x: np.interp(x, XP[None], FP[None]), "sequences"),
        (lambda x: np.interp(x, XP, FP, period=0.0), "must not be 0"),
        (lambda x: np.interp(x, XP[:0], FP[:0]), "empty"),
    ],
)
def test_what_is_wrong_is_said(call, words):
    with pytest.raises(ValueError, match=words):
        call(Variable(X))


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_second_derivatives_at_a_masked_point(mode):
    x, knots = np.array([0.5, np.nan, 1.5]), [0.0, 1.0, 2.0]

    def loss(fp):
        return np.sum(np.where(np.isnan(x), 0.0, np.interp(x, knots, fp) ** 2))

    found = ad.jacobian(ad.grad(loss), mode=mode)(np.array([1.0, 2.0, 4.0]))
    np.testing.assert_allclose(found, [[0.5, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 0.5]])
