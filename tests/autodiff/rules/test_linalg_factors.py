"""Cholesky and QR factorizations."""

import numpy as np
import pytest

import autodiff as ad
from autodiff import Variable, grad, jvp

linalg = np.linalg


def array(*shape):
    return np.random.default_rng(sum(shape) + len(shape)).uniform(-1.0, 1.0, shape)


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def positive(a):
    return a @ adjoint(a) + np.eye(a.shape[-1])


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (3, 3), (2, 3, 3)], ids=str)
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky(check_rule, shape, upper):
    check_rule(lambda a: linalg.cholesky(positive(a), upper=upper), array(*shape))


@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_reads_one_triangle(upper):
    a = positive(array(3, 3))
    half = np.triu(a) if upper else np.tril(a)
    found = linalg.cholesky(Variable(half), upper=upper)
    np.testing.assert_allclose(found.value, linalg.cholesky(a, upper=upper), rtol=1e-14)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("upper", [False, True])
def test_the_gradient_of_cholesky_is_hermitian(dtype, upper):
    a = positive(array(3, 3) + (1j * array(3, 3).T if dtype is complex else 0.0))

    def logdet(a):
        return 2.0 * np.sum(np.log(np.real(np.diagonal(linalg.cholesky(a, upper=upper)))))

    np.testing.assert_allclose(grad(logdet)(a), linalg.inv(a).T, rtol=1e-12)
    change = array(3, 3)
    along = jvp(logdet, (a,), (change + 0.0 * a,))[1]
    np.testing.assert_allclose(along, np.real(np.sum(grad(logdet)(a) * change)), rtol=1e-12)


def test_second_derivatives_of_cholesky_agree_with_those_of_slogdet():
    a = positive(array(3, 3))

    def by_cholesky(a):
        return 2.0 * np.sum(np.log(np.diagonal(linalg.cholesky(a))))

    def both(function):
        return ad.hessian(lambda a: function((a + a.T) / 2.0))(a)

    np.testing.assert_allclose(
        both(by_cholesky), both(lambda a: linalg.slogdet(a)[1]), rtol=1e-11, atol=1e-13
    )


SHAPES = [(1, 1), (3, 3), (4, 2), (2, 4), (2, 3, 2), (2, 2, 3), (3, 0), (0, 3)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_qr(check_rule, shape):
    check_rule(linalg.qr, array(*shape))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_qr_only_r(check_rule, shape):
    check_rule(lambda a: linalg.qr(a, mode="r"), array(*shape))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_qr_complete(check_rule, shape):
    rank = min(shape[-2:])

    def without_choice(a):
        q, r = linalg.qr(a, "complete")
        added = q[..., rank:]
        return q[..., :rank], r, added @ adjoint(added)

    check_rule(without_choice, array(*shape))


def test_qr_has_the_names_of_numpy():
    a = array(4, 2)
    for mode in ("reduced", "complete"):
        found, wanted = linalg.qr(Variable(a), mode), linalg.qr(a, mode)
        assert type(found) is type(wanted)
        np.testing.assert_allclose(found.Q.value, wanted.Q, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(found.R.value, wanted.R, rtol=1e-12, atol=1e-14)


def test_q_alone_and_r_alone_have_gradients():
    a, w = array(3, 3), array(3, 3)
    both = grad(lambda a: np.sum(w * linalg.qr(a).Q) + np.sum(w * linalg.qr(a).R))(a)
    alone = [grad(lambda a, i=i: np.sum(w * linalg.qr(a)[i]))(a) for i in (0, 1)]
    np.testing.assert_allclose(both, alone[0] + alone[1], rtol=1e-12)


def test_qr_of_dependent_columns_is_an_error():
    for a in (np.zeros((2, 2)), np.array([[0.0, 1.0], [0.0, 2.0]])):
        with pytest.raises(linalg.LinAlgError, match="linearly dependent"):
            grad(lambda a: np.sum(linalg.qr(a).R))(a)
        with pytest.raises(linalg.LinAlgError, match="linearly dependent"):
            jvp(linalg.qr, (a,), (a,))


def test_qr_refuses_raw():
    with pytest.raises(ValueError, match="'reduced', 'complete' or 'r', not 'raw'"):
        linalg.qr(Variable(array(2, 2)), "raw")


def test_qr_of_a_vector_has_the_error_of_numpy():
    with pytest.raises(
        np.linalg.LinAlgError, match=r"np.linalg.qr takes matrices, not shape \(3,\)"
    ):
        np.linalg.qr(ad.Variable(np.ones(3)))


def test_qr_of_dependent_columns_on_which_nothing_depends():
    stack = np.stack([np.zeros((2, 2)), np.array([[2.0, 1.0], [1.0, 3.0]])])
    found = grad(lambda a: np.sum(linalg.qr(a).R[1] ** 2))(stack)
    np.testing.assert_allclose(found, 2.0 * stack, rtol=1e-14)
    np.testing.assert_array_equal(grad(lambda a: np.sum(linalg.qr(a).R ** 2))(stack[0]), 0.0)
