"""Products: values, derivatives, and what they say of shapes that do not fit."""

import numpy as np
import pytest

import autodiff as ad
from autodiff import Variable, grad


def made(*shapes):
    rng = np.random.default_rng(0)
    return [rng.uniform(-1.0, 1.0, shape) for shape in shapes]


def named(*calls):
    """Return parameters (call, shapes) with ids."""
    return [pytest.param(call, shapes, id=name) for name, call, shapes in calls]


MATMUL = [
    ((3,), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3,)),
    ((2, 3), (3, 4)),
    ((1, 1), (1, 1)),
    ((0, 3), (3, 2)),
    ((2, 0), (0, 3)),
    ((3,), (4, 3, 2)),
    ((4, 2, 3), (3,)),
    ((4, 2, 3), (3, 2)),
    ((2, 3), (4, 3, 2)),
    ((4, 2, 3), (4, 3, 2)),
    ((5, 1, 2, 3), (4, 3, 2)),
    ((0, 2, 3), (3, 2)),
]
DOT = [((), ()), ((), (2, 3)), ((3,), ()), ((2, 3), (4, 3, 2)), ((4, 2, 3), (3,))]
DOT += [((3,), (4, 3, 2)), ((4, 2, 3), (3, 5)), ((2, 2, 3), (2, 3, 2))]


@pytest.mark.parametrize(("a", "b"), MATMUL, ids=str)
@pytest.mark.parametrize(
    "function", [np.matmul, np.linalg.matmul, np.dot], ids=["ufunc", "linalg", "dot"]
)
def test_matrix_products(check_rule, function, a, b):
    check_rule(function, *made(a, b))


@pytest.mark.parametrize(("a", "b"), DOT, ids=str)
def test_dot_of_other_shapes(check_rule, a, b):
    check_rule(np.dot, *made(a, b))


INNER = [
    ((), ()),
    ((2,), ()),
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((2, 3), (4, 3)),
    ((2, 2, 3), (3,)),
    ((0,), (0,)),
]


@pytest.mark.parametrize(("a", "b"), INNER, ids=str)
def test_inner(check_rule, a, b):
    check_rule(np.inner, *made(a, b))


@pytest.mark.parametrize(
    ("a", "b"), [((3,), (3,)), ((2, 3), (3, 2)), ((), ()), ((0,), (0,))], ids=str
)
def test_vdot(check_rule, a, b):
    check_rule(np.vdot, *made(a, b))


OUTER = [((3,), (2,)), ((), (2,)), ((2, 2), (3,)), ((0,), (2,)), ((1,), (1,))]


@pytest.mark.parametrize(("a", "b"), OUTER, ids=str)
def test_outer(check_rule, a, b):
    check_rule(np.outer, *made(a, b))
    check_rule(np.multiply.outer, *made(a, b))


BINARY = (np.subtract, np.arctan2, np.copysign, np.logaddexp)


@pytest.mark.parametrize("ufunc", BINARY, ids=lambda ufunc: ufunc.__name__)
def test_outer_of_ufuncs(check_rule, ufunc):
    check_rule(ufunc.outer, *made((2, 2), (3,)), complex=ufunc is np.subtract)


def test_outer_of_comparisons_is_plain():
    a, b = made((2,), (3,))
    np.testing.assert_array_equal(np.less.outer(Variable(a), b), np.less.outer(a, b))


KRON = [
    ((2,), (3,)),
    ((2, 2), (3, 1)),
    ((2,), (2, 3)),
    ((2, 1, 2), (2,)),
    ((), (2, 2)),
    ((), ()),
    ((0, 2), (3,)),
]


@pytest.mark.parametrize(("a", "b"), KRON, ids=str)
def test_kron(check_rule, a, b):
    check_rule(np.kron, *made(a, b))


TENSORDOT = [
    ((3, 4, 2), (4, 2, 3), 2),
    ((3, 4), (4, 2), 1),
    ((3, 2), (2,), 0),
    ((3, 4, 2), (2, 4, 5), ([1, 2], [1, 0])),
    ((3, 4, 2), (2, 4, 5), ([1, -1], [-2, 0])),
    ((3, 4), (5, 3), (0, 1)),
    ((3, 4), (5, 3), (-2, -1)),
    ((3, 4), (3, 4), ((0, 1), (0, 1))),
    ((3,), (2,), ([], [])),
    ((3,), (), 0),
    ((2, 0), (0, 3), 1),
    ((1, 1), (1, 1), 1),
]


