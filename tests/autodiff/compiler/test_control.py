"""`cond`, `while_loop` and `scan` in compiled functions: one program inside, in both backends."""

import re

import numpy as np
import pytest

import autodiff as ad
from autodiff.compiler.blocks import Branch, Loop, Scan
from autodiff.compiler.operations import Matmul
from autodiff.containers import parts_of

RNG = np.random.default_rng(5)
W, U, X = (RNG.normal(size=shape) for shape in [(3, 3), (2, 3), (4, 2)])
H = np.array([0.3, -0.2, 0.1])


def rnn(w, u, x, h):
    h, ys = ad.scan(lambda h, x: ((h := np.tanh(h @ w + x @ u)), np.sum(h**2)), h, x)
    return np.sum(h) + np.sum(np.sin(ys))


def check(f, *args, backend="numpy", rtol=1e-13):
    """Compare a compiled function with the function, by value, shape and dtype."""
    compiled = ad.compile(f, backend=backend)
    found, structure = parts_of(compiled(*args))
    wanted, other = parts_of(f(*args))
    assert structure == other
    for ours, theirs in zip(found, wanted, strict=True):
        assert np.shape(ours) == np.shape(theirs)
        assert np.asarray(ours).dtype == np.asarray(theirs).dtype
        np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=rtol)
    return compiled


def blocks(compiled, kind):
    """Return the operations of a kind in the only program of a compiled function."""
    (built,) = compiled._built.values()
    return [each.operation for each in built.program.instructions
            if isinstance(each.operation, kind)]  # fmt: skip


