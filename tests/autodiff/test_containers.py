"""Containers of parameters as arguments and results; choice by number and by name."""

import collections
import dataclasses
import subprocess
import sys

import numpy as np
import pytest

import autodiff as ad
from autodiff import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp

Pair = collections.namedtuple("Pair", "left right")


@dataclasses.dataclass
class Layer:
    w: np.ndarray
    b: float
    kind: str = "relu"
    steps: int = 3


def loss(params, x):
    return np.sum(np.tanh(x @ params["w"] + params["b"][0]) ** 2) * params["b"][1]


PARAMS = {"w": np.linspace(-1, 1, 6).reshape(3, 2), "b": [np.array([0.1, 0.2]), 2.0]}
X = np.linspace(0, 1, 12).reshape(4, 3)


def close(found, wanted):
    """Compare containers leaf by leaf, structure included."""
    (ours, structure), (theirs, expected) = (
        ad.containers.parts_of(found),
        ad.containers.parts_of(wanted),
    )
    assert structure == expected
    for a, b in zip(ours, theirs, strict=True):
        assert type(a) is type(b)
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_gradients_have_the_structure_of_the_argument():
    found = grad(loss)(PARAMS, X)
    w, b, scale = PARAMS["w"], *PARAMS["b"]
    of_w, of_b, of_scale = grad(lambda w, b, s: loss({"w": w, "b": [b, s]}, X), argnums=(0, 1, 2))(
        w, b, scale
    )
    close(found, {"w": of_w, "b": [of_b, of_scale]})
    assert type(found["b"][1]) is float


@pytest.mark.parametrize(
    "container",
    [
        Pair(1.0, np.ones(2)),
        (1.0, (np.ones(2),)),
        [1.0, [np.ones(2), []]],
        collections.OrderedDict(z=1.0, a=np.ones(2)),
        {"a": {"b": 1.0}, "c": np.ones(2), "none": None},
        Layer(np.ones(2), 1.0),
    ],
    ids=lambda c: type(c).__name__,
)
def test_every_kind_of_container(container):
    def f(c):
        leaves = ad.containers.parts_of(c)[0]
        return sum(np.sum(leaf**2) for leaf in leaves)

    value, found = value_and_grad(f)(container)
    assert value == 3.0
    assert type(found) is type(container)
    leaves = ad.containers.parts_of(found)[0]
    assert sorted(np.sum(leaf) for leaf in leaves) == [2.0, 4.0]


def test_settings_of_a_dataclass_stay():
    found = grad(lambda layer: np.sum(layer.w) * layer.b**layer.steps)(Layer(np.ones(2), 2.0))
    close(found.w, np.full(2, 8.0))
    assert (found.b, found.kind, found.steps) == (24.0, "relu", 3)


def test_results_are_containers_too():
    def f(x):
        return {"square": x**2, "pair": (np.sum(x), 3.0)}

    x = np.array([1.0, 2.0])
    value, pullback = vjp(f, x)
    close(value, {"square": x**2, "pair": (np.float64(3.0), 3.0)})
    close(pullback({"square": np.ones(2), "pair": (10.0, 5.0)})[0], 2 * x + 10)
    value, change = jvp(f, (x,), (np.array([1.0, 0.0]),))
    close(change, {"square": np.array([2.0, 0.0]), "pair": (np.float64(1.0), 0.0)})
    for mode in ("reverse", "forward", "auto"):
        found = jacobian(f, mode=mode)(x)
        np.testing.assert_array_equal(found["square"], np.diag(2 * x))
        np.testing.assert_array_equal(found["pair"][0], np.ones(2))
        np.testing.assert_array_equal(found["pair"][1], np.zeros(2))
    with pytest.raises(ValueError, match="structure"):
        pullback({"square": np.ones(2)})
    with pytest.raises(TypeError, match="gave a dict"):
        grad(f)(x)


