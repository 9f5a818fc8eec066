"""Norms: every order, axis and minimum."""

import numpy as np
import pytest

import autodiff as ad
from autodiff import Variable, grad, jvp

norm = np.linalg.norm
VECTOR = [None, 1, 2, 3, 2.5, 0.5, -1, -2, np.inf, -np.inf, np.int64(1), np.float32(3)]
MATRIX = [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]


def array(*shape):
    """Return entries away from 0, of both signs, no two of equal size."""
    rng = np.random.default_rng(sum(shape))
    size = rng.permutation(np.sqrt(np.linspace(0.2, 3.0, int(np.prod(shape))))).reshape(shape)
    return size * rng.choice([-1.0, 1.0], shape)


@pytest.mark.parametrize("order", VECTOR, ids=str)
@pytest.mark.parametrize(
    ("shape", "axis", "keepdims"),
    [((4,), None, False), ((4,), -1, True), ((1,), 0, False), ((2, 3, 2), 1, False)],
    ids=str,
)
def test_norms_of_vectors(check_rule, order, shape, axis, keepdims):
    check_rule(lambda x: norm(x, order, axis, keepdims), array(*shape))


@pytest.mark.parametrize("order", MATRIX, ids=str)
@pytest.mark.parametrize(
    ("shape", "axis", "keepdims"),
    [
        ((3, 2), None, False),
        ((2, 3), None, True),
        ((1, 1), None, False),
        ((2, 3, 4), (0, 2), False),
        ((2, 3, 4), (-1, 0), True),
    ],
    ids=str,
)
def test_norms_of_matrices(check_rule, order, shape, axis, keepdims):
    check_rule(lambda x: norm(x, order, axis, keepdims), array(*shape))


@pytest.mark.parametrize(("shape", "axis"), [((2, 3), None), ((), None), ((3, 4, 2), (0, 2))])
def test_all_entries_are_one_vector(check_rule, shape, axis):
    check_rule(lambda x: norm(x, axis=axis), array(*shape))


@pytest.mark.parametrize("axis", [None, 1, -1, (0, 2), (2, 0, 1)], ids=str)
@pytest.mark.parametrize("order", [2, 1, 3, np.inf], ids=str)
@pytest.mark.parametrize("keepdims", [False, True])
def test_vector_norm(check_rule, axis, order, keepdims):
    check_rule(
        lambda x: np.linalg.vector_norm(x, axis=axis, ord=order, keepdims=keepdims),
        array(2, 3, 2),
    )


@pytest.mark.parametrize("order", ["fro", "nuc", 1, 2, -2], ids=str)
def test_matrix_norm(check_rule, order):
    check_rule(lambda x: np.linalg.matrix_norm(x, ord=order, keepdims=True), array(2, 2, 3))


@pytest.mark.parametrize("axis", [None, 0])
def test_order_0_counts(axis):
    x = np.array([[0.0, 2.0], [3.0, -1.0]])
    found = norm(Variable(x[0]), 0) if axis is None else norm(Variable(x), 0, axis)
    np.testing.assert_array_equal(found, norm(x[0], 0) if axis is None else norm(x, 0, axis))
    assert not isinstance(found, Variable)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("order", [o for o in VECTOR if o != 0], ids=str)
def test_the_tip_of_a_norm_of_vectors_is_flat(order, dtype):
    x = np.zeros(3, dtype)
    with np.errstate(divide="ignore"):
        flat_at(x, order)


def flat_at(x, order):
    np.testing.assert_array_equal(grad(lambda x: norm(x, order))(x), x)
    assert jvp(lambda x: norm(x, order), (x,), (x + 1.0,))[1] == 0.0


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("order", MATRIX, ids=str)
def test_the_tip_of_a_norm_of_matrices_is_flat(order, dtype):
    flat_at(np.zeros((2, 3), dtype), order)


def test_the_square_of_a_norm_at_its_tip():
    assert not np.any(grad(lambda x: norm(x) ** 2)(np.zeros(3)))


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("order", [0.5, 1, 1.5, 3, np.inf], ids=str)
def test_an_entry_that_is_zero_has_derivative_zero(order, dtype):
    x = np.array([0.0, -2.0], dtype)
    np.testing.assert_allclose(grad(lambda x: norm(x, order))(x), [0.0, -1.0], rtol=1e-15)


@pytest.mark.parametrize("order", [-1, -2], ids=str)
def test_a_negative_order_at_an_entry_that_is_zero(order):
    with np.errstate(divide="ignore"):
        found = grad(lambda x: norm(x, order))(np.array([0.0, 2.0]))
    np.testing.assert_array_equal(found, [0.0, 0.0])


@pytest.mark.parametrize("order", [3, 4], ids=str)
def test_second_derivatives_at_an_entry_that_is_zero(order):
    x = np.array([0.0, 3.0])
    np.testing.assert_allclose(
        ad.hessian(lambda x: norm(x, order))(x), np.zeros((2, 2)), atol=1e-15
    )


@pytest.mark.parametrize("scale", [1e-200, 1e200])
@pytest.mark.parametrize("order", [None, 2, 3, 4], ids=str)
@pytest.mark.parametrize("unit", [1.0, (1 + 1j) / np.sqrt(2)], ids=["real", "complex"])
def test_powers_that_leave_the_float_range(order, scale, unit):
    x = np.array([3.0, -4.0]) * unit
    with np.errstate(over="ignore", under="ignore"):
        found = grad(lambda x: norm(x, order))(x * scale)
    np.testing.assert_allclose(found, grad(lambda x: norm(x, order))(x), rtol=1e-14)


def test_the_largest_singular_values_share_the_derivative():
    np.testing.assert_allclose(grad(lambda x: norm(x, 2))(np.eye(2)), np.eye(2) / 2.0, atol=1e-15)


@pytest.mark.parametrize("order", [1, 2, 3, np.inf], ids=str)
def test_norms_of_nothing(order):
    x = Variable(np.zeros((0, 2)))
    np.testing.assert_array_equal(norm(x, order, axis=0).value, [0.0, 0.0])
    norm(x, order, axis=0).sum().backward()
    assert x.grad.shape == (0, 2)


def test_a_norm_that_is_masked_does_not_spoil_the_others():
    x = np.array([[np.nan, 1.0], [3.0, 4.0]])
    for order in (2, 1, 3, np.inf):
        found = grad(lambda x, p=order: np.sum(np.where([False, True], norm(x, p, axis=1), 0.0)))(x)
        assert not np.any(found[0])
        np.testing.assert_allclose(found[1], grad(lambda x, p=order: norm(x, p))(x[1]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: norm(x, 1), "vectors or matrices"),
        (lambda x: norm(x, 2, (0, 0)), "twice"),
        (lambda x: norm(x, "nuc", 0), "vectors"),
        (lambda x: norm(x, 3, (0, 1)), "order 3"),
        (lambda x: norm(x, 2, 5), "axis 5"),
    ],
)
def test_what_is_no_norm_is_said(call, message):
    with pytest.raises(ValueError, match=message):
        call(Variable(array(2, 2, 2)))
