"""Functions that move entries: reshape, transpose, broadcast; and the change of dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.primitives import Linear, implements, normal_axes
from autodiff.values import shape_of, unbroadcast


def _reshape(x: Any, *, shape: Any) -> Any:
    return np.reshape(x, shape)


reshape_rule = Linear("np.reshape", _reshape, lambda grad, x, *, shape: np.reshape(grad, x.shape))


@implements(np.reshape)
def reshape(a: Any, shape: Any, order: str = "C") -> Any:
    """Give the entries another shape, in C order."""
    if order != "C":
        raise TypeError(f"np.reshape of tracked values takes order='C' only, not {order!r}")
    return reshape_rule(a, shape=shape)


@implements(np.ravel)
def ravel(a: Any, order: str = "C") -> Any:
    """Give the entries in one row."""
    return reshape(a, -1, order)


@implements(np.squeeze)
def squeeze(a: Any, axis: Any = None) -> Any:
    """Drop axes of size 1."""
    shape = shape_of(a)
    if axis is None:
        return reshape_rule(a, shape=tuple(size for size in shape if size != 1))
    axes = normal_axes(axis, len(shape))
    if any(shape[one] != 1 for one in axes):
        raise ValueError(f"cannot squeeze axis {axis} of shape {shape}: its size is not 1")
    return reshape_rule(a, shape=tuple(n for i, n in enumerate(shape) if i not in axes))


@implements(np.expand_dims)
def expand_dims(a: Any, axis: Any) -> Any:
    """Insert axes of size 1."""
    shape = shape_of(a)
    added = len(axis) if isinstance(axis, tuple) else 1
    axes = normal_axes(axis, len(shape) + added)
    sizes = iter(shape)
    new = tuple(1 if i in axes else next(sizes) for i in range(len(shape) + added))
    return reshape_rule(a, shape=new)


def _transpose(x: Any, *, axes: Any) -> Any:
    return np.transpose(x, axes)


def _transpose_back(grad: Any, x: Any, *, axes: Any) -> Any:
    return np.transpose(grad, None if axes is None else tuple(np.argsort(axes)))


transpose_rule = Linear("np.transpose", _transpose, _transpose_back)


@implements(np.transpose)
def transpose(a: Any, axes: Any = None) -> Any:
    """Permute the axes; reverse them if none are given."""
    return transpose_rule(a, axes=None if axes is None else normal_axes(tuple(axes), len(axes)))


def swapped(a: Any) -> Any:
    """Return `a` with its last two axes exchanged."""
    ndim = len(shape_of(a))
    return np.transpose(a, (*range(ndim - 2), ndim - 1, ndim - 2)) if ndim > 2 else a.T


def _broadcast_to(x: Any, *, shape: Any) -> Any:
    return np.broadcast_to(x, shape)


broadcast_rule = Linear(
    "np.broadcast_to",
    _broadcast_to,
    lambda grad, x, *, shape: unbroadcast(grad, shape_of(grad), x.shape),
)


@implements(np.broadcast_to)
def broadcast_to(array: Any, shape: Any) -> Any:
    """Repeat along axes until the shape is `shape`."""
    return broadcast_rule(array, shape=shape)


def _astype(x: Any, *, dtype: Any) -> Any:
    return x.astype(dtype) if hasattr(x, "astype") else dtype.type(x)


astype_rule = Linear("astype", _astype, lambda grad, x, *, dtype: grad)


@implements("astype")
def astype(a: Any, dtype: Any) -> Any:
    """Change the dtype to another floating-point one."""
    if dtype.kind != "f":
        raise TypeError(
            f"a tracked value cannot become {dtype}: derivatives need floats; "
            "use autodiff.stop_gradient(v) for a plain array"
        )
    return astype_rule(a, dtype=dtype)
