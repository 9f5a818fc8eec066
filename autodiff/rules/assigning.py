"""Functions that write into an array: a tracked one, since plain arrays keep no history."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np

from autodiff import in_place
from autodiff.box import Box, operand, raw
from autodiff.primitives import implements
from autodiff.registry import function_name
from autodiff.rules.indexing import along_axis, plain_index, scatter_rule
from autodiff.values import shape_of


def _assign(function: Any, target: Any, index: Any, new: Any) -> None:
    """Do ``target[index] = new``; `target` must be tracked, plain arrays keep no history."""
    if isinstance(target, Box):
        in_place.set_items(target, index, new)
        return
    if isinstance(new, Box):
        _refuse_plain(function)
    target[index] = new


def _refuse_plain(function: Any) -> NoReturn:
    raise TypeError(
        f"{function_name(function)} cannot write a tracked value into a plain array, which "
        "keeps no history. Build the array with np.where, np.concatenate or "
        "np.broadcast_to, or start from autodiff.numpy.zeros"
    )


def _assign_flat(function: Any, target: Any, places: Any, values: Any) -> None:
    """Assign to the entries counted in C order; too few values are used again."""
    if not isinstance(target, Box):
        _refuse_plain(function)
    in_place.set_flat_items(target, places, values)


@implements(np.copyto)
def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """Copy broadcast values into an array, where a condition holds."""
    src, shape = operand(src), shape_of(dst)
    if hasattr(src, "dtype") and not np.can_cast(src.dtype, dst.dtype, casting):
        raise TypeError(f"np.copyto cannot write {src.dtype} into {dst.dtype} by {casting!r}")
    if where is True:
        _assign(np.copyto, dst, ..., src)
        return
    mask = np.broadcast_to(np.asarray(raw(where), bool), shape)
    _assign(np.copyto, dst, mask, np.broadcast_to(src, shape)[mask])


@implements(np.put)
def put(a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    """Assign to entries by flat index."""
    places = np.arange(math.prod(shape_of(a))).take(np.ravel(raw(ind)).astype(int), mode=mode)
    _assign_flat(np.put, a, places, v)


@implements(np.place)
def place(arr: Any, mask: Any, vals: Any) -> None:
    """Assign values one after another to the entries where a mask holds."""
    places = np.flatnonzero(raw(mask))
    if places.size and not math.prod(shape_of(operand(vals))):
        raise ValueError("np.place got no values for the entries where the mask is True")
    _assign_flat(np.place, arr, places, vals)


@implements(np.putmask)
def putmask(a: Any, /, mask: Any, values: Any) -> None:
    """Assign values to the entries where a mask holds, each from its own position."""
    places = np.flatnonzero(raw(mask))
    values = operand(values)
    count = math.prod(shape_of(values))
    chosen = np.ravel(values)[places % count] if count else values
    _assign_flat(np.putmask, a, places, chosen)


@implements(np.put_along_axis)
def put_along_axis(arr: Any, indices: Any, values: Any, axis: int | None) -> None:
    """Assign to entries by indices along an axis, as argsort gives them."""
    shape = shape_of(arr)
    if axis is None:
        _assign(np.put_along_axis, arr, np.unravel_index(raw(indices), shape), values)
    else:
        _assign(np.put_along_axis, arr, along_axis(shape, raw(indices), axis), values)


@implements(np.fill_diagonal)
def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """Assign to the diagonal; `wrap` goes on below a square."""
    shape = shape_of(a)
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        raise ValueError(
            f"np.fill_diagonal takes matrices, or equal sizes along more axes, not shape {shape}"
        )
    step = 1 + sum(math.prod(shape[i:]) for i in range(1, len(shape)))
    size = math.prod(shape)
    end = size if wrap or len(shape) > 2 else min(size, shape[1] ** 2)
    _assign_flat(np.fill_diagonal, a, np.arange(0, end, step), val)


@implements((np.add, "at"))
def add_at(a: Any, indices: Any, b: Any) -> None:
    """Add to entries by index; repeated indices add up."""
    if not isinstance(a, Box):
        _refuse_plain((np.add, "at"))
    index, shape = plain_index(indices), shape_of(a)
    added = np.broadcast_to(b, np.broadcast_to(False, shape)[index].shape)
    in_place.set_items(a, ..., a + scatter_rule(added, index=index, shape=shape))
