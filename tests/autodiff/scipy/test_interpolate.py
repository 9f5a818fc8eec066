"""`autodiff.scipy.interpolate`: splines in values, knots, end conditions and places."""

import functools

import numpy as np
import pytest
import scipy.interpolate

import autodiff as ad
from autodiff.scipy import interpolate


@pytest.fixture
def check_rule(check_rule):
    """Return the check without the compiled function: objects cannot be calls in a program."""
    return functools.partial(check_rule, compiled=False)


KNOTS = np.array([0.0, 0.7, 1.5, 2.0, 3.1, 3.6])
VALUES = np.random.default_rng(0).uniform(-1.0, 1.0, (6, 2))
PLACES = np.array([-0.4, 0.3, 1.1, 1.7, 2.9, 4.2])

ENDS = ["not-a-knot", "clamped", "natural", ((1, 0.3), (2, -0.5)), ("natural", "not-a-knot")]


@pytest.mark.parametrize("count", [2, 3, 4, 6])
@pytest.mark.parametrize("ends", ENDS, ids=str)
def test_cubic_spline(check_rule, ends, count):
    def call(x, y, places):
        return interpolate.CubicSpline(x, y, bc_type=ends)(places)

    order = 2 if count == 4 else 1
    check_rule(call, KNOTS[:count], VALUES[:count, 0], PLACES[:3], order=order, complex=False)


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_periodic_cubic_spline(check_rule, count):
    def call(x, y, places):
        y = np.concatenate((y, y[:1]))
        return interpolate.CubicSpline(x, y, bc_type="periodic")(places)

    order = 2 if count == 4 else 1
    check_rule(call, KNOTS[:count], VALUES[: count - 1, 0], PLACES[:3], order=order, complex=False)
    with pytest.raises(ValueError, match="must be identical"):
        ad.vjp(lambda y: interpolate.CubicSpline(KNOTS, y, bc_type="periodic").c, VALUES)


def test_end_conditions_with_tracked_values(check_rule):
    def call(y, first, last):
        return interpolate.CubicSpline(KNOTS, y, bc_type=((1, first), (2, last)))(PLACES)

    check_rule(call, VALUES, VALUES[0], VALUES[1], complex=False, order=1)
    check_rule(call, VALUES[:, 0], 0.5, -0.2, complex=False, single=False)


@pytest.mark.parametrize("axis", [1, -2])
def test_axes_and_shapes_of_places(check_rule, axis):
    y = np.moveaxis(VALUES[:4, :, None] * [1.0, -0.5], 0, axis)
    for places in (0.4, PLACES[:2], PLACES[1:5].reshape(2, 2)):
        check_rule(
            lambda y, places: interpolate.CubicSpline(KNOTS[:4], y, axis)(places),
            y,
            places,
            order=1,
            complex=False,
        )


@pytest.mark.parametrize("nu", [0, 1, 2, 3, 4])
def test_derivatives_and_integrals(check_rule, nu):
    def value(y, places):
        return interpolate.CubicSpline(KNOTS[:4], y)(places, nu)

    def derivative(y, places):
        return interpolate.CubicSpline(KNOTS[:4], y).derivative(nu)(places)

    def antiderivative(y, places):
        return interpolate.CubicSpline(KNOTS[:4], y).antiderivative(nu)(places)

    for call in (value, derivative, antiderivative):
        check_rule(call, VALUES[:4, 0], PLACES[:3], complex=False, order=2 if nu == 1 else 1)


def test_integrate(check_rule):
    def call(x, y, a, b):
        return interpolate.CubicSpline(x, y).integrate(a, b)

    check_rule(call, KNOTS[:4], VALUES[:4], 0.3, 1.8, complex=False, single=False, order=1)
    check_rule(call, KNOTS[:3], VALUES[:3, 0], 1.9, -0.5, complex=False, single=False)

    def over_periods(y, a, b):
        y = np.concatenate((y, y[:1]))
        return interpolate.CubicSpline(KNOTS[:5], y, bc_type="periodic").integrate(a, b)

    check_rule(over_periods, VALUES[:4], -1.3, 9.3, complex=False, single=False, order=1)


