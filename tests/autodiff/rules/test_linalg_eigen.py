"""Eigenvalues and eigenvectors: values, gauges, repeated eigenvalues."""

import numpy as np
import pytest

import autodiff as ad
from autodiff import Variable, check_grads, grad, jvp

linalg = np.linalg


def array(*shape, dtype=float):
    rng = np.random.default_rng(sum(shape) + len(shape))
    a = rng.uniform(-1.0, 1.0, shape)
    return a + 1j * rng.uniform(-1.0, 1.0, shape) if dtype is complex else a


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def with_signs(v):
    """Return eigenvectors with signs that follow from them: LAPACK's may jump."""
    return v * np.sign(np.real(np.sum(v, axis=-2, keepdims=True)))


def symmetric(a):
    return (a + adjoint(a)) / 2.0


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (3, 3), (2, 3, 3)], ids=str)
@pytest.mark.parametrize("uplo", ["L", "U", "l"])
def test_eigh_reads_one_triangle(check_rule, shape, uplo):
    def with_fixed_signs(a):
        w, v = linalg.eigh(a, uplo)
        return w, with_signs(v)

    check_rule(with_fixed_signs, array(*shape), complex=False)
    check_rule(lambda a: linalg.eigvalsh(a, UPLO=uplo), array(*shape))


@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3)], ids=str)
def test_eigh_of_complex_matrices_without_phases(check_rule, shape):
    def without_phases(a):
        w, v = linalg.eigh(a)
        return w, np.abs(v), (v * np.exp(w)[..., None, :]) @ adjoint(v)

    check_rule(without_phases, array(*shape, dtype=complex))


@pytest.mark.parametrize("uplo", ["L", "U"])
def test_what_is_not_read_has_derivative_zero(uplo):
    found = grad(lambda a: np.sum(linalg.eigvalsh(a, uplo) ** 3))(array(3, 3))
    unread = np.triu(found, 1) if uplo == "L" else np.tril(found, -1)
    assert not np.any(unread)
    assert np.count_nonzero(found) == 6


def test_eigh_has_the_names_of_numpy():
    found = linalg.eigh(Variable(np.diag([1.0, 2.0])))
    assert type(found) is type(linalg.eigh(np.eye(2)))
    np.testing.assert_array_equal(found.eigenvalues.value, [1.0, 2.0])
    found = linalg.eig(Variable(np.diag([1.0, 2.0])))
    assert type(found) is type(linalg.eig(np.eye(2)))
    np.sum(np.real(found.eigenvalues)).backward()


def test_eigh_with_a_wrong_triangle_is_numpys_error():
    with pytest.raises(ValueError, match="UPLO"):
        linalg.eigh(Variable(np.eye(2)), "X")


def repeated(w, dtype=float):
    """Return a matrix with eigenvalues `w`, which rounding moves apart, and its vectors."""
    q = linalg.qr(array(len(w), len(w), dtype=dtype)).Q
    return symmetric((q * np.asarray(w)) @ adjoint(q)), q


REPEATED = [
    pytest.param(np.diag([1.0, 1.0, 2.0, 2.0]), id="exactly"),
    pytest.param(repeated([1.0, 1.0, 2.0, 2.0])[0], id="up to rounding"),
    pytest.param(repeated([1.0, 1.0, 2.0, 2.0], complex)[0], id="complex"),
]


@pytest.mark.parametrize("a", REPEATED)
def test_a_projector_on_the_space_of_a_repeated_eigenvalue(a):
    def projector(a):
        v = linalg.eigh(symmetric(a)).eigenvectors[..., :2]
        return v @ adjoint(v)

    check_grads(projector, (a,), order=1)


@pytest.mark.parametrize("a", REPEATED)
def test_sums_of_repeated_eigenvalues(a):
    def sums(a):
        w = linalg.eigvalsh(symmetric(a))
        return np.sum(w[:2]), np.sum(np.exp(w)), np.sum(linalg.eigh(symmetric(a))[0][2:])

    check_grads(sums, (a,), order=1)


