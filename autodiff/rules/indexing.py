"""Indexing and item assignment."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff.box import Box, apply, raw
from autodiff.holding import is_traced
from autodiff.primitives import Linear, implements, normal_axes
from autodiff.values import shape_of, unbroadcast

# Adding one by one into an array of several axes takes as long as numbering so many entries.
_SLOWER = 64


def _getitem(x: Any, *, index: Any) -> Any:
    return (x if type(x) is np.ndarray else np.asarray(x))[index]


def _scatter_back(grad: Any, x: Any, *, index: Any) -> Any:
    grad = _beside(index, grad)
    if type(grad) is np.ndarray:  # the short way of the usual case
        return _scatter(grad, index=index, shape=x.shape)
    return apply(scatter_rule, (grad,), {"index": index, "shape": x.shape})


def _scatter(grad: Any, *, index: Any, shape: Any) -> Any:
    array = np.zeros(shape, getattr(grad, "dtype", type(grad)))
    if not _may_repeat(index):
        array[index] = grad
    elif array.ndim == 1 or array.size > _SLOWER * np.size(grad):
        np.add.at(array, index, grad)
    else:
        add_at_places(array, numbered(shape)[index], grad)
    return array


def add_at_places(array: Any, places: Any, values: Any) -> None:
    """Add to the entries of a new array counted in C order; `places` may repeat."""
    np.add.at(array.reshape(-1), places.reshape(-1), np.reshape(values, -1))


def numbered(shape: Any) -> Any:
    """Return an array of `shape` whose entries are their own places in it, counted."""
    return np.arange(math.prod(shape)).reshape(shape)


def _gather_back(grad: Any, x: Any, *, index: Any, shape: Any) -> Any:
    grad = _beside(index, grad)
    return grad[index] if type(grad) is np.ndarray else getitem_rule(grad, index=index)


def _beside(index: Any, value: Any) -> Any:
    """Return `value` in the program that an index belongs to, if it is traced."""
    parts = index if type(index) is tuple else (index,)
    program = next((part.recorder for part in parts if is_traced(part)), None)
    if program is None or (isinstance(value, Box) and value.level >= program.level):
        return value
    return program.taken(value) if isinstance(value, Box) else program.constant(np.asarray(value))


getitem_rule = Linear("indexing", _getitem, _scatter_back)
scatter_rule = Linear("the transpose of indexing", _scatter, _gather_back)


@implements("getitem")
def getitem(x: Any, index: Any) -> Any:
    """Entries by index, any that NumPy takes."""
    index = plain_index(index)
    return apply(getitem_rule, (_beside(index, x),), {"index": index})


def plain_index(index: Any) -> Any:
    """Return an index whose parts are NumPy's own kinds; array-likes become arrays."""
    if type(index) is tuple:
        return tuple(map(_plain_part, index))
    return _plain_part(index)


def _plain_part(part: Any) -> Any:
    if part is None or isinstance(part, (int, slice, np.ndarray, np.generic, type(Ellipsis))):
        return part
    plain = raw(part)
    if is_traced(plain) and plain.dtype.kind in "iu":
        return plain
    array = np.asarray(plain)
    return array if array.size else array.astype(int)


def _may_repeat(index: Any) -> bool:
    """Return whether an index has integer arrays, which may name an entry twice."""
    if type(index) is slice or type(index) is int:
        return False
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(part, np.ndarray) and part.dtype.kind in "iu" for part in parts)


def at_axis(axis: int, index: Any) -> tuple[Any, ...]:
    """Return the index that is `index` along `axis`, counted from 0, and takes all else."""
    return (slice(None),) * axis + (index,)


def part_of(x: Any, axis: int, start: int | None, stop: int | None, step: int = 1) -> Any:
    """Return the entries of `x` from `start` to `stop` along `axis`."""
    return x[at_axis(axis, slice(start, stop, step))]


def along_axis(shape: tuple[int, ...], indices: Any, axis: int) -> tuple[Any, ...]:
    """Return the index of an array of `shape` that has `indices` along an axis for each row."""
    indices = np.asarray(indices)
    if indices.dtype.kind not in "iu" or indices.ndim != len(shape):
        raise IndexError(
            f"indices along an axis of shape {shape} are an integer array of as many axes, "
            f"not {indices.dtype} of shape {indices.shape}"
        )
    (axis,) = normal_axes(axis, len(shape))
    index: list[Any] = list(np.indices(shape, sparse=True))
    index[axis] = indices
    return tuple(index)


def _setitem(x: Any, new: Any, *, index: Any, new_shape: Any) -> Any:
    array = np.array(x)
    array[index] = new
    return array


def _setitem_back(grad: Any, which: int, *, index: Any, new_shape: Any) -> Any:
    grad = _beside(index, grad)
    if which == 0:
        return setitem_rule(grad, 0.0, index=index, new_shape=())
    part = getitem_rule(grad, index=index)
    if _may_repeat(index):
        part = np.where(_last_writer(index, shape_of(grad)), part, 0.0)
    # An assignment ignores leading axes of size 1.
    ignored = max(len(new_shape) - len(shape_of(part)), 0)
    return unbroadcast(part, shape_of(part), new_shape[ignored:])


def _last_writer(index: Any, shape: Any) -> Any:
    """Return which of the assigned entries stay: of those with one place, the last."""
    places = numbered(shape)[index]
    order = np.arange(places.size).reshape(places.shape)
    last = np.zeros(shape, int)
    last[index] = order
    return last[index] == order


setitem_rule = Linear("item assignment", _setitem, _setitem_back, joint=True)


@implements("setitem")
def setitem(x: Any, index: Any, new: Any) -> Any:
    """Item assignment; entries that are overwritten get no gradient."""
    index = plain_index(index)
    return setitem_rule(x, new, index=index, new_shape=shape_of(raw(new)))
