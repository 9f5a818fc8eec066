"""Reading, choosing and assigning entries."""

import numpy as np
import pytest

import autodiff as ad
from autodiff import grad


def array(*shape):
    """Return values that are far from each other and from 0."""
    values = np.linspace(0.5, 1.5, int(np.prod(shape)))
    return np.random.default_rng(3).permutation(values).reshape(shape)


MASK = np.array([[True, False, True, False], [False] * 4, [True] * 4])
INDICES = {
    "integer": 1,
    "negative": -1,
    "numpy integer": np.int64(2),
    "0-d array": np.array(1),
    "slice": slice(1, None),
    "backwards": slice(None, None, -2),
    "empty slice": slice(2, 1),
    "ellipsis": ...,
    "nothing": (),
    "new axis": None,
    "entry": (2, -1),
    "entry as an array": (..., 2, 1),
    "new axes": (None, slice(None), None, 0),
    "slices": (slice(0, 2), slice(None, None, 3)),
    "list": [0, 2],
    "repeats": [0, 0, 2],
    "negative repeats": [-1, 2],
    "matrix of integers": np.array([[0, 2], [2, 2]]),
    "column": (slice(None), [0, 0, 3]),
    "list first": ([0, 0, 2], slice(1, 3)),
    "two lists": ([0, 1, 1], [2, 2, 2]),
    "two arrays that broadcast": (np.array([[0], [2]]), np.array([0, 3, 0])),
    "list and integer": ([0, 0, 1], -1),
    "list, new axis and slice": ([0, 1], None, slice(None)),
    "apart": ([0, 1], None, [2, 2]),
    "mask": MASK,
    "mask of rows": np.array([True, False, True]),
    "mask as a list": [True, False, False],
    "mask of columns": (slice(None), np.array([True, False, False, True])),
    "mask and list": (np.array([True, False, True]), [1, 1]),
    "mask of nothing": np.zeros((3, 4), bool),
    "true": True,
    "false": np.False_,
    "empty list": [],
    "ix_": np.ix_([0, 2, 0], [1, 1]),
    "nonzero": np.nonzero(MASK),
}


@pytest.mark.parametrize("name", INDICES)
def test_reading(check_rule, name):
    index = INDICES[name]
    check_rule(lambda x: x[index], array(3, 4))
    check_rule(lambda x: np.sin(x[index]) * x[index], array(3, 4), complex=False)


@pytest.mark.parametrize("name", INDICES)
def test_assigning(check_rule, name):
    index = INDICES[name]
    x = array(3, 4)
    new = array(*x[index].shape) + 2.0

    def assign(x, new):
        y = x.copy()
        y[index] = new
        return y

    check_rule(assign, x, new)
    check_rule(assign, x, array())


@pytest.mark.parametrize(
    "shape", [(), (1,), (4,), (1, 4), (2, 1), (1, 2, 4), (1, 1, 1, 1)], ids=str
)
def test_assigned_values_broadcast(check_rule, shape):
    def assign(x, new):
        y = x * 1.0
        y[1:] = new
        return y * y

    check_rule(assign, array(3, 4), array(*shape))


def test_numbers_by_index(check_rule):
    for index in ((), ..., None, (None, ...), True, np.array(False)):
        check_rule(lambda x, i=index: x[i], array())
    assert grad(lambda x: x[()] * 2.0)(3.0) == 2.0
    assert grad(lambda x: np.sum(x[None]) ** 2)(3.0) == 6.0


def test_large_gathers_add_up(check_rule):
    rows = np.arange(40) % 3
    check_rule(lambda x: x[rows] * np.arange(80.0).reshape(40, 2), array(3, 2))
    check_rule(lambda x: x[:, rows], array(2, 3), complex=False)
    few = (np.array([0, 0]), np.array([1, 1]))
    found = grad(lambda x: np.sum(x[few]))(np.zeros((30, 30)))
    assert found[0, 1] == 2.0
    assert found.sum() == 2.0


