"""Pieces that the rules of linear algebra share: adjoints, triangles, gaps, stacks.

Cotangents pair with tangents without conjugation, so formulas of the literature appear here
with the matrices that belong to a cotangent conjugated.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.primitives import Linear, Parts, Primitive, Several
from autodiff.rules.complex import conjugate
from autodiff.rules.shapes import swapped
from autodiff.values import is_complex, shape_of


def adjoint(a: Any) -> Any:
    """Return `a` with its last two axes exchanged, and conjugated."""
    return conjugate(swapped(a))


def per_matrix(x: Any) -> Any:
    """Return numbers, one for each matrix of a stack, in a shape that multiplies the matrices."""
    return x[..., None, None] if shape_of(x) else x


def on_diagonal(x: Any) -> Any:
    """Return the matrices with `x` on the diagonal, 0 elsewhere."""
    return np.where(np.eye(shape_of(x)[-1], dtype=bool), x[..., None], 0.0)


def diagonal_of(a: Any) -> Any:
    """Return the diagonals of square matrices."""
    return np.sum(np.where(np.eye(shape_of(a)[-1], dtype=bool), a, 0.0), axis=-1)


def product(x: Any, y: Any, z: Any) -> Any:
    """Return ``x @ y @ z``, whichever way is cheaper."""
    rows, inner = shape_of(x)[-2:]
    outer, columns = shape_of(z)[-2:]
    if rows * outer * (inner + columns) <= inner * columns * (rows + outer):
        return (x @ y) @ z
    return x @ (y @ z)


def _triangle(shape: tuple[int, ...], lower: bool) -> Any:
    below = np.tri(shape[-1], dtype=bool)
    return below if lower else below.T


def _mirror(a: Any, *, lower: bool) -> Any:
    full = np.where(_triangle(a.shape, lower), a, adjoint(a))
    if is_complex(a):
        full = np.where(np.eye(a.shape[-1], dtype=bool), full.real, full)
    return full


def _fold(a: Any, *, lower: bool) -> Any:
    half = np.where(np.eye(a.shape[-1], dtype=bool), a.dtype.type(0.5), a.dtype.type(1.0))
    return np.where(_triangle(a.shape, lower), a + adjoint(a), 0.0) * half


mirrored_rule: Linear = Linear(
    "Hermitian matrix read from a triangle",
    _mirror,
    lambda grad, x, *, lower: folded_rule(grad, lower=lower),
)
"""``mirrored_rule(a, lower=...)``: the Hermitian matrix of which one triangle of `a` is read."""

folded_rule: Linear = Linear(
    "matrix folded into a triangle",
    _fold,
    lambda grad, x, *, lower: mirrored_rule(grad, lower=lower),
)
"""Transpose of `mirrored_rule`: adds each entry to its mirror image, real parts on the diagonal."""


def reciprocal(x: Any, floor: Any) -> Any:
    """Return ``1 / x``, but 0 where `x` is not larger than `floor`."""
    small = np.abs(raw(x)) <= floor
    return np.where(small, 0.0, 1.0 / np.where(small, 1.0, x))


def rounding(values: Any) -> Any:
    """Return how far rounding may move each row of eigenvalues or singular values."""
    size = np.abs(raw(values))
    largest = np.max(size, axis=-1, keepdims=True, initial=0.0)
    return largest * (size.shape[-1] * np.finfo(size.dtype).eps)


def inverse_gaps(w: Any) -> Any:
    """Return ``1 / (w[j] - w[i])`` at i, j; 0 where the two are equal up to rounding."""
    return reciprocal(w[..., None, :] - w[..., :, None], rounding(w)[..., None])


def alive(grads: Any, ndim: int) -> Any:
    """Return which matrices of a stack with `ndim` axes meet a cotangent that is not 0."""
    entries = [np.asarray(raw(grad)) for grad in grads if grad is not None]
    return functools.reduce(
        operator.or_, (np.any(e != 0.0, axis=tuple(range(ndim, e.ndim))) for e in entries)
    )


def _masked(part: Any, grads: Any) -> Any:
    live = alive(grads, len(shape_of(part)) - 2)
    return np.where(per_matrix(live), part, 0.0)


class OfMatrix(Primitive):
    """A function of a stack of matrices.

    Under the rule of zero a matrix that meets only zero cotangents gets 0, whatever it is.
    """

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangent of the stack."""
        parts = super().pull(grad, node, out, args, careful)
        if careful and parts[0] is not None:
            parts[0] = _masked(parts[0], [np.broadcast_to(raw(grad), node.shape)])
        return parts


class FactorsOfMatrix(Several):
    """A function of a stack of matrices with several outputs; see `OfMatrix`."""

    def pull(self, grad: Parts, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangent of the stack."""
        parts = super().pull(grad, node, out, args, careful)
        if careful and parts[0] is not None:
            parts[0] = _masked(parts[0], grad.items)
        return parts


def _complement_vjp(grad: Any, out: Any, q: Any, *, basis: Any) -> Any:
    return -(conjugate(out) @ adjoint(grad) @ conjugate(q))


def _complement_jvp(tangent: Any, out: Any, q: Any, *, basis: Any) -> Any:
    return -(q @ adjoint(tangent) @ out)


complement_rule = Primitive(
    "basis of an orthogonal complement",
    lambda q, *, basis: basis,
    [_complement_vjp],
    [_complement_jvp],
)
"""``complement_rule(q, basis=...)``: a known basis of what is orthogonal to the columns of `q`.

It moves with `q` and does not turn within its space.
"""
