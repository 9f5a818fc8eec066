"""Reshaping, moving axes, broadcasting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.primitives import Linear, implements, normal_axes
from autodiff.values import shape_of, unbroadcast


def _reshape(x: Any, *, shape: Any, order: Any) -> Any:
    # The method takes half the time; a Python float has none.
    return x.reshape(shape, order=order) if type(x) is np.ndarray else np.reshape(x, shape, order)


def _reshape_back(grad: Any, x: Any, *, shape: Any, order: Any) -> Any:
    return reshape_rule(grad, shape=x.shape, order=order)


reshape_rule: Linear = Linear("np.reshape", _reshape, _reshape_back)


@implements(np.reshape)
def reshape(a: Any, /, shape: Any, order: Any = "C", *, copy: bool | None = None) -> Any:
    """Change the shape; entries are read and written in `order`.

    Recorded values do not change, so a copy is as good as a view; only ``copy=False`` is asked
    of NumPy, which raises where there is no view.
    """
    if copy is False:
        np.reshape(raw(a), shape, order, copy=False)
    return reshape_rule(a, shape=shape, order="C" if order == "C" else _order(a, order))


def _order(a: Any, order: str) -> str:
    """Return the order "C" or "F" that `order`, which may be "A", stands for."""
    if order == "A":
        return "F" if np.isfortran(raw(a)) else "C"
    return order


@implements(np.ravel)
def ravel(a: Any, order: str = "C") -> Any:
    """Flatten to one axis, in the order "C", "F", "A" or "K"."""
    if order == "K":
        strides = np.abs(getattr(raw(a), "strides", ()))
        a, order = transpose(a, np.argsort(-strides, kind="stable")), "C"
    return reshape(a, -1, order)


def _reshaped_like(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make the rule of a function that only adds or drops axes of size 1."""

    def call(a: Any, axis: Any = None) -> Any:
        return reshape(a, np.shape(function(raw(a), axis)))

    return call


implements(np.squeeze, doc="Remove axes of size 1.")(_reshaped_like(np.squeeze))
implements(np.expand_dims, doc="Insert axes of size 1.")(_reshaped_like(np.expand_dims))


def _at_least(function: Callable[..., Any], ndim: int) -> None:
    def call(*arys: Any) -> Any:
        wide = tuple(reshape(a, function(raw(a)).shape) for a in arys)
        return wide[0] if len(wide) == 1 else wide

    implements(function, doc=f"Add axes of size 1, to {ndim} axes at least.")(call)


_at_least(np.atleast_1d, 1)
_at_least(np.atleast_2d, 2)
_at_least(np.atleast_3d, 3)


def _transpose(x: Any, *, axes: Any) -> Any:
    return x.transpose(axes) if type(x) is np.ndarray else np.transpose(x, axes)


def _transpose_back(grad: Any, x: Any, *, axes: Any) -> Any:
    inverse = axes and tuple(axes.index(axis) for axis in range(len(axes)))
    return transpose_rule(grad, axes=inverse)


transpose_rule: Linear = Linear("np.transpose", _transpose, _transpose_back)


@implements(np.transpose)
def transpose(a: Any, axes: Any = None) -> Any:
    """Permute the axes; reverse them by default."""
    return transpose_rule(a, axes=None if axes is None else normal_axes(tuple(axes), len(axes)))


def _moving(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make the rule of a function that permutes axes, told apart here by their sizes."""

    def call(a: Any, *args: Any, **kwargs: Any) -> Any:
        sizes = np.empty(range(len(shape_of(a))))
        return transpose_rule(a, axes=function(sizes, *args, **kwargs).shape)

    return call


implements(np.swapaxes, doc="Exchange two axes.")(_moving(np.swapaxes))
implements(np.moveaxis, doc="Move axes to other positions.")(_moving(np.moveaxis))
implements(np.rollaxis, doc="Move an axis to the position before another.")(_moving(np.rollaxis))
implements(np.matrix_transpose, np.linalg.matrix_transpose, doc="Exchange the last two axes.")(
    _moving(np.matrix_transpose)
)


def with_size(shape: tuple[int, ...], axis: int, size: int) -> tuple[int, ...]:
    """Return `shape` with another size of one axis, counted from 0."""
    return (*shape[:axis], size, *shape[axis + 1 :])


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
def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    """Broadcast to a shape; the gradient is summed over the broadcast axes."""
    return broadcast_rule(array, shape=shape)


@implements(np.broadcast_arrays)
def broadcast_arrays(*args: Any, subok: bool = False) -> tuple[Any, ...]:
    """Broadcast arrays against each other."""
    shape = np.broadcast_shapes(*(np.shape(raw(a)) for a in args))
    return tuple(np.broadcast_to(a, shape) for a in args)


@implements(np.meshgrid)
def meshgrid(
    *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> tuple[Any, ...]:
    """Coordinate arrays of a grid, from one vector for each axis."""
    # Recorded values do not change, so `copy` makes no difference.
    if indexing not in {"xy", "ij"}:
        raise ValueError(f"indexing of np.meshgrid is 'xy' or 'ij', not {indexing!r}")
    grids: Sequence[Any] = _along_own_axes(xi)
    if indexing == "xy" and len(xi) > 1:
        grids = [np.swapaxes(grid, 0, 1) for grid in grids]
    return tuple(grids) if sparse else broadcast_arrays(*grids)


@implements(np.ix_)
def ix_(*args: Any) -> tuple[Any, ...]:
    """Open mesh: each vector along an axis of its own."""
    return tuple(_along_own_axes(args))


def _along_own_axes(vectors: Sequence[Any]) -> list[Any]:
    """Return vector i along axis i of as many axes as there are vectors."""
    count = len(vectors)
    return [
        np.reshape(vector, (1,) * i + (-1,) + (1,) * (count - i - 1))
        for i, vector in enumerate(vectors)
    ]