@pytest.mark.parametrize(("a", "b", "axes"), TENSORDOT, ids=str)
def test_tensordot(check_rule, a, b, axes):
    check_rule(lambda x, y: np.tensordot(x, y, axes), *made(a, b))
    check_rule(lambda x, y: np.linalg.tensordot(x, y, axes=axes), *made(a, b))


CHAINS = [
    [(2, 3), (3, 2)],
    [(2, 3), (3,)],
    [(3,), (3,)],
    [(2, 3), (3, 4), (4, 1)],
    [(3,), (3, 4), (4, 2)],
    [(2, 3), (3, 4), (4,)],
    [(3,), (3, 4), (4,)],
    [(2, 5), (5, 1), (1, 6), (6, 2), (2, 3)],
    [(0, 3), (3, 2), (2, 0)],
]


@pytest.mark.parametrize("shapes", CHAINS, ids=str)
def test_chains(check_rule, shapes):
    check_rule(lambda *parts: np.linalg.multi_dot(parts), *made(*shapes), order=1)


def test_a_chain_is_multiplied_in_the_cheapest_order():
    from autodiff.rules.products import _cheapest_splits

    # ((A1 (A2 A3)) ((A4 A5) A6)) of Cormen et al., Introduction to Algorithms, 15.2
    split = _cheapest_splits((30, 35, 15, 5, 10, 20, 25))
    assert split[0, 5] == 2
    assert split[0, 2] == 0
    assert split[3, 5] == 4


VECTORS = named(
    ("cross", np.cross, [(3,), (3,)]),
    ("cross rows", np.cross, [(4, 3), (4, 3)]),
    ("cross broadcast", np.cross, [(4, 1, 3), (2, 3)]),
    ("cross empty", np.cross, [(0, 3), (3,)]),
    ("cross axes", lambda a, b: np.cross(a, b, axisa=0, axisb=1, axisc=0), [(3, 4), (4, 3)]),
    ("cross negative", lambda a, b: np.cross(a, b, -2, -1, -2), [(2, 3, 4), (2, 4, 3)]),
    ("cross axis", lambda a, b: np.cross(a, b, axis=0), [(3, 4), (3, 4)]),
    ("linalg.cross", np.linalg.cross, [(4, 3), (3,)]),
    ("linalg.cross axis", lambda a, b: np.linalg.cross(a, b, axis=0), [(3, 2), (3, 2)]),
    ("linalg.outer", np.linalg.outer, [(3,), (2,)]),
    ("linalg.vecdot", np.linalg.vecdot, [(2, 3), (2, 3)]),
    ("linalg.vecdot axis", lambda a, b: np.linalg.vecdot(a, b, axis=0), [(3, 2), (3, 1)]),
    ("linalg.vecdot batch", np.linalg.vecdot, [(4, 1, 3), (2, 3)]),
    ("linalg.vecdot empty", np.linalg.vecdot, [(2, 0), (0,)]),
)


@pytest.mark.parametrize(("call", "shapes"), VECTORS)
def test_products_of_vectors(check_rule, call, shapes):
    check_rule(call, *made(*shapes))


PLANE = named(
    ("2 and 2", np.cross, [(4, 2), (2,)]),
    ("2 and 3", np.cross, [(4, 2), (4, 3)]),
    ("3 and 2", lambda a, b: np.cross(a, b, axisc=0), [(4, 3), (2,)]),
)


@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) >= "2.5.0", reason="np.cross of 2-vectors left NumPy"
)
@pytest.mark.parametrize(("call", "shapes"), PLANE)
@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors:DeprecationWarning")
def test_cross_of_vectors_in_the_plane(check_rule, call, shapes):
    check_rule(call, *made(*shapes))


UFUNCS = [
    ("vecdot", [(2, 3), (3,)], {}),
    ("vecdot", [(3, 2), (3, 2)], {"axis": 0}),
    ("vecdot", [(2, 3), (2, 3)], {"keepdims": True}),
    ("matvec", [(2, 3), (3,)], {}),
    ("matvec", [(4, 2, 3), (5, 1, 3)], {}),
    ("vecmat", [(2,), (2, 3)], {}),
    ("vecmat", [(5, 1, 2), (4, 2, 3)], {}),
]


@pytest.mark.parametrize(("name", "shapes", "keywords"), UFUNCS, ids=str)
def test_ufuncs_of_vectors(check_rule, name, shapes, keywords):
    function = getattr(np, name, None)
    if function is None:
        pytest.skip(f"this NumPy has no {name}")
    check_rule(lambda a, b: function(a, b, **keywords), *made(*shapes))


