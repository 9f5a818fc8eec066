"""Linear equations and inverses."""

import numpy as np
import pytest

from autodiff import Variable, grad, jvp, vjp

linalg = np.linalg


def array(*shape):
    return np.random.default_rng(sum(shape) + 7 * len(shape)).uniform(-1.0, 1.0, shape)


def square(*shape):
    """Return matrices that are far from singular."""
    return array(*shape) + 2.0 * np.eye(shape[-1])


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (3, 3), (2, 3, 3), (2, 1, 2, 2)], ids=str)
def test_inv(check_rule, shape):
    check_rule(linalg.inv, square(*shape))


SOLVE = [
    ((0, 0), (0,)),
    ((1, 1), (1,)),
    ((3, 3), (3,)),
    ((3, 3), (3, 2)),
    ((3, 3), (3, 0)),
    ((2, 3, 3), (3,)),
    ((2, 3, 3), (3, 2)),
    ((3, 3), (2, 3, 1)),
    ((2, 1, 3, 3), (4, 3, 2)),
    ((3, 3, 3), (3, 3)),
]


@pytest.mark.parametrize(("a", "b"), SOLVE, ids=str)
def test_solve(check_rule, a, b):
    check_rule(linalg.solve, square(*a), array(*b))


def test_solve_in_one_argument(check_rule):
    a, b = square(3, 3), array(3)
    check_rule(lambda x: linalg.solve(a, x), b)
    check_rule(lambda x: linalg.solve(x, b), a)
    assert linalg.solve([[2.0]], Variable([3.0])).value == 1.5


def test_a_singular_matrix_is_numpys_error():
    with pytest.raises(linalg.LinAlgError, match="Singular"):
        linalg.inv(Variable(np.zeros((2, 2))))
    with pytest.raises(linalg.LinAlgError):
        linalg.solve(Variable(array(2, 3)), array(2))


@pytest.mark.parametrize("shape", [(0, 2), (1, 1), (3, 3), (4, 2), (2, 4), (2, 3, 2)], ids=str)
@pytest.mark.parametrize("given", [{}, {"rcond": 1e-10}, {"rtol": None}, {"rtol": 1e-10}], ids=str)
def test_pinv(check_rule, shape, given):
    check_rule(lambda x: linalg.pinv(x, **given), array(*shape))


@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3)], ids=str)
def test_pinv_of_a_hermitian_matrix_reads_the_lower_triangle(check_rule, shape):
    check_rule(lambda x: linalg.pinv(x, hermitian=True), array(*shape))


@pytest.mark.parametrize("dtype", [float, complex])
def test_pinv_of_matrices_of_low_rank(check_rule, dtype):
    tall = array(4, 2) + (1j * array(2, 4).T if dtype is complex else 0.0)
    check_rule(lambda x: linalg.pinv(x @ np.conj(x.T), 1e-5), tall)


def test_pinv_with_different_cutoffs_in_a_stack():
    a = np.stack([np.diag([1.0, 1e-3])] * 2)
    found = grad(lambda a: np.sum(linalg.pinv(a, np.array([1e-6, 1e-1]))))(a)
    np.testing.assert_allclose(found[0][1, 1], -1e6)
    np.testing.assert_allclose(found[1][1, 1], 0.0, atol=1e-12)


def test_pinv_makes_no_large_squares():
    # A square of the long side would hold 10^10 entries.
    x = np.random.default_rng(0).uniform(size=(100_000, 2))
    for a in (x, x.T):
        assert grad(lambda a: np.sum(linalg.pinv(a)))(a).shape == a.shape
        assert jvp(linalg.pinv, (a,), (a,))[1].shape == a.T.shape


LSTSQ = [((4, 2), (4,)), ((4, 2), (4, 3)), ((2, 4), (2,)), ((2, 4), (2, 3)), ((3, 3), (3,))]


@pytest.mark.parametrize(("a", "b"), LSTSQ, ids=str)
@pytest.mark.parametrize("rcond", [None, 1e-8, -1], ids=str)
def test_lstsq(check_rule, a, b, rcond):
    check_rule(lambda a, b: linalg.lstsq(a, b, rcond)[:2], array(*a), array(*b))


