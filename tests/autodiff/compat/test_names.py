"""The other modules that clients import."""

import subprocess
import sys

import numpy as np
import pytest

import autodiff as ad
import autodiff.compat.autograd as ag
import autodiff.compat.autograd.numpy as anp
from autodiff.compat.autograd import builtins, core, extend, tracer, util
from autodiff.compat.autograd.misc import fixed_point, flatten
from autodiff.compat.autograd.misc.flatten import flatten_func
from autodiff.compat.autograd.misc.optimizers import adam, rmsprop, sgd
from autodiff.compat.autograd.numpy.numpy_boxes import ArrayBox
from autodiff.compat.autograd.numpy.numpy_vjps import metadata, unbroadcast
from autodiff.compat.autograd.scipy.signal import convolve

X = np.array([0.5, 2.0, -1.0])


IMPORTS = [
    "import autodiff; autodiff.compat.autograd.grad",
    "import autodiff.compat.autograd.numpy.linalg as la; la.norm",
    "import autodiff.compat.autograd.numpy.random as npr; npr.randn",
    "from autodiff.compat.autograd.numpy.fft import fft",
    "from autodiff.compat.autograd.numpy import array, float64, linalg, sum",
    "import autodiff.compat.autograd.scipy.special as special; special.gammaln",
    "from autodiff.compat.autograd.scipy.special import logsumexp",
    "import autodiff.compat.autograd.scipy.stats.norm as norm; norm.logpdf",
    "from autodiff.compat.autograd.scipy.stats import multivariate_normal; "
    "multivariate_normal.logpdf",
    "from autodiff.compat.autograd.scipy.stats.multivariate_normal import logpdf",
    "import autodiff.compat.autograd.scipy.linalg as sla; sla.solve_triangular",
    "from autodiff.compat.autograd.scipy.signal import convolve",
    "from autodiff.compat.autograd import scipy; scipy.optimize.minimize",
    "from autodiff.compat.autograd.extend import Box, VSpace, primitive, vspace",
    "from autodiff.compat.autograd.core import make_jvp, make_vjp, primitive",
    "from autodiff.compat.autograd.tracer import getval, isbox",
    "from autodiff.compat.autograd.misc.optimizers import adam, rmsprop, sgd",
    "from autodiff.compat.autograd.test_util import check_grads",
]


def test_imports():
    # In a new process, where nothing is imported yet; each line by itself sees its own names.
    code = "\n".join(f"exec({line!r}, {{}})" for line in IMPORTS)
    subprocess.run([sys.executable, "-c", code], check=True)


def test_isinstance_and_type_look_through():
    seen = []

    def f(x):
        seen.append((builtins.isinstance(x, float), builtins.type(x)))
        seen.append(builtins.isinstance(x, (int, str)))
        return x

    ag.grad(f)(2.0)
    assert seen == [(True, float), False]
    assert builtins.isinstance(ad.Variable(X), np.ndarray)
    assert isinstance(ad.Variable(X), ArrayBox)
    assert builtins.tuple is tuple
    assert ag.dict([("a", 1)], b=2) == {"a": 1, "b": 2}


def test_getval_and_isbox():
    found = []
    ag.grad(lambda x: found.append((tracer.isbox(x), tracer.getval(x))) or x)(2.0)
    assert found == [(True, 2.0)]
    assert not tracer.isbox(2.0)


def test_core():
    pullback, value = core.make_vjp(lambda x: x**2, 3.0)
    assert (value, pullback(1.0)) == (9.0, 6.0)
    assert core.make_jvp(lambda x: x**2, 3.0)(2.0) == (9.0, 12.0)


def test_subvals():
    assert util.subval((1, 2, 3), 1, 5) == (1, 5, 3)
    assert util.subvals([1, 2, 3], [(0, 7), (2, 9)]) == (7, 2, 9)


