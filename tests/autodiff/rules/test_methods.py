"""Methods and attributes of ndarray on tracked values, and the protocols of Python."""

import copy
import math
import pickle

import numpy as np
import pytest
import scipy.linalg
import scipy.stats

import autodiff as ad
from autodiff import grad


def array(*shape):
    """Return values that are far from each other and from 0."""
    values = np.linspace(0.5, 1.5, int(np.prod(shape)))
    return np.random.default_rng(4).permutation(values).reshape(shape)


@pytest.fixture
def v():
    return ad.Variable([[1.0, 2.0], [3.0, 4.0]])


ORDERED = {
    "clip": lambda x: x.clip(0.8, 1.2),
    "clip keywords": lambda x: x.clip(max=1.2),
    "max": lambda x: x.max(axis=1, keepdims=True),
    "max initial": lambda x: x.max(0, initial=1.0),
    "min": lambda x: x.min(),
    "min where": lambda x: x.min(where=x > 0.7, initial=2.0),
}
METHODS = {
    "astype": lambda x: x.astype(x.dtype),
    "compress": lambda x: x.compress([True, False, True], axis=1),
    "conj": lambda x: x.conj(),
    "conjugate": lambda x: x.conjugate(),
    "copy": lambda x: x.copy(),
    "copy order": lambda x: x.copy("K"),
    "cumprod": lambda x: x.cumprod(axis=0),
    "cumsum": lambda x: x.cumsum(1),
    "cumsum flat": lambda x: x.cumsum(),
    "diagonal": lambda x: x.diagonal(1),
    "dot": lambda x: x.dot(np.ones((4, 2))),
    "flatten": lambda x: x.flatten(),
    "flatten F": lambda x: x.flatten("F"),
    "imag": lambda x: x.imag if np.iscomplexobj(x) else x,
    "mT": lambda x: x.mT,
    "mean": lambda x: x.mean(axis=0),
    "mean where": lambda x: x.mean(axis=0, where=np.eye(3, 4) == 0),
    "prod": lambda x: x.prod(axis=-1),
    "prod keepdims": lambda x: x.prod(keepdims=True),
    "ravel": lambda x: x.ravel(order="F"),
    "real": lambda x: x.real,
    "repeat": lambda x: x.repeat(2, axis=0),
    "reshape": lambda x: x.reshape(2, 6),
    "reshape tuple": lambda x: x.reshape((2, -1)),
    "reshape F": lambda x: x.reshape(2, 6, order="F"),
    "squeeze": lambda x: x[None].squeeze(axis=0),
    "std": lambda x: x.std(axis=1, ddof=1),
    "sum": lambda x: x.sum(),
    "sum axes": lambda x: x.sum(axis=(0, -1), keepdims=True),
    "sum initial": lambda x: x.sum(0, initial=2.0),
    "sum where": lambda x: x.sum(axis=0, where=np.eye(3, 4) > 0),
    "swapaxes": lambda x: x.swapaxes(0, 1),
    "T": lambda x: x.T,
    "take": lambda x: x.take([0, 0, 2], axis=1),
    "trace": lambda x: x.trace(1),
    "transpose": lambda x: x.transpose(),
    "transpose axes": lambda x: x.transpose(1, 0),
    "transpose tuple": lambda x: x.transpose((1, 0)),
    "var": lambda x: x.var(axis=0, ddof=1, keepdims=True),
    "var correction": lambda x: np.var(x, axis=0, correction=1),
    **ORDERED,
}


@pytest.mark.parametrize("name", METHODS)
def test_methods(check_rule, name):
    real = name in ORDERED or name.startswith(("std", "var"))
    check_rule(METHODS[name], array(3, 4), complex=not real)


PLAIN = {
    "all": lambda x: x.all(),
    "any": lambda x: x.any(axis=0),
    "argmax": lambda x: x.argmax(),
    "argmax keepdims": lambda x: x.argmax(axis=1, keepdims=True),
    "argmin": lambda x: x.argmin(0),
    "argpartition": lambda x: x.argpartition(1, axis=0),
    "argsort": lambda x: x.argsort(axis=0),
    "item": lambda x: x.item(1, 2),
    "item flat": lambda x: x.item(3),
    "itemsize": lambda x: x.itemsize,
    "nbytes": lambda x: x.nbytes,
    "ndim": lambda x: x.ndim,
    "nonzero": lambda x: x.nonzero(),
    "round": lambda x: x.round(1),
    "searchsorted": lambda x: x[0].searchsorted([0.7, 1.0], side="right"),
    "shape": lambda x: x.shape,
    "size": lambda x: x.size,
    "tolist": lambda x: x.tolist(),
}


