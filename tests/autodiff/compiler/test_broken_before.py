"""Programs that gave wrong numbers, an error or a crash once, with the right values."""

import enum

import numpy as np
import pytest

import autodiff as ad

BACKENDS = pytest.mark.parametrize("backend", ["auto", "numpy"])


@BACKENDS
def test_a_container_that_is_emptied_meanwhile(backend):
    box = []

    def emptying(x):
        box.clear()
        return 2.0 * x

    step = ad.custom_rule(emptying, vjp=lambda grad, out, x: 2.0 * grad)
    compiled = ad.compile(lambda given: np.sum(step(given[0])) + np.sum(given[0]), backend=backend)
    for _ in range(3):
        box[:] = [np.arange(1000.0)]
        assert compiled(box) == 3 * 499500.0


@BACKENDS
def test_an_argument_that_a_function_keeps(backend):
    kept = []

    def keeping(x):
        kept.append(x)
        return x

    step = ad.custom_rule(keeping, vjp=lambda grad, out, x: grad)
    compiled = ad.compile(lambda x: (step(x), step(x * 2.0)), backend=backend)
    kept.clear()
    found = compiled(np.arange(3.0))
    compiled(np.full(3, 7.0))
    del compiled
    for ours, wanted in zip((*kept[-4:-2], *found), ([0, 1, 2], [0, 2, 4]) * 2, strict=True):
        np.testing.assert_array_equal(ours, wanted)


@BACKENDS
def test_an_array_that_the_function_writes_into_is_as_it_was(backend):
    def f(x):
        scratch, total = np.zeros(3), 0.0
        for i in range(3):
            scratch[:] = 0.0
            scratch[i] = 1.0
            total = total + np.sum(x * scratch) * (i + 1)
        return total

    x = np.array([100.0, 10.0, 1.0])
    assert ad.compile(f, backend=backend)(x) == f(x) == 123.0
    outside = np.ones(2)
    compiled = ad.compile(lambda x: x * outside, backend=backend)
    compiled(np.ones(2))
    outside[:] = 5.0
    np.testing.assert_array_equal(compiled(np.ones(2)), [1.0, 1.0])


class Float(float):
    pass


class Number(enum.IntEnum):
    TWO = 2


@BACKENDS
def test_types_that_are_nearly_those_of_the_program(backend):
    twice = ad.compile(lambda x: x * 2, backend=backend)
    for one in (2.0, Float(2.0), 2, Number.TWO, 2.0):
        assert twice(one) == 4
    for dtype in ("l", "q", "l"):
        np.testing.assert_array_equal(twice(np.arange(3, dtype=dtype)), [0, 2, 4])


@BACKENDS
def test_results_that_are_no_numbers_of_c(backend):
    found = ad.compile(lambda x: (x, 2**63, 2**70, 1j), backend=backend)(1.0)
    assert found == (1.0, 2**63, 2**70, 1j)


@BACKENDS
def test_keywords_of_numpy_given_by_position(backend):
    x = np.array([np.nan, np.inf, 1.0])
    compiled = ad.compile(lambda x: np.nan_to_num(x, True, 3.0, 4.0), backend=backend)
    np.testing.assert_array_equal(compiled(x), [3.0, 4.0, 1.0])


@BACKENDS
def test_whole_numbers_compare_as_they_are(backend):
    small = np.array([1, 200], np.uint8)
    compiled = ad.compile(lambda x, n: x < n, backend=backend)
    np.testing.assert_array_equal(compiled(small, 300), [True, True])
    np.testing.assert_array_equal(compiled(small, -1), [False, False])
    large = np.array([2**53 + 1]), np.array([2**53], np.uint64)
    assert ad.compile(lambda x, y: x > y, backend=backend)(*large).all()
    with pytest.raises(OverflowError):
        ad.compile(lambda x, n: x + n, backend=backend)(small, 300)


@BACKENDS
def test_a_name_that_c_has_no_form_for(backend):
    f = ad.custom_rule(lambda x: 3.0 * x, vjp=lambda grad, out, x: 3.0 * grad)
    f.__wrapped__.__name__ = 'quote " and */ and\nline'
    assert ad.compile(lambda x: f(x) + 1.0, backend=backend)(1.0) == 4.0


@BACKENDS
def test_an_array_that_is_filled_by_assignment(backend):
    def f(x):
        z = ad.numpy.zeros(6)
        z[1:3] = x[:2]
        z[5] = x[2]
        return np.sum(z * z)

    x = np.array([1.0, 2.0, 3.0])
    assert ad.compile(f, backend=backend)(x) == 14.0
    np.testing.assert_array_equal(ad.compile(ad.grad(f), backend=backend)(x), 2.0 * x)


@BACKENDS
def test_a_partial_that_reads_one_number_in_the_place_of_an_array(backend):
    f = ad.grad(lambda a: np.sum(a / np.sum(a)))
    np.testing.assert_allclose(ad.compile(f, backend=backend)(np.ones(6)), f(np.ones(6)))


@BACKENDS
def test_log_softmax(backend):
    x = np.arange(6.0).reshape(2, 3) ** 2
    f = ad.grad(lambda x: np.sum(ad.scipy.special.log_softmax(x, axis=1) ** 2))
    np.testing.assert_allclose(ad.compile(f, backend=backend)(x), f(x))


X = np.arange(12.0).reshape(4, 3)
LABELS = np.array([2, 0, 1, 2])


@BACKENDS
@pytest.mark.parametrize(
    "take",
    [
        lambda x, labels: x[np.arange(4), labels],
        lambda x, labels: x[labels],
        lambda x, labels: x[:, labels],
        lambda x, labels: x[labels[0], labels[1]],
        lambda x, labels: x[labels[0], :],
        lambda x, labels: x[np.arange(4), np.argmax(x, 1)],
        lambda x, labels: ad.numpy.take(X, labels, 0) * x[0, 1],
    ],
)
def test_whole_numbers_as_indices(backend, take):
    def f(x, labels):
        return np.sum(take(x * x, labels))

    compiled = ad.compile(ad.value_and_grad(f), backend=backend)
    value, grad = compiled(X, LABELS)
    wanted, slope = ad.value_and_grad(f)(X, LABELS)
    assert value == wanted
    np.testing.assert_array_equal(grad, slope)


@BACKENDS
def test_operators_of_conditions_and_whole_numbers(backend):
    mask = np.array([True, True, False]), np.array([True, False, False])
    compiled = ad.compile(lambda m, n, i: (m & n, m | n, m ^ n, i & 1, i << 1), backend=backend)
    found = compiled(*mask, np.array([1, 2, 3]))
    wanted = mask[0] & mask[1], mask[0] | mask[1], mask[0] ^ mask[1], [1, 0, 1], [2, 4, 6]
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(ours, theirs)