def test_masked_parts_of_a_result_do_not_poison_each_other():
    _, pullback = vjp(lambda x: (np.sqrt(x), x**2), np.array([0.0, 4.0]))
    np.testing.assert_array_equal(pullback((np.zeros(2), np.ones(2)))[0], [0.0, 8.0])


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_jacobians_of_containers(mode):
    def f(p):
        return np.stack([p["a"] * p["b"][0], p["a"] * p["b"][1]])

    found = jacobian(f, mode=mode)({"a": 2.0, "b": np.array([3.0, 4.0])})
    np.testing.assert_array_equal(found["a"], [3.0, 4.0])
    np.testing.assert_array_equal(found["b"], 2 * np.eye(2))


def test_hessians_of_containers_and_of_several_arguments():
    def f(p, c):
        return p["a"] ** 2 * np.sum(p["b"] ** 2) * c

    b = np.array([3.0, 4.0])
    found = hessian(f)({"a": 2.0, "b": b}, 1.0)
    np.testing.assert_allclose(found["a"]["a"], 50.0)
    np.testing.assert_allclose(found["a"]["b"], 8 * b)
    np.testing.assert_allclose(found["b"]["a"], 8 * b)
    np.testing.assert_allclose(found["b"]["b"], 8 * np.eye(2))
    rows = hessian(f, (0, 1))({"a": 2.0, "b": b}, 1.0)
    np.testing.assert_allclose(rows[0][1]["b"], 8 * b)
    np.testing.assert_allclose(rows[1][0]["b"], 8 * b)
    assert rows[1][1] == 0.0


def test_products_with_the_hessian():
    p, v = {"a": 2.0, "b": np.array([3.0, 4.0])}, {"a": 1.0, "b": np.array([0.0, 1.0])}
    (found,) = hvp(lambda p: p["a"] ** 2 * np.sum(p["b"] ** 2), (p,), (v,))
    np.testing.assert_allclose(found["a"], 50.0 + 32.0)
    np.testing.assert_allclose(found["b"], 8 * p["b"] + np.array([0.0, 8.0]))
    bare = hvp(lambda p: p["a"] ** 2 * np.sum(p["b"] ** 2), p, v)
    close(bare, found)
    assert hvp(lambda x: x**3, 2.0, 1.0) == 12.0
    (of_x, of_y) = hvp(lambda x, y: x * y * y, (2.0, 3.0), (1.0, 1.0))
    assert (of_x, of_y) == (6.0, 10.0)


def test_nesting_with_containers():
    def f(p):
        return p["a"] ** 3 * p["b"]

    p = {"a": 2.0, "b": 3.0}
    assert grad(lambda p: grad(f)(p)["a"])(p) == {"a": 36.0, "b": 12.0}
    found = jvp(grad(f), (p,), ({"a": 1.0, "b": 0.0},))[1]
    assert found == {"a": 36.0, "b": 12.0}


def test_arguments_by_name():
    def f(x, w=2.0, *, b=0.0):
        return x * w + b**2

    assert grad(f, argnames="w")(3.0, w=4.0) == 3.0
    assert grad(f, argnames=("w", "b"))(3.0, w=4.0, b=5.0) == (3.0, 10.0)
    assert grad(f, argnames=("b", "x", "w"))(3.0, 4.0, b=5.0) == (10.0, 4.0, 3.0)
    value, found = value_and_grad(f, argnames=["b"])(3.0, b={"x": 1.0}["x"])
    assert (value, found) == (7.0, (2.0,))
    assert jacobian(f, argnames="b")(1.0, b=3.0) == 6.0
    assert hessian(f, argnames="b")(1.0, b=3.0) == 2.0
    with pytest.raises(ValueError, match=r"gives no 'q'; its parameters are x, w, b"):
        grad(f, argnames="q")(3.0)
    with pytest.raises(ValueError, match=r"gives no 'w'"):
        grad(f, argnames="w")(3.0)
    with pytest.raises(ValueError, match="not both"):
        grad(f, 0, argnames="w")
    with pytest.raises(ValueError, match="twice"):
        grad(f, argnames=("x", "x"))(3.0)


