"""Inputs that once gave a wrong number or a confusing error, found by trying to break it."""

import copy
import dataclasses
import pathlib
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import autodiff as ad
from autodiff import custom_rule, grad, hessian, jacobian, jvp, registry, value_and_grad, vjp

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


def test_object_results_are_refused_in_both_modes():
    for follow in (
        lambda f: grad(lambda v: np.sum(f(v)))(X),
        lambda f: jvp(f, (X,), (np.ones(2),)),
    ):
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
    with pytest.raises(TypeError, match=r"np\.sort of tracked values does not take stabel="):
        registry.call_function(np.sort, (v,), {"stabel": True})
    assert np.linalg.norm(v, ord=np.int64(1)).value == 8.0


def test_arrays_with_their_own_arithmetic_are_refused():
    with pytest.raises(TypeError, match="MaskedArray"):
        value_and_grad(np.sum)(np.ma.array(X, mask=[0, 1]))


def test_the_value_of_a_result_cannot_be_set():
    y = np.exp(ad.Variable(1.0))
    with ad.no_grad(), pytest.raises(TypeError, match="history"):
        y.value = 0.5


@pytest.mark.parametrize(
    "constant",
    [
        np.array([0, 1, 1], bool),
        np.array([100, 100, 1], np.int8),
        np.array([1, 2, 3]),
        np.array([1.0, 1e-9, 3.0], np.float32),
    ],
)
def test_gradients_are_summed_in_the_dtype_of_the_variable(constant):
    x = np.array([1.0, 2.0, 3.0])
    right = 2.0 * constant.astype(float) + 1.0

    def f(v):
        return np.sum(v * constant) + np.sum(v * constant) + np.sum(v)

    np.testing.assert_allclose(grad(f)(x), right, rtol=4e-16)
    v = ad.Variable(x)
    f(v).backward()
    np.testing.assert_allclose(v.grad, right, rtol=4e-16)


MASKED = [
    lambda v: np.where(v > 0, np.log(np.sqrt(v)), 0.0),
    lambda v: np.where(v > 0, np.sqrt(v) * np.sqrt(v), 0.0),
    lambda v: np.where(v > 0, np.log(v) * np.sqrt(v), 0.0),
    lambda v: np.where(v > 0, v**1.5 * np.log(v), 0.0),
]


@pytest.mark.parametrize("f", MASKED)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_masks_at_higher_orders(f):
    def forward(g):
        return lambda x: jvp(g, (x,), (1.0,))[1]

    for first in (grad, forward):
        for second in (grad, forward):
            assert second(first(f))(-1.0) == 0.0
            for third in (grad, forward):
                assert third(second(first(f)))(-1.0) == 0.0
    ad.check_grads(f, (np.array([-1.0, 4.0]),))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_masked_branch_beside_a_slope_that_is_nan():
    x, taken = np.array([-1.0, 4.0]), np.array([False, True])

    def f(v):
        return np.where(taken, (-2.0) ** v, 0.0)

    def forward(g):
        return lambda v: jvp(g, (v,), (np.ones(2),))[1]

    wanted = [0.0, np.nan]
    np.testing.assert_array_equal(grad(lambda v: np.sum(f(v)))(x), wanted)
    np.testing.assert_array_equal(forward(f)(x), wanted)
    np.testing.assert_array_equal(forward(forward(f))(x), wanted)
    np.testing.assert_array_equal(grad(lambda v: np.sum(forward(f)(v)))(x), wanted)


def test_a_vjp_that_writes_into_its_cotangent():
    def back(grad, out, v):
        grad *= 2.0
        return grad

    double = custom_rule(lambda v: 2.0 * v, vjp=back)
    x, c = np.array([1.0, 2.0]), np.array([7.0, 8.0])
    for _ in range(2):
        np.testing.assert_array_equal(grad(lambda q: np.sum(double(q) * c))(x), [14.0, 16.0])
    np.testing.assert_array_equal(c, [7.0, 8.0])


