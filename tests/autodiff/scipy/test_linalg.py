"""`autodiff.scipy.linalg`: derivatives, values of SciPy, and what is read of a matrix."""

import numpy as np
import pytest
import scipy.linalg

import autodiff as ad
import autodiff.scipy.linalg as sla


def matrix(*shape, seed=0, shift=3.0):
    """Return square matrices far from singular, with eigenvalues far apart."""
    found = np.random.default_rng(seed).uniform(-1.0, 1.0, shape)
    return found + shift * np.eye(shape[-1]) * np.arange(1, shape[-1] + 1)


def array(*shape, seed=1):
    return np.random.default_rng(seed).uniform(-1.0, 1.0, shape)


def positive(*shape, seed=0):
    a = array(*shape, seed=seed)
    return a @ np.swapaxes(a, -1, -2) + 2.0 * np.eye(shape[-1])


BATCHES = [
    pytest.param((3, 3), (3,), id="vector"),
    pytest.param((3, 3), (3, 2), id="columns"),
    pytest.param((1, 1), (1, 1), id="one"),
    pytest.param((2, 3, 3), (3,), id="batch-vector"),
    pytest.param((2, 3, 3), (3, 2), id="batch-columns"),
    pytest.param((3, 3), (2, 3, 1), id="batch-right"),
    pytest.param((2, 1, 2, 2), (3, 2, 2), id="broadcast"),
]


@pytest.mark.parametrize(("left", "right"), BATCHES)
def test_solve(check_rule, left, right):
    check_rule(sla.solve, matrix(*left), array(*right))


KINDS = ["general", "sym", "her", "pos", "diagonal", "tridiagonal", "banded"]
KINDS += ["upper triangular", "lower triangular"]


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_solve_reads_what_it_assumes(check_rule, kind, lower):
    def call(a, b):
        return sla.solve(a, b, assume_a=kind, lower=lower)

    a = matrix(3, 3)
    if kind in {"diagonal", "tridiagonal"}:
        a = np.triu(np.tril(a, 1), -1) if kind == "tridiagonal" else np.diag(np.diag(a))
    check_rule(call, a, array(3, 2), complex=kind not in {"her", "pos"})


@pytest.mark.parametrize("kind", ["her", "pos"])
def test_solve_hermitian(kind):
    factor = matrix(3, 3) + 1j * array(3, 3)
    a = factor @ factor.conj().T

    def call(a, b):
        return sla.solve(a, b, assume_a=kind, lower=True)

    ad.check_grads(call, (a, array(3, 2) + 1j), order=2)
    np.testing.assert_allclose(
        ad.vjp(call, a, array(3) + 0j)[0], scipy.linalg.solve(a, array(3) + 0j), rtol=1e-12
    )


def test_solve_transposed(check_rule):
    check_rule(lambda a, b: sla.solve(a, b, transposed=True), matrix(3, 3), array(3), complex=False)


@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
def test_solve_triangular(check_rule, trans, lower, unit):
    def call(a, b):
        return sla.solve_triangular(a, b, trans, lower, unit)

    check_rule(call, matrix(3, 3), array(3, 2))


@pytest.mark.parametrize(("left", "right"), BATCHES)
def test_solve_triangular_batches(check_rule, left, right):
    check_rule(lambda a, b: sla.solve_triangular(a, b, lower=True), matrix(*left), array(*right))


def test_the_other_triangle_has_no_derivative_and_may_hold_anything():
    a = np.array([[2.0, np.nan], [1.0, 4.0]])

    def total(a, b):
        return np.sum(sla.solve_triangular(a, b, lower=True, check_finite=False))

    in_a, in_b = ad.grad(total, argnums=(0, 1))(a, np.array([2.0, 5.0]))
    np.testing.assert_allclose(in_a, [[-0.375, 0.0], [-0.25, -0.25]])
    np.testing.assert_allclose(in_b, [0.375, 0.25])


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("shape", [(3,), (3, 2)])
def test_cho_solve(check_rule, shape, lower):
    def call(a, b):
        return sla.cho_solve(sla.cho_factor(a, lower=lower), b)

    check_rule(call, positive(3, 3), array(*shape), complex=False)
    check_rule(lambda c, b: sla.cho_solve((c, lower), b), matrix(3, 3), array(*shape))


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (1, 1), (2, 3, 3)])
def test_cholesky(check_rule, shape, lower):
    check_rule(lambda a: sla.cholesky(a, lower=lower), positive(*shape), complex=False)


