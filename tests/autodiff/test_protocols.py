"""Plain NumPy code on tracked values: what works, and what each refusal says."""

import numpy as np
import pytest

import autodiff as ad


@pytest.fixture
def v():
    return ad.Variable([[1.0, 2.0], [3.0, 4.0]])


def test_ufuncs_and_reductions_are_followed(v):
    for made in (np.tanh(v), np.add.reduce(v), np.maximum.reduce(v, axis=1), np.sum(v), v.sum(0)):
        assert isinstance(made, ad.Variable)
    np.testing.assert_array_equal(np.add.reduce(v).value, [4.0, 6.0])
    np.testing.assert_array_equal(np.maximum.reduce(v, axis=1).value, [2.0, 4.0])


def test_special_functions_of_scipy_are_followed(v):
    special = pytest.importorskip("scipy.special")
    out = special.expit(v)
    out.sum().backward()
    s = special.expit(v.value)
    np.testing.assert_allclose(v.grad, s * (1 - s), rtol=1e-14)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda v: np.sin(v, out=np.empty((2, 2))), "out="),
        (lambda v: np.sin(v, where=np.ones((2, 2), bool)), r"np\.where"),
        (lambda v: np.add.at(np.zeros(2), [0], v[0]), r"np\.add\.at"),
        (lambda v: np.add.reduceat(v, [0]), r"np\.add\.reduceat"),
        (lambda v: np.clip(v, 0, 1, dtype=np.float64), r"np\.clip.*dtype="),
        (lambda v: np.packbits(v), r"np\.packbits.*table entry.*custom_rule.*value"),
        (lambda v: np.histogram(v), r"np\.histogram has no derivative.*kernels"),
        (lambda v: [1, 2, 3][v[0, 0]], "index"),
    ],
)
def test_refusals_name_the_function_and_a_way_out(v, use, message):
    with pytest.raises(TypeError, match=message):
        use(v)


def test_a_scipy_function_in_python_is_named(v):
    special = pytest.importorskip("scipy.special")
    with pytest.raises(TypeError, match=r"tracked"):
        special.polygamma(1, v)


def test_detached_values_are_plain_to_others(v):
    with ad.no_grad():
        out = np.sum(v * 2)
    assert float(out) == 20.0
    assert not out.is_tracked
    np.testing.assert_array_equal(np.asarray(v.detach()), v.value)
    assert float(ad.Variable(2.0).detach()) == 2.0
    with pytest.raises(TypeError, match="history"):
        out.backward()


def test_comparisons_give_plain_booleans(v):
    assert type(v > 2) is np.ndarray
    assert (v == v.value).all()
    assert (ad.Variable(1.0) < 2.0) is True
    assert np.isnan(v).dtype == bool
    assert np.argmax(v) == 3
    assert np.isfinite(v).all()
    assert np.zeros_like(v).shape == (2, 2)
    assert type(np.ones_like(v)) is np.ndarray
    assert v in {v}


def test_operators_and_their_reflections(v):
    w = np.array([[0.5, 1.5], [2.5, 3.5]])
    pairs = [
        (v + w, v.value + w),
        (w - v, w - v.value),
        (2 / v, 2 / v.value),
        (v // 2, v.value // 2),
        (v % 2, v.value % 2),
        (7.5 % v, 7.5 % v.value),
        (v**2, v.value**2),
        (2**v, 2**v.value),
        (v @ w, v.value @ w),
        (w @ v, w @ v.value),
        (-v, -v.value),
        (+v, v.value),
        (abs(-v), v.value),
        (np.float64(3) * v, 3 * v.value),
    ]
    for made, right in pairs:
        assert isinstance(made, ad.Variable)
        np.testing.assert_array_equal(made.value, right)


def test_the_interface_of_ndarray(v):
    assert (v.shape, v.ndim, v.size, len(v), v.dtype) == ((2, 2), 2, 4, 2, np.float64)
    assert [row.value.tolist() for row in v] == v.value.tolist()
    np.testing.assert_array_equal(v.T.value, v.value.T)
    assert v[0, 1].value == 2.0
    assert v.reshape(4).shape == v.ravel().shape == (4,)
    assert v.reshape((1, 4)).squeeze().shape == (4,)
    for name in ("sum", "mean", "max", "min", "var", "std", "trace"):
        assert getattr(v, name)().value == getattr(v.value, name)()
    assert ad.Variable(2.5).item() == 2.5
    with pytest.raises(TypeError, match="len"):
        len(ad.Variable(1.0))
    with pytest.raises(TypeError, match="iterated"):
        iter(ad.Variable(1.0))


def test_values_are_read_only_and_grads_writable(v):
    with pytest.raises(ValueError, match="read-only"):
        v.value[0, 0] = 5.0
    out = v * 2
    with pytest.raises(ValueError, match="read-only"):
        out.value[0, 0] = 5.0
    out.sum().backward()
    v.grad[0, 0] = 5.0


def test_setting_the_value(v):
    with pytest.raises(TypeError, match=r"no_grad\(\): x\.value = "):
        v.value = np.zeros((2, 2))
    with ad.no_grad():
        v.value = np.ones((2, 2))
        v[0, 0] = 7.0
    np.testing.assert_array_equal(v.value, [[7.0, 1.0], [1.0, 1.0]])
    assert v.is_leaf
    with ad.no_grad(), pytest.raises(ValueError, match=r"\(3,\)"):
        v.value = np.ones(3)


def test_text():
    assert repr(ad.Variable(1.5)) == "Variable(1.5)"
    assert repr(ad.Variable([1.0, 2.0])) == "Variable([1., 2.])"
    assert f"{ad.Variable(1.23456):.2f}" == "1.23"


@pytest.mark.parametrize("value", [True, "text", None, [object()], np.array([True])])
def test_values_without_a_derivative_are_refused(value):
    with pytest.raises(TypeError, match="derivative"):
        ad.Variable(value)


def test_variable_of_a_tracked_value_is_refused(v):
    with pytest.raises(TypeError, match="history"):
        ad.Variable(v)
    with pytest.raises(TypeError, match="history"):
        ad.grad(lambda x: ad.Variable(x) * 2)(1.0)
    assert ad.Variable(v.detach()).is_leaf


def test_keywords_of_ufuncs():
    x = np.array([0.1, 0.2])
    value, pullback = ad.vjp(lambda x: np.multiply(x, 3, dtype=np.float32, casting="same_kind"), x)
    assert value.dtype == np.float32
    np.testing.assert_array_equal(value, np.multiply(x, 3, dtype=np.float32, casting="same_kind"))
    (found,) = pullback(np.ones(2, np.float32))
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, [3.0, 3.0])
    assert np.exp(ad.Variable(x), order="F", subok=False).shape == (2,)
    with pytest.raises(TypeError, match=r"np\.exp.*signature="):
        np.exp(ad.Variable(x), signature="d->d")
