"""Matrix products and the trace."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff.box import apply, operand
from autodiff.calls import on_arrays
from autodiff.primitives import Bilinear, Linear, implements
from autodiff.rules.shapes import swapped
from autodiff.values import shape_of, unbroadcast


def _left_back(grad: Any, y: Any, x: Any) -> Any:
    """Return the cotangent of `x` in ``x @ y``; of `x` only the shape is read."""
    shape, ndim = x.shape, len(y.shape)
    if ndim == len(shape) == 2:
        return grad @ y.T
    if ndim == 1:
        return grad * y if len(shape) == 1 else grad[..., None] * y
    vector = len(shape) == 1
    part = np.matmul(y, grad[..., None])[..., 0] if vector else np.matmul(grad, swapped(y))
    return unbroadcast(part, shape_of(part), shape)


def _right_back(grad: Any, x: Any, y: Any) -> Any:
    """Return the cotangent of `y` in ``x @ y``; of `y` only the shape is read."""
    shape, ndim = y.shape, len(x.shape)
    if ndim == len(shape) == 2:
        return x.T @ grad
    if ndim == 1:
        if len(shape) == 1:
            return grad * x
        part = x[:, None] * grad[..., None, :]
    elif len(shape) == 1:
        part = np.matmul(grad[..., None, :], x)[..., 0, :]
    else:
        part = np.matmul(swapped(x), grad)
    return unbroadcast(part, shape_of(part), shape)


matmul_rule = Bilinear("np.matmul", np.matmul, (_left_back, _right_back))
matmul = implements(np.matmul)(on_arrays(matmul_rule, np.matmul))


@implements(np.dot)
def dot(a: Any, b: Any) -> Any:
    """Sum of products over the last axis of `a` and the last but one of `b`."""
    a, b = operand(a), operand(b)
    rows, columns = shape_of(a), shape_of(b)
    if not rows or not columns:
        return np.multiply(a, b)
    if len(columns) <= 2:
        return matmul(a, b)
    ndim = len(columns)
    moved = np.transpose(b, (ndim - 2, *range(ndim - 2), ndim - 1))
    flat_rows, flat_columns = math.prod(rows[:-1]), math.prod(columns[:-2] + columns[-1:])
    product = matmul(
        np.reshape(a, (flat_rows, rows[-1])), np.reshape(moved, (columns[-2], flat_columns))
    )
    return np.reshape(product, rows[:-1] + columns[:-2] + columns[-1:])


def _trace(x: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    return x.trace(offset, axis1, axis2)


def _on_diagonal(grad: Any, x: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    static = {"shape": x.shape, "offset": offset, "axis1": axis1, "axis2": axis2}
    return apply(diagonal_rule, (grad,), static)


def _fill_diagonal(grad: Any, *, shape: Any, offset: int, axis1: int, axis2: int) -> Any:
    dtype = getattr(grad, "dtype", float)
    if len(shape) == 2 and axis1 in (0, -2):
        array = np.zeros(shape, dtype)
        _set_diagonal(array, offset, grad)
        return array
    eye = np.eye(shape[axis1], shape[axis2], offset, dtype=dtype)
    if len(shape) == 2:
        return eye.T * grad
    return np.moveaxis(np.asarray(grad)[..., None, None] * eye, (-2, -1), (axis1, axis2))


def _set_diagonal(array: Any, offset: int, value: Any) -> None:
    """Write `value` along a diagonal of a new matrix, without index arrays."""
    rows, columns = array.shape
    start = offset if offset >= 0 else -offset * columns
    count = max(min(rows - max(-offset, 0), columns - max(offset, 0)), 0)
    array.reshape(-1)[start : start + count * (columns + 1) : columns + 1] = value


trace_rule = Linear("np.trace", _trace, _on_diagonal)
diagonal_rule = Linear(
    "diagonal of one number",
    _fill_diagonal,
    lambda grad, x, *, shape, offset, axis1, axis2: np.trace(grad, offset, axis1, axis2),
)


@implements(np.trace)
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Sum along a diagonal."""
    return apply(trace_rule, (a,), {"offset": offset, "axis1": axis1, "axis2": axis2})