def test_a_layer_under_every_transform():
    @custom_rule
    class Line:
        def __init__(self, w, b):
            self.w, self.b = w, b

        def forward(self, x, w, b):
            return w * x + b

        def vjp(self, grad, out, x, w, b):
            return grad * w, grad * x, grad

        def jvp(self, tangents, out, x, w, b):
            return tangents[0] * w + tangents[1] * x + tangents[2]

    def f(w, b):
        layer = Line(w, b)
        layer.last = layer(1.0)
        return layer(3.0) ** 2

    assert grad(f)(2.0, 1.0) == 42.0
    assert grad(f, (0, 1))(2.0, 1.0) == (42.0, 14.0)
    assert hessian(f, (0, 1))(2.0, 1.0) == ((18.0, 6.0), (6.0, 2.0))


@pytest.mark.parametrize("modes", [("forward",), ("reverse", "forward")])
def test_check_grads_sees_small_entries(modes):
    add = custom_rule(
        lambda a, b: a + b,
        vjp=lambda grad, out, a, b: (grad, grad),
        jvp=lambda tangents, out, a, b: tangents[1] * 1.0,
    )
    with pytest.raises(AssertionError, match="argument 0"):
        ad.check_grads(add, (1e-8, 1.0), order=1, modes=modes)


def test_a_choice_between_a_number_and_a_bool_is_a_float():
    assert type(np.maximum(ad.Variable(-1.2), True).value) is float


class TestChoices:
    def test_a_name_stands_for_a_parameter_only(self):
        def f(x, *rest, y=1.0):
            return x * sum(rest) * y

        for name in ("y", "rest"):
            with pytest.raises(ValueError, match=f"gives no '{name}'; its parameters are x, rest"):
                grad(f, argnames=name)(3.0, 4.0, 5.0)
        assert grad(f, argnames="y")(3.0, 4.0, 5.0, y=2.0) == 27.0
        assert grad(f, argnames="x")(3.0, 4.0, 5.0) == 9.0

    def test_names_of_what_transforms_give(self):
        def f(x, w):
            return x**2 * w**2

        assert grad(grad(f, argnames="w"), argnames="x")(2.0, 3.0) == 24.0
        assert hessian(f, argnames=("w", "x"))(2.0, 3.0) == ((8.0, 24.0), (24.0, 18.0))

    @pytest.mark.parametrize("wrong", [1.0, "x", X, (0, "x")])
    def test_neither_number_nor_name(self, wrong):
        with pytest.raises(TypeError, match="argnums is a position or a sequence of them"):
            grad(np.sin, wrong)
        with pytest.raises(TypeError, match="argnames is a name or a sequence of them"):
            hessian(np.sin, argnames=0)


class TestContainers:
    class Mapping(dict):
        pass

    class Row(list):
        pass

    @pytest.mark.parametrize(
        "value", [Mapping(a=1.0), Row([1.0]), {1.0}, None, object()], ids=lambda v: type(v).__name__
    )
    def test_of_unknown_types_are_named(self, value):
        with pytest.raises(TypeError, match=rf"argument 0: a {type(value).__name__} is neither"):
            grad(lambda p: 1.0)(value)
        aux = grad(lambda x: (x * x, value), has_aux=True)(3.0)
        assert aux == (6.0, value)
        with pytest.raises(TypeError, match=r"argument 0\['p'\]\[0\]: a set is neither"):
            grad(lambda p: 1.0)({"p": [{1.0}]})

    def test_a_deque_before_optree_is_there(self):
        code = (
            "import autodiff as ad, collections; "
            "print(ad.grad(lambda p: p[0] * p[1])(collections.deque([2.0, 3.0])))"
        )
        run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
        assert run.stdout.strip() == b"deque([3.0, 2.0])"

    def test_settings_of_dataclasses(self):
        @dataclasses.dataclass
        class Layer:
            w: float
            where: pathlib.Path
            kind: type
            seen: set

        layer = Layer(3.0, pathlib.Path("a"), float, {1})
        assert grad(lambda p: p.w**2)(layer) == Layer(6.0, pathlib.Path("a"), float, {1})

        @dataclasses.dataclass
        class Made:
            w: float
            scale: dataclasses.InitVar[float]

        with pytest.raises(TypeError, match=r"Made cannot be made again.* scale is not one"):
            grad(lambda p: p.w)(Made(2.0, 3.0))

    def test_hessians_of_nothing(self):
        assert hessian(lambda p: 1.0)({}) == {}

    def test_what_comes_along_is_the_callers_own(self):
        x = np.array([1.0, 2.0])
        _, (same, double) = grad(lambda v: (np.sum(v), [v, 2 * v]), has_aux=True)(x)
        same[0], double[0] = 7.0, 8.0
        np.testing.assert_array_equal(x, [1.0, 2.0])


