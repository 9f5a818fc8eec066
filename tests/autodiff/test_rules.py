"""Array rules: every function against finite differences, in both modes and orders."""

import itertools

import numpy as np
import pytest

import autodiff as ad
from autodiff import check_grads, grad

RNG = np.random.default_rng(0)


def array(*shape):
    """Return values that keep away from kinks and from each other."""
    size = int(np.prod(shape))
    values = np.linspace(0.5, 1.5, size) + 0.01 * RNG.random(size)
    return RNG.permutation(values).reshape(shape)


SHAPES = [(), (3,), (1,), (2, 3), (3, 1), (2, 2, 3)]
REDUCTIONS = [np.sum, np.mean, np.max, np.min, np.var, np.std]


def axes_of(shape):
    ndim = len(shape)
    singles = [None, *range(-ndim, ndim)]
    return [*singles, *itertools.combinations(range(ndim), 2)]


@pytest.mark.parametrize("f", REDUCTIONS, ids=lambda f: f.__name__)
def test_reductions(f):
    for shape in SHAPES:
        for axis in axes_of(shape):
            for keepdims in (False, True):
                x = array(*shape)
                reduced = 1 if axis is None else np.prod(np.take(shape, axis))
                if f in {np.std, np.var} and (reduced == 1 or x.size == 1):
                    continue
                order = 2 if len(shape) < 3 else 1
                check_grads(
                    lambda x, a=axis, k=keepdims: f(x, axis=a, keepdims=k), (x,), order=order
                )


def test_reductions_of_empty_arrays():
    empty = np.zeros((0, 3))
    np.testing.assert_array_equal(grad(np.sum)(empty), empty)
    found = ad.jacobian(lambda x: np.sum(x, axis=0))(empty)
    assert found.shape == (3, 0, 3)


def test_ddof():
    check_grads(lambda x: np.var(x, ddof=1), (array(5),))
    check_grads(lambda x: np.std(x, axis=1, ddof=1), (array(2, 3),))


def test_equal_extremes_share():
    x = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
    np.testing.assert_array_equal(
        grad(lambda v: np.sum(np.max(v, axis=1)))(x), [[0, 0.5, 0.5], [1 / 3] * 3]
    )
    np.testing.assert_array_equal(grad(np.min)(np.ones(4)), [0.25] * 4)
    np.testing.assert_array_equal(grad(np.max)(np.array([np.inf, np.inf])), [0.5, 0.5])
    np.testing.assert_array_equal(grad(np.max)(np.array([1.0, np.nan])), [0.0, 1.0])


PRODUCTS = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 2)),
    ((4, 2, 3), (3, 2)),
    ((2, 3), (4, 3, 2)),
    ((4, 2, 3), (4, 3, 2)),
    ((1, 2, 3), (4, 3, 2)),
    ((3,), (4, 3, 2)),
    ((4, 2, 3), (3,)),
    ((0, 3), (3, 2)),
]


@pytest.mark.parametrize(("a", "b"), PRODUCTS)
def test_matmul(a, b):
    check_grads(np.matmul, (array(*a), array(*b)))
    constant = array(*b)
    check_grads(lambda x: x @ constant, (array(*a),), order=1)


@pytest.mark.parametrize(("a", "b"), [*PRODUCTS, ((), (3,)), ((2, 2), ()), ((2, 3), (4, 3, 2))])
def test_dot(a, b):
    x, y = array(*a), array(*b)
    np.testing.assert_allclose(np.dot(ad.Variable(x), y).value, np.dot(x, y), rtol=1e-14)
    check_grads(np.dot, (x, y), order=1)


@pytest.mark.parametrize("offset", [0, 1, -1, 5])
def test_trace(offset):
    check_grads(lambda x: np.trace(x, offset), (array(3, 4),))
    check_grads(lambda x: np.trace(x, offset), (array(4, 3),))
    check_grads(lambda x: np.trace(x, offset, 1, 2), (array(2, 3, 3),), order=1)
    check_grads(lambda x: np.trace(x, offset, 1, 0), (array(3, 4),), order=1)
    check_grads(lambda x: np.trace(x, offset, -1, 0), (array(2, 3, 3),), order=1)


MOVES = {
    "reshape": (lambda x: np.reshape(x, (3, 2)), (2, 3)),
    "reshape method": (lambda x: x.reshape(-1), (2, 3)),
    "ravel": (np.ravel, (2, 3)),
    "flatten": (lambda x: x.flatten(), (2, 3)),
    "squeeze": (np.squeeze, (1, 3, 1)),
    "squeeze axis": (lambda x: np.squeeze(x, axis=-1), (1, 3, 1)),
    "expand_dims": (lambda x: np.expand_dims(x, (0, -1)), (3,)),
    "transpose": (np.transpose, (2, 3)),
    "transpose axes": (lambda x: np.transpose(x, (1, -1, 0)), (2, 3, 1)),
    "T": (lambda x: x.T, (2, 3)),
    "broadcast_to": (lambda x: np.broadcast_to(x, (2, 3, 4)), (3, 1)),
    "broadcast_to number": (lambda x: np.broadcast_to(x, (2, 3)), ()),
    "slice": (lambda x: x[1:, ::-1], (3, 4)),
    "integer": (lambda x: x[1], (3, 4)),
    "negative": (lambda x: x[-1, -2], (3, 4)),
    "ellipsis": (lambda x: x[..., None, 0], (3, 4)),
    "repeats": (lambda x: x[[0, 0, 2]], (3, 4)),
    "two arrays": (lambda x: x[np.array([0, 1, 1]), [2, 2, 2]], (3, 4)),
    "mask": (lambda x: x[np.array([True, False, True])], (3, 4)),
    "own mask": (lambda x: x[x > 1.0], (3, 4)),
    "mixed index": (lambda x: x[:, [0, 0], None], (3, 4)),
    "empty index": (lambda x: x[[]], (3, 4)),
    "copy": (lambda x: x.copy(), (3,)),
    "iteration": (lambda x: sum(row * row for row in x), (3, 2)),
}


