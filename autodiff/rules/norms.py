"""Norms of vectors and matrices; where a norm is 0, its derivative is 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.careful import careful_product
from autodiff.primitives import Primitive, implements, normal_axes
from autodiff.rules.complex import conjugate
from autodiff.rules.reductions import kept_axes
from autodiff.values import is_complex, shape_of


def _power_sum(size: Any, order: float, axis: Any, keepdims: bool) -> Any:
    return np.sum(size**order, axis=axis, keepdims=keepdims) ** (1.0 / order)


def _norm(x: Any, *, order: float, axis: Any, keepdims: bool) -> Any:
    if order != 2:
        return _power_sum(np.abs(x), order, axis, keepdims)
    if axis is None or len(axis) <= 2:
        return np.linalg.norm(x, axis=axis, keepdims=keepdims)
    square = (x.conj() * x).real if is_complex(x) else x * x
    return np.sqrt(np.sum(square, axis=axis, keepdims=keepdims))


def _gradient(out: Any, x: Any, order: float, axis: Any, keepdims: bool) -> Any:
    """Return the derivative of the norm in each entry; 0 at a tip, where `x` or `out` is 0.

    Where the powers of `x` left the float range, `out` is 0 or infinite; `x` is scaled then.
    """
    length = kept_axes(out, axis, shape_of(x), keepdims)
    plain = raw(length)
    if not np.all((plain > 0.0) & (plain < np.inf)):
        scale = np.max(np.abs(raw(x)), axis=axis, keepdims=True, initial=0.0)
        x = x / (scale + (scale == 0.0))
        length = _power_sum(np.abs(x), order, axis, True)
        plain = raw(length)
        length = length + (plain == 0.0)
    if order == 2:
        return conjugate(x) / length
    flat = (raw(x) == 0.0) | (plain == 0.0)
    size = np.abs(np.where(flat, 1.0, x))
    unit = conjugate(x) / size if is_complex(x) else np.sign(raw(x))
    return np.where(flat, 0.0, unit * (size / length) ** (order - 1.0))


def _norm_vjp(grad: Any, out: Any, x: Any, *, order: float, axis: Any, keepdims: bool) -> Any:
    grad = kept_axes(grad, axis, shape_of(x), keepdims)
    return careful_product(grad, _gradient(out, x, order, axis, keepdims))


def _norm_jvp(tangent: Any, out: Any, x: Any, *, order: float, axis: Any, keepdims: bool) -> Any:
    change = careful_product(tangent, _gradient(out, x, order, axis, keepdims))
    return np.sum(change, axis=axis, keepdims=keepdims)


norm_rule = Primitive("np.linalg.norm", _norm, [_norm_vjp], [_norm_jvp])
"""``norm_rule(x, order=p, axis=..., keepdims=...)``, p not 0, infinite, or 1."""


def _of_vectors(x: Any, order: Any, axis: Any, keepdims: bool) -> Any:
    """Return the norms of the vectors along `axis`, any number of axes taken together."""
    if order is None or order == 2:
        return norm_rule(x, order=2, axis=axis, keepdims=keepdims)
    if isinstance(order, str):
        raise ValueError(f"{order!r} is an order of norms of matrices, not of vectors")
    if order == 0:
        plain = raw(x)
        return np.sum((plain != 0.0).astype(plain.real.dtype), axis=axis, keepdims=keepdims)
    size = np.abs(x)
    if order == np.inf:
        return _largest(size, axis, keepdims)
    if order == -np.inf:
        return np.min(size, axis=axis, keepdims=keepdims)
    if order == 1:
        return np.sum(size, axis=axis, keepdims=keepdims)
    return norm_rule(x, order=float(order), axis=axis, keepdims=keepdims)


def _of_matrices(x: Any, order: Any, axis: tuple[int, int], keepdims: bool) -> Any:
    """Return the norms of the matrices whose rows and columns are the two axes."""
    rows, columns = axis
    if order in {None, "fro", "f"}:
        return norm_rule(x, order=2, axis=axis, keepdims=keepdims)
    if order in {1, -1, np.inf, -np.inf}:
        inner, outer = (rows, columns) if order in {1, -1} else (columns, rows)
        sums = np.sum(np.abs(x), axis=inner, keepdims=True)
        reduce = _largest if order > 0 else np.min
        found = reduce(sums, axis=outer, keepdims=True)
        return found if keepdims else np.squeeze(found, axis=axis)
    if order not in {2, -2, "nuc"}:
        raise ValueError(f"np.linalg.norm of matrices has no order {order!r}")
    others = (i for i in range(len(shape_of(x))) if i not in axis)
    s = np.linalg.svdvals(np.transpose(x, (*others, *axis)))
    if order == "nuc":
        found = np.sum(s, axis=-1)
    else:
        found = _largest(s, -1, False) if order == 2 else np.min(s, axis=-1)
    return np.expand_dims(found, axis) if keepdims else found


def _largest(size: Any, axis: Any, keepdims: bool) -> Any:
    """Return the maximum, which is 0 of nothing."""
    if 0 in shape_of(size):
        return np.max(size, axis=axis, keepdims=keepdims, initial=0.0)
    return np.max(size, axis=axis, keepdims=keepdims)


@implements(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Norm of vectors, or of matrices if `axis` is a pair; `ord` is any of NumPy's.

    The derivative of the order 0, which counts, is 0: its norm is a plain value.
    """
    x = operand(x)
    ndim = len(shape_of(x))
    if axis is None and ord is None:
        return norm_rule(x, order=2, axis=None, keepdims=keepdims)
    axes = normal_axes(axis, ndim)
    if len(axes) == 1:
        return _of_vectors(x, ord, axes, keepdims)
    if len(axes) != 2:
        raise ValueError(
            f"np.linalg.norm with ord={ord!r} takes vectors or matrices, not shape "
            f"{shape_of(x)} with axis={axis}"
        )
    if axes[0] == axes[1]:
        raise ValueError(f"np.linalg.norm: axis={axis} names an axis twice")
    return _of_matrices(x, ord, axes, keepdims)


@implements(np.linalg.vector_norm)
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """Norm of the entries along `axis`, an int, a tuple, or None for all."""
    x = operand(x)
    return _of_vectors(x, ord, normal_axes(axis, len(shape_of(x))), keepdims)


@implements(np.linalg.matrix_norm)
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """Norm of the matrices in the last two axes."""
    return norm(x, ord, (-2, -1), keepdims)
