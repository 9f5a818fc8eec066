"""Sums, products, means and extremes: every keyword, zeros, ties, NaN and no entries."""

import numpy as np
import pytest

import autodiff as ad

RNG = np.random.default_rng(3)
X = RNG.uniform(0.3, 2.0, (2, 3, 2)) * np.where(RNG.random((2, 3, 2)) < 0.3, -1.0, 1.0)
MASK = RNG.random((2, 3, 2)) > 0.3
HOLES = np.where(RNG.random((2, 3, 2)) > 0.2, X, np.nan)

AXES = [None, 0, -1, (0, 2), (-1, 1), ()]
REDUCTIONS = [np.sum, np.prod, np.mean, np.max, np.min]
OF_NUMBERS = [np.nansum, np.nanprod, np.nanmean, np.nanmax, np.nanmin]


def name(value):
    return getattr(value, "__name__", str(value))


@pytest.mark.parametrize(
    ("axis", "keepdims"),
    list(zip(AXES, [False, True, False, True, False, False], strict=True)),
    ids=str,
)
@pytest.mark.parametrize("reduction", [*REDUCTIONS, *OF_NUMBERS, np.ptp], ids=name)
def test_axes(check_rule, reduction, axis, keepdims):
    if reduction is np.ptp and axis == ():
        axis = 1
    check_rule(lambda x: reduction(x, axis=axis, keepdims=keepdims), X, complex=reduction is np.sum)


@pytest.mark.parametrize(
    "x", [np.array(2.5), np.array([1.5]), np.full((1, 1), 3.0)], ids=["0-d", "one", "1 by 1"]
)
@pytest.mark.parametrize("reduction", [*REDUCTIONS, *OF_NUMBERS], ids=name)
def test_one_entry(check_rule, reduction, x):
    check_rule(reduction, x, complex=False)


@pytest.mark.parametrize("reduction", [np.sum, np.prod, np.mean], ids=name)
def test_complex(check_rule, reduction):
    z = X + 1j * X[::-1, ::-1]
    check_rule(lambda z: reduction(z, axis=1), z)


@pytest.mark.parametrize("reduction", [np.sum, np.prod, np.nansum, np.nanprod], ids=name)
def test_no_entries(reduction):
    for shape, axis in [((0,), None), ((3, 0), 1), ((0, 3), 0)]:
        x = np.zeros(shape)
        value, pullback = ad.vjp(lambda x, axis=axis: reduction(x, axis=axis), x)
        np.testing.assert_array_equal(value, reduction(x, axis=axis))
        assert pullback(np.ones(np.shape(value)))[0].shape == shape


def test_no_entries_of_extremes():
    x = np.zeros((0, 2))
    value, pullback = ad.vjp(lambda x: np.max(x, axis=0, initial=-1.0), x)
    np.testing.assert_array_equal(value, [-1.0, -1.0])
    assert pullback(np.ones(2))[0].shape == (0, 2)
    with pytest.raises(ValueError, match="zero-size array"):
        ad.grad(lambda x: np.max(x))(np.zeros(0))


@pytest.mark.parametrize(
    ("reduction", "initial"),
    [
        *((reduction, 0.4) for reduction in (np.max, np.min, np.nanmax, np.nanmin)),
        *((reduction, 3.0) for reduction in (np.sum, np.prod, np.nansum, np.nanprod)),
        (np.max, -9.0),
        (np.min, 9.0),
    ],
    ids=name,
)
@pytest.mark.parametrize("where", [True, MASK, MASK[:, :1]], ids=["all", "mask", "broadcast"])
def test_initial_and_where(check_rule, reduction, initial, where):
    check_rule(lambda x: reduction(x, axis=(0, 2), initial=initial, where=where), X, complex=False)


@pytest.mark.parametrize("reduction", [np.mean, np.nanmean], ids=name)
def test_mean_where(check_rule, reduction):
    check_rule(lambda x: reduction(x, axis=1, keepdims=True, where=MASK), X)


