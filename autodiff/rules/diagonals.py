"""Diagonals, traces and triangles of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import apply, operand
from autodiff.primitives import Linear, implements
from autodiff.rules.dtypes import in_dtype
from autodiff.values import dtype_of, shape_of


def _diagonal(x: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    return np.diagonal(x, offset, axis1, axis2)


def _diagonal_back(grad: Any, x: Any, **static: Any) -> Any:
    return apply(on_diagonal_rule, (grad,), {"shape": x.shape, **static})


def _on_diagonal(x: Any, *, shape: Any, offset: int, axis1: int, axis2: int) -> Any:
    """Return zeros of `shape` with `x` on their diagonal."""
    array = np.zeros(shape, dtype_of(x))
    if len(shape) == 2 and axis1 in (0, -2):  # twice as fast as a view of the diagonal
        columns = shape[1]
        start = offset if offset >= 0 else -offset * columns
        array[: max(columns - offset, 0)].reshape(-1)[start :: columns + 1] = x
        return array
    view = array.diagonal(offset, axis1, axis2)
    view.flags.writeable = True
    view[...] = x
    return array


diagonal_rule = Linear("np.diagonal", _diagonal, _diagonal_back)
on_diagonal_rule = Linear(
    "the transpose of np.diagonal",
    _on_diagonal,
    lambda grad, x, *, shape, **static: np.diagonal(grad, **static),
)


@implements(np.diagonal)
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Diagonals, along the last axis."""
    return diagonal_rule(a, offset=offset, axis1=axis1, axis2=axis2)


@implements(np.linalg.diagonal)
def matrix_diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """Diagonals of the matrices in the last two axes."""
    return diagonal(x, offset, -2, -1)


def _trace(x: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    return x.trace(offset, axis1, axis2)


def _trace_back(grad: Any, x: Any, **static: Any) -> Any:
    return apply(filled_rule, (grad,), {"shape": x.shape, **static})


def _filled(grad: Any, **static: Any) -> Any:
    """Return zeros with one number all along each diagonal."""
    return _on_diagonal(grad[..., None] if shape_of(grad) else grad, **static)


trace_rule = Linear("np.trace", _trace, _trace_back)
filled_rule = Linear(
    "the transpose of np.trace",
    _filled,
    lambda grad, x, *, shape, **static: trace_rule(grad, **static),
)


@implements(np.trace)
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """Sum along a diagonal."""
    a = in_dtype(operand(a), dtype)
    return apply(trace_rule, (a,), {"offset": offset, "axis1": axis1, "axis2": axis2})


@implements(np.linalg.trace)
def matrix_trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """Sum along a diagonal of the matrices in the last two axes."""
    return trace(x, offset, -2, -1, dtype)


@implements(np.diag)
def diag(v: Any, k: int = 0) -> Any:
    """Diagonal `k` of a matrix, or the matrix with a vector there."""
    ndim = len(shape_of(v))
    if ndim == 2:
        return diagonal(v, k)
    if ndim != 1:
        raise ValueError(f"np.diag takes vectors and matrices, not {ndim} axes")
    size = shape_of(v)[0] + abs(k)
    return on_diagonal_rule(v, shape=(size, size), offset=k, axis1=0, axis2=1)


@implements(np.diagflat)
def diagflat(v: Any, k: int = 0) -> Any:
    """Matrix with the flattened entries on diagonal `k`."""
    return diag(np.ravel(operand(v)), k)


@implements(np.tril)
def tril(m: Any, k: int = 0) -> Any:
    """Lower triangle: 0 above diagonal `k`."""
    return np.where(_lower(m, k), m, 0.0)


@implements(np.triu)
def triu(m: Any, k: int = 0) -> Any:
    """Upper triangle: 0 below diagonal `k`."""
    return np.where(_lower(m, k - 1), 0.0, m)


def _lower(m: Any, k: int) -> Any:
    shape = shape_of(m)[-2:]
    return np.tri(shape[0], shape[-1], k, bool)