@pytest.mark.parametrize("name", PLAIN)
def test_methods_that_give_constants(name):
    x = np.sort(array(3, 4), axis=1)
    found, wanted = PLAIN[name](ad.Variable(x)), PLAIN[name](x)
    assert not getattr(found, "is_tracked", False)
    found = getattr(found, "value", found)
    assert type(found) is type(wanted)
    assert np.array_equal(found, wanted)


def test_dtype_of_results():
    x = ad.Variable(np.ones(3, np.float32))
    assert x.sum(dtype=np.float64).dtype == np.float64
    assert x.mean(dtype=float).dtype == np.float64
    assert (x.itemsize, x.nbytes) == (4, 12)


def test_every_attribute_of_ndarray_is_there_or_says_what_to_do(v):
    names = {name for name in dir(np.ndarray) if not name.startswith("_")}
    missing = {name for name in names if not hasattr(v, name)}
    for name in missing:
        with pytest.raises(AttributeError, match=rf"v\.value\.{name}"):
            getattr(v, name)
    assert {"strides", "flags", "view", "resize", "tobytes", "data"} <= missing
    assert not missing & {*(name.partition(" ")[0] for name in (*METHODS, *PLAIN)), "flat", "fill"}
    with pytest.raises(AttributeError, match=r"np\.resize"):
        v.resize(3)
    with pytest.raises(AttributeError, match=r"v\.astype"):
        v.view(int)
    with pytest.raises(AttributeError):
        v.nonsense  # noqa: B018


def test_numbers_have_the_methods_too():
    x = ad.Variable(2.5)
    assert (x.shape, x.ndim, x.size, x.dtype, x.nbytes) == ((), 0, 1, float, 8)
    assert x.item() == x.tolist() == 2.5
    for name in ("sum", "mean", "max", "min", "prod", "conj", "copy", "squeeze", "transpose"):
        out = getattr(x, name)()
        assert out.item() == 2.5
        assert out.is_tracked
    assert x.reshape(1, 1).shape == (1, 1)
    assert x.real is x
    assert x.imag == 0.0
    assert grad(lambda x: x.ravel().sum() * x.flatten()[0])(3.0) == 6.0


def test_real_and_imaginary_parts():
    x = ad.Variable(np.ones(2, np.float32))
    assert x.real is x
    assert type(x.imag) is np.ndarray
    assert x.imag.dtype == np.float32
    z = ad.Variable(np.array([1.0 + 2.0j, 3.0]))
    np.testing.assert_array_equal(z.real.value, [1.0, 3.0])
    np.testing.assert_array_equal(z.imag.value, [2.0, 0.0])
    assert ad.Variable(1.0 + 2.0j).imag.item() == 2.0


def test_flat(v):
    assert len(v.flat) == 4
    assert [e.item() for e in v.flat] == [1.0, 2.0, 3.0, 4.0]
    assert v.flat[2].item() == 3.0
    assert v.flat[1:].is_tracked
    assert v.flat.copy().shape == (4,)
    np.testing.assert_array_equal(np.stack(list(v.flat)).value, [1.0, 2.0, 3.0, 4.0])
    with pytest.raises(TypeError, match=r"x\.copy\(\)"):
        v.flat[0] = 1.0


def test_methods_in_place(v):
    for use in (lambda x: x.fill(1.0), lambda x: x.sort(), lambda x: x.put(0, 1.0)):
        with pytest.raises(TypeError, match=r"x\.copy\(\)"):
            use(v)
    with ad.no_grad():
        v.fill(7.0)
        v.put([0], [1.0])
        v.sort(axis=0)
    np.testing.assert_array_equal(v.value, [[1.0, 7.0], [7.0, 7.0]])
    assert v.is_leaf
    w = v * 1.0
    w.fill(ad.Variable(3.0))
    assert w.is_tracked


def test_divisions(check_rule, v):
    check_rule(lambda x: divmod(x, 0.3), array(3) + 0.07, complex=False)
    check_rule(lambda x: divmod(1.7, x), array(3) + 0.07, complex=False)
    check_rule(lambda x: np.divmod(x, 0.3)[1], array(3) + 0.07, complex=False)
    quotient, rest = divmod(v, v + 0.5)
    np.testing.assert_array_equal(quotient.value, [[0.0, 0.0], [0.0, 0.0]])
    np.testing.assert_array_equal(rest.value, v.value)
    assert grad(lambda x: divmod(x, 2.0)[1])(7.5) == 1.0
    assert grad(lambda y: divmod(7.5, y)[1])(2.0) == -3.0