@pytest.mark.parametrize("reduction", [np.max, np.min, np.nanmax, np.nanmin], ids=name)
def test_where_without_initial_is_numpys_error(reduction):
    with pytest.raises(ValueError, match="identity"):
        ad.grad(lambda x: reduction(x, where=MASK))(X)


def test_initial_is_differentiated(check_rule):
    for reduction in (np.sum, np.prod, np.max):
        check_rule(
            lambda x, i, r=reduction: r(x, axis=0, initial=i), X, np.array(0.7), complex=False
        )


@pytest.mark.parametrize("reduction", OF_NUMBERS, ids=name)
@pytest.mark.parametrize("axis", [None, 1, (0, 2)], ids=str)
def test_nan_is_left_out(reduction, axis):
    value, pullback = ad.vjp(lambda x: reduction(x, axis=axis), HOLES)
    np.testing.assert_allclose(value, reduction(HOLES, axis=axis), rtol=1e-12)
    (found,) = pullback(np.ones(np.shape(value)))
    assert not found[np.isnan(HOLES)].any()
    neutral = {np.nanprod: 1.0, np.nanmax: -9.0, np.nanmin: 9.0}.get(reduction, 0.0)
    number = ~np.isnan(HOLES)
    scale = np.mean(number, axis=axis) if reduction is np.nanmean else 1.0
    plain = getattr(np, reduction.__name__[3:])
    filled = np.where(number, HOLES, neutral)
    (wanted,) = ad.vjp(lambda x: plain(x, axis=axis) / scale, filled)[1](np.ones(np.shape(value)))
    np.testing.assert_allclose(found, np.where(number, wanted, 0.0), rtol=1e-12)


def test_nanmax_warns_as_numpy_does():
    with pytest.warns(RuntimeWarning, match="All-NaN"):
        np.nanmax(ad.Variable([np.nan, np.nan]))


@pytest.mark.parametrize("dtype", [np.float64, "float32", np.complex128], ids=str)
@pytest.mark.parametrize("reduction", [np.sum, np.prod, np.mean, np.nansum, np.nanmean], ids=name)
def test_dtype(reduction, dtype):
    x = X.astype(np.float32)
    value, pullback = ad.vjp(lambda x: reduction(x, axis=0, dtype=dtype), x)
    assert value.dtype == reduction(x, axis=0, dtype=dtype).dtype
    np.testing.assert_allclose(value, reduction(x, axis=0, dtype=dtype), rtol=1e-6)
    assert pullback(np.ones(value.shape, dtype))[0].dtype == np.float32


def test_positional_arguments():
    x = ad.Variable(X)
    np.testing.assert_array_equal(
        np.sum(x, 1, None, None, True).value, np.sum(X, 1, None, None, True)
    )
    np.testing.assert_array_equal(np.max(x, 1, None, True).value, np.max(X, 1, None, True))


@pytest.mark.parametrize("reduction", [np.sum, np.prod, np.mean, np.max, np.ptp], ids=name)
def test_out_is_refused(reduction):
    with pytest.raises(TypeError, match="out="):
        reduction(ad.Variable(X), 0, out=np.zeros(X.shape[1:]))


class TestProductsWithZeros:
    """Case B35 and more zeros than its."""

    def test_gradient(self):
        gradient = ad.grad(np.prod)
        np.testing.assert_array_equal(gradient(np.array([2.0, 3.0, 0.0])), [0.0, 0.0, 6.0])
        np.testing.assert_array_equal(gradient(np.array([2.0, 0.0, 0.0])), [0.0, 0.0, 0.0])

    def test_hessian(self):
        wanted = np.zeros((4, 4))
        wanted[2, 3] = wanted[3, 2] = 6.0
        x = np.array([2.0, 3.0, 0.0, 0.0])
        np.testing.assert_array_equal(ad.hessian(np.prod)(x), wanted)
        by_reverse = ad.jacobian(ad.grad(np.prod), mode="reverse")
        np.testing.assert_array_equal(by_reverse(x), wanted)

    def test_third_derivative(self):
        found = ad.jacobian(ad.hessian(np.prod))(np.zeros(3))
        wanted = np.zeros((3, 3, 3))
        for i, j, k in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]:
            wanted[i, j, k] = 1.0
        np.testing.assert_array_equal(found, wanted)

    @pytest.mark.parametrize("axis", AXES[:-1], ids=str)
    def test_axes(self, check_rule, axis):
        x = X * (RNG.random(X.shape) > 0.2)
        check_rule(lambda x: np.prod(x, axis=axis), x)

    def test_a_product_outside_the_float_range(self):
        found = ad.grad(np.prod)(np.array([1e-200, 1e-200, 1.0]))
        np.testing.assert_allclose(found, [1e-200, 1e-200, 0.0], rtol=1e-14)


