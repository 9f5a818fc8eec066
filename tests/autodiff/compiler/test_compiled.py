"""Compiled functions as users see them: arguments, results, derivatives, refusals, memory."""

import collections
import dataclasses
import gc
import os
import pickle
import sys
import threading
import tracemalloc
import warnings

import numpy as np
import pytest

import autodiff as ad
from autodiff.compiler.refusals import ShapeError, TracingError

Pair = collections.namedtuple("Pair", "first second")


@dataclasses.dataclass
class Model:
    weight: np.ndarray
    bias: float


@pytest.fixture(scope="module", autouse=True)
def shared_cache(tmp_path_factory):
    """Return a cache on disk for all tests of the module."""
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(params=["numpy", "c"])
def backend(request, folder, shared_cache, monkeypatch):
    """Return each backend; with C the programs of the module are built once."""
    monkeypatch.setenv("AUTODIFF_CACHE_DIR", str(shared_cache))
    os.chmod(shared_cache, 0o700)
    if request.param == "c":
        request.getfixturevalue("toolchain")
    return request.param


@pytest.fixture
def agrees(backend):
    """Return the check that a compiled function gives what the function gives."""

    def check(f, *args, **kwargs):
        compiled = ad.compile(f, backend=backend)
        wanted = f(*args, **kwargs)
        for _ in range(2):
            _same(compiled(*args, **kwargs), wanted)
        assert len(compiled.programs) == 1
        return compiled

    return check


def _same(found, wanted):
    assert type(found) is type(wanted), (found, wanted)
    if isinstance(wanted, dict):
        assert list(found) == list(wanted)
        found, wanted = tuple(found.values()), tuple(wanted.values())
    if dataclasses.is_dataclass(wanted):
        found, wanted = (tuple(vars(each).values()) for each in (found, wanted))
    if isinstance(wanted, (list, tuple)):
        assert len(found) == len(wanted)
        for ours, theirs in zip(found, wanted, strict=True):
            _same(ours, theirs)
        return
    if isinstance(wanted, (np.ndarray, np.generic)):
        assert found.dtype == wanted.dtype
        assert found.shape == wanted.shape
    if isinstance(wanted, (str, type(None))):
        assert found == wanted
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


A = np.arange(6.0).reshape(2, 3) / 4

