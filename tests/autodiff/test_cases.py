"""Small inputs on which differentiation libraries have failed, each with the right answer."""

import copy
import math
import pickle
import threading

import numpy as np
import pytest

import autodiff as ad
from autodiff import grad, hessian, jacobian, jvp

INF, NAN = math.inf, math.nan


def both_modes(f, x):
    """Return the derivative of `f` at the number `x` in reverse and in forward mode."""
    return grad(f)(x), jvp(f, (x,), (1.0,))[1]


def assert_derivative(f, x, right, rel=1e-14):
    for found in both_modes(f, x):
        assert type(found) is float
        assert found == pytest.approx(right, rel=rel, abs=0.0, nan_ok=True)


MASKED = [
    (lambda x: np.where(x < 1, x, np.sqrt(x)), 0.0, 1.0),
    (lambda x: np.where(x >= 0, x, np.sqrt(-x)), 1.0, 1.0),
    (lambda x: np.where(x > 0, np.log(x), 0.0), 0.0, 0.0),
    (lambda x: np.sqrt(0 * x) + x, 2.0, 1.0),
    (lambda x: np.maximum(np.sqrt(x), 1.0), 0.0, 0.0),
    (lambda x: 0 * np.sqrt(x), 0.0, 0.0),
    (lambda x: np.sqrt(x * x), 0.0, 0.0),
    (lambda x: np.sqrt(np.maximum(0.0, x * x - 4)), 1.0, 0.0),
]


@pytest.mark.parametrize(("f", "x", "right"), MASKED)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_masked_branches_do_not_poison(f, x, right):
    assert_derivative(f, x, right)
    with np.errstate(all="ignore"):
        array = grad(lambda v: np.sum(f(v)))(np.array([x, x]))
    np.testing.assert_array_equal(array, [right, right])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
class TestNanFurtherDown:
    def test_behind_a_function(self):
        x = np.array([-1.0, 4.0])
        found = grad(lambda v: np.sum(np.where(v > 0, np.sin(np.sqrt(v)), 0.0)))(x)
        np.testing.assert_allclose(found, [0.0, math.cos(2) / 4], rtol=1e-15)

    def test_constant_partial_is_nan(self):
        x = np.array([-1.0, 4.0])
        assert_derivative(lambda w: np.sum(np.where(x > 0, np.sqrt(x) * w, 0.0)), 1.0, 2.0)

    def test_missing_data(self):
        x = np.array([NAN, 3.0])
        assert_derivative(lambda m: np.sum(np.where(np.isnan(x), 0.0, (x - m) ** 2)), 1.0, -4.0)

    def test_masked_row_of_a_product(self):
        rows = np.array([[1.0, 2.0], [NAN, 5.0], [3.0, 4.0]])
        ok = np.array([True, False, True])
        w = np.array([0.5, 0.25])

        def f(v):
            return np.sum(np.where(ok, rows @ v, 0.0))

        np.testing.assert_array_equal(grad(f)(w), [4.0, 6.0])
        assert jvp(f, (w,), (np.array([1.0, 0.0]),))[1] == 4.0

    def test_a_nan_that_is_right_stays(self):
        found = grad(lambda x: np.sum(np.sqrt(x) - np.sqrt(x)))(np.array([0.0]))
        assert np.isnan(found).all()

    def test_jacobian_rows_do_not_mix(self):
        def f(v):
            return np.stack([v.mean(), (v**2).mean(), np.sqrt(v).mean()])

        found = jacobian(f, mode="reverse")(np.array([-1.0, -2.0, -3.0]))
        np.testing.assert_allclose(found[0], [1 / 3] * 3, rtol=1e-15)
        np.testing.assert_allclose(found[1], [-2 / 3, -4 / 3, -2.0], rtol=1e-15)
        assert np.isnan(found[2]).all()


def test_zero_tangent_meets_an_infinite_partial():
    assert jvp(np.sqrt, (0.0,), (0.0,)) == (0.0, 0.0)