class TestScan:
    def test_is_one_operation(self):
        compiled = check(rnn, W, U, X, H)
        (scan,) = blocks(compiled, Scan)
        assert scan.length == 4
        assert len(scan.body.instructions) < 10

    def test_gradient(self):
        check(ad.value_and_grad(rnn, (0, 1, 2, 3)), W, U, X, H)

    def test_gradient_of_what_it_closes_over(self):
        check(ad.grad(lambda w: rnn(w, U, X, H)), W)
        check(ad.grad(lambda t: ad.scan(lambda c, _: (np.sin(c * t), None), 1.0, length=3)[0]), 0.4)

    def test_forward_mode(self):
        tangents = [np.cos(arg) for arg in (W, U, X, H)]
        check(lambda *args: ad.jvp(rnn, args, tangents), W, U, X, H)

    def test_second_derivatives(self):
        check(ad.hessian(lambda h: rnn(W, U, X, h)), H, rtol=1e-11)
        check(ad.grad(lambda w: np.sum(ad.grad(rnn)(w, U, X, H) ** 2)), W, rtol=1e-11)
        check(lambda h: ad.hvp(lambda h: rnn(W, U, X, h), h, np.ones(3)), H, rtol=1e-11)

    def test_derivatives_inside(self):
        def f(x, a):
            step = ad.grad(lambda t: np.sum(np.sin(t) * a * t))
            return np.sum(ad.scan(lambda c, _: (c - 0.1 * step(c), None), x, length=5)[0])

        check(f, H, 2.0)
        check(ad.grad(f, (0, 1)), H, 2.0)

    def test_nested(self):
        def f(x, w):
            def outer(c, row):
                c, ys = ad.scan(lambda c, e: (np.sin(c * w + e), c), c, row)
                return c, np.sum(ys)

            c, ys = ad.scan(outer, 0.5, x)
            return c + np.sum(ys)

        check(f, X, 1.5)
        check(ad.value_and_grad(f, (0, 1)), X, 1.5)
        check(lambda x, w: ad.jvp(f, (x, w), (x, 1.0)), X, 1.5)

    @pytest.mark.parametrize("length", [0, 1])
    def test_short(self, length):
        def f(c, x):
            c, ys = ad.scan(lambda c, x: (c * x, c + x), c, x)
            return np.sum(c) + np.sum(ys**2), ys

        check(f, H, np.ones((length, 3)))
        check(ad.grad(lambda c, x: f(c, x)[0], (0, 1)), H, np.full((length, 3), 2.0))

    def test_reverse(self):
        def f(c, x):
            return ad.scan(lambda c, x: (np.sin(c + x), c * x), c, x, reverse=True)

        check(f, H[:2], X)
        check(ad.grad(lambda c, x: np.sum(f(c, x)[1]), (0, 1)), H[:2], X)

    def test_whole_numbers_and_conditions(self):
        def f(x):
            def step(c, x):
                n, total, seen = c
                return (n + 1, total + x * n, seen | (x > 2)), (n, x > 1)

            return ad.scan(step, (0, 0.0, False), x)

        x = np.array([1.0, 2.0, 3.0])
        (n, total, seen), (ns, more) = ad.compile(f, backend="numpy")(x)
        assert (n, total, seen) == (3, 8.0, True)
        np.testing.assert_array_equal(ns, [0, 1, 2])
        np.testing.assert_array_equal(more, [False, True, True])
        check(ad.grad(lambda x: f(x)[0][1]), x)

    def test_float32(self):
        x = np.arange(3, dtype=np.float32)
        check(lambda x: ad.scan(lambda c, x: (c + x, c * x), 0.0, x), x)
        check(ad.grad(lambda x: ad.scan(lambda c, x: (c * x, None), np.float32(1), x)[0]), x + 1)

    def test_python_function_of_plain_values(self):
        def f(x):
            return x * ad.scan(lambda c, _: (c * 2 if c < 3 else c, None), 1.0, length=4)[0]

        check(f, 2.0)

    def test_functions_that_are_called(self):
        cube = ad.custom_rule(lambda x: x**3, vjp=lambda g, out, x: 30.0 * g * x**2)

        def f(x):
            c, _ = ad.scan(lambda c, _: (np.linalg.inv(c) + np.eye(2) * cube(x), None),
                           np.eye(2) * 2.0, length=3)  # fmt: skip
            return np.sum(c)

        check(f, 1.5)
        check(ad.grad(f), 1.5)

    def test_constants_to_derivatives(self):
        def f(x, w):
            def step(c, x):
                return ad.stop_gradient(c) * x * w, ad.stop_gradient(w) * c

            c, ys = ad.scan(step, w, x)
            return c + np.sum(ys)

        check(ad.grad(f, (0, 1)), H, 0.7)
        check(ad.hessian(lambda w: f(H, w)), 0.7)

    def test_counters_are_indices(self):
        def f(table):
            return np.sum(ad.scan(lambda i, _: (i + 2, table[i] * table[i - 1]), 0, length=3)[1])

        compiled = check(ad.value_and_grad(f), np.arange(1.0, 6.0))
        assert len(blocks(compiled, Scan)) == 2

    def test_no_carry(self):
        check(
            ad.value_and_grad(
                lambda w: np.sum(ad.scan(lambda c, x: (c, np.sin(x * w)), None, X)[1])
            ),
            0.7,
        )

    def test_second_derivatives_of_what_is_called(self):
        def f(a):
            return np.sum(ad.scan(lambda m, _: (m * a, np.linalg.slogdet(m + np.eye(2) * a)[1]),
                                  np.eye(2), length=3)[1])  # fmt: skip

        check(ad.hessian(f), 0.8, rtol=1e-9)

    def test_carry_of_another_shape(self):
        f = ad.compile(lambda x: ad.scan(lambda c, x: (c * x, None), 1.0, x)[0], backend="numpy")
        with pytest.raises(TypeError, match=r"gave carry as float64\[2\].*np.reshape"):
            f(np.ones((3, 2)))

    def test_carry_that_is_no_number(self):
        f = ad.compile(lambda x: ad.scan(lambda c, x: (c, x), ("how", x[0]), x)[1], backend="numpy")
        with pytest.raises(TypeError, match="gets a str in its carry"):
            f(H)

    def test_condition_on_the_carry(self):
        f = ad.compile(
            lambda x: ad.scan(lambda c, x: (c if c > x else x, None), 0.0, x)[0], backend="numpy"
        )
        with pytest.raises(TypeError, match=r"autodiff\.cond"):
            f(H)

    def test_values_that_escape(self):
        def f(x):
            seen = []
            ad.scan(lambda c, x: (seen.append(c) or c * x, None), 1.0, x)
            return seen[0] + 1.0

        with pytest.raises(TypeError, match="is used outside of it"):
            ad.compile(f, backend="numpy")(H)


