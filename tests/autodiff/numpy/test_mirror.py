"""The mirror of NumPy's namespace: everything is there, lists of tracked values are taken."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import autodiff as ad
import autodiff.numpy as anp

X = np.array([0.5, 2.0, -1.0])


@pytest.mark.parametrize("module", ["", "linalg", "fft", "random"])
def test_every_name_of_numpy_is_there(module):
    own, ours = (np, anp) if not module else (getattr(np, module), getattr(anp, module))
    for name in dir(own):
        if not name.startswith("__"):
            assert getattr(ours, name) is not None or getattr(own, name) is None, name
            assert name in dir(ours)


def test_constants_types_ufuncs_and_modules_are_numpys_own():
    for name in ("pi", "newaxis", "float32", "float64", "ndarray", "sin", "add", "testing", "bool"):
        assert getattr(anp, name) is getattr(np, name)
    assert anp.random.default_rng is np.random.default_rng
    assert anp.linalg.LinAlgError is np.linalg.LinAlgError
    assert anp.__version__ == np.__version__


def test_a_missing_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        anp.no_such_name  # noqa: B018 -- the access is what is tested


def test_names_can_be_imported():
    code = (
        "from autodiff.numpy import *; import autodiff.numpy.linalg as la\n"
        "from autodiff.numpy.random import default_rng\n"
        "from autodiff.numpy.fft import fft\n"
        "import autodiff as ad\n"
        "print(ad.grad(lambda x: sum(array([x, 2 * x])))(1.0))"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "3.0"


def test_functions_keep_name_and_docstring():
    assert anp.mean.__name__ == "mean"
    assert anp.mean.__doc__ == np.mean.__doc__
    assert pickle.loads(pickle.dumps(np.sum)) is np.sum


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (lambda m, x: m.sum([x, x**2, 1.0]), 1 + 2 * 3.0),
        (lambda m, x: m.mean([x, x + 2]), 1.0),
        (lambda m, x: m.mean((x, x + 2)), 1.0),
        (lambda m, x: m.mean(a=[x, x + 2]), 1.0),
        (lambda m, x: m.sum([[x, 1.0], [2.0, x * x]], axis=0)[1], 6.0),
        (lambda m, x: m.max([1.0, x]), 1.0),
        (lambda m, x: m.linalg.norm([3 * x, 4 * x]), 5.0),
        (lambda m, x: m.dot([x, 1.0], [2.0, x]), 3.0),
        (lambda m, x: m.reshape([x, 2 * x], (2, 1))[1, 0], 2.0),
        (lambda m, x: m.concatenate([[x, 1.0], np.ones(3), [x * x]])[-1], 6.0),
        (lambda m, x: m.vstack([[x, 1.0], [2.0, x]])[1, 1], 1.0),
        (lambda m, x: m.stack([[x, 1.0], [2.0, x]])[1, 1], 1.0),
        (lambda m, x: m.where([True, False], [x, 1.0], 2.0)[0], 1.0),
        (lambda m, x: m.prod([x, 2.0, m.sum([x, 1.0])]), 2 * (2 * 3.0 + 1)),
    ],
)
def test_lists_of_tracked_values(call, wanted):
    def f(x):
        return call(anp, x)

    assert ad.grad(f)(3.0) == pytest.approx(wanted, rel=1e-15)
    assert ad.jvp(f, (3.0,), (1.0,))[1] == pytest.approx(wanted, rel=1e-15)
    assert f(3.0) == pytest.approx(call(np, 3.0), rel=1e-15)


@pytest.mark.parametrize(
    "call",
    [
        lambda m, x: m.piecewise(X, [X > 1, X < 0], [x, lambda t: t**2, 0.0])[1],
        lambda m, x: m.select([X > 1, X < 0], [[x, x**2, x], X])[1],
        lambda m, x: m.choose([1, 0], [[x, 1.0], [2.0, x**2]])[0] + x**2,
        lambda m, x: m.block([[x, 1.0], [2.0, x**2]])[1, 1],
        lambda m, x: m.linalg.multi_dot([[[x, 1.0]], [[1.0, 2.0], [x, x]], [1.0, 0.0]])[0] + x**2,
        lambda m, x: m.einsum("i,i", [x, 1.0], [x, 2.0]),
        lambda m, x: m.pad([x, x**2], 1, constant_values=(1.0, 2.0))[2],
        lambda m, x: m.interp(0.5, [0.0, 1.0], [x, x**2]),
        lambda m, x: m.insert(X, [0, 1], [x, x**2])[2],
        lambda m, x: m.piecewise([1.0, 2.0], [[True, False]], [x, x**2])[1],
        lambda m, x: m.interp(-1.0, [0.0, 1.0], [1.0, 2.0], left=x**2),
        lambda m, x: m.pad([1.0, 2.0], 1, constant_values=x**2)[0],
    ],
)
def test_lists_in_each_place(call):
    ad.check_grads(lambda x: call(anp, x), (1.5,))
    assert call(anp, 1.5) == pytest.approx(float(call(np, 1.5)), rel=1e-15)


def test_ufuncs_are_numpys_own_and_refuse_lists():
    with pytest.raises(TypeError, match=r"autodiff\.numpy\.array"):
        ad.grad(lambda x: anp.sin([x, x])[0])(1.0)


def test_lists_at_every_level():
    def f(x):
        inner = ad.grad(lambda y: anp.sum([x * y**2, y**3]))
        return inner(x)

    # d/dx of 2 x^2 + 3 x^2
    assert ad.grad(f)(2.0) == 20.0


def test_plain_in_plain_out():
    for found in (anp.sum(X), anp.mean([1.0, 2.0]), anp.sort(X), anp.array(X), anp.linalg.norm(X)):
        assert type(found) in (np.ndarray, np.float64)
    assert anp.shape([1, 2]) == (2,)
    assert anp.sum(np.ones((2, 3, 4)), axis=(1, 2)).shape == (2,)


@pytest.mark.parametrize("name", ["int64", "int32", "uint8", "intp", "int_"])
class TestIntegerTypes:
    def test_of_tracked_values(self, name):
        kind = getattr(anp, name)
        assert ad.grad(lambda x: kind(x) * x)(3.5) == 3.0
        found = kind(ad.Variable([1.5, 2.5]))
        assert type(found) is np.ndarray
        assert found.dtype == getattr(np, name)
        assert kind([ad.Variable(2.5), 1.0]).tolist() == [2, 1]

    def test_stand_for_numpys(self, name):
        kind, own = getattr(anp, name), getattr(np, name)
        assert type(kind(3)) is own
        assert np.dtype(kind) == own
        assert np.zeros(2, kind).dtype == own
        assert np.ones(2).astype(kind).dtype == own
        assert isinstance(own(3), kind)
        assert not isinstance(3.0, kind)
        assert issubclass(own, kind)
        assert np.issubdtype(own, kind)
        assert not np.issubdtype(np.float64, kind)
        assert np.issubdtype(kind, np.integer)
        assert np.iinfo(kind).max == np.iinfo(own).max
        assert kind == own
        assert {own: "found"}[kind] == "found"


def test_random_is_numpys():
    anp.random.seed(0)
    first = anp.random.randn(3)
    np.random.seed(0)  # noqa: NPY002 -- the same generator
    assert np.array_equal(first, np.random.randn(3))  # noqa: NPY002