def test_rows_in_turn(check_rule):
    check_rule(lambda x: sum(row * i for i, row in enumerate(x)), array(3, 2))
    check_rule(lambda x: sum(i * e for i, e in enumerate(x.flat)), array(3, 2))
    first, *rest = ad.Variable(array(3))
    assert len(rest) == 2
    assert first.is_tracked


CHOICES = {
    "take": lambda x: np.take(x, [2, 0, 2]),
    "take flat": lambda x: np.take(x, [[5, 0], [11, -1]]),
    "take axis": lambda x: np.take(x, [1, 1], axis=1),
    "take one": lambda x: np.take(x, 2, axis=-1),
    "take none": lambda x: np.take(x, [], axis=0),
    "take all": lambda x: np.take(x, [4, -5, 7], 0, None, "wrap"),
    "take method": lambda x: x.take([4, -5, 7], 0, None, "clip"),
    "take wrap": lambda x: np.take(x, [4, -5, 7], axis=0, mode="wrap"),
    "take clip": lambda x: np.take(x, [4, -5, 1], axis=1, mode="clip"),
    "take_along_axis": lambda x: np.take_along_axis(x, np.argsort(x, axis=0), axis=0),
    "take_along_axis few": lambda x: np.take_along_axis(x, np.array([[1], [3], [1]]), axis=-1),
    "take_along_axis repeats": lambda x: np.take_along_axis(x, np.zeros((3, 6), int), 1),
    "take_along_axis broadcast": lambda x: np.take_along_axis(x, np.array([[0], [2], [2]]), 0),
    "take_along_axis flat": lambda x: np.take_along_axis(x, np.array([7, 0, 7]), axis=None),
    "compress": lambda x: np.compress([True, False, True], x, axis=0),
    "compress short": lambda x: np.compress([0, 1], x, axis=1),
    "compress flat": lambda x: np.compress([True, False, True], x),
    "extract": lambda x: np.extract(MASK, x),
    "extract by itself": lambda x: np.extract(x > 1.0, x),
    "select": lambda x: np.select([x > 1.2, x > 0.8], [x**2, 2 * x], default=x),
    "select default": lambda x: np.select([x > 1.2, x > 0.8], [x**2, 2 * x]),
    "select broadcast": lambda x: np.select([MASK, MASK[:1]], [x[0], x[:, :1]], 1.0),
    "piecewise": lambda x: np.piecewise(x, [x < 0.8, x > 1.2], [np.sin, lambda y: y**2, 3.0]),
    "piecewise rest": lambda x: np.piecewise(x, [x < 0.8, x > 1.2], [np.sin, lambda y: y**2]),
    "piecewise one": lambda x: np.piecewise(x[0], x[0] < 0.8, [np.sin, np.cos]),
    "piecewise arguments": lambda x: np.piecewise(x, [x < 9], [lambda y, a, b: a * y + b], 2, b=1),
    "diagonal": np.diagonal,
    "diagonal offset": lambda x: np.diagonal(x, 2),
    "diagonal below": lambda x: np.diagonal(x, offset=-1, axis1=1, axis2=0),
    "diagonal far": lambda x: np.diagonal(x, 9),
    "diag of a matrix": lambda x: np.diag(x, -1),
    "diag of a vector": lambda x: np.diag(x[0]),
    "diag above": lambda x: np.diag(x[0], k=2),
    "diag below": lambda x: np.diag(x[0], -1),
    "linalg.diagonal": lambda x: np.linalg.diagonal(x, offset=1),
    "diagflat": lambda x: np.diagflat(x, 1),
    "tril": np.tril,
    "tril above": lambda x: np.tril(x, 1),
    "tril of a vector": lambda x: np.tril(x[0]),
    "triu": np.triu,
    "triu below": lambda x: np.triu(x, k=-1),
    "where": lambda x: np.where(MASK, x, -1.0),
    "along an axis": lambda x: np.apply_along_axis(lambda row: row[1:] * row[0], 1, x),
    "numbers along an axis": lambda x: np.apply_along_axis(np.sum, 0, x * x),
    "matrices along an axis": lambda x: np.apply_along_axis(np.diag, 0, x),
    "arguments along an axis": lambda x: np.apply_along_axis(
        lambda r, a, b: a * r**b, 0, x, 2, b=3
    ),
    "over axes": lambda x: np.apply_over_axes(np.sum, x * x, [0, -1]),
    "over one axis": lambda x: np.apply_over_axes(lambda a, axis: np.max(a, axis), x, 1),
    "over axes that stay": lambda x: np.apply_over_axes(lambda a, axis: np.flip(a, axis), x, 0),
}