@pytest.mark.parametrize("lower", [False, True])
def test_cholesky_of_complex_matrices(lower):
    factor = matrix(3, 3) + 1j * array(3, 3)
    ad.check_grads(lambda a: sla.cholesky(a, lower=lower), (factor @ factor.conj().T,), order=2)


@pytest.mark.parametrize("trans", [0, 1, 2])
def test_lu_solve_is_linear_in_the_right_side(check_rule, trans):
    factor = scipy.linalg.lu_factor(matrix(3, 3) + 0.5j)
    check_rule(lambda b: sla.lu_solve(factor, b, trans), array(3, 2) + 1j)


@pytest.mark.parametrize(("lower", "upper"), [(1, 1), (2, 0), (0, 1), (1, 2), (0, 0)])
@pytest.mark.parametrize("shape", [(4,), (4, 2)])
def test_solve_banded(check_rule, lower, upper, shape):
    ab = array(lower + upper + 1, 4)
    ab[upper] += 3.0
    check_rule(lambda ab, b: sla.solve_banded((lower, upper), ab, b), ab, array(*shape))


@pytest.mark.parametrize("lower", [False, True])
def test_solveh_banded(check_rule, lower):
    ab = 0.3 * array(2, 4)
    ab[0 if lower else 1] += 3.0
    check_rule(lambda ab, b: sla.solveh_banded(ab, b, lower=lower), ab, array(4), complex=False)


@pytest.mark.parametrize("lower", [False, True])
def test_solveh_banded_reads_a_real_diagonal(lower):
    ab = 0.3 * (array(2, 3) + 1j * array(2, 3, seed=3))
    ab[0 if lower else 1] += 3.0
    ad.check_grads(
        lambda ab, b: sla.solveh_banded(ab, b, lower=lower), (ab, array(3) + 1j), order=1
    )
    with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
        ad.vjp(lambda ab: sla.solveh_banded(ab, np.ones(3), lower=lower), -ab)


def test_solve_banded_is_the_general_solution():
    ab = array(3, 5)
    ab[1] += 3.0
    full = np.diag(ab[1]) + np.diag(ab[0, 1:], 1) + np.diag(ab[2, :-1], -1)
    b, weights = array(5), array(5, seed=7)
    in_bands = ad.grad(lambda ab: np.sum(weights * sla.solve_banded((1, 1), ab, b)))(ab)
    in_full = ad.grad(lambda a: np.sum(weights * sla.solve(a, b)))(full)
    np.testing.assert_allclose(in_bands[1], np.diag(in_full), rtol=1e-12)
    np.testing.assert_allclose(in_bands[0], [0.0, *np.diag(in_full, 1)], rtol=1e-12)
    np.testing.assert_allclose(in_bands[2], [*np.diag(in_full, -1), 0.0], rtol=1e-12)


@pytest.mark.parametrize("shape", [(3, 2), (1, 1), (2, 3, 2)])
def test_solve_sylvester(check_rule, shape):
    m, n = shape[-2:]
    check_rule(sla.solve_sylvester, matrix(m, m), matrix(n, n, seed=2), array(*shape))


def test_lyapunov(check_rule):
    check_rule(sla.solve_continuous_lyapunov, matrix(3, 3), array(3, 3))
    for method in ("direct", "bilinear"):
        check_rule(
            lambda a, q, method=method: sla.solve_discrete_lyapunov(a, q, method),
            0.4 * array(3, 3),
            array(3, 3, seed=4),
        )


SHAPES = [(3, 3), (1, 1), (2, 2, 2), (0, 0)]


