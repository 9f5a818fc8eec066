"""Joining and splitting, also where only some of the parts are tracked."""

import numpy as np
import pytest

import autodiff as ad


def array(*shape):
    """Return values that are far from each other and from 0."""
    values = np.linspace(0.5, 1.5, int(np.prod(shape)))
    return np.random.default_rng(2).permutation(values).reshape(shape)


X, Y = array(2, 3), array(2, 3) + 1.0
OTHER = np.arange(6).reshape(2, 3)

JOINS = {
    "concatenate": (lambda x, y: np.concatenate([x, OTHER, y]), X, Y),
    "concatenate axis": (lambda x, y: np.concatenate((x, y, OTHER), axis=-1), X, Y),
    "concatenate flat": (lambda x, y: np.concatenate([x, 2.0, y], axis=None), X, array()),
    "concatenate lists": (lambda x, y: np.concatenate([[1.0, 2.0], x, y]), array(2), array(0)),
    "concatenate rows": (lambda x, y: np.concatenate(x * y), X, Y),
    "concat": (lambda x, y: np.concat([x, y], 1), X, Y),
    "stack": (lambda x, y: np.stack([x, OTHER, y]), X, Y),
    "stack axis": (lambda x, y: np.stack((x, y, OTHER), axis=-1), X, Y),
    "stack numbers": (lambda x, y: np.stack([x, 1.0, x * y]), array(), array()),
    "vstack": (lambda x, y: np.vstack([x, y, [1.0, 2.0, 3.0]]), X, array(3)),
    "vstack vectors": (lambda x, y: np.vstack((x, [1.0, 2.0, 3.0], y)), array(3), array(3)),
    "vstack numbers": (lambda x, y: np.vstack([x, y, 1.0]), array(), array()),
    "hstack": (lambda x, y: np.hstack([x, OTHER, y]), X, array(2, 1)),
    "hstack vectors": (lambda x, y: np.hstack([x, 1.0, y]), array(3), array()),
    "hstack numbers": (lambda x, y: np.hstack([x, 1.0, y]), array(), array()),
    "dstack": (lambda x, y: np.dstack([x, OTHER, y]), X, array(2, 3, 2)),
    "dstack vectors": (lambda x, y: np.dstack([x, [1.0, 2.0], y]), array(2), array(2)),
    "column_stack": (lambda x, y: np.column_stack([x, OTHER, y]), X, array(2)),
    "column_stack vectors": (lambda x, y: np.column_stack([x, [1, 2], y]), array(2), array(2)),
    "column_stack numbers": (lambda x, y: np.column_stack([x, y]), array(), array()),
    "block": (lambda x, y: np.block([[x, OTHER], [np.zeros((1, 4)), y]]), X, array(1, 2)),
    "block row": (lambda x, y: np.block([x, 1.0, y]), array(3), array()),
    "block of more axes": (lambda x, y: np.block([[x], [y]]), array(2, 2, 3), array(2, 1, 3)),
    "block alone": (lambda x, y: np.block(x * y), X, Y),
    "append": (lambda x, y: np.append(x, y), X, array(2)),
    "append axis": (lambda x, y: np.append(x, values=y, axis=1), X, array(2, 1)),
    "append constant": (lambda x, y: np.append([[1.0]], x * y), X, Y),
    "insert": (lambda x, y: np.insert(x, 1, y), X, array()),
    "insert at the end": (lambda x, y: np.insert(x, 6, y), X, array()),
    "insert some": (lambda x, y: np.insert(x, 1, y), X, array(3)),
    "insert axis": (lambda x, y: np.insert(x, -1, y, axis=1), X, array(2)),
    "insert rows": (lambda x, y: np.insert(x, 1, y, axis=0), X, array(3)),
    "insert rows of rows": (lambda x, y: np.insert(x, [1], y, axis=0), X, array(2, 3)),
    "insert columns": (lambda x, y: np.insert(x, [3, 0, 0], y, axis=1), X, array(2, 3)),
    "insert one everywhere": (lambda x, y: np.insert(x, [0, 2], y, axis=1), X, array(2, 1)),
    "insert a number": (lambda x, y: np.insert(x, [0, 2, 2], y, axis=1), X, array()),
    "insert slice": (lambda x, y: np.insert(x, slice(0, 3, 2), y), array(4), array(2)),
    "insert mask": (lambda x, y: np.insert(x, np.array([True, False, True]), y), X[0], array(2)),
    "insert nothing": (lambda x, y: np.insert(x, [], y), X, array(0)),
    "insert into constant": (lambda x, y: np.insert(np.ones(3), 1, x * y), X[0], array(3)),
}


@pytest.mark.parametrize("name", JOINS)
def test_joining(check_rule, name):
    call, x, y = JOINS[name]
    # NumPy drops the imaginary part of what is inserted into a real array.
    check_rule(call, x, y, complex=name != "insert into constant")