def test_norms_at_zero():
    zeros = np.zeros(3)
    norm = np.linalg.norm
    np.testing.assert_array_equal(grad(norm)(zeros), zeros)
    np.testing.assert_array_equal(grad(lambda v: norm(v) ** 2)(zeros), zeros)
    np.testing.assert_array_equal(grad(lambda v: np.sqrt(np.sum(v**2)))(zeros), zeros)
    assert grad(lambda a, b: np.hypot(a, b) ** 2, (0, 1))(0.0, 0.0) == (0.0, 0.0)
    np.testing.assert_array_equal(grad(lambda v: np.std(v))(np.ones(3)), zeros)


class TestPower:
    def test_polynomials_at_zero(self):
        assert_derivative(lambda x: x**0, 0.0, 0.0)
        assert_derivative(lambda x: x**0.0, 0.0, 0.0)
        assert_derivative(lambda x: x**1, 0.0, 1.0)
        assert_derivative(lambda x: x**2, 0.0, 0.0)
        assert_derivative(lambda x: np.sum(x ** np.arange(3)), 0.0, 1.0)
        assert_derivative(lambda x: np.sum(x ** np.arange(3.0)), 0.0, 1.0)

    @pytest.mark.parametrize(("y", "right"), [(2.0, 0.0), (1.0, 1.0)])
    def test_variable_exponent_at_zero(self, y, right):
        assert grad(lambda x, n: x**n, 0)(0.0, y) == right
        x, n = ad.Variable(0.0), ad.Variable(y)
        (x**n).backward()
        assert x.grad == right

    def test_in_the_exponent(self):
        assert grad(lambda x, y: x**y, 1)(0.0, 1.0) == 0.0
        assert grad(lambda x: x**0.0)(0.0) == 0.0
        assert math.isnan(grad(lambda x, y: x**y, 1)(0.0, 0.0))

    def test_negative_base(self, recwarn):
        dx, dy = grad(lambda x, y: x**y, (0, 1))(-2.0, 3.0)
        assert dx == 12.0
        assert math.isnan(dy)
        assert_derivative(lambda x: x**3, -2.0, 12.0)
        np.testing.assert_array_equal(grad(lambda x: np.sum(x**3))(np.array([-2.0])), [12.0])
        assert math.isnan(grad(lambda y: (-2) ** y)(2.0))
        assert not recwarn.list

    @pytest.mark.parametrize("x", [0.5, 2.0])
    @pytest.mark.parametrize("y", [0.0, 1.0, 2.5])
    def test_mixed_second_partials_agree(self, x, y):
        right = x ** (y - 1) * (1 + y * math.log(x))
        xy = grad(lambda b: grad(lambda a, c: a**c, 0)(x, b))(y)
        yx = grad(lambda a: grad(lambda d, c: d**c, 1)(a, y))(x)
        assert xy == pytest.approx(right, rel=1e-14)
        assert yx == pytest.approx(right, rel=1e-14)


class TestKinks:
    def test_absolute(self):
        assert_derivative(np.abs, 0.0, 0.0)
        assert_derivative(np.abs, -0.0, 0.0)
        assert_derivative(np.arcsinh, 0.0, 1.0)

    def test_ties(self):
        for f in (np.maximum, np.minimum, np.fmax, np.fmin):
            assert grad(f, (0, 1))(1.0, 1.0) == (0.5, 0.5)
            assert grad(f, (0, 1))(INF, INF) == (0.5, 0.5)
            assert_derivative(lambda x, f=f: f(x, x), 1.0, 1.0)

    def test_nan_in_maximum(self):
        assert grad(np.maximum, (0, 1))(NAN, 1.0) == (1.0, 0.0)
        assert grad(np.minimum, (0, 1))(1.0, NAN) == (0.0, 1.0)
        assert grad(np.fmax, (0, 1))(NAN, 1.0) == (0.0, 1.0)
        assert grad(np.fmin, (0, 1))(1.0, NAN) == (1.0, 0.0)

    def test_relu_and_its_relatives_at_zero(self):
        assert_derivative(ad.relu, 0.0, 0.0)
        assert_derivative(lambda x: np.maximum(x, 0), 0.0, 0.5)
        assert_derivative(lambda x: np.clip(x, 0, None), 0.0, 0.5)
        assert_derivative(lambda x: np.where(x > 0, x, 0), 0.0, 0.0)

    def test_clip(self):
        assert_derivative(lambda x: np.clip(x, 0, 1), 0.0, 0.5)
        assert_derivative(lambda x: np.clip(x, 0, 1), 1.0, 0.5)
        assert_derivative(lambda x: np.clip(x, 0, 1), 0.25, 1.0)
        assert_derivative(lambda x: np.clip(x, 0.0, x), 5.0, 1.0)


