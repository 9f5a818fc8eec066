"""Arrays from ``zeros`` and its kind, which take tracked values by assignment."""

import copy
import pickle

import numpy as np
import pytest

import autodiff as ad
import autodiff.numpy as anp

X = np.array([0.5, 2.0, -1.0])


def in_parts(x):
    table = anp.zeros((2, 3))
    table[0] = x
    table[1, ::-1] = x * x
    table[:, 1] += x[0]
    return table


def step_by_step(x):
    found = anp.empty(4)
    found[0] = 1.0
    for i in range(3):
        found[i + 1] = found[i] * x[i]
    return found


def in_place(x):
    found = anp.ones(3)
    found += x
    found *= 2.0
    found -= x[::-1]
    found /= 3.0
    return found


def with_masks_and_lists(x):
    found = anp.full((2, 3), 2.0)
    found[np.array([[True, False, True], [False, True, False]])] = x
    found[[1, 1], [0, 2]] = [x[0], 1.0]
    return found


def through_functions(x):
    first, second = anp.zeros((3, 3)), anp.zeros(3)
    np.fill_diagonal(first, x)
    np.copyto(second, x**2)
    third = anp.zeros_like(first)
    third.fill(x[1])
    np.put(third, [0, 4], x[:2])
    np.putmask(third, np.eye(3) > 0, x[0])
    np.put_along_axis(third, np.array([[1], [2], [0]]), x[:, None], axis=1)
    np.add.at(second, [0, 0, 2], x)
    return first @ second + third.sum(axis=0)


def of_a_buffer(x):
    inner = anp.eye(3)
    inner[0] = x
    outer = anp.zeros((2, 3, 3))
    outer[1] = inner
    return np.sum(outer, axis=0) + np.concatenate([inner, outer[1]])[3:]


@pytest.mark.parametrize(
    "f",
    [in_parts, step_by_step, in_place, with_masks_and_lists, through_functions, of_a_buffer],
    ids=lambda f: f.__name__,
)
def test_derivatives(f):
    ad.check_grads(lambda x: f(x) * 1.0, (X,))
    np.testing.assert_allclose(ad.vjp(f, X)[0], f(X), rtol=1e-15)


@pytest.mark.parametrize("f", [in_parts, step_by_step, in_place], ids=lambda f: f.__name__)
def test_a_function_may_give_the_buffer_itself(f):
    assert np.array_equal(ad.jacobian(f)(X), ad.jacobian(lambda x: f(x) * 1.0)(X))
    assert np.array_equal(
        ad.jacobian(f, mode="forward")(X), ad.jacobian(lambda x: f(x) * 1.0, mode="reverse")(X)
    )
    value, pullback = ad.vjp(f, X)
    assert type(value) is np.ndarray
    assert pullback(np.ones(value.shape))[0].shape == (3,)


def test_nested_levels():
    def f(x):
        def g(y):
            table = anp.zeros(2)
            table[0] = x * y
            table[1] = y**2
            return np.sum(table**2)

        return ad.grad(g)(x)

    # g'(y) = 2 x^2 y + 4 y^3, at y = x: 6 x^3
    assert ad.grad(f)(2.0) == 72.0
    assert ad.jvp(ad.grad(f), (2.0,), (1.0,))[1] == 72.0


def test_a_buffer_given_to_a_transform():
    def f(x):
        table = anp.zeros(2)
        table[0] = x
        return ad.grad(lambda y: np.sum(y**3))(table)[0]

    assert ad.grad(f)(3.0) == 18.0


def test_a_buffer_kept_from_a_finished_transform_is_a_constant():
    table = anp.zeros(2)

    def f(x):
        table[0] = x
        return np.sum(table)

    assert ad.grad(f)(3.0) == 1.0
    assert np.array_equal(table + 0.0, [3.0, 0.0])
    assert np.asarray(table).tolist() == [3.0, 0.0]
    assert ad.grad(lambda x: x * table[0])(1.0) == 3.0


def test_with_variables():
    x = ad.Variable([1.0, 2.0])
    table = anp.zeros(4)
    table[1:3] = x
    assert isinstance(table, np.ndarray)
    assert isinstance(table[1], ad.Variable)
    (table @ table).backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_mixed_with_tracked_values_on_the_left():
    def f(x):
        table = anp.zeros(3)
        table[1] = x[0]
        return x * table + np.where(x > 0, x, table) + np.dot(x, table) + np.stack([x, table])[1]

    ad.check_grads(f, (X,))


def test_memory_is_nan_while_something_tracked_is_held():
    x = ad.Variable(1.0)
    table = anp.zeros(3)
    before = table[:2]
    table[0] = x
    assert np.isnan(np.asarray(table)).all()
    assert np.isnan(before).all()