def test_lstsq_gives_rank_and_singular_values():
    a = array(4, 2)
    x, residuals, rank, s = linalg.lstsq(Variable(a), np.ones(4))
    wanted = linalg.lstsq(a, np.ones(4))
    assert rank == 2
    assert residuals.shape == (1,)
    for found, numpys in zip((x, residuals, s), (wanted[0], wanted[1], wanted[3]), strict=True):
        np.testing.assert_allclose(found.value, numpys, rtol=1e-13)
    assert linalg.lstsq(Variable(np.ones((4, 2))), np.ones(4))[2] == 1


def test_lstsq_is_the_solution_of_the_normal_equations():
    a, b, weights = array(5, 3), array(5), array(3)
    found = grad(lambda a: weights @ linalg.lstsq(a, b)[0])(a)
    wanted = grad(lambda a: weights @ linalg.solve(a.T @ a, a.T @ b))(a)
    np.testing.assert_allclose(found, wanted, rtol=1e-10)


@pytest.mark.parametrize(("shape", "ind"), [((6, 2, 3), 1), ((2, 3, 6), 2)], ids=str)
def test_tensorinv(check_rule, shape, ind):
    check_rule(lambda a: linalg.tensorinv(a, ind), array(*shape))


@pytest.mark.parametrize(
    ("a", "b", "axes"),
    [
        ((2, 3, 6), (2, 3), None),
        ((6, 2, 3), (2, 3), (0,)),
        ((2, 3, 3, 2), (3, 2), (0, 1)),
        ((2, 2, 4), (4,), (0, 1)),
    ],
    ids=str,
)
def test_tensorsolve(check_rule, a, b, axes):
    check_rule(lambda a, b: linalg.tensorsolve(a, b, axes), array(*a), array(*b))


def test_tensorsolve_of_shapes_that_do_not_fit():
    with pytest.raises(linalg.LinAlgError, match=r"tensorsolve.*shape \(2, 3\)"):
        linalg.tensorsolve(Variable(array(2, 3)), array(2))


def test_tensorinv_of_no_axes_is_refused():
    with pytest.raises(ValueError, match="positive number of axes"):
        linalg.tensorinv(Variable(np.eye(2)), 0)


@pytest.mark.parametrize("n", [-3, -2, -1, 1, 2, 3, 4, 5, 10, np.int64(2)], ids=str)
@pytest.mark.parametrize("shape", [(2, 2), (2, 3, 3)], ids=str)
def test_matrix_power(check_rule, n, shape):
    check_rule(lambda a: linalg.matrix_power(a, n), square(*shape) / 2.0)


def test_matrix_power_0_is_the_identity():
    np.testing.assert_array_equal(linalg.matrix_power(Variable(array(2, 2)), 0), np.eye(2))
    with pytest.raises(TypeError):
        linalg.matrix_power(Variable(array(2, 2)), 0.5)


@pytest.mark.parametrize("function", [linalg.inv, lambda a: linalg.solve(a, np.ones(2))])
def test_a_masked_matrix_of_a_stack_contributes_nothing(function):
    stack = square(2, 2, 2)
    clean = grad(lambda a: np.sum(function(a)[1]))(stack)
    stack[0] = np.nan
    mask = np.array([False, True])

    def masked(a):
        out = function(a)
        return np.sum(np.where(mask.reshape((2, *[1] * (out.ndim - 1))), out, 0.0))

    np.testing.assert_allclose(grad(masked)(stack), clean, rtol=1e-14)


def test_the_cotangent_of_a_broadcast_matrix_is_summed():
    a, b = square(2, 2), array(3, 2, 1)
    value, pullback = vjp(linalg.solve, a, b)
    wanted = sum(vjp(linalg.solve, a, one)[1](np.ones((2, 1)))[0] for one in b)
    np.testing.assert_allclose(pullback(np.ones(value.shape))[0], wanted, rtol=1e-13)
