"""Determinants, their signs and logarithms."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.careful import careful_product
from autodiff.primitives import Primitive, implements
from autodiff.rules.matrix_parts import (
    FactorsOfMatrix,
    OfMatrix,
    diagonal_of,
    on_diagonal,
    per_matrix,
)
from autodiff.rules.shapes import swapped
from autodiff.values import is_complex

# Up to this condition number ``det(a) * inv(a)`` keeps the digits of the cofactors.
_WELL_CONDITIONED = 1e4


def _cofactors(a: Any) -> Any:
    """Return the matrix of cofactors, the derivative of the determinant, of any matrix."""
    det = np.linalg.det(a)
    regular = (det != 0.0)[..., None, None]
    inverse = np.linalg.inv(np.where(regular, a, np.eye(a.shape[-1], dtype=a.dtype)))
    out = np.where(regular, det[..., None, None] * swapped(inverse), 0.0)
    condition = np.linalg.norm(a, 1, (-2, -1)) * np.linalg.norm(inverse, 1, (-2, -1))
    # A NaN is not poor: it stays in its own matrix, where svd would raise for the whole stack.
    poor = ~regular[..., 0, 0] | (condition > _WELL_CONDITIONED)
    if np.any(poor) and a.size:
        sign, left, s, right = _factors(a[poor])
        before, after = _running_products(s)
        out[poor] = sign * (left * (before * after)[..., None, :]) @ right
    return out


def _factors(a: Any) -> tuple[Any, Any, Any, Any]:
    """Return conj(u), s, conj(vh) of the singular value decomposition after det(u) * det(vh)."""
    u, s, vh = np.linalg.svd(a)
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return sign[..., None, None], np.conj(u), s, np.conj(vh)


def _running_products(s: Any) -> tuple[Any, Any]:
    """Return for each entry the product of all before it, and that of all after it."""
    one = np.ones((*s.shape[:-1], 1), s.dtype)
    before = np.cumprod(np.concatenate((one, s[..., :-1]), -1), -1)
    after = np.cumprod(np.concatenate((one, s[..., :0:-1]), -1), -1)[..., ::-1]
    return before, after


def _products_without_two(s: Any) -> Any:
    """Return at i, j the product of all entries but these two; 0 on the diagonal."""
    n = s.shape[-1]
    before, after = _running_products(s)
    right_of = np.tri(n, k=-1, dtype=bool).T
    up_to = np.cumprod(np.where(right_of, s[..., None, :], 1.0), -1)
    between = np.concatenate((np.ones((*s.shape, 1), s.dtype), up_to[..., :-1]), -1)
    upper = np.where(right_of, before[..., :, None] * between * after[..., None, :], 0.0)
    return upper + swapped(upper)


def _change_of_cofactors(a: Any, e: Any) -> Any:
    """Return the change of the cofactors of `a` along `e`, for any matrix."""
    if not a.size:
        return np.zeros_like(e)
    # svd would raise for the whole stack; under the rule of zero a change of 0 gives 0.
    lost = ~np.all(np.isfinite(a), axis=(-2, -1))
    sign, left, s, right = _factors(np.where(per_matrix(lost), 0.0, a))
    # In the bases of u and vh the matrix is diag(s).
    turned = swapped(left) @ e @ swapped(right)
    but_two = _products_without_two(s)
    change = -but_two * swapped(turned)
    change = change + on_diagonal((but_two @ diagonal_of(turned)[..., None])[..., 0])
    change = sign * left @ change @ right
    return np.where(per_matrix(lost & np.any(e != 0.0, axis=(-2, -1))), np.nan, change)


def _trace_product(x: Any, y: Any) -> Any:
    """Return the trace of ``x @ y``, with two axes of size 1."""
    return np.sum(x * swapped(y), axis=(-2, -1), keepdims=True)


def _second_change(tangent: Any, out: Any, a: Any, e: Any) -> Any:
    """Return the change of `_change_of_cofactors` along `tangent`, of regular matrices."""
    inverse = np.linalg.inv(a)
    p, q = inverse @ e, inverse @ tangent
    of_p, of_q = (per_matrix(np.trace(m, axis1=-2, axis2=-1)) for m in (p, q))
    unit = of_p * of_q - _trace_product(p, q)
    change = unit * inverse - (of_q * p + of_p * q - p @ q - q @ p) @ inverse
    return per_matrix(np.linalg.det(a)) * swapped(change)


cofactors_rule = OfMatrix(
    "derivative of np.linalg.det",
    _cofactors,
    [lambda grad, out, a: change_rule(a, grad)],
    [lambda tangent, out, a: change_rule(a, tangent)],
    reads="args",
)

change_rule: Primitive = Primitive(
    "second derivative of np.linalg.det",
    _change_of_cofactors,
    [_second_change, lambda grad, out, a, e: change_rule(a, grad)],
    [_second_change, lambda tangent, out, a, e: change_rule(a, tangent)],
    reads="args",
)
"""Symmetric as a bilinear form, so its methods in both modes are the same."""

det_rule = OfMatrix(
    "np.linalg.det",
    np.linalg.det,
    [lambda grad, out, a: careful_product(per_matrix(grad), cofactors_rule(a))],
    [lambda tangent, out, a: np.sum(careful_product(tangent, cofactors_rule(a)), axis=(-2, -1))],
    reads="args",
)


@implements(np.linalg.det)
def det(a: Any) -> Any:
    """Return the determinant; first and second derivatives also of singular matrices."""
    return det_rule(a)


def _inverse_transposed(sign: Any, a: Any) -> Any:
    """Return the derivative of the logarithm of the determinant, infinite if that is 0."""
    singular = per_matrix(raw(sign) == 0.0)
    if not np.any(singular):
        return swapped(np.linalg.inv(a))
    regular = np.where(singular, np.eye(a.shape[-1], dtype=a.dtype), a)
    limit = careful_product(cofactors_rule(a), np.inf)
    return np.where(singular, limit, swapped(np.linalg.inv(regular)))


def _slogdet(a: Any) -> tuple[Any, ...]:
    return tuple(np.linalg.slogdet(a))


def _slogdet_vjp(grads: Any, outs: Any, a: Any) -> Any:
    of_sign, of_log = grads
    sign, _ = outs
    grad = of_log
    if of_sign is not None and is_complex(sign):
        turn = 1j * np.imag(of_sign * sign)
        grad = turn if grad is None else grad + turn
    if grad is None:
        return None
    return careful_product(per_matrix(grad), _inverse_transposed(sign, a))


def _slogdet_jvp(tangent: Any, outs: Any, a: Any) -> Any:
    sign, _ = outs
    change = np.sum(careful_product(tangent, _inverse_transposed(sign, a)), axis=(-2, -1))
    if not is_complex(sign):
        return None, change
    return 1j * sign * np.imag(change), np.real(change)


slogdet_rule = FactorsOfMatrix("np.linalg.slogdet", _slogdet, [_slogdet_vjp], [_slogdet_jvp])

SlogdetResult: Any = type(np.linalg.slogdet(np.eye(1)))


@implements(np.linalg.slogdet)
def slogdet(a: Any) -> Any:
    """Sign and logarithm of the absolute value of the determinant.

    Where the determinant is 0 the derivative of the logarithm is infinite, with the signs of
    the cofactors.
    """
    return SlogdetResult(*slogdet_rule(a))