class TestSource:
    def test_the_numpy_backend_shows_what_is_inside(self):
        text = ad.compile(rnn, backend="numpy").source(W, U, X, H)
        assert "# scan[4 rounds, 1 carries, 1 items], which runs:\ndef in_scan(a0, a1, a2):" in text
        assert "tanh" in text.split("def in_scan")[1]


class TestPasses:
    def test_the_gradient_keeps_what_it_reads_in_the_first_loop(self):
        compiled = check(ad.value_and_grad(rnn, (0, 1)), W, U, X, H)
        forward, backward = blocks(compiled, Scan)
        assert (forward.carries, backward.carries, backward.reverse) == (1, 1, True)

    def test_products_leave_the_loop(self):
        compiled = check(ad.grad(rnn, (0, 1)), W, U, X, H)
        forward, backward = blocks(compiled, Scan)
        products = [each for each in forward.body.instructions if each.operation.name == "matmul"]
        assert len(products) == 1  # that of the carry; that of the items is before the loop
        products = [each for each in backward.body.instructions if each.operation.name == "matmul"]
        assert len(products) == 1
        assert len(blocks(compiled, Matmul)) == 3

    @pytest.mark.parametrize("batch", [True, False])
    def test_sums_of_products(self, batch):
        x = np.cos(np.arange(24.0)).reshape((4, 2, 3) if batch else (8, 3))

        def f(w, x):
            def step(c, x):
                return np.sin(c @ w + x @ w), None

            return np.sum(ad.scan(step, np.zeros(x.shape[1:]), x)[0])

        check(ad.value_and_grad(f, (0, 1)), W, x)

    def test_a_zero_cotangent_of_an_infinite_factor(self):
        def f(w, x):
            def step(c, x):
                return c + np.sum(np.where(x < 9, np.outer(x, x) @ w, 0.0)), None

            return ad.scan(step, 0.0, x)[0]

        x = np.array([[1.0, 2.0], [3.0, np.inf]])
        with np.errstate(all="ignore"):
            check(ad.grad(f), np.ones(2), x)
            check(ad.grad(lambda w: ad.scan(
                lambda c, x: (c + np.where(x < 9, x * w, 0.0), None), np.zeros(2), x)[0][0]),
                1.5)  # fmt: skip

    def test_what_nobody_reads_is_dropped(self):
        def f(x):
            return ad.scan(lambda c, x: ((c[0] * x, c[1] + x), np.exp(x)), (1.0, 0.0), x)[0][0]

        (scan,) = blocks(check(f, H), Scan)
        assert (scan.carries, len(scan.body.outputs), len(scan.body.instructions)) == (1, 1, 1)