@pytest.mark.parametrize("name", CHOICES)
def test_choosing(check_rule, name):
    ordered = any(word in name for word in ("select", "piecewise", "itself", "axis", "one axis"))
    check_rule(CHOICES[name], array(3, 4), complex=not ordered)


@pytest.mark.parametrize("shape", [(2, 3, 3), (0, 2, 3), (2, 0, 3)], ids=str)
def test_diagonals_of_more_axes(check_rule, shape):
    for axes in ((0, 1), (-1, 1), (2, 0)):
        check_rule(lambda x, a=axes: np.diagonal(x, 1, *a), array(*shape))
    check_rule(np.linalg.diagonal, array(*shape))
    check_rule(np.tril, array(*shape))
    check_rule(lambda x: np.triu(x, 1), array(*shape))


def test_piecewise_of_a_number():
    f = grad(lambda x: np.sum(np.piecewise(x, [x < 0, x >= 0], [lambda y: -y, lambda y: y**2])))
    assert f(3.0) == 6.0
    assert f(-3.0) == -1.0
    assert f(np.float64(3.0)) == 6.0


def test_branches_that_are_not_chosen_do_not_poison():
    x, m = np.array([-1.0, 4.0]), np.array([[1.0, 0.0], [1.0, 2.0]])
    with np.errstate(all="ignore"):
        found = grad(lambda x: np.sum(np.select([x > 0, x < 0], [np.sqrt(x), x])))(x)
        np.testing.assert_array_equal(found, [1.0, 0.25])
        found = grad(lambda m: np.sum(np.tril(np.log(m))))(m)
    np.testing.assert_array_equal(found, [[1.0, 0.0], [1.0, 0.5]])


@pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
def test_choose(check_rule, mode):
    numbers = np.array([[0, 1, 1], [1, 0, 0]]) + (3 if mode != "raise" else 0)
    check_rule(lambda x, y: np.choose(numbers, [x, y], mode=mode), array(2, 3), array(3))
    check_rule(lambda x, y: np.choose(numbers, [x, y], None, mode), array(2, 3), array(3))
    check_rule(lambda x: np.choose([1, 0], (x, 2.0)), array(2))
    check_rule(lambda x: np.choose([1, 0, 2], x), array(3, 3))
    with pytest.raises(TypeError, match="integers"):
        np.choose(ad.Variable([0.0, 1.0]), [1.0, 2.0])


def changed(function):
    """Return the function of values that changes a recorded copy of the first one in place."""

    def call(x, *new):
        y = x * 1.0
        assert function(y, *new) is None
        return y

    return call


