"""`cond`, `while_loop` and `scan` of plain and tracked values: Python's own branches and loops."""

from typing import NamedTuple

import numpy as np
import pytest

import autodiff as ad

RNG = np.random.default_rng(5)
W, U, X = (RNG.normal(size=shape) for shape in [(3, 3), (2, 3), (4, 2)])


class Pair(NamedTuple):
    a: object
    b: object


def rnn(w, u, x, h):
    h, ys = ad.scan(lambda h, x: ((h := np.tanh(h @ w + x @ u)), np.sum(h**2)), h, x)
    return np.sum(h) + np.sum(np.sin(ys))


def unrolled(w, u, x, h):
    total = 0.0
    for i in range(4):
        h = np.tanh(h @ w + x[i] @ u)
        total = total + np.sin(np.sum(h**2))
    return np.sum(h) + total


class TestScan:
    def test_is_a_loop(self):
        carry, ys = ad.scan(lambda c, x: (c + x, c * x), 0.0, np.array([1.0, 2.0, 3.0]))
        assert float(carry) == 6.0
        np.testing.assert_array_equal(ys, [0.0, 2.0, 9.0])

    def test_backwards_leaves_y_where_its_x_is(self):
        carry, ys = ad.scan(lambda c, x: (c + x, c), 0.0, np.array([1.0, 2.0, 3.0]), reverse=True)
        assert float(carry) == 6.0
        np.testing.assert_array_equal(ys, [5.0, 3.0, 0.0])

    def test_equals_unrolled_code_with_its_derivatives(self):
        args = (W, U, X, np.zeros(3))
        assert rnn(*args) == pytest.approx(unrolled(*args), rel=1e-14)
        for ours, theirs in zip(
            ad.grad(rnn, (0, 1, 2, 3))(*args), ad.grad(unrolled, (0, 1, 2, 3))(*args), strict=True
        ):
            np.testing.assert_allclose(ours, theirs, rtol=1e-13, atol=1e-14)
        tangents = [np.cos(arg + 1.0) for arg in args]
        assert ad.jvp(rnn, args, tangents)[1] == pytest.approx(ad.jvp(unrolled, args, tangents)[1])

    def test_finite_differences(self):
        ad.check_grads(lambda h: rnn(W, U, X[:2], h), (np.zeros(3),), order=2)

    def test_inside_and_outside_of_derivatives(self):
        def f(x):
            inner = ad.grad(lambda t: ad.scan(lambda c, _: (np.sin(c * t), None), 1.0, length=3)[0])
            return ad.scan(lambda c, _: (c + inner(c), None), x, length=2)[0]

        ad.check_grads(f, (0.3,))

    def test_containers(self):
        def f(carry, x):
            return Pair(carry.a + x["p"], {"n": carry.b["n"] * 2}), (x["q"], [carry.a])

        init = Pair(1.0, {"n": np.ones(2)})
        xs = {"p": np.arange(3.0), "q": np.arange(6.0).reshape(3, 2)}
        carry, (q, (a,)) = ad.scan(f, init, xs)
        assert isinstance(carry, Pair)
        assert float(carry.a) == 4.0
        np.testing.assert_array_equal(carry.b["n"], [8.0, 8.0])
        np.testing.assert_array_equal(q, xs["q"])
        np.testing.assert_array_equal(a, [1.0, 1.0, 2.0])

    def test_no_rounds(self):
        xs = np.zeros((0, 3), np.float32)
        carry, ys = ad.scan(lambda c, x: (c, x[:2] * 2), 1.5, xs)
        assert carry == 1.5
        assert ys.shape == (0, 2)
        assert ys.dtype == np.float32

    def test_one_round(self):
        assert ad.scan(lambda c, _: (c * 2.0, c), 3.0, length=1)[0] == 6.0

    def test_variables(self):
        w = ad.Variable(2.0)
        ad.scan(lambda c, _: (c * w, None), 1.0, length=3)[0].backward()
        assert w.grad == 12.0

    def test_whole_numbers_stay(self):
        carry, ys = ad.scan(lambda c, _: (c + 1, c), 0, length=3)
        assert (carry, type(carry)) == (3, int)
        assert ys.dtype.kind == "i"

    def test_of_float32(self):
        carry, ys = ad.scan(lambda c, x: (c + x, x), np.float32(0), np.ones(3, np.float32))
        assert carry.dtype == ys.dtype == np.float32