@pytest.mark.parametrize("shape", SHAPES)
def test_expm(check_rule, shape):
    check_rule(sla.expm, array(*shape))


def test_expm_of_special_matrices():
    one = np.eye(2)
    zero = np.zeros((2, 2))
    np.testing.assert_allclose(ad.jacobian(sla.expm)(zero).reshape(4, 4), np.eye(4), atol=1e-15)
    np.testing.assert_allclose(
        ad.jacobian(sla.expm)(one).reshape(4, 4), np.e * np.eye(4), atol=1e-14
    )
    third = ad.grad(
        ad.grad(ad.grad(lambda t: sla.expm(t * np.array([[1.0, 2.0], [0.0, 1.0]]))[0, 1]))
    )
    np.testing.assert_allclose(third(0.5), (6.0 + 2 * 0.5) * np.exp(0.5), rtol=1e-12)


def test_expm_along_a_direction_of_any_size():
    a = array(3, 3)
    small = ad.jvp(sla.expm, (a,), (array(3, 3, seed=2),))[1]
    large = ad.jvp(sla.expm, (a,), (1e150 * array(3, 3, seed=2),))[1]
    np.testing.assert_allclose(large, 1e150 * small, rtol=1e-13)


def test_expm_frechet(check_rule):
    check_rule(lambda a, e: sla.expm_frechet(a, e), array(3, 3), array(3, 3, seed=2))


@pytest.mark.parametrize("shape", [(3, 3), (1, 1), (2, 2, 2)])
def test_sqrtm_and_logm(check_rule, shape):
    check_rule(sla.sqrtm, matrix(*shape))
    check_rule(sla.logm, matrix(*shape))


def test_sqrtm_with_complex_values():
    ad.check_grads(sla.sqrtm, (np.array([[0.3, 1.0], [-2.0, -0.5]]),), order=2)
    ad.check_grads(sla.sqrtm, (np.array([[-1.0, 0.5], [0.2, -4.0]]),), order=2)


NAMES = ["cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm"]


@pytest.mark.parametrize("name", NAMES)
def test_trigonometric_functions_of_matrices(check_rule, name):
    check_rule(getattr(sla, name), 0.5 * array(3, 3))


def test_powers(check_rule):
    check_rule(lambda a: sla.fractional_matrix_power(a, 0.3), matrix(3, 3))
    check_rule(lambda a: sla.fractional_matrix_power(A=a, t=-2), matrix(2, 2), order=1)
    with pytest.raises(TypeError, match="in the matrix only"):
        ad.grad(lambda t: np.sum(sla.fractional_matrix_power(matrix(2, 2), t)))(0.5)


@pytest.mark.parametrize("shape", [(3, 3), (2, 2, 2)])
def test_inv_and_det(check_rule, shape):
    check_rule(sla.inv, matrix(*shape))
    check_rule(sla.det, matrix(*shape))


def test_inv_reads_what_it_assumes(check_rule):
    check_rule(lambda a: sla.inv(a, assume_a="sym", lower=True), positive(3, 3))
    check_rule(lambda a: sla.inv(a, assume_a="pos"), positive(3, 3), complex=False)


@pytest.mark.parametrize("order", [None, "fro", 1, -1, 2, -2, np.inf, "nuc"])
def test_norm(check_rule, order):
    check_rule(lambda a: sla.norm(a, order), matrix(3, 3), complex=False, order=1)


def test_qr(check_rule):
    check_rule(lambda a: sla.qr(a, mode="economic"), matrix(3, 3)[:, :2])
    check_rule(lambda a: sla.qr(a), matrix(3, 3))
    check_rule(lambda a: sla.qr(a, mode="r"), matrix(3, 3)[:, :2])
    check_rule(lambda a: sla.qr(a, pivoting=True)[:2], matrix(3, 3))
    with pytest.raises(TypeError, match="economic"):
        ad.jacobian(lambda a: sla.qr(a)[0])(matrix(3, 3)[:, :2])