class TestPrecision:
    @pytest.mark.parametrize(
        ("t", "right"),
        [
            (1e-4, -3.2898681012267561e-04),
            (1e-6, -3.2898681336932058e-06),
            (1e-8, -3.2898681336964526e-08),
            (1e-16, -3.2898681336964528e-16),
        ],
    )
    def test_sinc_near_zero(self, t, right):
        assert_derivative(np.sinc, t, right, rel=4e-15)

    def test_sinc_orders_at_zero(self):
        assert_derivative(np.sinc, 0.0, 0.0)
        assert grad(grad(np.sinc))(0.0) == pytest.approx(-3.2898681336964529, rel=4e-15)
        assert grad(grad(np.sinc))(1e-6) == pytest.approx(-3.289868133686712, rel=1e-12)

    def test_logaddexp(self):
        assert_derivative(lambda x: np.logaddexp(x, 0.0), 0.0, 0.5)
        for a in (0.0, 3.0, -1e6, INF, -INF):
            assert grad(np.logaddexp, (0, 1))(a, a) == (0.5, 0.5)
        assert grad(np.logaddexp, (0, 1))(INF, 0.0) == (1.0, 0.0)
        assert grad(np.logaddexp, (0, 1))(-INF, 0.0) == (0.0, 1.0)

    def test_poles(self, recwarn):
        assert_derivative(np.sqrt, 0.0, INF)
        assert_derivative(np.log, 0.0, INF)
        assert_derivative(lambda x: 1 / np.sqrt(x), 0.0, -INF)
        assert_derivative(lambda x: 1 / x, 0.0, -INF)
        assert_derivative(lambda x: 1 / x, -0.0, -INF)
        assert_derivative(np.arcsin, 1.0, INF)
        assert not recwarn.list

    def test_arctan2(self):
        dy, dx = grad(np.arctan2, (0, 1))(1.0, 2.0)
        assert dy == pytest.approx(0.4, rel=1e-15)
        assert dx == pytest.approx(-0.2, rel=1e-15)
        assert grad(np.arctan2, (0, 1))(0.0, 0.0) == (0.0, 0.0)
        y, x, mask = np.array([0.0, 1.0]), np.array([0.0, 2.0]), np.array([False, True])
        found = grad(lambda v: np.arctan2(y, v)[mask].mean())(x)
        np.testing.assert_allclose(found, [0.0, -0.2], rtol=1e-15)

    @pytest.mark.parametrize(("s", "right"), [(1e-200, 5e199), (1e200, 5e-201)])
    def test_arctan2_far_out(self, s, right):
        dy, dx = grad(np.arctan2, (0, 1))(s, s)
        assert dy == pytest.approx(right, rel=1e-14)
        assert dx == pytest.approx(-right, rel=1e-14)

    def test_arctan2_in_half_precision(self):
        s = np.array(2e-3, np.float16)
        dy, dx = grad(np.arctan2, (0, 1))(s, s)
        assert dy.dtype == dx.dtype == np.float16
        np.testing.assert_allclose([dy, dx], [250.0, -250.0], rtol=2e-3)

    def test_hypot(self):
        assert grad(np.hypot, (0, 1))(3.0, 4.0) == pytest.approx((0.6, 0.8), rel=1e-15)
        for s in (1e200, 1e-200):
            found = grad(np.hypot, (0, 1))(s, s)
            assert found == pytest.approx((math.sqrt(0.5),) * 2, rel=4e-16)
        assert grad(np.hypot, (0, 1))(0.0, 0.0) == (0.0, 0.0)

    @pytest.mark.parametrize("s", [1e-200, 1e200])
    def test_quotient(self, s):
        found = grad(lambda x, y: x / y, (0, 1))(s, s)
        assert found == pytest.approx((1 / s, -1 / s), rel=1e-14)

    def test_quotient_in_single_precision(self):
        s = np.array([1e-25], np.float32)
        dx, dy = grad(lambda x, y: np.sum(x / y), (0, 1))(s, s)
        assert dx.dtype == dy.dtype == np.float32
        np.testing.assert_allclose([dx[0], dy[0]], [1e25, -1e25], rtol=1e-6)

    def test_inverse_hyperbolic_far_out(self):
        assert_derivative(np.arcsinh, 1e200, 1e-200)
        assert_derivative(np.arccosh, 1e200, 1e-200)
        found = grad(lambda x: np.sum(np.arcsinh(x)))(np.array([1e22], np.float32))
        np.testing.assert_allclose(found, [1e-22], rtol=1e-6)

    def test_tails(self, recwarn):
        assert_derivative(ad.expit, 40.0, 4.248354255291589e-18, rel=1e-15)
        assert_derivative(np.tanh, 20.0, 1.6993417021166356e-17, rel=1e-15)
        assert abs(grad(ad.expit)(-800.0)) <= 1e-300
        x = np.array([20.0], np.float32)
        found = grad(lambda v: np.sum(ad.expit(v)))(x)
        np.testing.assert_allclose(found, [2.06115361e-9], rtol=1e-6)
        found = grad(lambda v: np.sum(np.tanh(v)))(np.array([-9.0109138], np.float32))
        np.testing.assert_allclose(found, [5.96045832e-08], rtol=1e-6)
        assert not recwarn.list

    def test_named_compositions(self):
        assert_derivative(ad.log_expit, -800.0, 1.0)
        assert_derivative(ad.softplus, 800.0, 1.0)
        assert_derivative(ad.log1mexp, -1e-20, -1e20, rel=1e-15)

    def test_logarithm_times_x_at_zero(self):
        with np.errstate(all="ignore"):
            assert grad(lambda x: x * np.log(x))(0.0) == -INF

    def test_cbrt(self):
        assert_derivative(np.cbrt, -8.0, 1 / 12, rel=1e-15)
        assert_derivative(np.cbrt, 0.0, INF)

    def test_remainders(self):
        assert grad(np.remainder, (0, 1))(-19.0, 3.0) == (1.0, 7.0)
        assert grad(np.fmod, (0, 1))(-19.0, 3.0) == (1.0, 6.0)
        assert grad(np.remainder, (0, 1))(0.5, 0.1)[1] == -4.0

    def test_xlogy(self):
        dx, dy = grad(ad.xlogy, (0, 1))(0.0, 2.0)
        assert dx == pytest.approx(0.69314718055994531, rel=1e-15)
        assert dy == 0.0