def test_plain_values_at_tracked_places(check_rule):
    spline = interpolate.CubicSpline(KNOTS, VALUES)
    check_rule(spline, PLACES, complex=False)
    slopes = ad.jvp(spline, (PLACES,), (np.ones(len(PLACES)),))[1]
    np.testing.assert_allclose(slopes, spline(PLACES, 1), rtol=1e-12)
    assert isinstance(spline, scipy.interpolate.CubicSpline)
    np.testing.assert_array_equal(
        spline(PLACES), scipy.interpolate.CubicSpline(KNOTS, VALUES)(PLACES)
    )
    np.testing.assert_array_equal(
        spline.roots()[0], scipy.interpolate.CubicSpline(KNOTS, VALUES).roots()[0]
    )


@pytest.mark.parametrize("extrapolate", [True, False, "periodic"])
def test_extrapolation(extrapolate):
    def call(y):
        return interpolate.CubicSpline(KNOTS, y, extrapolate=extrapolate)(PLACES)

    value, pullback = ad.vjp(call, VALUES)
    np.testing.assert_allclose(value, call(VALUES), rtol=1e-12)
    inside = np.zeros_like(value)
    inside[1:-1] = 1.0
    assert np.isfinite(pullback(inside)[0]).all()


def test_a_knot_belongs_to_the_piece_that_starts_there():
    found = ad.grad(lambda x: interpolate.PPoly([[1.0, 5.0], [0.0, 1.0]], [0.0, 1.0, 2.0])(x))
    assert [found(0.5), found(1.0), found(2.0)] == [1.0, 5.0, 5.0]


@pytest.mark.parametrize("turn", [1, -1])
def test_ppoly(check_rule, turn):
    c = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 5, 2))
    check_rule(
        lambda c, places: interpolate.PPoly(c, KNOTS[::turn])(places),
        c,
        PLACES,
        order=1,
        complex=False,
    )
    check_rule(
        lambda c: interpolate.PPoly(c, KNOTS, axis=1)(PLACES),
        np.moveaxis(c, (0, 1), (1, 2)),
        order=1,
        complex=False,
    )


def test_complex_values():
    y = VALUES[:, 0] + 1j * VALUES[:, 1]
    ad.check_grads(lambda y: interpolate.CubicSpline(KNOTS, y)(PLACES), (y,), order=1)


@pytest.mark.parametrize("count", [2, 3, 6])
def test_hermite_and_pchip(check_rule, count):
    x, y = KNOTS[:count], np.array([0.0, 1.0, 1.5, 0.3, 0.4, 2.0])[:count]
    check_rule(
        lambda x, y, slopes: interpolate.CubicHermiteSpline(x, y, slopes)(PLACES),
        x,
        y,
        VALUES[:count, 0],
        order=1,
        complex=False,
    )
    check_rule(
        lambda x, y: interpolate.PchipInterpolator(x, y)(PLACES), x, y, order=1, complex=False
    )


def test_pchip_of_flat_data():
    y = np.array([0.0, 0.0, 1.0, 1.0, 3.0, 2.0])
    found = ad.jacobian(lambda y: interpolate.PchipInterpolator(KNOTS, y)(PLACES[1:-1]))(y)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(1), 1.0, rtol=1e-12)  # y + a moves the spline by a


def test_wrong_shapes():
    for bad in (KNOTS[::-1], KNOTS[:-1]):
        with pytest.raises(ValueError, match=r"increasing|knots"):
            ad.vjp(lambda y, bad=bad: interpolate.CubicSpline(bad, y).c, VALUES)
    for ends in ("loose", ((3, 0.0), (1, 0.0)), ((1, [0.0]), (1, [0.0]))):
        with pytest.raises(ValueError, match=r"bc_type|end condition"):
            ad.vjp(lambda y, e=ends: interpolate.CubicSpline(KNOTS, y, bc_type=e).c, VALUES[:, 0])


def test_single_precision_is_taken_as_double():
    x, y = KNOTS.astype(np.float32), VALUES.astype(np.float32)
    value, pullback = ad.vjp(lambda y: interpolate.CubicSpline(x, y)(1.1), y)
    np.testing.assert_allclose(value, scipy.interpolate.CubicSpline(x, y)(1.1), rtol=1e-13)
    assert pullback(np.ones(2))[0].dtype == np.float32


def test_what_has_no_rule():
    with pytest.raises(TypeError, match="brentq"):
        ad.vjp(lambda y: interpolate.CubicSpline(KNOTS, y).roots(), VALUES[:, 0])
    with pytest.raises(ValueError, match="negative"):
        ad.vjp(lambda y: interpolate.CubicSpline(KNOTS, y)(1.0, -1), VALUES)


def test_other_names_are_scipys():
    assert interpolate.interp1d is scipy.interpolate.interp1d
    assert "interp1d" in dir(interpolate)