class TestScanRefuses:
    def test_no_length(self):
        with pytest.raises(ValueError, match="needs length="):
            ad.scan(lambda c, _: (c, None), 0.0)

    def test_lengths_that_differ(self):
        with pytest.raises(ValueError, match=r"xs\['a'\] 2, xs\['b'\] 3"):
            ad.scan(lambda c, x: (c, None), 0.0, {"a": np.ones(2), "b": np.ones(3)})
        with pytest.raises(ValueError, match="length= 4"):
            ad.scan(lambda c, x: (c, None), 0.0, np.ones(2), length=4)

    def test_xs_that_are_numbers(self):
        with pytest.raises(ValueError, match=r"xs\[0\] of scan is a single number"):
            ad.scan(lambda c, x: (c, None), 0.0, [1.0, 2.0])

    def test_lengths_that_are_none(self):
        with pytest.raises(TypeError, match="the length of scan is a float"):
            ad.scan(lambda c, _: (c, None), 0.0, length=2.0)
        with pytest.raises(ValueError, match="cannot be negative"):
            ad.scan(lambda c, _: (c, None), 0.0, length=-1)

    def test_results_that_are_no_pair(self):
        with pytest.raises(TypeError, match=r"gave float.*a pair \(carry, y\)"):
            ad.scan(lambda c, _: c, 0.0, length=2)

    def test_another_shape(self):
        with pytest.raises(
            TypeError, match=r"gave carry as float64\[2\], but got it as float64\[\]"
        ):
            ad.scan(lambda c, _: (np.ones(2) * c, None), 0.0, length=2)

    def test_another_dtype(self):
        with pytest.raises(TypeError, match=r"carry\['a'\] as float64\[2\].*float32.*astype"):
            ad.scan(
                lambda c, _: ({"a": c["a"] * np.float64(2)}, None),
                {"a": np.ones(2, np.float32)},
                length=2,
            )

    def test_another_structure(self):
        with pytest.raises(TypeError, match="of structure"):
            ad.scan(lambda c, _: ((c, c), None), 0.0, length=2)

    def test_y_of_several_shapes(self):
        sizes = iter([1, 2])
        with pytest.raises(TypeError, match="the same shape in each round"):
            ad.scan(lambda c, _: (c, np.ones(next(sizes))), 0.0, length=2)

    def test_y_that_is_no_number(self):
        with pytest.raises(TypeError, match="gave a str as y"):
            ad.scan(lambda c, _: (c, "y"), 0.0, length=2)


class TestCond:
    def test_runs_one(self):
        assert ad.cond(True, lambda x: x + 1, lambda x: 1 / 0, 2) == 3
        assert ad.cond(np.bool_(False), lambda: 1 / 0, lambda: "no") == "no"

    @pytest.mark.parametrize(("x", "slope"), [(2.0, 4.0), (-2.0, -1.0)])
    def test_is_differentiated(self, x, slope):
        def f(x):
            return ad.cond(x > 0, lambda t: t * t, lambda t: -t, x)

        assert ad.grad(f)(x) == slope
        assert ad.jvp(f, (x,), (1.0,))[1] == slope
        v = ad.Variable(x)
        f(v).backward()
        assert v.grad == slope

    def test_refuses_an_array(self):
        with pytest.raises(TypeError, match=r"has shape \(2,\).*np.all or np.any.*np.where"):
            ad.cond(np.array([True, False]), lambda: 1, lambda: 2)


class TestWhileLoop:
    def test_is_a_loop(self):
        n, x = ad.while_loop(lambda c: c[1] < 100, lambda c: (c[0] + 1, c[1] * 3.0), (0, 1.0))
        assert (n, x) == (5, 243.0)

    def test_is_differentiated(self):
        def f(x):
            return ad.while_loop(lambda c: c < 100, lambda c: c * x, x)

        assert ad.grad(f)(3.0) == pytest.approx(5 * 3.0**4)
        ad.check_grads(f, (3.0,), order=2)

    def test_no_round(self):
        assert ad.while_loop(lambda c: False, lambda c: 1 / 0, 2.0) == 2.0

    def test_refuses_another_carry(self):
        with pytest.raises(TypeError, match="body <lambda> of while_loop gave carry as"):
            ad.while_loop(lambda c: True, lambda c: np.ones(2), np.ones(3))

    def test_refuses_an_array_as_condition(self):
        with pytest.raises(TypeError, match="condition <lambda> of while_loop gave shape"):
            ad.while_loop(lambda c: c > 0, lambda c: c, np.ones(3))
