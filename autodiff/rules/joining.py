"""Joining arrays, inserting and deleting."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.primitives import Linear, implements, normal_axes
from autodiff.rules.dtypes import in_dtype
from autodiff.rules.indexing import at_axis, part_of
from autodiff.rules.shapes import with_size
from autodiff.values import shape_of


def _concatenate(*arrays: Any, axis: int, ends: Any) -> Any:
    return np.concatenate(arrays, axis)


def _slice_back(grad: Any, which: int, *, axis: int, ends: Any) -> Any:
    start = ends[which - 1] if which else 0
    return part_of(grad, axis, start, ends[which])


concatenate_rule = Linear("np.concatenate", _concatenate, _slice_back, joint=True)


@implements(np.concatenate)
def concatenate(
    arrays: Sequence[Any], /, axis: int | None = 0, *, dtype: Any = None, casting: Any = "same_kind"
) -> Any:
    """Join arrays along an existing axis; flattened ones if `axis` is None."""
    parts = [operand(a) for a in arrays]
    if axis is None:
        parts = [np.ravel(part) for part in parts]
    shapes = [shape_of(part) for part in parts]
    if () in shapes:
        raise ValueError("np.concatenate cannot join single numbers; use np.stack")
    (axis,) = normal_axes(axis or 0, len(shapes[0]))
    ends = tuple(accumulate(shape[axis] for shape in shapes))
    return in_dtype(concatenate_rule(*parts, axis=axis, ends=ends), dtype, casting)


def _stack(*arrays: Any, axis: int) -> Any:
    return np.stack(arrays, axis)


def _take_back(grad: Any, which: int, *, axis: int) -> Any:
    return grad[at_axis(axis, which)]


stack_rule = Linear("np.stack", _stack, _take_back, joint=True)


@implements(np.stack)
def stack(
    arrays: Sequence[Any], axis: int = 0, *, dtype: Any = None, casting: Any = "same_kind"
) -> Any:
    """Join arrays along a new axis."""
    parts = [operand(a) for a in arrays]
    (axis,) = normal_axes(axis, len(shape_of(parts[0])) + 1)
    return in_dtype(stack_rule(*parts, axis=axis), dtype, casting)


def _ndims(parts: Sequence[Any]) -> set[int]:
    return {len(shape_of(part)) for part in parts}


@implements(np.vstack)
def vstack(tup: Sequence[Any], *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    """Stack along the first axis; vectors are rows."""
    parts = [operand(a) for a in tup]
    if _ndims(parts) == {1}:
        return stack(parts, dtype=dtype, casting=casting)
    return concatenate([np.atleast_2d(part) for part in parts], dtype=dtype, casting=casting)


@implements(np.hstack)
def hstack(tup: Sequence[Any], *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    """Stack along the second axis; vectors end to end."""
    parts = [operand(a) for a in tup]
    if _ndims(parts) == {0}:
        return stack(parts, dtype=dtype, casting=casting)
    parts = [np.atleast_1d(part) for part in parts]
    axis = 0 if len(shape_of(parts[0])) == 1 else 1
    return concatenate(parts, axis, dtype=dtype, casting=casting)


@implements(np.dstack)
def dstack(tup: Sequence[Any]) -> Any:
    """Stack along the third axis."""
    return concatenate([np.atleast_3d(operand(a)) for a in tup], 2)


@implements(np.column_stack)
def column_stack(tup: Sequence[Any]) -> Any:
    """Stack along the second axis; vectors are columns."""
    parts = [operand(a) for a in tup]
    if _ndims(parts) == {1}:
        return stack(parts, 1)
    wide = [p if len(shape_of(p)) > 1 else np.reshape(p, (-1, 1)) for p in parts]
    return concatenate(wide, 1)


@implements(np.block)
def block(arrays: Any) -> Any:
    """Assemble an array from nested lists of blocks."""
    depth = _depth(arrays)
    ndim = max(depth, *_ndims_within(arrays))

    def joined(part: Any, axis: int) -> Any:
        if isinstance(part, list):
            return concatenate([joined(inner, axis + 1) for inner in part], axis)
        shape = shape_of(part)
        return np.reshape(part, (1,) * (ndim - len(shape)) + shape)

    return joined(arrays, ndim - depth)


def _depth(arrays: Any) -> int:
    """Return how deep the lists are nested, the same everywhere."""
    if isinstance(arrays, tuple):
        raise TypeError("np.block takes lists, not tuples; give lists of lists of arrays")
    if not isinstance(arrays, list):
        return 0
    depths = {_depth(part) for part in arrays}
    if len(depths) != 1:
        raise ValueError(
            "np.block takes lists that are not empty and of one depth; "
            f"here are depths {sorted(depths)}"
        )
    return 1 + depths.pop()


def _ndims_within(arrays: Any) -> list[int]:
    if isinstance(arrays, list):
        return [ndim for part in arrays for ndim in _ndims_within(part)]
    return [len(shape_of(arrays))]


@implements(np.append)
def append(arr: Any, values: Any, axis: int | None = None) -> Any:
    """Append values along an axis; flattened if it is None."""
    return concatenate((arr, values), axis)


def _insert(arr: Any, values: Any, *, axis: int, order: Any) -> Any:
    return np.take(np.concatenate((arr, values), axis), order, axis)


def _inserted_back(grad: Any, which: int, *, axis: int, order: Any) -> Any:
    kept = order.size - np.count_nonzero(order < 0)
    places = np.argsort(order % order.size)
    return grad[at_axis(axis, places[kept:] if which else places[:kept])]


insert_rule = Linear("np.insert", _insert, _inserted_back, joint=True)


@implements(np.insert)
def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """Insert values along an axis before given positions."""
    arr, values = operand(arr), operand(values)
    if axis is None:
        arr, axis = np.ravel(arr), 0
    shape = shape_of(arr)
    (axis,) = normal_axes(axis, len(shape))
    places = np.arange(shape[axis])[obj] if isinstance(obj, slice) else np.asarray(obj)
    if places.dtype == bool:
        places = np.flatnonzero(places)
    values = np.reshape(values, (1,) * (len(shape) - len(shape_of(values))) + shape_of(values))
    if places.ndim == 0:
        values = np.moveaxis(values, 0, axis)
    count = shape_of(values)[axis] if places.size == 1 else places.size
    values = np.broadcast_to(values, with_size(shape, axis, count))
    # The values are joined to the end; numbers from there, negative, say where they belong.
    order = np.insert(np.arange(shape[axis]), obj, np.arange(-count, 0))
    return in_dtype(insert_rule(arr, values, axis=axis, order=order), raw(arr).dtype)


@implements(np.delete)
def delete(arr: Any, obj: Any, axis: int | None = None) -> Any:
    """Remove entries along an axis."""
    if axis is None:
        arr, axis = np.ravel(arr), 0
    shape = shape_of(arr)
    (axis,) = normal_axes(axis, len(shape))
    kept = np.zeros(shape[axis], bool)
    kept[np.delete(np.arange(shape[axis]), raw(obj))] = True
    return arr[at_axis(axis, kept)]