class TestVSpace:
    @pytest.mark.parametrize(
        ("value", "size"),
        [
            (1.0, 1),
            (1 + 2j, 2),
            (X, 3),
            (np.ones((2, 3), np.float32), 6),
            (X * 1j, 6),
            ((1.0, X), 4),
            ({"a": X, "b": [2.0, (X,)]}, 7),
        ],
    )
    def test_is_a_space(self, value, size):
        space = extend.vspace(value)
        assert space.size == size
        assert space == extend.vspace(space.randn())
        assert hash(space) == hash(extend.vspace(space.zeros()))
        basis = list(space.standard_basis())
        assert len(basis) == size
        gram = [[space.inner_prod(a, b) for a in basis] for b in basis]
        assert np.array_equal(gram, np.eye(size))
        x, y = space.randn(), space.randn()
        both = space.add(space.scalar_mul(x, 2.0), y)
        wanted = 2 * space.inner_prod(x, y) + space.inner_prod(y, y)
        assert space.inner_prod(both, y) == pytest.approx(wanted, rel=1e-5)
        assert space.inner_prod(space.zeros(), x) == 0.0
        assert space.inner_prod(space.ones(), space.ones()) == size
        assert space.add(space.covector(space.covector(x)), space.zeros()) is not None

    def test_of_an_array(self):
        space = extend.vspace(np.ones((2, 3), np.float32))
        assert (space.shape, space.dtype, space.ndim, space.iscomplex) == ((2, 3), "f4", 2, False)
        assert space.ones().dtype == np.float32
        assert "float32" in repr(space)

    def test_differ(self):
        assert extend.vspace(X) != extend.vspace(X[:2])
        assert extend.vspace(X) != extend.vspace(X * 1j)
        assert extend.vspace((X,)) != extend.vspace([X])


def test_flatten():
    params = {"b": 1.0, "a": [X, (np.ones((2, 2)), 4.0)]}
    vector, unflatten = flatten(params)
    assert vector.tolist() == [0.5, 2.0, -1.0, 1.0, 1.0, 1.0, 1.0, 4.0, 1.0]
    again = unflatten(vector)
    assert again["a"][1][1] == 4.0
    assert ag.grad(lambda x, y: anp.sum(flatten([x, [y]])[0] ** 2), [0, 1])(1.0, 2.0) == (2.0, 4.0)


def test_flatten_func():
    def double(params):
        return {key: 2 * value for key, value in params.items()}

    of_vector, unflatten, vector = flatten_func(double, {"a": X, "b": 1.0})
    assert np.array_equal(of_vector(vector), 2 * vector)
    assert unflatten(vector)["b"] == 1.0
    np.testing.assert_allclose(ag.jacobian(of_vector)(vector), 2 * np.eye(4))


@pytest.mark.parametrize(
    ("minimize", "settings"),
    [
        (sgd, {"step_size": 0.2}),
        (rmsprop, {"step_size": 0.01, "num_iters": 400}),
        (adam, {"step_size": 0.1, "num_iters": 400}),
    ],
    ids=["sgd", "rmsprop", "adam"],
)
def test_optimizers(minimize, settings):
    target = {"w": X, "b": 3.0}
    start = {"w": np.zeros(3), "b": 0.0}
    seen = []

    def loss(p, i):
        return anp.sum((p["w"] - target["w"]) ** 2) + (p["b"] - target["b"]) ** 2

    def callback(p, i, g):
        seen.append((i, p["b"], g["b"]))

    found = minimize(ag.grad(loss), start, callback, **settings)
    np.testing.assert_allclose(found["w"], X, atol=0.02)
    assert found["b"] == pytest.approx(3.0, abs=0.02)
    assert seen[0] == (0, 0.0, -6.0)
    assert [i for i, _, _ in seen] == list(range(settings.get("num_iters", 200)))
    assert start["w"].tolist() == [0.0, 0.0, 0.0]


def test_first_steps_of_adam():
    # Without the start at zero the first step is step_size times the sign.
    found = adam(lambda x, i: np.array([4.0, -0.5]), np.zeros(2), num_iters=1, step_size=0.25)
    np.testing.assert_allclose(found, [-0.25, 0.25], rtol=1e-6)