def test_a_branch_taken_only_at_one_point():
    """By tracing, the derivative is that of the branch taken; the documentation says so."""
    assert grad(lambda x: 1.0 + 0 * x if x == 1 else x * x)(1.0) == 0.0


class TestTape:
    def test_reused_nodes(self):
        x = ad.Variable(3.0)
        f = 2 * x
        (f * f + f).backward()
        assert x.grad == 26.0
        assert grad(lambda t: t + t)(1.0) == 2.0

    @pytest.mark.parametrize("start", [1.0, np.array([1.0])])
    def test_deep_graphs(self, start):
        x = ad.Variable(start)
        y = x
        for _ in range(20_000):
            y = y + 1e-3 * x
        y.backward()
        np.testing.assert_allclose(x.grad, 21.0, rtol=1e-12)
        assert repr(y).startswith("Variable(")
        again = pickle.loads(pickle.dumps(y))
        np.testing.assert_array_equal(again.value, y.value)
        np.testing.assert_array_equal(copy.deepcopy(y).value, y.value)
        del y

    def test_backward_twice_accumulates(self):
        x = ad.Variable(2.0)
        z = 3 * x * x
        z.backward()
        z.backward()
        assert x.grad == 24.0

    def test_in_place_on_a_leaf(self):
        w = ad.Variable([1.0, 2.0])
        np.sum(w * w).backward()
        with ad.no_grad():
            w -= 0.1 * w.grad
        np.testing.assert_allclose(w.value, [0.8, 1.6])
        assert w.is_leaf
        with pytest.raises(TypeError, match="no_grad"):
            w -= 0.1 * w.grad
        with pytest.raises(TypeError, match=r"x\.copy"):
            w[0] = 1.0

    def test_data_changed_between_forward_and_backward(self):
        a = np.array([1.0])
        x = ad.Variable(a)
        y = (x * x).sum()
        a[0] = 100.0
        y.backward()
        np.testing.assert_array_equal(x.grad, [2.0])

    def test_gradients_share_no_memory(self):
        a, b, seed = ad.Variable([1.0, 2.0]), ad.Variable([3.0, 4.0]), np.ones(2)
        (a + b).backward(seed)
        a.grad += 5
        a.grad[...] = 7
        np.testing.assert_array_equal(b.grad, [1.0, 1.0])
        np.testing.assert_array_equal(seed, [1.0, 1.0])

    def test_nested_over_a_captured_value(self):
        assert grad(lambda x: x * grad(lambda y: x + y)(1.0))(1.0) == 1.0
        assert grad(lambda x: x * grad(lambda y: x * y)(1.0))(4.0) == 8.0

        def d(f):
            return lambda x: jvp(f, (x,), (1.0,))[1]

        assert d(lambda x: x * d(lambda y: x + y)(1.0))(1.0) == 1.0
        assert d(lambda x: x * grad(lambda y: x * y)(1.0))(4.0) == 8.0
        assert grad(lambda x: x * d(lambda y: x * y)(1.0))(4.0) == 8.0
        w = ad.Variable(4.0)
        (w * grad(lambda y: w * y)(1.0)).backward()
        assert w.grad == 8.0

    def test_unused_and_independent_inputs(self):
        assert grad(lambda a, b: 2 * a, (0, 1))(1.0, 2.0) == (2.0, 0.0)
        _, unused = grad(lambda a, b: 2 * a, (0, 1))(1.0, np.ones((2, 3), np.float32))
        assert unused.shape == (2, 3)
        assert unused.dtype == np.float32
        with pytest.warns(UserWarning, match="does not depend"):
            found = jacobian(lambda x: np.ones(2))(np.ones(3))
        np.testing.assert_array_equal(found, np.zeros((2, 3)))
        with pytest.warns(UserWarning, match="<lambda> does not depend") as caught:
            assert grad(lambda x: 5.0)(2.0) == 0.0
        assert [warning.filename for warning in caught] == [__file__]

    def test_seeds_of_the_wrong_shape(self):
        y = ad.Variable(np.ones(2)) * 2
        with pytest.raises(ValueError, match=r"\(2,\)"):
            y.backward()
        with pytest.raises(ValueError, match=r"\(3,\).*\(2,\)"):
            y.backward(np.ones(3))
        with pytest.raises(ValueError, match=r"\(3, 1\)"):
            y.backward(np.ones((3, 1)))
        with pytest.raises(ValueError, match="broadcast"):
            y.backward(1.0)
        with pytest.raises(TypeError, match="real"):
            y.backward(np.ones(2) * 1j)
        with pytest.raises(TypeError, match=r"\(11,\)"):
            grad(lambda x, y: (x + y) ** 2)(0.0, np.linspace(0, 1, 11))

    def test_threads_do_not_mix(self):
        found = []

        def work(x):
            found.extend(grad(grad(lambda t: t * t * t))(x) == 6 * x for _ in range(50))

        threads = [threading.Thread(target=work, args=(float(i),)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 200
        assert all(found)


class TestProtocols:
    def test_arrays_on_the_left(self):
        v = ad.Variable([1.0, 2.0])
        three, row = np.float64(3.0), np.array([3.0, 4.0])
        for made in (three * v, np.array(3.0) * v, row * v, np.add(row, v), row @ v):
            assert isinstance(made, ad.Variable)
        assert (row < v).dtype == bool
        with pytest.raises(TypeError, match="out="):
            row += v
        np.testing.assert_array_equal(row, [3.0, 4.0])

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            ((3, 1), (1, 4)),
            ((), (5,)),
            ((1,), (5,)),
            ((1, 1), ()),
            ((0, 3), (3,)),
        ],
    )
    def test_gradient_shapes(self, a, b):
        x, y = ad.Variable(np.full(a, 2.0)), ad.Variable(np.full(b, 3.0))
        np.sum(x * y).backward()
        size = math.prod(np.broadcast_shapes(a, b))
        for v, other in ((x, 3.0), (y, 2.0)):
            assert isinstance(v.grad, np.ndarray)
            assert v.grad.shape == v.shape
            np.testing.assert_array_equal(v.grad, other * size / max(v.size, 1))

    def test_scalar_with_an_empty_array(self):
        assert grad(lambda s: np.sum(s * np.ones((2, 0))))(3.0) == 0.0

    def test_silent_loss_is_an_error(self):
        v = ad.Variable(1.0)
        for lose in (math.exp, float, int, np.asarray, lambda t: "%f".__mod__(t)):
            with pytest.raises(TypeError, match="tracked"):
                lose(v)
        with pytest.raises(TypeError, match=r"np\.stack"):
            np.array([v, v * v])

    def test_item_assignment(self):
        v = ad.Variable(np.ones((2, 2)))
        b = ad.Variable(np.zeros((3, 3))) * 1.0
        b[:2, :2] = v
        b.sum().backward()
        np.testing.assert_array_equal(v.grad, np.ones((2, 2)))
        with pytest.raises(TypeError, match=r"np\.concatenate"):
            np.zeros((3, 3))[:2, :2] = v

    def test_integers_become_floats(self):
        assert grad(lambda x: x * x)(3) == 6.0
        assert ad.Variable([1, 2]).dtype == np.float64
        x = ad.Variable([110])
        (x / 2).sum().backward()
        np.testing.assert_array_equal(x.grad, [0.5])
        assert (ad.Variable(np.array([100], np.int8)) ** 2).value == [10000.0]

    @pytest.mark.parametrize(
        "f",
        [ad.erf, ad.erfc, np.log10, np.log2, ad.gelu, np.sinc, np.deg2rad, ad.softplus, np.maximum],
    )
    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_dtype_stays(self, f, dtype):
        g = (lambda x: f(x, 0.25)) if f is np.maximum else f
        for x in (np.array([0.5, 0.75], dtype), dtype(0.5)):
            found = grad(lambda v, g=g: np.sum(g(v)))(x)
            assert found.dtype == dtype
            assert np.asarray(g(ad.Variable(x)).value).dtype == dtype

    def test_mixed_dtypes(self):
        x, y = ad.Variable(np.ones(2, np.float32)), ad.Variable(np.ones(2))
        z = x * y
        assert z.dtype == np.float64
        z.sum().backward()
        assert x.grad.dtype == np.float32
        assert y.grad.dtype == np.float64

    @pytest.mark.parametrize(
        ("f", "x", "right"),
        [
            (lambda x: 1 / x, 0.0, -INF),
            (np.sqrt, 0.0, INF),
            (np.log, 0.0, INF),
            (ad.expit, -800.0, 0.0),
            (np.arcsinh, 1e200, 1e-200),
            (np.arccos, 2.0, NAN),
        ],
    )
    def test_floats_answer_as_arrays_do(self, f, x, right, recwarn):
        found = grad(f)(x)
        assert found == pytest.approx(right, rel=1e-15, abs=1e-300, nan_ok=True)
        assert not recwarn.list

    def test_complex_numbers_have_one_convention(self):
        assert np.isclose(grad(np.abs)(1 + 0.5j), (1 - 0.5j) / np.hypot(1, 0.5))
        with pytest.raises(TypeError, match=r"<lambda>.*complex.*holomorphic_grad"):
            grad(lambda z: z)(1 + 1j)
        assert grad(lambda x: np.real(x * 1j))(1.0) == 0.0


def test_hessian_of_a_product_of_entries():
    def f(v):
        return v[0] * v[1] * v[2]

    np.testing.assert_array_equal(
        hessian(f)(np.array([2.0, 3.0, 0.0])), [[0, 0, 3], [0, 0, 2], [3, 2, 0]]
    )
