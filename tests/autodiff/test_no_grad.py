"""Stopping the recording: contexts, decorators, generators, threads, detached values."""

import threading

import numpy as np
import pytest

import autodiff as ad


def recorded():
    return (ad.Variable(2.0) * 3).is_tracked


def test_context_and_exceptions():
    with ad.no_grad():
        assert not recorded()
        with ad.no_grad():
            assert not recorded()
        assert not recorded()
    assert recorded()
    with pytest.raises(ZeroDivisionError), ad.no_grad():
        raise ZeroDivisionError
    assert recorded()


def test_one_object_used_twice_and_nested():
    pause = ad.no_grad()
    with pause, pause:
        assert not recorded()
    assert recorded()


def test_decorated_function():
    @ad.no_grad()
    def work(x):
        """Docstring."""
        return recorded(), x

    assert work(1) == (False, 1)
    assert work.__doc__ == "Docstring."
    assert recorded()


def test_decorated_generator_pauses_only_while_it_runs():
    @ad.no_grad()
    def steps():
        got = yield recorded()
        assert got == "sent"
        try:
            yield recorded()
        except KeyError:
            yield recorded()
        return recorded()

    generator = steps()
    assert next(generator) is False
    assert recorded()
    assert generator.send("sent") is False
    assert recorded()
    assert generator.throw(KeyError()) is False
    assert recorded()
    with pytest.raises(StopIteration) as stop:
        next(generator)
    assert stop.value.value is False
    assert recorded()


def test_generator_closed_early():
    closed = []

    @ad.no_grad()
    def steps():
        try:
            yield 1
        finally:
            closed.append(recorded())

    generator = steps()
    next(generator)
    generator.close()
    assert closed == [False]
    assert recorded()


def test_other_threads_go_on_recording():
    found = []
    with ad.no_grad():
        thread = threading.Thread(target=lambda: found.append(recorded()))
        thread.start()
        thread.join()
    assert found == [True]


def test_transforms_are_not_stopped():
    with ad.no_grad():
        assert ad.grad(lambda x: x * x)(3.0) == 6.0
        assert ad.grad(ad.grad(lambda x: x**3))(2.0) == 12.0
        assert ad.jvp(lambda x: x * x, (3.0,), (1.0,)) == (9.0, 6.0)


def test_detach_is_a_constant():
    x = ad.Variable(3.0)
    (x * x.detach()).backward()
    assert x.grad == 3.0
    assert float(x.detach()) == 3.0


def test_in_place_on_results_is_recorded():
    x = ad.Variable([1.0, 2.0])
    y = x * 2
    before = y
    y += x
    y *= 3
    y[0] = 0.0
    assert before is y
    np.sum(y).backward()
    np.testing.assert_array_equal(x.grad, [0.0, 9.0])
    np.testing.assert_array_equal(y.value, [0.0, 18.0])


def test_in_place_on_a_copy_of_a_leaf():
    x = ad.Variable([1.0, 2.0])
    y = x.copy()
    y -= 1.0
    np.sum(y * y).backward()
    np.testing.assert_array_equal(x.grad, [0.0, 2.0])
    assert x.value.tolist() == [1.0, 2.0]


def test_in_place_does_not_reach_back_into_the_graph():
    x = ad.Variable([1.0, 2.0])
    y = x * 2
    z = y * y
    y += 10.0
    np.sum(z).backward()
    np.testing.assert_array_equal(x.grad, [8.0, 16.0])


def test_in_place_inside_transforms():
    def f(x):
        y = x * 2.0
        y += x
        y[0] = x[1]
        return np.sum(y * y)

    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(ad.grad(f)(x), [0.0, 40.0])
    assert ad.jvp(f, (x,), (np.array([0.0, 1.0]),))[1] == 40.0


def test_in_place_on_arguments_of_transforms_does_not_reach_the_caller():
    def f(x):
        y = x * 3.0
        x += y
        x[0] *= 2.0
        return np.sum(x * x)

    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(ad.grad(f)(x), [128.0, 64.0])
    assert ad.jvp(f, (x,), (np.array([1.0, 0.0]),))[1] == 128.0
    np.testing.assert_array_equal(x, [1.0, 2.0])

    def grow(x):
        for _ in range(3):
            x += 0.5 * x
        return x

    assert ad.grad(grow)(2.0) == 1.5**3
    assert ad.jvp(grow, (2.0,), (1.0,))[1] == 1.5**3


def test_update_of_a_float_under_no_grad():
    w = ad.Variable(1.0)
    out = w * w
    with ad.no_grad():
        w -= 0.25
    assert w.value == 0.75
    assert w.is_leaf
    out.backward()
    assert w.grad == 2.0


def test_zero_grad():
    x = ad.Variable(2.0)
    (x * x).backward()
    x.zero_grad()
    assert x.grad is None


def test_in_place_through_a_step_forgets_the_history():
    x = ad.Variable([1.0, 4.0])
    v = x * 1.0
    v //= 2.0
    assert not v.is_tracked
    (np.sum(v) + np.sum(x)).backward()
    np.testing.assert_array_equal(x.grad, [1.0, 1.0])

    def f(x):
        y = x * 1.0
        y //= 2.0
        return np.sum(y) + np.sum(x)

    np.testing.assert_array_equal(ad.grad(f)(np.array([1.0, 4.0])), [1.0, 1.0])
    assert ad.jvp(f, (np.array([1.0, 4.0]),), (np.ones(2),))[1] == 2.0


def test_in_place_with_a_value_of_an_inner_transform_moves_only_the_name():
    w = ad.Variable([1.0, 2.0])

    def f(d):
        y = w * 1.0
        y += d
        return np.sum(y * y)

    at = np.array([3.0, 4.0])
    np.testing.assert_array_equal(ad.grad(f)(at).value, [8.0, 12.0])
    assert ad.jvp(f, (at,), (np.ones(2),))[1].value == 20.0

    def g(z):
        y = w * 1.0
        y[0] = np.sum(z)
        return np.sum(y)

    with pytest.raises(TypeError, match="inner transform"):
        ad.grad(g)(at)


def test_in_place_keeps_shape_and_dtype():
    v = ad.Variable([1.0, 2.0]) * 1.0
    with pytest.raises(ValueError, match=r"\(2, 2\)"):
        v += np.ones((2, 2))
    x = ad.Variable(np.ones(2, np.float32))
    y = x * np.float32(2)
    y += np.array([1.0, 2.0])
    assert y.dtype == np.float32
    np.sum(y).backward()
    assert x.grad.dtype == np.float32


def test_without_parentheses():
    @ad.no_grad
    def work():
        return recorded()

    assert work() is False
    assert recorded()