class TestFlatten:
    def test_real_leaves_beside_complex_ones(self):
        params = {"z": 1 + 2j, "r": 3.0, "f": np.ones(2, np.float32)}
        vector, unflatten = ad.flatten(params)
        back = unflatten(vector)
        assert (back["z"], back["r"], type(back["r"])) == (1 + 2j, 3.0, float)
        assert back["f"].dtype == np.float32

        def loss(v):
            p = unflatten(v)
            return p["r"] ** 2 * np.abs(p["z"]) ** 2

        np.testing.assert_allclose(grad(loss)(vector), [0, 0, 30, 18 - 36j])

    def test_vectors_of_other_kinds(self):
        vector, unflatten = ad.flatten([1.0, np.array([2.0, 3.0]), np.array(4.0)])
        found = unflatten([5, 6, 7, 8])
        assert (found[0], type(found[0])) == (5.0, float)
        assert found[1].dtype == float
        assert type(found[2]) is np.ndarray
        assert not np.shares_memory(unflatten(vector)[1], vector)
        with pytest.raises(TypeError, match="real vector"):
            unflatten(vector * 1j)


def test_a_hessian_of_complex_arguments_is_refused():
    with pytest.raises(TypeError, match=r"hessian of .* needs real arguments"):
        hessian(lambda z: np.abs(z) ** 2)(1 + 2j)


def test_custom_rules_of_complex_numbers():
    square = custom_rule(lambda z: z * z, vjp=lambda grad, out, z: grad * 2 * z)
    assert grad(lambda z: np.real(square(z)))(1 + 2j) == 2 + 4j


class TestJacobians:
    @pytest.mark.parametrize("mode", ["reverse", "forward", "auto"])
    def test_one_warning_where_nothing_depends(self, mode):
        with pytest.warns(UserWarning, match="does not depend") as caught:
            found = jacobian(lambda x: np.ones(4), mode=mode)(np.ones(3))
        np.testing.assert_array_equal(found, np.zeros((4, 3)))
        assert [warning.filename for warning in caught] == [__file__]

    @pytest.mark.parametrize("mode", ["reverse", "forward"])
    def test_no_warning_where_something_depends(self, mode):
        with warnings.catch_warnings(action="error"):
            assert jacobian(lambda x, y: 3.0 * y, (0, 1), mode)(1.0, 2.0) == (0.0, 3.0)
            jacobian(grad(lambda x: np.sum(x)), mode=mode)(X)

    @pytest.mark.parametrize("mode", ["reverse", "forward", "auto"])
    def test_kind_and_dtype_are_those_of_the_argument(self, mode):
        assert jacobian(lambda x: x * X, mode=mode)(X.astype(np.float32)).dtype == np.float32
        assert jacobian(lambda x: x.astype(np.float32), mode=mode)(X).dtype == np.float64
        assert type(jacobian(np.square, mode=mode)(np.array(3.0))) is np.ndarray
        found = jacobian(lambda p: p[0] * p[1][0], mode=mode)([3.0, X])
        assert (found[0], type(found[0])) == (5.0, float)