def test_vectors_of_a_repeated_eigenvalue_have_finite_derivatives():
    found = grad(lambda a: np.sum(linalg.eigh(a)[1] ** 3))(np.eye(3))
    assert not np.any(found)
    assert not np.any(jvp(lambda a: linalg.eigh(a)[1], (np.eye(3),), (array(3, 3),))[1])


@pytest.mark.parametrize("a", REPEATED)
def test_the_largest_eigenvalue_beside_repeated_ones_has_second_derivatives(a):
    shifted = a + 3.0 * np.outer(array(4), array(4))

    def largest(a):
        return linalg.eigvalsh(symmetric(a))[-1]

    check_grads(largest, (shifted,), order=2)


def eig(a):
    w, v = linalg.eig(a)
    return w, with_signs(v)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (3, 3), (2, 3, 3)], ids=str)
def test_eig_in_the_gauge_of_numpy(check_rule, dtype, shape):
    check_rule(eig, array(*shape, dtype=dtype))


@pytest.mark.parametrize("shape", [(4, 4), (2, 3, 3)], ids=str)
def test_eigvals(check_rule, shape):
    check_rule(linalg.eigvals, array(*shape))


def test_eig_of_a_matrix_with_complex_pairs_and_one_with_real_eigenvalues(check_rule):
    turn = np.array([[0.0, -1.0], [2.0, 0.5]])
    check_rule(eig, turn)
    check_rule(eig, np.array([[2.0, 1.0], [0.5, -1.0]]))
    assert np.iscomplexobj(linalg.eig(Variable(turn)).eigenvalues.value)
    assert grad(lambda a: np.sum(np.abs(linalg.eigvals(a))))(turn).dtype == float


def test_sums_of_eigenvalues_are_traces():
    a = array(5, 5)
    found = grad(lambda a: np.real(np.sum(linalg.eigvals(a) ** 2)))(a)
    np.testing.assert_allclose(found, 2.0 * a.T, rtol=1e-11)


def test_repeated_eigenvalues_of_a_matrix_that_is_not_defective():
    # Similar to diag(1, 1, 3), far from symmetric.
    s = array(3, 3) + 2.0 * np.eye(3)
    a = linalg.solve(s, np.diag([1.0, 1.0, 3.0]) @ s)
    check_grads(lambda a: np.real(np.sum(linalg.eigvals(a))), (a,), order=1)
    check_grads(lambda a: np.real(np.max(np.real(linalg.eigvals(a)))), (a,), order=1)
    assert not np.any(np.isnan(grad(lambda a: np.real(np.sum(linalg.eig(a)[1])))(a)))


def test_a_defective_matrix_is_an_error():
    a = np.array([[1.0, 1.0], [0.0, 1.0]])
    with pytest.raises(linalg.LinAlgError, match="defective"):
        grad(lambda a: np.sum(np.real(linalg.eig(a)[0])))(a)
    with pytest.raises(linalg.LinAlgError, match="defective"):
        jvp(linalg.eigvals, (a,), (a,))
    stack = np.stack([a, np.diag([1.0, 2.0])])
    found = grad(lambda a: np.sum(np.real(linalg.eigvals(a)[1])))(stack)
    np.testing.assert_array_equal(found, [np.zeros((2, 2)), np.eye(2)])


def test_second_derivatives_of_a_function_of_a_symmetric_matrix():
    a = symmetric(array(3, 3))

    def cubes(a):
        return np.sum(linalg.eigvalsh(symmetric(a)) ** 3)

    wanted = ad.hessian(lambda a: np.trace(symmetric(a) @ symmetric(a) @ symmetric(a)))(a)
    np.testing.assert_allclose(ad.hessian(cubes)(a), wanted, rtol=1e-11, atol=1e-12)


def test_a_stack_masks_its_repeated_members():
    stack = np.stack([np.eye(2), np.array([[1.0, 0.5], [0.5, 3.0]])])

    def masked(a):
        return np.sum(np.where(np.array([[[False]], [[True]]]), linalg.eigh(a)[1], 0.0))

    found = grad(masked)(stack)
    assert not np.any(found[0])
    np.testing.assert_allclose(
        found[1], grad(lambda a: np.sum(linalg.eigh(a)[1]))(stack[1]), rtol=1e-14
    )