def test_what_comes_with_a_result():
    def f(x):
        return x * x, {"double": 2 * x, "text": "seen"}

    assert grad(f, has_aux=True)(3.0) == (6.0, {"double": 6.0, "text": "seen"})
    assert value_and_grad(f, has_aux=True)(3.0) == ((9.0, {"double": 6.0, "text": "seen"}), 6.0)
    assert ad.grad_and_aux(f)(3.0)[0] == 6.0
    value, pullback, aux = vjp(f, 3.0, has_aux=True)
    assert (value, pullback(1.0), aux["double"]) == (9.0, (6.0,), 6.0)
    # An inner result that comes along is a value of the outer transform.
    assert grad(lambda x: grad(f, has_aux=True)(x)[1]["double"] ** 2)(3.0) == 24.0
    with pytest.raises(TypeError, match=r"pair \(value, aux\)"):
        grad(lambda x: x, has_aux=True)(3.0)


def test_flatten_and_back():
    params = {"w": np.ones((2, 2), np.float32), "b": (3.0, np.zeros(0))}
    vector, unflatten = ad.flatten(params)
    assert vector.shape == (5,)
    back = unflatten(vector)
    close(back, params)
    assert back["w"].dtype == np.float32

    def f(v):
        p = unflatten(v)
        return np.sum(p["w"] ** 2) * p["b"][0]

    found = grad(f)(vector)
    np.testing.assert_allclose(unflatten(found)["w"], np.full((2, 2), 6.0))
    gradient = grad(lambda p: np.sum(ad.flatten(p)[0] ** 2))({"a": 2.0, "b": np.ones(2)})
    close(gradient, {"a": 4.0, "b": np.full(2, 2.0)})
    with pytest.raises(ValueError, match=r"shape \(5,\), not \(4,\)"):
        unflatten(vector[1:])
    assert ad.flatten([])[0].shape == (0,)


def test_elementwise_grad():
    x = np.linspace(0, 1, 6).reshape(2, 3)
    np.testing.assert_allclose(ad.elementwise_grad(np.sin)(x), np.cos(x))
    found = ad.elementwise_grad(ad.elementwise_grad(np.sin))(x)
    np.testing.assert_allclose(found, -np.sin(x))
    assert ad.elementwise_grad(lambda x, y: x * y, argnums=1)(2.0, 3.0) == 2.0
    assert ad.elementwise_grad(lambda x, y: x * y, argnames="y")(2.0, y=3.0) == 2.0


def test_a_checkpoint_runs_again_and_changes_nothing():
    calls = []

    def block(p, x):
        calls.append(1)
        return np.tanh(x * p["w"]) + p["b"]

    def f(p, x):
        for _ in range(3):
            x = step(p, x)
        return np.sum(x)

    p, x = {"w": 0.5, "b": 0.1}, np.array([0.3, 0.7])
    step = block
    wanted, second = grad(f, (0, 1))(p, x), hessian(f)(p, x)
    step = ad.checkpoint(block)
    calls.clear()
    found = grad(f, (0, 1))(p, x)
    assert len(calls) == 6
    close(found, wanted)
    close(hessian(f)(p, x), second)
    close(hvp(f, (p, x), (p, x)), hvp(f, (p, x), (p, x)))
    close(jvp(f, (p, x), (p, x))[1], sum(np.sum(a * b) for a, b in _pairs(wanted, (p, x))))
    w = ad.Variable(2.0)
    with pytest.raises(TypeError, match="not among its arguments"):
        ad.checkpoint(lambda x: x * w)(ad.Variable(1.0))


def _pairs(a, b):
    return list(zip(ad.containers.parts_of(a)[0], ad.containers.parts_of(b)[0], strict=True))


WITHOUT = """
import sys
sys.modules["optree"] = None
import numpy as np
import autodiff as ad
assert ad.grad(lambda x, y: x * y, (0, 1))(2.0, 3.0) == (3.0, 2.0)
assert ad.hessian(np.sum)(np.ones(2)).shape == (2, 2)
try:
    ad.grad(lambda p: p["a"])({"a": 1.0})
except ImportError as error:
    assert "diffrules[containers]" in str(error), error
else:
    raise AssertionError("a container without optree")
"""


def test_plain_arrays_do_not_ask_for_optree():
    subprocess.run([sys.executable, "-c", WITHOUT], check=True)
    code = "import sys, numpy as np, autodiff as ad; ad.grad(np.sum)(np.ones(3)); "
    code += "assert 'optree' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