TRACES = named(
    ("square", np.trace, [(3, 3)]),
    ("wide", np.trace, [(2, 4)]),
    ("offset", lambda x: np.trace(x, 1), [(3, 2)]),
    ("below", lambda x: np.trace(x, offset=-2), [(3, 2)]),
    ("outside", lambda x: np.trace(x, 5), [(3, 2)]),
    ("empty", np.trace, [(0, 3)]),
    ("batch", np.trace, [(3, 3, 2)]),
    ("axes", lambda x: np.trace(x, 1, axis1=-1, axis2=0), [(3, 2, 4)]),
    ("transposed", lambda x: np.trace(x, 1, 1, 0), [(3, 2)]),
    ("linalg", lambda x: np.linalg.trace(x, offset=-1), [(2, 3, 3)]),
)


@pytest.mark.parametrize(("call", "shapes"), TRACES)
def test_traces(check_rule, call, shapes):
    check_rule(call, *made(*shapes))


def test_trace_in_another_dtype():
    x = np.ones((2, 2), np.float32)
    found = np.trace(Variable(x), dtype=float)
    assert found.dtype == np.trace(x, dtype=float).dtype
    assert grad(lambda v: np.trace(v, dtype=float))(x).dtype == np.float32


def test_the_first_argument_is_conjugated():
    a, b = np.array([1 + 2j, 3j]), np.array([2 - 1j, 1 + 0j])
    for function in (np.vdot, np.linalg.vecdot):
        _, pullback = ad.vjp(function, a, b)
        of_a, of_b = pullback(1.0 + 0j)
        np.testing.assert_allclose(of_b, a.conj())
        np.testing.assert_allclose(of_a, b.conj())


MASKED = {
    "matmul": lambda data, w: data @ w,
    "dot": np.dot,
    "inner": np.inner,
    "einsum": lambda data, w: np.einsum("ij,j->i", data, w),
    "einsum of three": lambda data, w: np.einsum("ij,j,i->i", data, w, np.ones(3)),
    "tensordot": lambda data, w: np.tensordot(data, w, 1),
    "linalg.vecdot": np.linalg.vecdot,
    "multi_dot": lambda data, w: np.linalg.multi_dot([data, np.eye(2), w]),
}


@pytest.mark.parametrize("call", MASKED.values(), ids=MASKED)
@pytest.mark.parametrize("bad", [np.nan, np.inf], ids=str)
def test_a_masked_row_contributes_nothing(call, bad):
    data = np.array([[1.0, 2.0], [bad, 3.0], [4.0, 5.0]])
    ok = np.array([True, False, True])

    def loss(w):
        return np.sum(np.where(ok, call(data, w), 0.0))

    w = np.array([0.5, -1.0])
    np.testing.assert_array_equal(grad(loss)(w), [5.0, 7.0])
    np.testing.assert_array_equal(ad.jvp(loss, (w,), (np.array([1.0, 0.0]),))[1], 5.0)
    np.testing.assert_array_equal(ad.hessian(loss)(w), np.zeros((2, 2)))


@pytest.mark.parametrize(
    ("call", "shapes", "words"),
    [
        (np.dot, [(2, 3), (2, 3)], "mismatch|match"),
        (np.inner, [(2, 3), (2, 2)], "do not match"),
        (lambda a, b: np.tensordot(a, b, ([0, 0], [0, 1])), [(2, 2), (2, 2)], "pair off"),
        (lambda a, b: np.tensordot(a, b, 3), [(2, 2), (2, 2)], "axis"),
        (np.linalg.outer, [(2, 2), (2,)], "vectors"),
        (np.cross, [(4,), (3,)], "3 entries"),
        (np.linalg.cross, [(2,), (2,)], "3 entries"),
        (np.linalg.vecdot, [(2, 1), (2, 3)], "do not fit"),
        (lambda a, b: np.linalg.multi_dot([a, b]), [(2, 1), (2, 3)], "mismatch"),
        (lambda a, b: np.linalg.multi_dot([a, b, a]), [(2, 2), (2,)], "matrices"),
        (lambda a, b: np.linalg.multi_dot([a]), [(2, 2), (2,)], "two arrays"),
    ],
)
def test_shapes_that_do_not_fit(call, shapes, words):
    arrays = made(*shapes)
    with pytest.raises((ValueError, IndexError)):
        call(*arrays)
    with pytest.raises(ValueError, match=words):
        call(*map(Variable, arrays))