class TestExtremes:
    def test_other_names(self):
        assert np.amax(ad.Variable(X)).value == X.max()
        assert np.amin(ad.Variable(X)).value == X.min()

    @pytest.mark.parametrize(
        "reduction", [np.max, np.min, np.nanmax, np.fmin.reduce], ids=lambda f: f.__name__
    )
    def test_ties_share(self, reduction):
        x = np.full((2, 3), 4.0)
        np.testing.assert_array_equal(ad.grad(lambda x: np.sum(reduction(x, axis=1)))(x), x / 12)

    def test_ties_at_infinity(self):
        found = ad.grad(np.max)(np.array([np.inf, 1.0, np.inf]))
        np.testing.assert_array_equal(found, [0.5, 0.0, 0.5])

    def test_ties_with_what_is_left_out(self):
        x, where = np.array([2.0, 2.0, 1.0]), np.array([True, False, True])
        found = ad.grad(lambda x: np.max(x, initial=-5.0, where=where))(x)
        np.testing.assert_array_equal(found, [1.0, 0.0, 0.0])

    def test_a_tie_with_initial(self):
        assert ad.grad(lambda x: np.max(x, initial=2.0))(np.array([2.0, 1.0]))[0] == 0.5

    def test_nan_has_the_derivative(self):
        x = np.array([1.0, np.nan, 2.0])
        np.testing.assert_array_equal(ad.grad(np.max)(x), [0.0, 1.0, 0.0])
        np.testing.assert_array_equal(ad.grad(np.nanmax)(x), [0.0, 0.0, 1.0])
        np.testing.assert_array_equal(ad.grad(np.fmax.reduce)(x), [0.0, 0.0, 1.0])

    def test_complex_numbers_are_ordered_as_numpy_does(self):
        z = np.array([1 + 2j, 1 + 3j, 0.5 + 9j])
        value, pullback = ad.vjp(np.max, z)
        assert value == np.max(z)
        np.testing.assert_array_equal(pullback(1j)[0], [0, 1j, 0])


def test_masked_infinities_do_not_poison():
    x = np.array([[1.0, 2.0], [np.nan, np.inf]])
    keep = np.array([True, False])
    for reduction in (np.sum, np.prod, np.var, np.std, np.max):
        found = ad.grad(lambda x, r=reduction: np.sum(np.where(keep, r(x, axis=1), 0.0)))(x)
        assert np.isfinite(found[0]).all()
        assert not found[1].any()


@pytest.mark.parametrize("reduction", [*REDUCTIONS, *OF_NUMBERS, np.ptp, np.var], ids=name)
def test_other_order_of_bytes(reduction):
    x = np.array([1.0, 3.0, 2.0])
    found = ad.grad(reduction)(x.astype(x.dtype.newbyteorder()))
    np.testing.assert_array_equal(found, ad.grad(reduction)(x))


@pytest.mark.parametrize("reduction", [np.sum, np.prod, np.max, np.min], ids=name)
def test_the_dtype_of_initial_does_not_matter(reduction):
    x, initial = np.array([2.0, 3.0], np.float32), np.array(2.5)
    value, pullback = ad.vjp(lambda x, i: reduction(x, initial=i), x, initial)
    assert value == reduction(x, initial=initial)
    assert value.dtype == np.float32
    assert [part.dtype for part in pullback(np.float32(1.0))] == [np.float32, np.float64]