def test_python_functions_of_tracked_numbers():
    x, y = ad.Variable(2.5), ad.Variable(-1.5)
    assert [e.item() for e in sorted([x, y])] == [-1.5, 2.5]
    assert max(x, y) is x
    assert min([x, y]) is y
    assert sum([x, y, 1.0]).item() == 2.0
    assert abs(y).item() == 1.5
    assert (round(x), math.floor(x), math.ceil(x), math.trunc(y)) == (2, 2, 3, -1)
    assert all(type(f(x)) is int for f in (round, math.floor, math.ceil, math.trunc))
    assert round(x, 0) == 2.0
    assert list(range(5))[round(x)] == 2
    assert f"{x:.3f} {y:+.1e}" == "2.500 -1.5e+00"
    assert f"{ad.Variable(np.array(2.0)):.1f}" == "2.0"
    assert grad(lambda x: sum([x, x**2, 1.0]))(3.0) == 7.0
    assert grad(lambda x: max(x, 1.0) * min(x, 1.0))(3.0) == 1.0
    assert grad(lambda x: x * round(x))(2.75) == 3.0
    assert grad(lambda x: x - math.floor(x))(2.75) == 1.0
    np.testing.assert_array_equal(round(ad.Variable([0.4, 0.6])), [0.0, 1.0])
    for convert in (float, int, math.exp, complex):
        with pytest.raises(TypeError, match="tracked"):
            convert(x)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (np.vectorize(abs), r"np\.vectorize\."),
        (np.ndenumerate, r"np\.ndenumerate\(\)"),
        (lambda v: np.sum([v, v]), r"np\.sum\(\)"),
        (np.ascontiguousarray, r"np\.asarray"),
        (lambda v: np.linalg.det([[v[0, 0], 1.0], [0.0, 1.0]]), r"np\.linalg\.det\(\)"),
        (scipy.linalg.expm, r"scipy\.linalg\.expm\(\)"),
        (scipy.linalg.polar, r"scipy\.linalg\.polar\(\)"),  # by SciPy's decorator
        (scipy.stats.skew, r"scipy\.stats\.skew\(\)"),
        (scipy.stats.norm.logpdf, r"scipy\.stats\.rv_continuous\.logpdf\(\)"),
    ],
)
def test_functions_without_a_protocol_refuse(v, function, name):
    message = rf"^{name}.*derivative would be lost.*autodiff\.scipy instead.*stop_gradient"
    with pytest.raises(TypeError, match=message):
        function(v)


def test_numpy_about_tracked_values(v):
    assert np.shape(v) == (2, 2)
    assert np.size(v) == 4
    assert np.ndim(v) == 2
    assert np.result_type(v, np.float32(1)) == np.float64
    assert np.allclose(v, v.value)
    assert np.array_equal(v, v * 1.0)
    assert np.array_equiv(v, v.value)
    assert not np.iscomplexobj(v)
    assert np.can_cast(v, np.float64)
    assert np.array_repr(v).startswith("array(")
    assert 3.0 in v
    assert 5.0 not in v


@pytest.mark.parametrize("value", [2.0, np.float32(2.0), [1.0, 2.0], 1.0 + 2.0j], ids=repr)
@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))]
)
def test_copies_of_leaves_keep_value_grad_and_leafness(value, duplicate):
    v = ad.Variable(value)
    np.sum(np.real(v * v)).backward()
    w = duplicate(v)
    assert type(w) is ad.Variable
    assert w.is_leaf
    assert type(w.value) is type(v.value)
    np.testing.assert_array_equal(w.value, v.value)
    np.testing.assert_array_equal(w.grad, v.grad)
    np.sum(np.real(w * w)).backward()
    np.testing.assert_array_equal(w.grad, 2 * v.grad)
    out = duplicate(v * 2.0)
    assert out.is_tracked == (duplicate is copy.copy)
    np.testing.assert_array_equal(out.value, v.value * 2.0)


def test_copies_inside_transforms_are_followed():
    for of in (grad, lambda f: lambda x: ad.jvp(f, (x,), (1.0,))[1]):
        assert of(lambda x: copy.deepcopy(x) * copy.copy(x))(3.0) == 6.0
        with pytest.raises(TypeError, match="pickled"):
            of(lambda x: pickle.loads(pickle.dumps(x)))(3.0)
