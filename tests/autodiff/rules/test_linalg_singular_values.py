"""Singular value decompositions and condition numbers."""

import numpy as np
import pytest

from autodiff import Variable, check_grads, grad, jacobian

linalg = np.linalg
SHAPES = [(1, 1), (3, 3), (4, 2), (2, 4), (2, 3, 2), (2, 2, 3), (3, 0), (0, 3), (0, 2, 2)]


def array(*shape, dtype=float):
    rng = np.random.default_rng(sum(shape) + 5 * len(shape))
    a = rng.uniform(-1.0, 1.0, shape)
    return a + 1j * rng.uniform(-1.0, 1.0, shape) if dtype is complex else a


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def with_signs(u, s, vh):
    """Return a decomposition with signs that follow from it: LAPACK's may jump."""
    signs = np.sign(np.sum(u, axis=-2))
    return u * signs[..., None, :], s, signs[..., None] * vh


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_svd(check_rule, shape):
    check_rule(
        lambda a: with_signs(*linalg.svd(a, full_matrices=False)), array(*shape), complex=False
    )


@pytest.mark.parametrize("shape", SHAPES[1:-3], ids=str)
def test_svd_of_complex_matrices_without_phases(check_rule, shape):
    def without_phases(a):
        u, s, vh = linalg.svd(a, full_matrices=False)
        return np.abs(u), s, np.abs(vh), (u * np.exp(s)[..., None, :]) @ vh

    check_rule(without_phases, array(*shape, dtype=complex))


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", SHAPES[1:], ids=str)
def test_svd_with_full_matrices(check_rule, shape, dtype):
    k = min(shape[-2:])

    def without_choice(a):
        u, s, vh = linalg.svd(a)
        more_u, more_vh = u[..., k:], vh[..., k:, :]
        return (
            (u[..., :k] * s[..., None, :]) @ vh[..., :k, :],
            np.abs(u[..., :k]),
            more_u @ adjoint(more_u),
            adjoint(more_vh) @ more_vh,
        )

    check_rule(without_choice, array(*shape, dtype=dtype))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(
    "values", [linalg.svdvals, lambda a: linalg.svd(a, compute_uv=False)], ids=["svdvals", "svd"]
)
def test_singular_values(check_rule, shape, values):
    check_rule(values, array(*shape))


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (2, 3, 3)], ids=str)
def test_svd_of_hermitian_matrices(check_rule, shape):
    a = array(*shape) + np.diag([1.0, -3.0, 5.0][: shape[-1]])
    check_rule(lambda a: with_signs(*linalg.svd(a, hermitian=True)), a, complex=False)
    check_rule(lambda a: linalg.svd(a, compute_uv=False, hermitian=True), a)


def test_svd_has_the_names_of_numpy():
    a = array(3, 2)
    for full in (False, True):
        found, wanted = linalg.svd(Variable(a), full), linalg.svd(a, full)
        assert type(found) is type(wanted)
        for ours, numpys in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(ours.value, numpys)
    found.S.sum().backward()


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("exact", [True, False])
def test_repeated_singular_values(dtype, exact):
    a = np.diag([2.0, 2.0, 2.0]).astype(dtype)
    if not exact:
        a = 2.0 * linalg.qr(array(3, 3, dtype=dtype)).Q

    def polar_factor_and_sums(a):
        u, s, vh = linalg.svd(a)
        return u @ vh, np.sum(np.exp(s))

    check_grads(polar_factor_and_sums, (a,), order=1)


@pytest.mark.parametrize("dtype", [float, complex])
def test_projectors_of_a_matrix_of_low_rank(dtype):
    left, right = array(5, 2, dtype=dtype), array(2, 4, dtype=dtype)

    def projectors(left, right):
        u, s, vh = linalg.svd(left @ right)
        u, vh = u[:, :2], vh[:2]
        return u @ adjoint(u), adjoint(vh) @ vh, (u / s[:2]) @ vh

    check_grads(projectors, (left, right), order=1)


def test_zero_singular_values_have_derivative_zero():
    a = np.diag([3.0, 0.0])
    np.testing.assert_array_equal(grad(lambda a: np.sum(linalg.svdvals(a)))(a), np.diag([1.0, 0.0]))
    np.testing.assert_array_equal(grad(lambda a: np.sum(linalg.svd(a)[1]))(a), np.diag([1.0, 0.0]))
    found = grad(lambda a: np.sum(linalg.svd(a)[0] ** 3) + np.sum(linalg.svd(a)[2]))(
        np.zeros((3, 2))
    )
    assert not np.any(found)


@pytest.mark.parametrize("p", [None, 2, -2, 1, -1, np.inf, -np.inf, "fro", "nuc"], ids=str)
@pytest.mark.parametrize("shape", [(3, 3), (2, 2, 2)], ids=str)
def test_cond(check_rule, p, shape):
    check_rule(lambda a: linalg.cond(a, p), array(*shape) + 2.0 * np.eye(shape[-1]))


def test_cond_of_other_shapes(check_rule):
    check_rule(linalg.cond, array(4, 2))
    with pytest.raises(linalg.LinAlgError, match="empty"):
        linalg.cond(Variable(np.zeros((0, 2))))


@pytest.mark.parametrize("p", [None, -2, 1, "fro"], ids=str)
def test_cond_of_singular_matrices(p):
    stack = np.stack([np.diag([2.0, 1.0]), np.diag([1.0, 0.0]), np.zeros((2, 2))])
    found = linalg.cond(Variable(stack), p)
    np.testing.assert_allclose(found.value, linalg.cond(stack, p))
    clean = grad(lambda a: linalg.cond(a, p))(stack[0])
    masked = grad(lambda a: np.sum(np.where([True, False, False], linalg.cond(a, p), 0.0)))(stack)
    np.testing.assert_allclose(masked, [clean, np.zeros((2, 2)), np.zeros((2, 2))], atol=1e-15)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_the_derivative_of_an_infinite_condition_number_is_infinite_in_one_entry(mode):
    with np.errstate(all="ignore"):
        found = jacobian(linalg.cond, mode=mode)(np.diag([2.0, 0.0]))
    np.testing.assert_array_equal(found, [[np.inf, 0.0], [0.0, 0.0]])


def test_matrix_rank_is_plain():
    stack = np.stack([np.eye(2), np.ones((2, 2))])
    assert linalg.matrix_rank(Variable(stack)).tolist() == [2, 1]
    assert linalg.matrix_rank(Variable(np.eye(3) * 0.1), tol=1.0) == 0