class TestCond:
    def f(self, x, w):
        return ad.cond(
            np.sum(x) > 0,
            lambda t: np.sum(t * t) * w,
            lambda t: np.sum(np.exp(t) * w + np.array([1.0, 2.0, 3.0])),
            x,
        )

    @pytest.mark.parametrize("sign", [1.0, -1.0])
    def test_both_ways(self, sign):
        x = np.abs(H) * sign
        check(self.f, x, 2.0)
        check(ad.value_and_grad(self.f, (0, 1)), x, 2.0)
        check(lambda x, w: ad.jvp(self.f, (x, w), (x, 1.0)), x, 2.0)
        check(ad.hessian(self.f), x, 2.0)

    def test_is_one_program(self):
        compiled = check(self.f, np.ones(3), 2.0)
        assert compiled(-np.ones(3), 2.0) == pytest.approx(self.f(-np.ones(3), 2.0))
        assert len(compiled.programs) == 1
        assert len(blocks(compiled, Branch)) == 1

    def test_inside_a_scan(self):
        def f(x):
            def step(c, x):
                return ad.cond(x > 0, lambda c: c * x, lambda c: c - x, c), x > 0

            return ad.scan(step, 1.0, x)

        check(f, H)
        check(ad.grad(lambda x: f(x)[0]), H)

    def test_containers_and_static_values(self):
        def f(x):
            return ad.cond(
                x > 0, lambda t, how: {"a": t, "b": 1.0}, lambda t, how: {"a": -t, "b": t}, x, "how"
            )

        check(f, 2.0)
        check(f, -2.0)

    def test_static_predicate_is_decided(self):
        compiled = ad.compile(
            lambda x, n: ad.cond(n > 2, lambda t: t + 1.0, lambda t: t, x),
            static_argnames="n",
            backend="numpy",
        )
        assert (compiled(1.0, n=3), compiled(1.0, n=1)) == (2.0, 1.0)

    def test_refuses_different_results(self):
        with pytest.raises(TypeError, match="different structures, <lambda> one leaf"):
            ad.compile(lambda x: ad.cond(x > 0, lambda: 1.0, lambda: (1.0, 2.0)), backend="numpy")(
                1.0
            )
        with pytest.raises(TypeError, match=r"different types.*float64\[2\].*float64\[3\]"):
            ad.compile(
                lambda x: ad.cond(x > 0, lambda: x * np.ones(2), lambda: x * np.ones(3)),
                backend="numpy",
            )(1.0)


class TestWhileLoop:
    def f(self, x):
        return ad.while_loop(lambda c: c[1] < 100.0, lambda c: (c[0] + 1, c[1] * x), (0, x))[1]

    def test_is_a_loop(self):
        compiled = check(self.f, 3.0)
        assert compiled(7.0) == 343.0
        assert len(blocks(compiled, Loop)) == 1

    def test_forward_mode(self):
        check(lambda x: ad.jvp(self.f, (x,), (1.0,)), 3.0)

    def test_refuses_reverse_mode(self):
        with pytest.raises(TypeError, match=r"Use autodiff\.scan with a fixed length"):
            ad.compile(ad.grad(self.f), backend="numpy")(3.0)


CARRIES = {
    "reversed": (lambda c: (c[0] + 1, c[0][::-1]), np.zeros(7), [8, 7, 6, 5, 4, 3, 2]),
    "its sum": (lambda c: (c[0] + 1, np.sum(c[0][::-1])), 0.0, 35),
    "itself reversed": (lambda c: (c[0][::-1], c[0]), np.zeros(7), [0, 1, 2, 3, 4, 5, 6]),
    "swapped": (lambda c: (c[1], c[0] * 2), np.ones(7), [0, 4, 8, 12, 16, 20, 24]),
}