CONTAINERS = {
    "list": (lambda v: [v[0] * 2, v[1]], [A, 1.5]),
    "tuple": (lambda v: (v[1], v[0].T), (A, 1.5)),
    "empty": (lambda v: ((), [], {}, v), A),
    "dict": (lambda d: {"w": d["w"] - d["b"], "n": [d["b"]]}, {"b": A[0], "w": A}),
    "dict with other keys": (lambda d: {1: d[1] * 2, (2,): d["x"]}, {1: A, "x": 2.0}),
    "namedtuple": (lambda p: Pair(p.second, p.first), Pair(A, A + 1)),
    "dataclass": (lambda m: Model(m.weight * m.bias, m.bias * m.bias), Model(A, 2.5)),
    "nested": (
        lambda v: {"a": [v[0]["x"], (v[1][0],)], "b": v[1][1]},
        [{"x": A}, (A + 1, np.float32(2))],
    ),
    "other things": (lambda v: (v[0], v[1], None, "z", v[2] * 2), ("name", None, A)),
    "lists of numbers": (lambda v: [v[0] * v[1], v[1]], [1.5, 2.5]),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers(agrees, name):
    f, given = CONTAINERS[name]
    agrees(f, given)


NUMBERS = [
    *(-0.0, np.float32(2.5), np.float64(2.5), np.array(2.5)),
    *(-1, np.int64(3), np.uint8(3), np.array(3), True, np.bool_(True)),
    *(np.array([1.5]), np.zeros((0,)), np.zeros((2, 0)), np.array([1, 2]), np.array([True, False])),
]


def _name(value):
    return f"{type(value).__name__}-{np.asarray(value).dtype}-{np.shape(value)}-{value}"


@pytest.mark.parametrize("given", NUMBERS, ids=_name)
def test_numbers_keep_their_kind(agrees, given):
    agrees(lambda x: (x, x + x, x * 2, [x]), given)
    agrees(
        lambda x, y, z: (x * y, y, x * np.float64(2) + z, x),
        given,
        np.ones((2, 1, 1)),
        np.float64(2),
    )


@pytest.mark.parametrize("first", [2.5, np.float32(2.5), np.float64(2.5), np.array(2.5)], ids=_name)
@pytest.mark.parametrize("second", [1.5, np.array(1.5)], ids=_name)
def test_gradients_keep_their_kind(agrees, first, second):
    def gradients(x, y):
        return [
            ad.grad(f, argnums=(0, 1))(x, y)
            for f in (lambda x, y: x * np.sin(y) + y, lambda x, y: 3.0 * x + 0.0 * y)
        ]

    agrees(gradients, first, second)


ARRAYS = {
    "strided": np.arange(24.0).reshape(4, 6)[::2, ::-2],
    "fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "big-endian": np.arange(6.0).reshape(2, 3).astype(">f8"),
    "broadcast": np.broadcast_to(np.arange(3.0), (2, 3)),
    "unaligned": np.frombuffer(b"\0" + np.arange(6.0).tobytes(), np.uint8)[1:].view("f8"),
    "float32": np.arange(6, dtype=np.float32),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_layouts(backend, name):
    array = ARRAYS[name]
    before = array.copy()
    f = ad.compile(lambda x: (np.exp(-x), np.sum(x * x, axis=0), x), backend=backend)
    for given in (array, np.ascontiguousarray(array, array.dtype.newbyteorder("="))):
        found = f(given)
        np.testing.assert_allclose(found[0], np.exp(-array), rtol=1e-6)
        np.testing.assert_allclose(found[1], np.sum(array * array, axis=0), rtol=1e-6)
        np.testing.assert_array_equal(found[2], array)
        assert all(out.flags.writeable for out in found if isinstance(out, np.ndarray))
    assert len(f.programs) == 1
    np.testing.assert_array_equal(array, before)


def test_read_only_arrays_and_subclasses(backend):
    class Own(np.ndarray):
        pass

    f = ad.compile(lambda x: x * 2, backend=backend)
    fixed = np.arange(3.0)
    fixed.flags.writeable = False
    for given in (fixed, np.arange(3.0).view(Own), np.arange(3.0).view(np.recarray)):
        np.testing.assert_array_equal(f(given), [0, 2, 4])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        others = (np.ma.masked_array([1.0]), np.matrix([[1.0]]))
    for given in others:
        with pytest.raises(TypeError, match="arithmetic"):
            f(given)


@pytest.mark.parametrize("dtype", ["D", "F", "e", "g"])
def test_dtypes_that_c_lacks(dtype):
    given = np.array([1, 2], dtype)
    f = ad.compile(lambda x: (x * x, np.sum(x)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = f(given)
    assert f.programs[0].backend == "numpy"
    _same(found, (given * given, np.sum(given)))


def test_arguments(backend):
    @ad.compile(backend=backend)
    def f(x, y=2.0, *rest, scale=1.0, **more):
        """Scale."""
        return x * y * scale + sum(rest) + sum(more.values())

    assert f.__name__ == "f"
    assert f.__doc__ == "Scale."
    assert f(3.0) == 6
    assert f(3.0, scale=2.0) == 12
    assert f(y=3.0, x=3.0) == f(x=3.0, y=3.0) == 9
    assert f(1.0, 1.0, 2.0, 3.0, scale=1.0, z=4.0) == 10
    assert len(f.programs) == 4
    with pytest.raises(TypeError, match="missing"):
        f()
    assert len(f.programs) == 4


def test_methods(backend):
    class Net:
        def __init__(self, scale):
            self.scale = scale

        @ad.compile(backend=backend)
        def run(self, x):
            return x * self.scale

        __hash__ = object.__hash__

    one, two = Net(2.0), Net(3.0)
    for _ in range(2):
        assert one.run(2.0) == 4
        assert two.run(2.0) == 6


def test_static_arguments(backend):
    @ad.compile(backend=backend, static_argnames=("n", "mode"))
    def power(x, n, mode="up"):
        for _ in range(n):
            x = x * 2 if mode == "up" else x / 2
        return x

    assert power(1.0, 3) == 8
    assert power(1.0, n=3) == 8
    assert power(1.0, 2, mode="down") == 0.25
    assert power(1.0, 2, "down") == 0.25
    assert power(1.0, 3) == 8
    with pytest.raises(TypeError, match="static argument 'n', which has no hash"):
        power(1.0, n=[3])
    single = ad.compile(lambda x, n: x[:n], static_argnames="n", backend=backend)
    assert single(np.arange(4.0), 2).shape == (2,)
    assert single(np.arange(4.0), 3).shape == (3,)


def test_static_values_are_told_apart(backend):
    f = ad.compile(lambda x, n: x * n[0], static_argnames="n", backend=backend)
    x = np.array([1, 2])
    assert f(x, (2,)).dtype == int
    assert f(x, (2.0,)).dtype == float
    g = ad.compile(lambda x, n: np.copysign(x, n), static_argnames="n", backend=backend)
    assert g(1.0, 0.0) == 1
    assert g(1.0, -0.0) == -1


def test_strings_choose_a_program(backend):
    f = ad.compile(lambda x, how: x + 1 if how == "up" else x - 1, backend=backend)
    assert [f(1.0, "up"), f(1.0, "down"), f(1.0, None)] == [2, 0, 0]
    assert len(f.programs) == 3


def test_whole_numbers_beyond_64_bits(backend):
    f = ad.compile(lambda n, x: n * x, backend=backend)
    assert f(3, 2.0) == 6
    for n in (2**63, 2**64 - 1, -(2**63), 2**70, -(2**70)):
        assert f(n, 2.0) == 2.0 * n
    assert f(3, 2.0) == 6


def test_signatures(backend):
    f = ad.compile(lambda x: x * 2, backend=backend)
    for given in (1.0, 1, True, np.float64(1), np.array(1.0), np.ones(1), np.ones(1, "f")):
        for _ in range(2):
            _same(f(given), given * 2)
    assert len(f.programs) == 7
    info = f.programs[0]
    assert (info.signature, info.backend) == ("(float)", backend)
    assert info.calls >= 1
    assert "7 program" in repr(f)


def test_many_signatures_warn_once(backend):
    f = ad.compile(lambda x: x + 1, backend="numpy")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for n in range(20):
            f(np.ones(n))
    assert [each.category for each in seen] == [UserWarning]
    assert "17 kinds of arguments" in str(seen[0].message)
    assert seen[0].filename == __file__


def test_text(backend):
    f = ad.compile(lambda x: np.sum(np.sin(x)), backend=backend)
    source, text = f.source(A), f.explain(A)
    assert "sin" in source
    assert ("PyObject" in source) == (backend == "c")
    assert "float64[2, 3]" in text
    assert "sum" in text
    assert len(f.programs) == 1


def test_complex_numbers_in_the_program():
    x = np.array([1.0, 2.0])
    f = ad.compile(lambda x: x * (1 + 0j), backend="numpy")
    assert f(x).tolist() == [1, 2]
    for number in (complex(2, np.inf), complex(np.nan, -np.inf), complex(0, np.nan)):
        f = ad.compile(lambda x, number=number: x + number, backend="numpy")
        np.testing.assert_array_equal(f(x), x + number)


def test_slices_that_go_down(backend):
    x = np.arange(3.0)
    f = ad.compile(lambda x: x[::-1] * 2.0, backend=backend)
    assert f(x).tolist() == [4, 2, 0]
    assert "[2::-1]" in f.explain(x)
    f = ad.compile(lambda x: (x[-20:-15:-1] * 2.0, np.sum(x[-20:-15:-1])), backend=backend)
    found, total = f(x)
    assert found.shape == (0,)
    assert total == 0


def test_outputs_are_arrays_of_their_own(backend):
    constant = np.arange(3.0)

    def f(x):
        y = x + 1
        return x, x, constant, y, y, y[::2], y.T, np.reshape(y, (3, 1)), np.broadcast_to(y, (2, 3))

    compiled = ad.compile(f, backend=backend)
    x = np.ones(3)
    for _ in range(2):
        found = compiled(x)
        _same(found, f(x))
        for i, out in enumerate(found):
            assert out.flags.writeable
            out[...] = 100 + i
        assert x.tolist() == [1, 1, 1]
        assert constant.tolist() == [0, 1, 2]
        assert [out.flat[0] for out in found] == [100 + i for i in range(len(found))]


def test_results_that_are_held_are_not_overwritten(backend):
    n = 40_000  # large enough to be used again
    f = ad.compile(lambda x: (x + 1, np.sum(x)), backend=backend)
    first, _ = f(np.zeros(n))
    view = f(np.full(n, 1.0))[0][::2]
    transposed = f(np.full(n, 2.0))[0].reshape(2, -1).T
    memory = memoryview(f(np.full(n, 3.0))[0])
    for i in range(5):
        f(np.full(n, 10.0 + i))
    assert np.all(first == 1)
    assert np.all(view == 2)
    assert np.all(transposed == 3)
    assert memory[0] == memory[n - 1] == 4
    del first
    shaped = f(np.zeros(n))[0]
    shaped.shape = (2, -1)
    kept = f(np.zeros(n))[0]
    assert kept.shape == (n,)
    alone = f(np.zeros(n))[0]
    alone.flags.writeable = False
    del alone
    assert f(np.ones(n))[0].flags.writeable


def test_threads(backend):
    n = 60_000
    f = ad.compile(lambda x: (np.sum(np.sin(x) * x), np.cumsum(x * 2), x @ x), backend=backend)
    args = [np.full(n, 1.0 + i) for i in range(4)]
    wanted = [f(x) for x in args]
    faults = []

    def work(i):
        for _ in range(20):
            found = f(args[i])
            if not all(np.array_equal(a, b) for a, b in zip(found, wanted[i], strict=True)):
                faults.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not faults


def module_function(x):
    return x * 3.0


def test_pickling(backend):
    f = ad.compile(module_function, backend=backend)
    assert f(2.0) == 6
    again = pickle.loads(pickle.dumps(ad.compile(np.sin, backend=backend)))
    assert again(0.5) == pytest.approx(np.sin(0.5))
    assert again.programs[0].backend == backend


class FailureError(Exception):
    """What a function raises that is called."""


def test_errors_inside_of_calls(backend):
    fails = []

    def called(x):
        if fails:
            raise FailureError
        return np.sort(x)

    rule = ad.custom_rule(called, vjp=lambda g, out, x: (g,))
    f = ad.compile(lambda x: np.sum(rule(x * 2) + 1), backend=backend)
    x = np.arange(3.0)
    assert f(x) == 9
    fails.append(1)
    before = sys.getrefcount(x)
    for _ in range(20):
        with pytest.raises(FailureError):
            f(x)
    gc.collect()
    assert sys.getrefcount(x) == before
    fails.clear()
    assert f(x) == 9


def test_a_call_that_changes_shape_is_an_error(backend):
    size = [3]
    rule = ad.custom_rule(lambda x: np.zeros(size[0]), vjp=lambda g, out, x: (g,))
    f = ad.compile(lambda x: rule(x) + 1, backend=backend)
    assert f(np.ones(3)).shape == (3,)
    size[0] = 4
    if backend == "c":
        with pytest.raises(ValueError, match="another shape"):
            f(np.ones(3))
    size[0] = 3
    assert f(np.ones(3)).shape == (3,)


def test_recursion(backend):
    """A compiled function that is called by a function that it calls."""
    depth = []

    def inner(x):
        if len(depth) < 3:
            depth.append(1)
            return np.asarray(f(np.asarray(x) + 1))
        return np.asarray(x) * 1.0

    rule = ad.custom_rule(inner, vjp=lambda g, out, x: (g,))
    depth.extend([1, 1, 1])
    f = ad.compile(lambda x: rule(x * 2) + x, backend=backend)
    x = np.ones(3)
    np.testing.assert_array_equal(f(x), [3, 3, 3])
    depth.clear()
    wanted = x
    values = [x]
    for _ in range(3):
        values.append(values[-1] * 2 + 1)
    wanted = values[-1] * 2
    for value in values[::-1]:
        wanted = wanted + value
    np.testing.assert_array_equal(f(x), wanted)


def loss(w, x):
    return np.sum(np.tanh(x @ w) ** 2)


W, X = np.array([0.5, -1.0, 0.25]), np.random.default_rng(0).normal(size=(4, 3))


@pytest.mark.parametrize(
    "transform",
    [
        lambda f: ad.grad(f),
        lambda f: ad.value_and_grad(f),
        lambda f: ad.hessian(f),
        lambda f: ad.jacobian(ad.grad(f)),
        lambda f: lambda w, x: ad.jvp(lambda w: f(w, x), (w,), (np.ones(3),)),
        lambda f: lambda w, x: ad.vjp(f, w, x)[1](1.0),
        lambda f: lambda w, x: ad.jvp(lambda w: ad.grad(f)(w, x), (w,), (np.ones(3),)),
        lambda f: ad.grad(f, argnums=(0, 1)),
    ],
    ids=["grad", "value_and_grad", "hessian", "jacobian", "jvp", "vjp", "hvp", "two"],
)
def test_derivatives(backend, transform):
    wanted = transform(loss)(W, X)
    outside = ad.compile(transform(loss), backend=backend)
    inside = transform(ad.compile(loss, backend=backend))
    both = ad.compile(transform(ad.compile(loss, backend=backend)), backend=backend)
    for f in (outside, inside, both):
        for _ in range(2):
            _same_numbers(f(W, X), wanted)


def _same_numbers(found, wanted):
    if isinstance(wanted, tuple):
        for ours, theirs in zip(found, wanted, strict=True):
            _same_numbers(ours, theirs)
    else:
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


def test_variables(backend):
    f = ad.compile(loss, backend=backend)
    w = ad.Variable(W)
    out = f(w, X) * 2
    out.backward()
    np.testing.assert_allclose(w.grad, 2 * ad.grad(loss)(W, X), rtol=1e-10)


def test_grad_of_a_compiled_function_with_other_outputs(backend):
    f = ad.compile(lambda p, n: {"loss": np.sum(p["w"] ** 2) * n, "count": n + 1, "tag": "t"},
                   backend=backend)  # fmt: skip
    found = ad.grad(lambda p: f(p, 3)["loss"])({"w": np.arange(3.0), "b": 1.0})
    np.testing.assert_allclose(found["w"], [0, 6, 12])
    assert found["b"] == 0


CALLED = {
    "svd": lambda x: np.linalg.svd(x, compute_uv=False),
    "svd of three": lambda x: np.linalg.svd(x, full_matrices=False),
    "median": lambda x: np.median(x, axis=0) * 2,
    "fft": lambda x: np.abs(np.fft.fft(x)),
    "sort": lambda x: np.sort(x, axis=0) + 1,
    "cumsum": lambda x: np.cumsum(x, axis=1),
    "einsum": lambda x: np.einsum("ij,kj->ik", x, x),
    "argmax": lambda x: np.argmax(x, axis=1),
    "index": lambda x: x[np.array([1, 0]), np.array([0, 2])],
    "solve": lambda x: np.linalg.solve(x @ x.T + np.eye(2), x),
    "slogdet": lambda x: np.linalg.slogdet(x @ x.T + np.eye(2)),
    "divmod": lambda x: divmod(x + 1.25, 0.75),
}


@pytest.mark.parametrize("name", CALLED)
def test_functions_that_are_called(backend, name):
    f = CALLED[name]
    wanted = f(A + 0.1 * A**2)
    found = ad.compile(lambda x: f(x + 0.1 * x**2), backend=backend)(A)
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
    else:
        found, wanted = (found,), (wanted,)
    for ours, theirs in zip(found, wanted, strict=True):
        assert np.result_type(ours) == np.result_type(theirs)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-13)


REFUSED = {
    "if": lambda x: x if x[0] > 0 else -x,
    "and": lambda x: x[0] > 0 and x[1] > 0,
    "float": lambda x: float(x[0]),
    "int": lambda x: int(x[0]),
    "range": lambda x: range(x.astype(int)[0]),
    "boolean index": lambda x: x[x > 0],
    "unique": lambda x: np.unique(x),
    "nonzero": lambda x: np.nonzero(x),
    "item": lambda x: x[0].item(),
    "tolist": lambda x: x.tolist(),
    "max": lambda x: max(x[0], x[1]),
    "list index": lambda x: [1, 2, 3][x.astype(int)[0]],
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_the_line(backend, name):
    f = REFUSED[name]
    line = f.__code__.co_firstlineno
    compiled = ad.compile(f, backend=backend)
    for _ in range(2):
        with pytest.raises(TracingError, match=rf"test_compiled.py:{line}|line {line}") as caught:
            compiled(np.arange(3.0))
        assert "traced" in str(caught.value)
    if name in ("boolean index", "unique", "nonzero"):
        assert isinstance(caught.value, ShapeError)
    assert not compiled.programs
    # Nothing is left of the trace that failed.
    assert ad.grad(lambda x: x * x)(3.0) == 6
    assert ad.compile(lambda x: x + 1, backend=backend)(1.0) == 2


def test_memory_is_flat(backend, request):
    count = 10_000 if request.config.getoption("--full") else 500

    @ad.compile(backend=backend)
    def f(p, n):
        y = np.sort(p["w"] * n)
        return {"a": y * 2, "b": [np.sum(y), (y[0], n)]}

    given = {"w": np.arange(50.0)}
    small = ad.compile(lambda x, y: (x * y, [x]), backend=backend)
    for i in range(200):
        f(given, 1.5)
        small(1.0 + i, 2.0)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for i in range(count):
            f(given, 1.5)
            small(1.0 + i, 2.0)
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert after - before < 20_000


def test_changes_in_place(backend):
    def f(x, n):
        y = x * 1.0
        y += 2
        n += 1
        y *= n
        return y, n

    for args in ((np.arange(3.0), 2), (1.5, 2.0), (np.arange(3.0), np.array([1, 2, 3]))):
        expected = f(*(a.copy() if isinstance(a, np.ndarray) else a for a in args))
        kept = [np.array(a) for a in args]
        _same(ad.compile(f, backend=backend)(*args), expected)
        for a, b in zip(args, kept, strict=True):
            np.testing.assert_array_equal(a, b)


def test_training_step(backend):
    def step(params, moments, count, x, y):
        value, grads = ad.value_and_grad(
            lambda p: np.mean((np.tanh(x @ p["w"] + p["b"]) - y) ** 2)
        )(params)
        count = count + 1
        new, kept = {}, {}
        for name, grad in grads.items():
            kept[name] = 0.9 * moments[name] + 0.1 * grad
            new[name] = params[name] - 0.1 * kept[name] / (1 - 0.9**count)
        return value, new, kept, count

    rng = np.random.default_rng(0)
    params = {"w": rng.normal(size=3), "b": 0.5}
    state = (params, {"w": np.zeros(3), "b": 0.0}, 0)
    x, y = rng.normal(size=(8, 3)), rng.normal(size=8)
    compiled = ad.compile(step, backend=backend)
    one, two = state, state
    for _ in range(4):
        first, *one = step(*one, x, y)
        second, *two = compiled(*two, x, y)
        np.testing.assert_allclose(second, first, rtol=1e-12)
    np.testing.assert_allclose(two[0]["w"], one[0]["w"], rtol=1e-12)
    assert type(two[2]) is int
    assert len(compiled.programs) <= 2