WRITES = {
    "put": (lambda y, n: np.put(y, [0, 7, -1], n), (3,)),
    "put few": (lambda y, n: np.put(y, [0, 7, 2, 7], n), (3,)),
    "put wrap": (lambda y, n: np.put(y, [[1, 14]], n, mode="wrap"), (2,)),
    "put clip": (lambda y, n: y.put([1, 14], n, "clip"), (2,)),
    "put nothing": (lambda y, n: np.put(y, [], n), (1,)),
    "place": (lambda y, n: np.place(y, MASK, n), (6,)),
    "place few": (lambda y, n: np.place(y, MASK, n), (4,)),
    "putmask": (lambda y, n: np.putmask(y, MASK, n), (3, 4)),
    "putmask few": (lambda y, n: np.putmask(y, MASK, n), (5,)),
    "putmask one": (lambda y, n: np.putmask(y, mask=MASK, values=n), ()),
    "copyto": (lambda y, n: np.copyto(y, n), (4,)),
    "copyto where": (lambda y, n: np.copyto(y, n, where=MASK), (3, 1)),
    "copyto rows": (lambda y, n: np.copyto(y, src=n, where=[True, False, False, True]), ()),
    "fill_diagonal": (lambda y, n: np.fill_diagonal(y, n), (3,)),
    "fill_diagonal one": (lambda y, n: np.fill_diagonal(y, n), ()),
    "fill_diagonal few": (lambda y, n: np.fill_diagonal(y, n), (2,)),
    "put_along_axis": (
        lambda y, n: np.put_along_axis(y, np.array([[1], [0], [3]]), n, axis=1),
        (3, 1),
    ),
    "fill": (lambda y, n: y.fill(n), ()),
    "flat": (lambda y, n: y.flat.__setitem__(slice(1, None, 4), n), (3,)),
    "flat number": (lambda y, n: y.flat.__setitem__(5, n), ()),
    "flat few": (lambda y, n: y.flat.__setitem__([1, 2, 3, 4], n), (2,)),
    "add at": (lambda y, n: np.add.at(y, [0, 0, 2], n), (4,)),
    "add at rows": (lambda y, n: np.add.at(y, (slice(None), [1, 1]), n), (3, 2)),
}


@pytest.mark.parametrize("name", WRITES)
def test_writing(check_rule, name):
    function, shape = WRITES[name]
    check_rule(changed(function), array(3, 4), array(*shape))


def test_fill_diagonal_shapes(check_rule):
    for shape in ((5, 2), (2, 5), (3, 3, 3)):
        for wrap in (False, True):
            check_rule(
                changed(lambda y, n, w=wrap: np.fill_diagonal(y, n, wrap=w)),
                array(*shape),
                array(2),
            )
    with pytest.raises(ValueError, match="equal"):
        np.fill_diagonal(ad.Variable(array(2, 3, 2)) * 1.0, 0.0)


def test_put_along_axis_of_flat_arrays():
    # NumPy's own refuses here arrays that do not lie in C order.
    put = changed(lambda y, n: np.put_along_axis(y, np.array([1, 5]), n, None))
    x, new = array(3, 4), array(2)
    np.testing.assert_array_equal(put(ad.Variable(x), new).value, put(x, new))
    ad.check_grads(put, (x, new))


def test_writing_in_order(check_rule):
    check_rule(changed(lambda y: y.sort()), array(3, 4), complex=False)
    check_rule(changed(lambda y: y.sort(axis=0)), array(3, 4), complex=False)
    check_rule(changed(lambda y: y.partition(2)), array(5), complex=False)


FUNCTIONS_THAT_WRITE = {
    "np.put": lambda a, v: np.put(a, [0], v),
    "np.place": lambda a, v: np.place(a, a == 0, v),
    "np.putmask": lambda a, v: np.putmask(a, a == 0, v),
    "np.copyto": lambda a, v: np.copyto(a, v),
    "np.fill_diagonal": lambda a, v: np.fill_diagonal(a, v),
    "np.put_along_axis": lambda a, v: np.put_along_axis(a, np.zeros((1, 2), int), v, 0),
    "np.add.at": lambda a, v: np.add.at(a, [0], v),
}


@pytest.mark.parametrize("name", FUNCTIONS_THAT_WRITE)
def test_plain_arrays_and_leaves_are_not_written_into(name):
    use, v, part = FUNCTIONS_THAT_WRITE[name], ad.Variable(1.0), name.rpartition(".")[2]
    with pytest.raises(TypeError, match=rf"{part}.*np\.where.*autodiff\.numpy\.zeros"):
        use(np.zeros((2, 2)), v)
    leaf = ad.Variable(np.zeros((2, 2)))
    with pytest.raises(TypeError, match=r"x\.copy\(\)"):
        use(leaf, 1.0)
    np.testing.assert_array_equal(leaf.value, np.zeros((2, 2)))
    with ad.no_grad():
        use(leaf, 1.0)
    assert leaf.value.any()
    assert leaf.is_leaf


