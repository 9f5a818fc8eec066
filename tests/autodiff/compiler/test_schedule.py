"""What becomes one loop, what is written in place, and what needs no step at all."""

import numpy as np
import pytest

import autodiff as ad
from autodiff.compiler.c.loops import collapsed
from autodiff.compiler.c.places import contiguous
from autodiff.compiler.c.schedule import Fold, Nest, Product, PythonCall, Schedule, Store
from autodiff.compiler.passes import simplified
from autodiff.compiler.signature import Arguments
from autodiff.compiler.tracing import trace


def scheduled(f, *args):
    """Return the schedule of a function's program."""
    given = Arguments(f, args, {}, frozenset())

    def call(leaves):
        positional, named = given.into(given.signature, leaves)
        return f(*positional, **named)

    return Schedule(simplified(trace(f, given.values, call)[0]))


def loops(schedule):
    """Return the nests that run over arrays."""
    return [step for step in schedule.steps if isinstance(step, Nest) and step.shape != ()]


A, B = np.linspace(0, 1, 6).reshape(2, 3), np.linspace(1, 2, 6).reshape(2, 3)


def test_value_and_gradient_of_a_sum_are_one_loop():
    f = ad.value_and_grad(lambda a, b: np.sum(np.sin(a) * np.exp(b)), argnums=(0, 1))
    schedule = scheduled(f, A, B)
    (nest,) = loops(schedule)
    assert nest.shape == (2, 3)
    assert sum(isinstance(sink, Fold) for sink in nest.sinks) == 1
    assert sum(isinstance(sink, Store) for sink in nest.sinks) == 2
    assert not schedule.work  # nothing but the outputs is memory


@pytest.mark.parametrize(
    ("f", "count"),
    [
        (lambda x: np.tanh(np.exp(x) + 1) * x, 1),
        (lambda x: np.sin(x.T), 1),
        (lambda x: (np.sum(x), np.max(x), np.sum(x * x, axis=0)), 1),
        (lambda x: np.concatenate([np.sin(x), np.cos(x)]), 1),
        (lambda x: np.sin(x[:, ::-1]), 1),
        (lambda x: np.sin(x) + np.arange(3.0), 1),
        (lambda x: x / np.sum(x), 2),
        (lambda x: np.exp(x - np.max(x, axis=1, keepdims=True)), 2),
        (lambda x: np.sin(np.reshape(x, (3, 2))), 1),
    ],
)
def test_loops(f, count):
    assert len(loops(scheduled(f, A))) == count


def test_products_read_transposes_where_they_are():
    schedule = scheduled(lambda x, y: x.T @ y, A, B)
    (product,) = [step for step in schedule.steps if isinstance(step, Product)]
    assert product.left.strides == (1, 3)
    assert not loops(schedule)


def test_a_product_and_its_gradient_copy_nothing():
    f = ad.grad(lambda x, y: np.sum(x @ y), argnums=(0, 1))
    schedule = scheduled(f, A, B.T)
    assert not any(isinstance(step, PythonCall) for step in schedule.steps)


def test_joined_arrays_are_written_where_they_belong():
    schedule = scheduled(lambda x, y: np.concatenate([np.sin(x), y * 2], axis=1), A, B)
    stores = [sink for nest in loops(schedule) for sink in nest.sinks if isinstance(sink, Store)]
    assert [store.view.buffer.kind for store in stores] == ["output"] * 2
    assert sorted(store.view.offset for store in stores) == [0, 3]
    assert not schedule.work


def test_gradients_of_slices_are_written_where_they_belong():
    f = ad.grad(lambda x: np.sum(np.sin(x[1:, ::2])))
    schedule = scheduled(f, A)
    assert len(loops(schedule)) == 1
    assert not schedule.work


def test_views_need_no_steps():
    schedule = scheduled(lambda x: np.sum(np.transpose(x)[::-1, None] * 1.0), A)
    assert len(loops(schedule)) <= 2


def visited(sizes, strides, row):
    """Return the places that loops visit, in their order."""
    return [int(np.dot(index, strides[row])) if sizes else 0 for index in np.ndindex(*sizes)]


@pytest.mark.parametrize(
    ("shape", "views", "count"),
    [
        ((4, 5, 6), [(30, 6, 1)], 1),
        ((4, 5, 6), [(30, 6, 1), (0, 0, 0)], 1),
        ((4, 5, 6), [(30, 6, 1), (1, 4, 20)], 3),
        ((4, 5, 6), [(30, 6, 1), (0, 6, 1)], 2),
        ((4, 5, 6), [(30, 6, 1), (30, 6, -1)], 2),
        ((4, 1, 6), [(6, 99, 1), (6, 0, 1)], 1),
        ((1, 1), [(1, 1)], 1),
        ((7,), [(-2,)], 1),
        ((5, 4), [(1, 5)], 1),
    ],
)
def test_collapsed_loops_visit_the_same_places(shape, views, count):
    sizes, strides = collapsed(shape, views, [contiguous(shape)])
    if count == 1 and shape not in ((5, 4),):
        assert len(sizes) == 1
    assert len(sizes) <= max(count, 2) if shape == (5, 4) else len(sizes) == count
    assert int(np.prod(sizes)) == int(np.prod(shape))
    rows = [*views, contiguous(shape)]
    wanted = sorted(tuple(int(np.dot(index, row)) for row in rows) for index in np.ndindex(*shape))
    found = sorted(zip(*(visited(sizes, strides, row) for row in range(len(rows))), strict=True))
    assert found == wanted