class TestCheckpoints:
    def test_take_anything(self):
        @ad.checkpoint
        def step(x, index, name, *, scale, on=True):
            return np.sin(x[index]) * scale[name] if on else x

        x, index = np.array([1.0, 2.0]), np.array([0, 0])
        found = grad(lambda x, s: np.sum(step(x, index, "a", scale={"a": s})), (0, 1))(x, 3.0)
        np.testing.assert_allclose(found[0], [6 * np.cos(1.0), 0.0])
        np.testing.assert_allclose(found[1], 2 * np.sin(1.0))
        np.testing.assert_array_equal(step(x, index, "a", scale={"a": 3.0}, on=False), x)

    def test_give_containers(self):
        step = ad.checkpoint(lambda x: {"a": x * 2, "b": (np.sum(x) * 3j, 1.0)})

        def f(x):
            out = step(x)
            return np.sum(out["a"] ** 2) + np.imag(out["b"][0]) * out["b"][1]

        x = np.array([1.0, 2.0])
        np.testing.assert_allclose(grad(f)(x), 8 * x + 3)
        np.testing.assert_allclose(hessian(f)(x), 8 * np.eye(2))
        np.testing.assert_allclose(jvp(f, (x,), (X,))[1], np.sum((8 * x + 3) * X))
        assert step(x)["b"] == (9j, 1.0)

    def test_of_complex_numbers_and_of_constants(self):
        square = ad.checkpoint(lambda z: z * z)
        assert grad(lambda z: np.real(square(z)))(1 + 2j) == 2 + 4j
        with warnings.catch_warnings(action="error"):
            assert grad(lambda x: ad.checkpoint(np.floor)(x) + x)(2.5) == 1.0

    def test_an_array_that_does_not_change(self):
        f = ad.checkpoint(lambda a, b: a * np.sum(b))
        assert jvp(lambda a, b: f(a, b), (2.0, X), (1.0, np.zeros(2)))[1] == 8.0
        assert jacobian(lambda a, b: f(a, b), mode="forward")(2.0, X) == 8.0
        assert grad(lambda b: jvp(lambda a: f(a, b), (2.0,), (1.0,))[1])(X).tolist() == [1.0, 1.0]

    def test_do_not_ask_for_optree(self):
        code = (
            "import sys, numpy as np, autodiff as ad; "
            "print(ad.grad(lambda x: np.sum(ad.checkpoint(np.sin)(x)))(np.zeros(1))[0]); "
            "assert 'optree' not in sys.modules"
        )
        subprocess.run([sys.executable, "-c", code], check=True)


def test_check_grads_of_containers():
    args = ({"a": 2.0, "b": np.array([0.5, 1.5])}, [1.0, 1 + 2j])
    ad.check_grads(lambda p, q: {"r": p["a"] * np.sum(p["b"] ** 2) * q[0], "s": q[1] ** 2}, args)
    wrong = custom_rule(np.square, vjp=lambda g, out, x: g * 2.001 * x)
    with pytest.raises(AssertionError, match=r"argument 0\['b'\], entry \[0\]"):
        ad.check_grads(lambda p, q: p["a"] * wrong(p["b"]), args, modes=["reverse"])


Z = np.array([1 + 2j, 0.3 - 1j])


@pytest.mark.parametrize(
    ("pull", "push"),
    [
        (lambda g, z: g * 2 * np.conj(z), lambda t, z: t * 2 * z),
        (lambda g, z: g * 2 * z, lambda t, z: t * 2 * np.conj(z)),
        (lambda g, z: np.conj(g) * 2 * z, lambda t, z: t * 2 * z),
        (lambda g, z: np.real(g * 2 * z), lambda t, z: t * 2 * z),
        (lambda g, z: np.real(g * 2 * z) + 1.01j * np.imag(g * 2 * z), lambda t, z: t * 2 * z),
        (lambda g, z: g * 2 * z, lambda t, z: t * 2.001 * z),
    ],
    ids=["conj in vjp", "conj in jvp", "conj of grad", "real part", "imaginary part", "factor"],
)
def test_check_grads_finds_wrong_complex_rules(pull, push):
    square = custom_rule(
        lambda z: z * z, vjp=lambda g, out, z: pull(g, z), jvp=lambda t, out, z: push(t[0], z)
    )
    for arg in (Z, 1 + 2j):
        with pytest.raises(AssertionError, match="order 1"):
            ad.check_grads(square, (arg,), order=1)


def test_one_thing_for_each_argument():
    for wrong in (X, 2.0):
        with pytest.raises(TypeError, match=r"primals of jvp are a tuple.*\(x,\)"):
            jvp(np.multiply, wrong, X)
        with pytest.raises(TypeError, match="vectors of hvp are a tuple"):
            ad.hvp(np.sum, (X,), wrong)


def test_a_copy_of_a_result_keeps_its_history():
    v = ad.Variable([1.0, 2.0])
    y = copy.copy(v * 3.0)
    np.sum(y).backward()
    np.testing.assert_array_equal(v.grad, [3.0, 3.0])
    leaf = copy.copy(v)
    assert leaf.is_leaf
    np.testing.assert_array_equal(leaf.grad, v.grad)
    assert leaf.grad is not v.grad
    assert grad(lambda x: copy.copy(x) * 2.0)(1.0) == 2.0
