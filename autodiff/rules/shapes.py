"""Functions that give entries another shape: reshape, transpose, broadcast and their kin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.primitives import Linear, implements, normal_axes
from autodiff.values import shape_of, unbroadcast


def _reshape(x: Any, *, shape: Any, order: Any) -> Any:
    return np.reshape(x, shape, order)


def _reshape_back(grad: Any, x: Any, *, shape: Any, order: Any) -> Any:
    return np.reshape(grad, x.shape, order)


reshape_rule = Linear("np.reshape", _reshape, _reshape_back)


@implements(np.reshape)
def reshape(a: Any, /, shape: Any, order: Any = "C", *, copy: bool | None = None) -> Any:
    """Give the entries another shape, read and placed in C or Fortran order.

    Values of the tape are never changed in place, so a copy is as good as a view; only
    ``copy=False`` is asked of NumPy, which raises where there is no view.
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
    """Give the entries in one row, in C or Fortran order or, with "K", as they lie in memory."""
    if order == "K":
        strides = np.abs(getattr(raw(a), "strides", ()))
        a, order = transpose(a, np.argsort(-strides, kind="stable")), "C"
    return reshape(a, -1, order)


def _reshaped_like(function: Callable[..., Any], doc: str) -> Callable[..., Any]:
    """Make the rule of a function that only adds or drops axes of size 1."""

    def call(a: Any, axis: Any = None) -> Any:
        return reshape(a, np.shape(function(raw(a), axis)))

    call.__name__, call.__doc__ = function.__name__, doc
    return implements(function)(call)


squeeze = _reshaped_like(np.squeeze, "Drop axes of size 1.")
expand_dims = _reshaped_like(np.expand_dims, "Insert axes of size 1.")


def _at_least(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arys: Any) -> Any:
        wide = tuple(reshape(a, function(raw(a)).shape) for a in arys)
        return wide[0] if len(wide) == 1 else wide

    call.__name__, call.__doc__ = function.__name__, "Add axes of size 1 where there are too few."
    return implements(function)(call)


atleast_1d, atleast_2d, atleast_3d = map(_at_least, (np.atleast_1d, np.atleast_2d, np.atleast_3d))


def _transpose(x: Any, *, axes: Any) -> Any:
    return np.transpose(x, axes)


def _transpose_back(grad: Any, x: Any, *, axes: Any) -> Any:
    return np.transpose(grad, None if axes is None else tuple(np.argsort(axes)))


transpose_rule = Linear("np.transpose", _transpose, _transpose_back)


@implements(np.transpose)
def transpose(a: Any, axes: Any = None) -> Any:
    """Permute the axes; reverse them if none are given."""
    return transpose_rule(a, axes=None if axes is None else normal_axes(tuple(axes), len(axes)))


def _moving(function: Callable[..., Any], doc: str) -> Callable[..., Any]:
    """Make the rule of a function that permutes axes, told apart here by their sizes."""

    def call(a: Any, *args: Any, **kwargs: Any) -> Any:
        sizes = np.empty(range(len(shape_of(a))))
        return transpose_rule(a, axes=function(sizes, *args, **kwargs).shape)

    call.__name__, call.__doc__ = function.__name__, doc
    return implements(function)(call)


swapaxes = _moving(np.swapaxes, "Exchange two axes.")
moveaxis = _moving(np.moveaxis, "Move axes to other places.")
rollaxis = _moving(np.rollaxis, "Move one axis back until it lies before another.")
matrix_transpose = _moving(np.matrix_transpose, "Exchange the last two axes.")
implements(np.linalg.matrix_transpose)(matrix_transpose)


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
    """Repeat along axes until the shape is `shape`."""
    return broadcast_rule(array, shape=shape)


@implements(np.broadcast_arrays)
def broadcast_arrays(*args: Any, subok: bool = False) -> tuple[Any, ...]:
    """Repeat along axes until all shapes are the same."""
    shape = np.broadcast_shapes(*(np.shape(raw(a)) for a in args))
    return tuple(np.broadcast_to(a, shape) for a in args)


@implements(np.meshgrid)
def meshgrid(
    *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> tuple[Any, ...]:
    """Coordinates of the points of a grid; values are not changed in place, so never copied."""
    if indexing not in {"xy", "ij"}:
        raise ValueError(f"indexing of np.meshgrid is 'xy' or 'ij', not {indexing!r}")
    grids: Sequence[Any] = _along_own_axes(xi)
    if indexing == "xy" and len(xi) > 1:
        grids = [np.swapaxes(grid, 0, 1) for grid in grids]
    return tuple(grids) if sparse else broadcast_arrays(*grids)


@implements(np.ix_)
def ix_(*args: Any) -> tuple[Any, ...]:
    """Vectors along axes of their own."""
    return tuple(_along_own_axes(args))


def _along_own_axes(vectors: Sequence[Any]) -> list[Any]:
    """Return vector i along axis i of as many axes as there are vectors."""
    count = len(vectors)
    return [
        np.reshape(vector, (1,) * i + (-1,) + (1,) * (count - i - 1))
        for i, vector in enumerate(vectors)
    ]
