"""Inputs that once gave a wrong number or a confusing error, found by trying to break it."""

import copy
import pickle

import numpy as np
import pytest

import autodiff as ad
from autodiff import custom_rule, grad, hessian, jvp, value_and_grad, vjp

X = np.array([5.0, 3.0])


class TestLists:
    def test_as_operands(self):
        v = ad.Variable(X)
        assert np.dot(v, [1.0, 2.0]).value == 11.0
        assert v.dot([1.0, 2.0]).value == 11.0
        assert np.dot([1.0, 2.0], v).value == 11.0
        assert (v @ [1.0, 2.0]).value == 11.0
        np.testing.assert_array_equal(
            np.dot(ad.Variable(np.eye(2)), [[1.0, 2.0], [3.0, 4.0]]).value, [[1, 2], [3, 4]]
        )
        np.testing.assert_array_equal((v / [1.0, 2.0]).value, [5.0, 1.5])
        assert grad(lambda t: np.sum(t * [1.0, 2.0]))(3.0) == 3.0
        np.testing.assert_array_equal(grad(lambda v: v @ [1.0, 2.0])(X), [1.0, 2.0])
        np.testing.assert_array_equal(np.concatenate([v, [1.0, 2.0]]).value, [5, 3, 1, 2])

    @pytest.mark.parametrize("index", [((0, 0),), [0, 0], (np.array([0, 0]),)])
    def test_repeated_indices(self, index):
        np.testing.assert_array_equal(grad(lambda v: np.sum(v[index]))(X), [2.0, 0.0])

    def test_repeated_indices_in_tuples(self):
        x = np.ones((2, 2))
        found = grad(lambda v: np.sum(v[:, (0, 0)]))(x)
        np.testing.assert_array_equal(found, [[2, 0], [2, 0]])
        found = grad(lambda v: np.sum(v[(0, 0), (1, 1)]))(x)
        np.testing.assert_array_equal(found, [[0, 2], [0, 0]])


class TestCopies:
    def test_inside_transforms_are_followed(self):
        assert grad(lambda v: copy.deepcopy(v) ** 2)(3.0) == 6.0
        assert grad(lambda v: copy.copy(v * 2) ** 2)(3.0) == 24.0
        with pytest.raises(TypeError, match="pickled"):
            grad(lambda v: pickle.loads(pickle.dumps(v)))(3.0)

    def test_share_nothing(self):
        leaf = ad.Variable(X)
        np.sum(leaf).backward()
        again = copy.copy(leaf)
        assert again.is_leaf
        again.grad[0] = 9.0
        np.testing.assert_array_equal(leaf.grad, [1.0, 1.0])


def test_a_pullback_remembers_the_arguments_of_its_time():
    a = np.array([1.0, 2.0])
    value, pull = vjp(lambda v: v * v, a)
    a[:] = 100.0
    np.testing.assert_array_equal(pull(np.ones(2))[0], [2.0, 4.0])
    value[0] = 7.0
    same, _ = vjp(lambda v: v, a)
    assert not np.shares_memory(same, a)


def test_detach_is_constant_at_every_level():
    np.testing.assert_array_equal(
        hessian(lambda q: np.sum(q * q.detach()))(np.ones(2)), np.zeros((2, 2))
    )
    assert grad(grad(lambda q: q**3 * q.detach()))(3.0) == 54.0
    assert jvp(lambda q: q * q.detach(), (3.0,), (1.0,))[1] == 3.0


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_rule_of_zero_keeps_the_terms_of_a_product():
    (_, xy), (yx, _) = hessian(lambda a, b: a * np.sqrt(b), (0, 1))(0.0, 0.0)
    assert (xy, yx) == (np.inf, np.inf)
    by_hand = grad(lambda q: 2 * q * np.log(q) + q)(0.0)
    assert grad(grad(lambda q: q * q * np.log(q)))(0.0) == by_hand == -np.inf
    x = np.array([-1.0, 4.0])
    found = hessian(lambda v: np.sum(np.where(v > 0, np.sqrt(v), v * v)))(x)
    np.testing.assert_allclose(found, [[2.0, 0.0], [0.0, -1 / 32]], rtol=1e-15)