def test_svd(check_rule):
    check_rule(sla.svdvals, matrix(3, 3))
    check_rule(lambda a: sla.svd(a, full_matrices=False)[1], matrix(3, 3)[:, :2])


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_eigh_of_two_matrices(kind):
    a, b = matrix(3, 3), positive(3, 3)

    def values(a, b):
        return sla.eigh(a, b, type=kind, eigvals_only=True)

    def squares(a, b):
        return sla.eigh(a, b, type=kind)[1] ** 2

    for call in (values, squares):
        np.testing.assert_allclose(ad.vjp(call, a, b)[0], call(a, b), rtol=1e-12)
        ad.check_grads(call, (a, b), order=2 if kind == 1 else 1, rtol=1e-5)


def test_eigh_subsets():
    a = matrix(3, 3)
    wanted = scipy.linalg.eigh(a, eigvals_only=True)
    by_index = ad.vjp(lambda a: sla.eigh(a, subset_by_index=[1, 2], eigvals_only=True), a)[0]
    np.testing.assert_allclose(by_index, wanted[1:])
    bounds = [wanted[0] + 0.1, wanted[1] + 0.1]
    by_value = ad.vjp(lambda a: sla.eigvalsh(a, subset_by_value=bounds), a)[0]
    np.testing.assert_allclose(by_value, scipy.linalg.eigvalsh(a, subset_by_value=bounds))


def test_eigvals_are_complex_as_those_of_scipy():
    a = matrix(3, 3)
    np.testing.assert_allclose(ad.vjp(sla.eigvals, a)[0], scipy.linalg.eigvals(a))
    ad.check_grads(lambda a: np.real(sla.eigvals(a)), (a,), order=2)


def test_pinv_and_lstsq(check_rule):
    a = matrix(4, 4)[:, :2]
    check_rule(sla.pinv, a)
    check_rule(lambda a, b: sla.lstsq(a, b)[:2], a, array(4), complex=False)
    value = ad.vjp(lambda a: sla.pinv(a, return_rank=True)[0], a)[0]
    np.testing.assert_allclose(value, scipy.linalg.pinv(a), rtol=1e-12)


def test_block_diag(check_rule):
    check_rule(sla.block_diag, array(2, 2), array(1, 3), array(3), array())
    check_rule(sla.block_diag, array(2, 2, 2), array(1, 3))
    assert ad.vjp(lambda a: sla.block_diag(a, np.eye(2)), array(0, 1))[0].shape == (2, 3)


@pytest.mark.parametrize("shape", [(3,), (1,), (2, 3)])
def test_constant_diagonals(check_rule, shape):
    other = array(*shape[:-1], 4, seed=3)
    check_rule(sla.toeplitz, array(*shape))
    check_rule(sla.toeplitz, array(*shape), other)
    check_rule(sla.hankel, array(shape[-1]))
    check_rule(sla.hankel, array(shape[-1]), array(4))
    check_rule(sla.circulant, array(*shape))


REFUSED = [sla.lu, sla.lu_factor, sla.schur]


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_refused(function):
    with pytest.raises(TypeError, match=rf"scipy\.linalg\.{function.__name__} of tracked values"):
        ad.vjp(function, matrix(2, 2))
    plain = function(matrix(2, 2))
    np.testing.assert_array_equal(
        plain[0], getattr(scipy.linalg, function.__name__)(matrix(2, 2))[0]
    )


def test_plain_values_get_scipys_own_result():
    a, b = matrix(3, 3), array(3)
    np.testing.assert_array_equal(sla.solve(a, b), scipy.linalg.solve(a, b))
    np.testing.assert_array_equal(sla.cho_factor(a)[0], scipy.linalg.cho_factor(a)[0])
    assert sla.hadamard is scipy.linalg.hadamard
    assert "hadamard" in dir(sla)


def test_values_that_are_not_finite_are_refused_as_by_scipy():
    a = matrix(2, 2)
    a[0, 0] = np.inf
    with pytest.raises(ValueError, match="infs or NaNs"):
        ad.vjp(lambda a: sla.solve(a, np.ones(2)), a)
