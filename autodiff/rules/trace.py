"""The trace, and its transpose: one number all along a diagonal."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import apply, operand
from autodiff.primitives import Linear, implements
from autodiff.values import dtype_of


def _trace(x: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    return x.trace(offset, axis1, axis2)


def _trace_back(grad: Any, x: Any, **static: Any) -> Any:
    return apply(filled_rule, (grad,), {"shape": x.shape, **static})


def _filled(grad: Any, *, shape: Any, offset: int, axis1: int, axis2: int) -> Any:
    """Return zeros of `shape` with `grad` all along their diagonals."""
    array = np.zeros(shape, dtype_of(grad))
    if len(shape) == 2 and axis1 in (0, -2):  # twice as fast as a view of the diagonal
        rows, columns = shape
        start = offset if offset >= 0 else -offset * columns
        count = max(min(rows - max(-offset, 0), columns - max(offset, 0)), 0)
        array.reshape(-1)[start : start + count * (columns + 1) : columns + 1] = grad
        return array
    view = array.diagonal(offset, axis1, axis2)
    view.flags.writeable = True
    view[...] = np.asarray(grad)[..., None]
    return array


trace_rule = Linear("np.trace", _trace, _trace_back)
filled_rule = Linear(
    "the transpose of np.trace",
    _filled,
    lambda grad, x, *, shape, **static: trace_rule(grad, **static),
)


@implements(np.trace)
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """Sum along a diagonal."""
    a = operand(a) if dtype is None else operand(a).astype(dtype)
    return apply(trace_rule, (a,), {"offset": offset, "axis1": axis1, "axis2": axis2})


@implements(np.linalg.trace)
def matrix_trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """Sum along a diagonal of the matrices in the last two axes."""
    return trace(x, offset, -2, -1, dtype)