def test_fixed_point():
    def newton(a):
        return lambda x: 0.5 * (x + a / x)

    def root(a):
        return fixed_point(newton, a, 1.0, lambda x, y: abs(x - y), 1e-13)

    assert root(2.0) == pytest.approx(np.sqrt(2.0))
    assert ag.grad(root)(2.0) == pytest.approx(0.5 / np.sqrt(2.0))
    assert ag.grad(ag.grad(root))(2.0) == pytest.approx(-0.25 * 2.0**-1.5)


def test_fixed_point_of_a_slow_iteration():
    matrix = np.array([[0.2, 0.1, 0.0], [0.0, -0.3, 0.2], [0.1, 0.0, 0.4]])

    def solution(b):
        def step(b):
            return lambda x: anp.dot(matrix, x) + b

        return fixed_point(step, b, np.zeros(3), lambda x, y: np.max(np.abs(x - y)), 1e-14)

    wanted = np.linalg.inv(np.eye(3) - matrix)
    np.testing.assert_allclose(solution(X), wanted @ X)
    np.testing.assert_allclose(ag.jacobian(solution)(X), wanted)


def test_names_of_numpy():
    assert anp.where(condition=[True, False], x=X[:2], y=0.0).tolist() == [0.5, 0.0]
    assert anp.where([False, True])[0].tolist() == [1]
    found = ag.jacobian(lambda d: anp.make_diagonal(d, axis1=-1, axis2=-2))(X)
    assert found[1, 1].tolist() == [0.0, 1.0, 0.0]
    assert type(anp.make_diagonal(X, offset=0, axis1=-1, axis2=-2)) is np.ndarray
    with pytest.raises(NotImplementedError, match="offset=0"):
        anp.make_diagonal(X, offset=1, axis1=-1, axis2=-2)
    assert "make_diagonal" in dir(anp)


def test_unbroadcast():
    grad = np.ones((2, 3))
    assert unbroadcast(grad, metadata(X)).tolist() == [2.0, 2.0, 2.0]
    assert unbroadcast(grad, metadata(np.ones((2, 1)))).tolist() == [[3.0], [3.0]]
    assert unbroadcast(grad, metadata(1.0)) == 6.0
    assert unbroadcast(grad * 1j, metadata(X)).dtype == float
    assert unbroadcast(2.0, metadata(X)) == 2.0


class TestConvolve:
    @pytest.mark.parametrize("mode", ["full", "same", "valid"])
    @pytest.mark.parametrize(
        "shapes", [((5,), (3,)), ((3,), (3,)), ((5, 4), (2, 3)), ((4, 5), (4, 1))]
    )
    def test_all_axes(self, shapes, mode):
        signal = pytest.importorskip("scipy.signal")
        rng = np.random.default_rng(0)
        a, b = (rng.standard_normal(shape) for shape in shapes)
        np.testing.assert_allclose(
            convolve(a, b, mode=mode), signal.convolve(a, b, mode), atol=1e-13
        )
        ad.check_grads(lambda a, b: convolve(a, b, mode=mode), (a, b), order=1)

    @pytest.mark.parametrize("mode", ["full", "same", "valid"])
    def test_some_axes(self, mode):
        rng = np.random.default_rng(0)
        a, b = rng.standard_normal((2, 4, 2)), rng.standard_normal((3, 2, 2))

        def f(a, b):
            return convolve(a, b, axes=([1], [1]), dot_axes=([0], [-1]), mode=mode)

        found = f(a, b)
        for i, j in np.ndindex(2, 3):
            wanted = sum(np.convolve(a[k, :, i], b[j, :, k], mode) for k in range(2))
            np.testing.assert_allclose(found[i, j], wanted, atol=1e-13)
        ad.check_grads(f, (a, b))

    def test_no_axes_is_tensordot(self):
        a, b = np.arange(6.0).reshape(2, 3), np.arange(8.0).reshape(2, 4)
        found = convolve(a, b, axes=([], []), dot_axes=([0], [0]))
        np.testing.assert_allclose(found, a.T @ b)

    def test_unknown_mode(self):
        with pytest.raises(ValueError, match="'full', 'valid' or 'same', not 'some'"):
            convolve(X, X, mode="some")
