"""Determinants, also of singular matrices."""

from itertools import permutations

import numpy as np
import pytest

import autodiff as ad
from autodiff import Variable, check_grads, grad, hessian, jvp

linalg = np.linalg


def array(*shape):
    return np.random.default_rng(sum(shape)).uniform(-1.0, 1.0, shape) + 0.5 * np.eye(shape[-1])


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (2, 2), (3, 3), (2, 4, 4)], ids=str)
def test_det(check_rule, shape):
    check_rule(linalg.det, array(*shape))


def test_third_derivatives_of_det():
    check_grads(linalg.det, (array(3, 3),), order=3, rtol=1e-5)


def by_permutations(a):
    """Return the determinant as a polynomial, whose derivatives exist everywhere."""
    n = a.shape[0]
    total = 0.0
    for order in permutations(range(n)):
        sign = linalg.det(np.eye(n)[list(order)])
        term = sign
        for i, j in enumerate(order):
            term = term * a[i, j]
        total = total + term
    return total


def of_rank(rank, dtype=float, n=4):
    rng = np.random.default_rng(rank)
    left, right = rng.standard_normal((2, n, n))
    if dtype is complex:
        left, right = left + 1j * right, right - 0.5j * left
    return left[:, :rank] @ right[:rank]


SINGULAR = [
    *(
        pytest.param(of_rank(r, t), id=f"rank {r}, {t.__name__}")
        for r in range(5)
        for t in (float, complex)
    ),
    pytest.param(np.diag([1.0, 2.0, 3.0, 0.0]), id="exactly singular"),
    pytest.param(np.diag([2.0, 0.0, 0.0, 3.0]), id="exactly of rank 2"),
    pytest.param(np.zeros((4, 4)), id="zeros"),
    pytest.param(np.diag([1e-9, 2.0, 3.0, 1.0]) + 1e-3 * of_rank(1), id="ill-conditioned"),
]


@pytest.mark.parametrize("a", SINGULAR)
def test_det_of_singular_matrices(a):
    def real(function):
        return lambda a: (
            np.real(function(a)) + np.imag(function(a)) if np.iscomplexobj(a) else function(a)
        )

    wanted = grad(real(by_permutations))(a)
    scale = max(1.0, np.max(np.abs(a))) ** 3
    np.testing.assert_allclose(grad(real(linalg.det))(a), wanted, rtol=1e-12, atol=1e-13 * scale)
    direction = array(4, 4)
    for order in (1, 2):
        ours, theirs = real(linalg.det), real(by_permutations)
        for _ in range(order):
            ours = (lambda f: lambda a: jvp(f, (a,), (direction + 0.0 * a,))[1])(ours)
            theirs = (lambda f: lambda a: jvp(f, (a,), (direction + 0.0 * a,))[1])(theirs)
        np.testing.assert_allclose(ours(a), theirs(a), rtol=1e-11, atol=1e-12 * scale)


@pytest.mark.parametrize("rank", range(5))
def test_hessian_of_det_of_singular_matrices(rank):
    a = of_rank(rank)
    np.testing.assert_allclose(
        ad.hessian(linalg.det)(a), ad.hessian(by_permutations)(a), rtol=1e-11, atol=1e-12
    )


def test_singular_matrices_in_a_stack():
    stack = np.stack([np.eye(2), np.diag([3.0, 0.0]), np.zeros((2, 2))])
    found = grad(lambda a: np.sum(linalg.det(a)))(stack)
    np.testing.assert_allclose(
        found, [np.eye(2), np.diag([0.0, 3.0]), np.zeros((2, 2))], atol=1e-15
    )


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (3, 3), (2, 3, 3)], ids=str)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_slogdet(check_rule, shape, sign):
    check_rule(lambda a: linalg.slogdet(sign * a), array(*shape))


def test_slogdet_has_the_names_of_numpy():
    found = linalg.slogdet(Variable(-np.eye(3)))
    assert type(found) is type(linalg.slogdet(np.eye(3)))
    assert found.sign.value == -1.0
    found.logabsdet.backward()
    sign, log = found
    assert sign is found.sign
    assert log.value == 0.0


def test_the_gradient_of_logdet_is_the_inverse():
    a = array(3, 3)
    np.testing.assert_allclose(grad(lambda a: linalg.slogdet(a)[1])(a), linalg.inv(a).T, rtol=1e-13)


def test_logdet_of_a_singular_matrix_has_the_infinite_limit():
    def logdet(a):
        return linalg.slogdet(a).logabsdet

    np.testing.assert_array_equal(grad(logdet)(np.zeros((1, 1))), [[np.inf]])
    found = grad(logdet)(np.diag([-2.0, 0.0]))
    np.testing.assert_array_equal(found, [[0.0, 0.0], [0.0, -np.inf]])


@pytest.mark.parametrize("function", [linalg.det, lambda a: linalg.slogdet(a)[1]])
@pytest.mark.parametrize("bad", [np.nan, 0.0])
def test_a_masked_matrix_of_a_stack_contributes_nothing(function, bad):
    stack = array(2, 2, 2)
    clean = grad(lambda a: function(a)[1])(stack)
    stack[0] = bad
    with np.errstate(invalid="ignore"):
        found = grad(lambda a: np.sum(np.where([False, True], function(a), 0.0)))(stack)
    np.testing.assert_allclose(found, clean, rtol=1e-14)


def test_second_derivatives_of_a_stack_with_a_masked_matrix():
    stack = array(2, 2, 2)
    second = hessian(lambda a: linalg.det(a)[1] ** 2)(stack)
    stack[0] = np.nan
    with np.errstate(invalid="ignore"):
        found = hessian(lambda a: linalg.det(a)[1] ** 2)(stack)
    np.testing.assert_allclose(found[1, :, :, 1], second[1, :, :, 1], rtol=1e-13)
    np.testing.assert_array_equal(found[0], 0.0)