def test_parts_that_are_not_tracked():
    for join in (np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack):
        wanted = join([X, OTHER, Y])
        for parts in ([ad.Variable(X), OTHER, Y], [X, OTHER, ad.Variable(Y)], (X, OTHER, Y)):
            made = join(parts)
            np.testing.assert_array_equal(getattr(made, "value", made), wanted)
    v = ad.Variable(Y)
    np.testing.assert_array_equal(np.block([[X, v]]).value, np.block([[X, Y]]))
    np.testing.assert_array_equal(np.append(X, v).value, np.append(X, Y))


def test_dtype():
    x, y = ad.Variable(X.astype(np.float32)), ad.Variable(Y)
    assert np.concatenate([x, y]).dtype == np.float64
    for join in (np.concatenate, np.stack, np.vstack, np.hstack):
        out = join([x, y], dtype=np.float32)
        assert out.dtype == np.float32
        assert join([x, y], dtype="f8", casting="safe").dtype == np.float64
        with pytest.raises(TypeError, match="safe"):
            join([x, y], dtype=np.float32, casting="safe")
    assert np.insert(x, 0, y[0]).dtype == np.float32
    with pytest.raises(TypeError, match="int64"):
        np.insert(OTHER, 0, y[0, 0])


DELETIONS = [
    (1, None),
    (-1, None),
    ([0, 0, 4], None),
    (1, 1),
    (-1, 0),
    (slice(None, None, 2), 1),
    ([], 1),
    (np.array([True, False, True]), 1),
    ([0, -1], -1),
]


@pytest.mark.parametrize(("places", "axis"), DELETIONS, ids=str)
def test_delete(check_rule, places, axis):
    check_rule(lambda x: np.delete(x, places, axis), X)


SPLITS = {
    "split": (lambda x: np.split(x, 2), (4, 3)),
    "split axis": (lambda x: np.split(x, 3, axis=-1), (2, 3)),
    "split places": (lambda x: np.split(x, [1, 3]), (4,)),
    "split at one place": (lambda x: np.split(x, [1]), (4,)),
    "split behind the end": (lambda x: np.split(x, [2, 6, 7]), (4,)),
    "split backwards": (lambda x: np.split(x, [3, 1]), (4,)),
    "split from the end": (lambda x: np.split(x, [-2]), (4,)),
    "split into one": (lambda x: np.split(x, 1), (4,)),
    "split by a tracked number": (lambda x: np.split(x, x.size + 0 * np.real(x[0])), (4,)),
    "split into many": (lambda x: np.split(x, 40), (40,)),
    "array_split": (lambda x: np.array_split(x, 3), (5, 2)),
    "array_split axis": (lambda x: np.array_split(x, indices_or_sections=4, axis=1), (2, 3)),
    "vsplit": (lambda x: np.vsplit(x, 2), (2, 3)),
    "hsplit": (lambda x: np.hsplit(x, [1]), (2, 3)),
    "hsplit vector": (lambda x: np.hsplit(x, 2), (4,)),
    "dsplit": (lambda x: np.dsplit(x, 3), (1, 2, 3)),
}
if hasattr(np, "unstack"):
    SPLITS["unstack"] = (np.unstack, (2, 3))
    SPLITS["unstack axis"] = (lambda x: np.unstack(x, axis=-1), (2, 3))
    SPLITS["unstack numbers"] = (np.unstack, (3,))
    SPLITS["unstack nothing"] = (np.unstack, (2, 0))


@pytest.mark.parametrize("name", SPLITS)
def test_splitting(check_rule, name):
    call, shape = SPLITS[name]
    x = array(*shape)
    check_rule(call, x)
    if len(call(x)) > 1:
        check_rule(lambda x: call(x)[1] ** 2, x)
        check_rule(lambda x: call(x)[0].sum() * call(x)[-1] ** 2, x)


def test_unstack_nothing():
    if hasattr(np, "unstack"):
        assert np.unstack(ad.Variable(np.zeros((0, 2)))) == ()


@pytest.mark.parametrize(
    "use",
    [
        lambda v: np.concatenate([v, np.ones((2, 2))]),
        lambda v: np.concatenate([v, 1.0]),
        lambda v: np.stack([v, np.ones((2, 2))]),
        lambda v: np.block([[v, v], v]),
        lambda v: np.block([[v, []]]),
        lambda v: np.append(v, 1.0, axis=0),
        lambda v: np.insert(v, 0, [1.0, 2.0], axis=0),
        lambda v: np.insert(v, 7, 1.0),
        lambda v: np.delete(v, 5, axis=1),
        lambda v: np.split(v, 2, axis=1),
        lambda v: np.vsplit(v[0], 1),
        lambda v: np.dsplit(v, 1),
    ],
)
def test_errors_are_those_of_numpy(use):
    with pytest.raises((ValueError, IndexError)):
        use(X)
    with pytest.raises((ValueError, IndexError)):
        use(ad.Variable(X))
