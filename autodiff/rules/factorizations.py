"""Cholesky and QR factorizations."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.primitives import implements
from autodiff.rules.complex import conjugate
from autodiff.rules.matrix_parts import (
    FactorsOfMatrix,
    OfMatrix,
    adjoint,
    alive,
    complement_rule,
    folded_rule,
    mirrored_rule,
    per_matrix,
)
from autodiff.rules.shapes import swapped
from autodiff.values import dtype_of, shape_of

QRResult: Any = type(np.linalg.qr(np.eye(1)))


def _lower_half(a: Any) -> Any:
    """Return the lower triangle with half of its diagonal."""
    n = shape_of(a)[-1]
    half = np.tri(n) - np.eye(n) / 2.0
    return np.where(half > 0.0, a * half.astype(dtype_of(a)), 0.0)


def _hermitian(a: Any) -> Any:
    return (a + adjoint(a)) / 2.0


def _cholesky_vjp(grad: Any, out: Any, a: Any) -> Any:
    inner = _lower_half(swapped(out) @ grad)
    inner = np.linalg.solve(adjoint(out), swapped(np.linalg.solve(swapped(out), inner)))
    return _hermitian(swapped(inner))


def _cholesky_jvp(tangent: Any, out: Any, a: Any) -> Any:
    inner = np.linalg.solve(out, adjoint(np.linalg.solve(out, _hermitian(tangent))))
    return out @ _lower_half(inner)


cholesky_rule = OfMatrix(
    "np.linalg.cholesky", np.linalg.cholesky, [_cholesky_vjp], [_cholesky_jvp], reads="out"
)


@implements(np.linalg.cholesky)
def cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """Cholesky factor of a positive definite matrix; the gradient is Hermitian.

    NumPy reads one triangle; the derivative is that along Hermitian changes, so the gradient is
    a Hermitian matrix.
    """
    return swapped(cholesky_rule(swapped(a))) if upper else cholesky_rule(a)


def _qr(a: Any) -> tuple[Any, ...]:
    return tuple(np.linalg.qr(a))


# With c = q' da r^-1 and y its part folded into the upper triangle, r changes by y @ r and
# q by da r^-1 - q @ y; the diagonal of r is real.


def _check_independent(r: Any) -> None:
    """Raise a LinAlgError if a triangular factor has a zero on its diagonal."""
    if np.any(np.diagonal(r, axis1=-2, axis2=-1) == 0.0):
        raise np.linalg.LinAlgError(
            "np.linalg.qr has no derivative where the first columns of the matrix are linearly "
            "dependent"
        )


def _qr_vjp(grads: Any, outs: Any, a: Any) -> Any:
    of_q, of_r = grads
    q, r = outs
    live = alive(grads, len(shape_of(r)) - 2)
    _check_independent(raw(r)[live])
    r = np.where(per_matrix(live), r, np.eye(shape_of(r)[-1], dtype=dtype_of(r)))
    inner: Any = 0.0 if of_r is None else of_r @ swapped(r)
    if of_q is not None:
        inner = inner - swapped(q) @ of_q
    total = conjugate(q) @ mirrored_rule(inner, lower=False)
    if of_q is not None:
        total = total + of_q
    return swapped(np.linalg.solve(r, swapped(total)))


def _qr_jvp(tangent: Any, outs: Any, a: Any) -> Any:
    q, r = outs
    _check_independent(raw(r))
    change = swapped(np.linalg.solve(swapped(r), swapped(tangent)))
    upper = folded_rule(adjoint(q) @ change, lower=False)
    return change - q @ upper, upper @ r


qr_rule = FactorsOfMatrix("np.linalg.qr", _qr, [_qr_vjp], [_qr_jvp], reads="out")


@implements(np.linalg.qr)
def qr(a: Any, mode: str = "reduced") -> Any:
    """Orthonormal q and upper triangular r with ``q @ r = a``; the first columns are independent.

    In mode "complete" the loss must not depend on the choice of the columns of q that complete
    the basis.
    """
    if mode not in {"reduced", "complete", "r"}:
        raise ValueError(
            f"np.linalg.qr of tracked values takes mode 'reduced', 'complete' or 'r', not {mode!r}"
        )
    if len(shape_of(a)) < 2:
        raise np.linalg.LinAlgError(f"np.linalg.qr takes matrices, not shape {shape_of(a)}")
    rows, columns = shape_of(a)[-2:]
    q, r = qr_rule(a if rows >= columns else a[..., :rows])
    if rows < columns:
        r = np.concatenate((r, adjoint(q) @ a[..., rows:]), axis=-1)
    if mode == "r":
        return r
    if mode == "complete" and rows > columns:
        basis = np.linalg.qr(raw(a), "complete").Q[..., columns:]
        q = np.concatenate((q, complement_rule(q, basis=basis)), axis=-1)
        below = np.zeros((*shape_of(r)[:-2], rows - columns, columns), dtype_of(r))
        r = np.concatenate((r, below), axis=-2)
    return QRResult(q, r)