def test_untracked_it_is_an_array():
    table = anp.zeros((2, 3))
    table[0] = [1.0, 2.0, 3.0]
    row = table[0]
    row[0] = 7.0
    assert table[0, 0] == 7.0
    for found in (
        table[0],
        table[:, 1:],
        table + 1,
        -table,
        np.sin(table),
        table.sum(axis=0),
        table.T,
        table.reshape(6),
        np.concatenate([table, table]),
        table @ np.ones(3),
        np.sum(table, axis=1),
        table.astype(np.float32),
        np.add.reduce(table),
        next(iter(table)),
    ):
        assert type(found) is np.ndarray
    assert type(table[0, 0]) is np.float64
    assert type(table.sum()) is np.float64
    assert repr(table) == repr(np.asarray(table))
    assert str(table) == str(np.asarray(table))
    assert len(table) == 2
    assert table.max() == 7.0
    table += 1.0
    assert type(table) is type(anp.zeros(1))
    assert table[1].tolist() == [1.0, 1.0, 1.0]
    np.add(table, 1.0, out=table)
    np.multiply.at(table, (0, 0), 10.0)
    assert table[0].tolist() == [90.0, 4.0, 5.0]
    table.sort(axis=1)
    assert table[0].tolist() == [4.0, 5.0, 90.0]
    assert np.sum(np.ones((2, 3)), axis=0, out=anp.zeros(3)).tolist() == [2.0, 2.0, 2.0]


def test_only_floats_and_complex_numbers():
    assert type(anp.zeros(3, int)) is np.ndarray
    assert type(anp.ones(3, bool)) is np.ndarray
    assert type(anp.zeros(3, complex)) is type(anp.zeros(3))
    assert type(anp.zeros(3, np.float32)) is type(anp.zeros(3))


@pytest.mark.parametrize("make", [anp.zeros, anp.ones, anp.empty], ids=["zeros", "ones", "empty"])
def test_dtype_is_kept(make):
    def f(x):
        table = make(3, np.float32)
        table[:] = x
        return table

    assert ad.vjp(f, X)[0].dtype == np.float32
    assert np.array_equal(ad.jacobian(f)(X), np.eye(3))


def test_like_a_tracked_value():
    def f(x):
        found = anp.zeros_like(x)
        found[0] = x[1]
        other = anp.ones_like(x, shape=2)
        other[0] = x[2]
        return np.sum(found) + np.prod(other)

    assert ad.grad(f)(X).tolist() == [0.0, 1.0, 1.0]


def test_sort_and_put_of_tracked_entries():
    def f(x):
        found = anp.zeros(3)
        found[:] = x
        found.sort()
        other = anp.zeros(4)
        other.put([1, 3], [x[0], 2.0])
        return found[0] * 10 + other[1]

    assert ad.grad(f)(X).tolist() == [1.0, 0.0, 10.0]


def test_copies_and_pickles():
    x = ad.Variable(3.0)
    table = anp.zeros(2)
    other = table.copy()
    table[0] = x
    third = copy.deepcopy(table)
    third[1] = 5.0
    assert isinstance(other[0], np.float64)
    assert np.array_equal(other, [0.0, 0.0])
    assert table[1].value == 0.0
    third[0].backward()
    assert x.grad == 1.0
    plain = pickle.loads(pickle.dumps(other))
    assert plain.tolist() == [0.0, 0.0]


def test_plain_numbers_of_a_tracked_buffer_are_refused():
    x = ad.Variable(3.0)
    table = anp.zeros(1)
    table[0] = x
    with pytest.raises(TypeError, match="tracked"):
        float(table[0])
    with pytest.raises(TypeError, match="tracked"):
        np.multiply.at(table, [0], x)


def test_changed_by_functions_at_every_level():
    def f(x):
        table = anp.zeros((2, 2))
        table[0, 1] = x
        before = anp.asarray(table)

        def g(y):
            np.fill_diagonal(table, y * x)
            return np.sum(table**2)

        slope = ad.grad(g)(x)
        return slope + np.sum(before)

    # The slope is 4 x^3; the array before it was changed holds x.
    assert ad.grad(f)(2.0) == 4 * 3 * 4.0 + 1


def test_formatting():
    x = ad.Variable(3.0)
    table = anp.zeros(2)
    table[0] = x
    assert "3." in repr(table)
    assert "3." in str(table)


def test_an_assignment_that_would_be_lost_is_an_error():
    def loss(x):
        y = anp.zeros((2, 2))
        y[0] = x
        y[0][1] = 5.0
        return anp.sum(y)

    with pytest.raises(TypeError, match="nothing holds"):
        ad.grad(loss)(1.0)