class TestInC:
    """Several things in one program, as each costs a run of the C compiler."""

    @pytest.fixture(autouse=True)
    def compiler(self, toolchain):
        """Skip without a C compiler."""

    def test_scan(self):
        tangents = [np.cos(arg) for arg in (W, U, X, H)]

        def swapped(x):
            def step(c, x):
                (a, b, n), first = c[:3], c[3]
                return (b, a * x, n + 1, np.where(n > 1, first, x)), (n, a[::-1], x[0] > 0)

            return ad.scan(step, (x[0], x[1] + 1.0, 0, x[2]), x, reverse=True)

        def f(w, u, x, h):
            return (
                ad.value_and_grad(rnn, (0, 1, 2, 3))(w, u, x, h),
                ad.jvp(rnn, (w, u, x, h), tangents),
                ad.hessian(lambda h: rnn(w, u, x, h))(h),
                ad.scan(lambda c, x: (c * x, c), 2.0, x[:0, 0]),
                swapped(x),
            )

        compiled = ad.compile(f, backend="c")
        found, _ = parts_of(compiled(W, U, X, H))
        wanted, _ = parts_of(f(W, U, X, H))
        for ours, theirs in zip(found, wanted, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
        assert "call of Python" not in compiled.explain(W, U, X, H)
        again, _ = parts_of(compiled(W, U, X, H))
        for ours, theirs in zip(found, again, strict=True):
            np.testing.assert_array_equal(ours, theirs)

    def test_nested(self):
        def f(x, w):
            def outer(c, row):
                def inner(c, e):
                    c = ad.cond(e > 0, lambda c: np.sin(c * w + e), lambda c: c - e * w, c)
                    return c, c * e

                c, ys = ad.scan(inner, c, row)
                return c * ad.while_loop(lambda n: n < 3.0, lambda n: n * 2.0, 0.5), ys

            c, ys = ad.scan(outer, 0.5, x)
            return np.sum(c * np.cos(ys))

        def both(x, w):
            return ad.value_and_grad(f, (0, 1))(x, w), ad.jvp(f, (x, w), (x, 1.0))

        check(both, X, 1.5, backend="c", rtol=1e-12)

    def test_calls_of_python_inside(self):
        def f(x):
            def step(c, row):
                c = np.linalg.inv(c) + np.outer(row, row) * np.median(row)
                return c, np.linalg.det(c)

            c, ys = ad.scan(step, np.eye(2) * 3.0, x)
            return np.sum(c) * np.sum(ys)

        compiled = check(ad.value_and_grad(f), X, backend="c", rtol=1e-10)
        for _ in range(3):
            compiled(X)
        assert re.search(r"\n\d+\.\d+\. call of Python: np\.linalg\.inv", compiled.explain(X))

    @pytest.mark.parametrize("dtype", [np.float32, np.int64])
    def test_other_dtypes(self, dtype):
        x = np.arange(1, 5).astype(dtype)

        def f(x):
            def step(c, e):
                return (c[0] + e, c[1] * e, ~c[2]), (c[0], e > 2)

            return ad.scan(step, (dtype(0), x[:2], np.True_), x)

        check(f, x, backend="c", rtol=1e-6)

    @pytest.mark.parametrize("name", CARRIES)
    def test_a_view_of_a_carry_is_read_before_the_carry_is_overwritten(self, name):
        step, start, wanted = CARRIES[name]

        def f(x, start):
            return ad.scan(lambda c, _: (step(c), c[0]), (x, start), None, length=3)

        compiled = check(f, np.arange(7.0), start, backend="c")
        assert np.array_equal(compiled(np.arange(7.0), start)[0][1], wanted)

    def test_transposes_of_a_carry(self):
        def f(x):
            return ad.scan(lambda c, _: ((c[0] * 2, c[0].T), c[0].T), (x, x), None, length=3)

        (_, last), _ = check(f, np.arange(4.0).reshape(2, 2), backend="c")(np.eye(2) + [[0, 1]] * 2)
        assert np.array_equal(last, [[4, 0], [4, 8]])


def test_sums_of_plain_products_do_not_obey_the_rule_of_zero():
    def f(x, y):
        def step(c, each):
            return c + each[0][:, None] * each[1][None, :], None

        return ad.scan(step, np.zeros((2, 2)), (x, y))[0]

    x, y = np.array([[0.0, 1.0], [0.0, 2.0]]), np.array([[np.inf, 1.0], [1.0, 1.0]])
    wanted = [[np.nan, 0], [np.inf, 3]]
    assert np.array_equal(ad.compile(f, backend="numpy")(x, y), wanted, equal_nan=True)


def test_sums_of_products_with_cotangents_obey_the_rule_of_zero():
    """The first row of w has no effect, whatever the items are."""

    def f(w, x):
        def step(c, one):
            return c + np.sum((w @ one) * np.array([0.0, 1.0])), None

        return ad.scan(step, 0.0, x)[0]

    w, x = np.ones((2, 2)), np.array([[np.inf, 1.0], [1.0, 1.0]])
    found = ad.compile(ad.grad(f), backend="numpy")(w, x)
    assert np.array_equal(found, [[0, 0], [np.inf, 2]])