@pytest.mark.parametrize("at", [np.s_[0, 0], np.s_[:2, :2], 0], ids=str)
def test_assigning_to_a_plain_array_says_what_to_do(at):
    table = np.zeros((3, 3))
    for value in (ad.Variable(1.0), ad.Variable(np.ones(()))):
        with pytest.raises((TypeError, ValueError)) as caught:
            table[at] = value
        text = str(caught.value) + str(caught.value.__cause__)
        for word in ("np.where", "np.concatenate", "autodiff.numpy.zeros"):
            assert word in text
    with pytest.raises(TypeError, match=r"np\.stack.*autodiff\.numpy\.array"):
        np.array([ad.Variable(1.0), ad.Variable(2.0)])


@pytest.mark.parametrize(
    ("use", "error"),
    [
        (lambda v: v[3], IndexError),
        (lambda v: v[[3]], IndexError),
        (lambda v: v[np.ones(2, bool)], IndexError),
        (lambda v: v[0.5], IndexError),
        (lambda v: v[v[0, 0]], IndexError),
        (lambda v: v[:, v[0]], IndexError),
        (lambda v: np.take(v, [12]), IndexError),
        (lambda v: np.take(v, 3, axis=0), IndexError),
        (lambda v: np.take_along_axis(v, np.array([0]), 0), (ValueError, IndexError)),
        (lambda v: np.compress([0, 0, 0, 1], v, axis=0), (ValueError, IndexError)),
        (lambda v: np.select([v > 1], [v, v]), ValueError),
        (lambda v: np.select([], []), ValueError),
        (lambda v: np.select([np.ones(4)], [v]), TypeError),
        (lambda v: np.piecewise(v, [v > 1], [1, 2, 3]), ValueError),
        (lambda v: np.diag(v[None]), ValueError),
        (lambda v: np.diagonal(v[0]), ValueError),
        (lambda v: np.choose([2], [v, v]), (ValueError, IndexError)),
        (lambda v: np.apply_along_axis(np.sum, 2, v), ValueError),
        (lambda v: np.apply_over_axes(lambda a, axis: np.sum(a), v, 0), ValueError),
    ],
)
def test_errors_are_those_of_numpy(use, error):
    x = array(3, 4)
    with pytest.raises(error):
        use(x)
    with pytest.raises(error):
        use(ad.Variable(x))


def assign_to_part(v):
    v[0][1] = 5.0


def assign_to_slice(v):
    v[0][:1] = 5.0


def assign_in_place(v):
    v[0][1:] *= 2.0


def assign_to_transpose(v):
    v.T[0] = 5.0


LOST = (assign_to_part, assign_to_slice, assign_in_place, assign_to_transpose)


@pytest.mark.parametrize("assign", LOST, ids=lambda f: f.__name__)
def test_an_assignment_that_would_be_lost_is_an_error(assign):
    def loss(x):
        y = x * 1.0
        assign(y)
        return np.sum(y**2)

    for _ in range(3):
        with pytest.raises(TypeError, match=r"a copy that nothing holds.*Write v\[i, j\] = w"):
            grad(loss)(np.ones((2, 2)))
    with pytest.raises(TypeError, match="nothing holds"):
        ad.jvp(loss, (np.ones((2, 2)),), (np.ones((2, 2)),))


class Holder:
    """Has an attribute."""


def test_an_assignment_to_what_is_held_anywhere_is_done():
    def loss(x):
        holder = Holder()
        holder.held = x * 1.0
        rows = [x * 1.0]
        y = x * 1.0

        def inner():
            y[0] = 3.0

        for _ in range(40):
            holder.held[0] = 2.0
            rows[0][0] = 2.0
            y[1] += x[0]
            inner()
        y.__setitem__(0, y[1])
        (z := x * 1.0)[0] = 7.0
        return np.sum(holder.held) + np.sum(rows[0]) + np.sum(y) + np.sum(z)

    np.testing.assert_allclose(grad(loss)(np.ones(2)), [80.0, 5.0])