class TestCustomRules:
    def test_a_variable_in_a_closure_is_refused(self):
        w = ad.Variable(3.0)
        scale = custom_rule(lambda q: q * w, vjp=lambda grad, out, q: grad * w)
        with pytest.raises(TypeError, match="pass it as an argument"):
            scale(ad.Variable(2.0))
        scale = custom_rule(lambda q, w: q * w, vjp=lambda grad, out, q, w: (grad * w, grad * q))
        with pytest.raises(TypeError, match="w="):
            scale(ad.Variable(2.0), w=w)

    def test_buffers_of_the_user_may_be_used_again(self):
        buffer = np.empty(1)

        def forward(x):
            np.exp(x, out=buffer)
            return buffer

        def back(grad, out, x):
            buffer[:] = grad * out
            return buffer

        f = custom_rule(forward, vjp=back)
        v = ad.Variable([0.0])
        (f(v) + f(v * 2.0)).backward(np.ones(1))
        np.testing.assert_array_equal(v.grad, [3.0])

    def test_a_layer_that_keeps_its_last_output(self):
        @custom_rule
        class Double:
            def forward(self, x):
                return 2.0 * x

            def vjp(self, grad, out, x):
                return 2.0 * grad

        layer = Double()
        layer.last = layer(ad.Variable(1.0))
        layer.last = layer(ad.Variable(1.0))
        assert layer.last.value == 2.0

    def test_wrong_kinds_are_named(self):
        f = custom_rule(lambda x: x * 2, vjp=lambda grad, out, x: "text")
        with pytest.raises(TypeError, match="str for argument 0"):
            grad(f)(1.0)


def test_complex_and_object_results_are_refused_in_both_modes():
    for follow in (
        lambda f: grad(lambda v: np.sum(f(v)))(X),
        lambda f: jvp(f, (X,), (np.ones(2),)),
    ):
        with pytest.raises(TypeError, match="complex"):
            follow(lambda v: np.abs(v * (1 + 1j)))
        with pytest.raises(TypeError, match="object"):
            follow(lambda v: v * np.array([1, 2], object))


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_norms_outside_the_float_range(scale):
    with np.errstate(all="ignore"):
        found = grad(np.linalg.norm)(np.array([3.0, 4.0]) * scale)
    np.testing.assert_allclose(found, [0.6, 0.8], rtol=1e-15)


def test_empty_arrays():
    with np.errstate(all="ignore"), pytest.warns(RuntimeWarning, match="empty"):
        assert grad(np.mean)(np.zeros(0)).shape == (0,)
    assert np.dot(ad.Variable(np.ones((2, 0))), np.ones((2, 0, 3))).shape == (2, 2, 3)


def test_numbers_take_the_indices_of_arrays():
    for index in (None, (), ...):
        assert grad(lambda x, i=index: np.sum(x[i]))(2.0) == 1.0


def test_default_keywords_are_accepted():
    v = ad.Variable(X)
    assert np.sum(v, axis=0, out=None).value == 8.0
    np.testing.assert_array_equal(np.sin(v, where=True, out=None).value, np.sin(X))
    with pytest.raises(TypeError, match=r"np\.add\.reduce of tracked values does not take dtype="):
        np.add.reduce(v, dtype=float)
    assert np.linalg.norm(v, ord=np.int64(1)).value == 8.0


def test_arrays_with_their_own_arithmetic_are_refused():
    with pytest.raises(TypeError, match="MaskedArray"):
        value_and_grad(np.sum)(np.ma.array(X, mask=[0, 1]))


def test_the_value_of_a_result_cannot_be_set():
    y = np.exp(ad.Variable(1.0))
    with ad.no_grad(), pytest.raises(TypeError, match="history"):
        y.value = 0.5
