"""Singular values and vectors, and the condition number.

Pairs of singular vectors are determined up to a common factor; a derivative exists for losses
that do not depend on it. Singular values that are equal up to rounding count as repeated: their
pairs of vectors turn together only as far as both must, so a loss that depends on the spaces, or
on ``u @ vh``, has the right first derivative. Values that are 0 up to rounding have vectors that
do not turn. No answer is NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.careful import careful_bilinear, careful_product
from autodiff.primitives import implements
from autodiff.rules.complex import conjugate
from autodiff.rules.matrix_parts import (
    FactorsOfMatrix,
    OfMatrix,
    adjoint,
    complement_rule,
    diagonal_of,
    inverse_gaps,
    on_diagonal,
    reciprocal,
    rounding,
)
from autodiff.rules.shapes import swapped
from autodiff.values import shape_of

SVDResult: Any = type(np.linalg.svd(np.eye(1)))


def _svd(a: Any, *, full: bool) -> tuple[Any, ...]:
    """Return u, s, vh, and what completes u and vh to square matrices."""
    u, s, vh = np.linalg.svd(a, full_matrices=full)
    k = s.shape[-1]
    return u[..., :k], s, vh[..., :k, :], u[..., k:], vh[..., k:, :]


def _inverse_sums(s: Any) -> Any:
    """Return ``1 / (s[i] + s[j])`` at i, j; 0 where both are 0 up to rounding."""
    return reciprocal(s[..., None, :] + s[..., :, None], rounding(s)[..., None])


def _inverses(s: Any) -> Any:
    return reciprocal(s, rounding(s))


def _positive(part: Any, s: Any) -> Any:
    """Return `part` where a singular value is not at its minimum, the tip of a cone."""
    return np.where(raw(s) > 0.0, part, 0.0)


# With p = u' da v, and h and k its Hermitian and skew parts, u changes by u @ (h * gaps + k * sums)
# and v by v @ (h * gaps - k * sums), plus what lies outside their spaces.


def _svd_vjp(grads: Any, outs: Any, a: Any, *, full: bool) -> Any:
    of_u, of_s, of_vh = grads[:3]
    u, s, vh = outs[:3]
    left, right = conjugate(u), conjugate(vh)
    rows, columns, k = shape_of(u)[-2], shape_of(vh)[-1], shape_of(s)[-1]
    inner: Any = 0.0 if of_s is None else on_diagonal(_positive(of_s, s))
    outside: Any = 0.0
    turn_u: Any = 0.0
    turn_v: Any = 0.0
    if of_u is not None:
        turn_u = swapped(u) @ of_u
        if rows > k:
            outside = ((of_u - left @ turn_u) * _inverses(s)[..., None, :]) @ right
    if of_vh is not None:
        turn_v = -(of_vh @ swapped(vh))
        if columns > k:
            outside = outside + left @ (_inverses(s)[..., None] * (of_vh + turn_v @ right))
    if of_u is not None or of_vh is not None:
        h = inverse_gaps(s) * (turn_u + turn_v)
        k_ = _inverse_sums(s) * (turn_u - turn_v)
        inner = inner + (h + k_ + adjoint(h - k_)) / 2.0
    return left @ inner @ right + outside


def _svd_jvp(tangent: Any, outs: Any, a: Any, *, full: bool) -> Any:
    u, s, vh = outs[:3]
    rows, columns, k = shape_of(u)[-2], shape_of(vh)[-1], shape_of(s)[-1]
    from_u, from_v = adjoint(u) @ tangent, tangent @ adjoint(vh)
    p = from_u @ adjoint(vh)
    together = inverse_gaps(s) * (p + adjoint(p)) / 2.0
    against = _inverse_sums(s) * (p - adjoint(p)) / 2.0
    du = u @ (together + against)
    dvh = (against - together) @ vh
    if rows > k:
        du = du + (from_v - u @ p) * _inverses(s)[..., None, :]
    if columns > k:
        dvh = dvh + _inverses(s)[..., None] * (from_u - p @ vh)
    return du, _positive(diagonal_of(p), s), dvh, None, None


svd_rule = FactorsOfMatrix("np.linalg.svd", _svd, [_svd_vjp], [_svd_jvp], reads="out")


def _svdvals(a: Any) -> Any:
    return np.linalg.svd(a, compute_uv=False)


def _svdvals_vjp(grad: Any, out: Any, a: Any) -> Any:
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    # An infinite cotangent, of a condition number, meets zeros.
    scaled = careful_product(_positive(grad, out)[..., None, :], conjugate(u))
    return careful_bilinear(np.matmul, scaled, conjugate(vh))


def _svdvals_jvp(tangent: Any, out: Any, a: Any) -> Any:
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return _positive(np.sum(conjugate(u) * (tangent @ adjoint(vh)), axis=-2), out)


svdvals_rule = OfMatrix("np.linalg.svdvals", _svdvals, [_svdvals_vjp], [_svdvals_jvp])


@implements(np.linalg.svdvals)
def svdvals(x: Any) -> Any:
    """Singular values, the largest first; the derivative of one that is 0 is 0."""
    return svdvals_rule(x)


@implements(np.linalg.svd)
def svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    """Singular value decomposition; finite derivatives if values repeat or are 0.

    The docstring of the module says what holds for repeated and zero values. For complex
    matrices the loss must not depend on the common phases of pairs of vectors, and with
    `full_matrices` not on the choice of the vectors that complete the bases.
    """
    if hermitian:
        return _svd_of_hermitian(a, compute_uv)
    if not compute_uv:
        return svdvals_rule(a)
    u, s, vh, more_u, more_vh = svd_rule(a, full=full_matrices)
    if shape_of(more_u)[-1]:
        u = np.concatenate((u, complement_rule(u, basis=raw(more_u))), axis=-1)
    if shape_of(more_vh)[-2]:
        more = complement_rule(adjoint(vh), basis=adjoint(raw(more_vh)))
        vh = np.concatenate((vh, adjoint(more)), axis=-2)
    return SVDResult(u, s, vh)


def _svd_of_hermitian(a: Any, compute_uv: bool) -> Any:
    """Return the decomposition as NumPy makes it, from that into eigenvalues."""
    w, v = np.linalg.eigh(a) if compute_uv else (np.linalg.eigvalsh(a), None)
    order = np.argsort(np.abs(raw(w)), axis=-1)[..., ::-1]
    w = np.take_along_axis(w, order, axis=-1)
    if v is None:
        return np.abs(w)
    u = np.take_along_axis(v, order[..., None, :], axis=-1)
    return SVDResult(u, np.abs(w), adjoint(u * np.sign(raw(w))[..., None, :]))


@implements(np.linalg.cond)
def cond(x: Any, p: Any = None) -> Any:
    """Condition number in the norm `p`; infinite if `x` is singular."""
    plain = raw(x)
    if not plain.size:
        return np.linalg.cond(plain, p)  # NumPy's own error
    with np.errstate(all="ignore"):
        if p is None or p in {2, -2}:
            s = svdvals(x)
            found = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
        else:
            singular = np.linalg.det(plain) == 0.0
            eye = np.eye(plain.shape[-1], dtype=plain.dtype)
            inverse = np.linalg.inv(np.where(singular[..., None, None], eye, x))
            found = np.linalg.norm(x, p, (-2, -1)) * np.linalg.norm(inverse, p, (-2, -1))
            found = np.where(singular, np.inf, found)
        lost = np.isnan(raw(found)) & ~np.isnan(plain).any(axis=(-2, -1))
    return np.where(lost, np.inf, found) if np.any(lost) else found