@pytest.mark.parametrize("name", MOVES)
def test_moves(name):
    f, shape = MOVES[name]
    check_grads(f, (array(*shape),))
    check_grads(lambda x: np.sin(f(x * x)), (array(*shape),))


def test_joining():
    x, y = array(2, 3), array(2, 3)
    for axis in (0, 1, -1):
        check_grads(lambda x, y, a=axis: np.concatenate([x, np.ones((2, 3)), y], a), (x, y))
    check_grads(lambda x, y: np.concatenate((x, y), axis=None), (x, array(4)))
    for axis in (0, 1, 2, -1):
        check_grads(lambda x, y, a=axis: np.stack([x, y, x], axis=a), (x, y))
    check_grads(lambda a, b: np.stack([a, 1.0, a * b]), (0.5, 2.0))
    with pytest.raises(ValueError, match=r"np\.stack"):
        np.concatenate([ad.Variable(1.0), ad.Variable(2.0)])


ASSIGNMENTS = [
    (0, ()),
    (slice(1, None), (3,)),
    (slice(1, None), (1, 3)),
    ((slice(None), [0, 2]), (3, 1)),
    ([0, 0, 2], (3, 3)),
    (np.array([[True, False, False]] * 3), (3,)),
    ((..., -1), (1, 3)),
]


@pytest.mark.parametrize(("index", "shape"), ASSIGNMENTS)
def test_item_assignment(index, shape):
    def f(x, new):
        y = np.sin(x)
        y[index] = new
        return y * y

    check_grads(f, (array(3, 3), array(*shape)))


@pytest.mark.parametrize("order", [None, 2, 1, 3, np.inf, -np.inf])
def test_vector_norms(order):
    check_grads(lambda x: np.linalg.norm(x, order), (array(4),))
    check_grads(lambda x: np.linalg.norm(x, order, axis=1), (array(2, 3),), order=1)
    check_grads(lambda x: np.linalg.norm(x, order, 0, True), (array(2, 3),), order=1)


def test_matrix_norms():
    check_grads(np.linalg.norm, (array(2, 3),))
    check_grads(lambda x: np.linalg.norm(x, "fro", axis=(0, 2)), (array(2, 2, 3),))


def test_elementwise_functions_that_are_no_ufuncs():
    x = array(2, 3)
    check_grads(lambda x: np.where(x > 1.0, x**2, np.sin(x)), (x,))
    check_grads(lambda x, y: np.where(np.eye(3) > 0, x, y), (array(3), array(3, 1)))
    check_grads(lambda x: np.clip(x, 0.8, 1.2), (x,))
    check_grads(lambda x: np.clip(x, None, 1.2), (x,))
    check_grads(lambda x: np.clip(x, min=0.8, max=1.2), (x,))
    check_grads(lambda x: x.clip(0.8), (x,))
    bad = np.array([1.0, np.nan, np.inf])
    np.testing.assert_array_equal(grad(lambda v: np.sum(np.nan_to_num(v, nan=2.0)))(bad), [1, 0, 0])
    assert [i.tolist() for i in np.where(ad.Variable([1.0, 0.0]))] == [[0]]


def test_astype():
    x = ad.Variable(np.ones(2, np.float32))
    y = x.astype(np.float64) * np.array([1.0, 2.0])
    assert y.dtype == np.float64
    y.sum().backward()
    assert x.grad.dtype == np.float32
    np.testing.assert_array_equal(x.grad, [1.0, 2.0])
    with pytest.raises(TypeError, match="int64"):
        x.astype(int)


def test_inputs_never_change_and_layouts_do_not_matter():
    base = array(4, 6)
    for x in (base[::2, ::-1], base.T, np.asfortranarray(base)):
        before = x.copy()
        found = grad(lambda v: np.sum(np.tanh(v @ v.T) * np.max(v)))(x)
        right = grad(lambda v: np.sum(np.tanh(v @ v.T) * np.max(v)))(np.ascontiguousarray(x))
        np.testing.assert_array_equal(x, before)
        np.testing.assert_allclose(found, right, rtol=1e-13)
    frozen = base.copy()
    frozen.flags.writeable = False
    assert grad(np.sum)(frozen).shape == frozen.shape
