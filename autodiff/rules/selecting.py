"""Selecting entries by indices and conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.holding import is_traced
from autodiff.primitives import implements, normal_axes
from autodiff.rules.indexing import along_axis, at_axis, getitem
from autodiff.rules.reductions import refuse_out
from autodiff.values import shape_of


@implements(np.take)
def take(
    a: Any, indices: Any, axis: int | None = None, out: None = None, mode: Any = "raise"
) -> Any:
    """Take entries by index along an axis; flattened if it is None."""
    refuse_out(out)
    a = operand(a)
    if axis is None:
        a, axis = np.ravel(a), 0
    shape, places = shape_of(a), raw(indices)
    places = places if is_traced(places) else np.asarray(places)
    (axis,) = normal_axes(axis, len(shape))
    if mode != "raise":
        places = np.arange(shape[axis]).take(places, mode=mode)
    elif not places.size:
        places = places.astype(int)
    return getitem(a, at_axis(axis, places))


@implements(np.take_along_axis)
def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Any:
    """Take entries by indices along an axis, as argsort gives them."""
    if axis is None:
        arr, axis = np.ravel(arr), 0
    return operand(arr)[along_axis(shape_of(arr), raw(indices), axis)]


@implements(np.choose)
def choose(a: Any, choices: Sequence[Any], out: None = None, mode: Any = "raise") -> Any:
    """Choose each entry from one of several arrays, by a plain index."""
    refuse_out(out)
    numbers = np.asarray(raw(a))
    if numbers.dtype.kind not in "iub":
        raise TypeError(f"np.choose chooses by integers, not by dtype {numbers.dtype}")
    numbers = np.arange(len(choices)).take(numbers, mode=mode)
    numbers, *arrays = np.broadcast_arrays(numbers, *map(operand, choices))
    return np.stack(arrays)[(numbers, *np.indices(numbers.shape, sparse=True))]


@implements(np.compress)
def compress(condition: Any, a: Any, axis: int | None = None) -> Any:
    """Select slices along an axis where a condition holds."""
    if axis is None:
        a, axis = np.ravel(a), 0
    shape = shape_of(a)
    (axis,) = normal_axes(axis, len(shape))
    given = np.asarray(raw(condition), bool)
    mask = np.zeros(max(shape[axis], given.size), bool)
    mask[: given.size] = given
    if mask[shape[axis] :].any():
        raise IndexError(f"the condition of np.compress holds beyond {shape[axis]} entries")
    return a[at_axis(axis, mask[: shape[axis]])]


@implements(np.extract)
def extract(condition: Any, arr: Any) -> Any:
    """Select the entries where a condition holds."""
    return compress(np.ravel(raw(condition)), arr)


@implements(np.select)
def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """Choose each entry from the first array whose condition holds."""
    if len(condlist) != len(choicelist) or not len(condlist):
        raise ValueError(
            f"np.select got {len(condlist)} conditions and {len(choicelist)} choices; one each"
        )
    conditions = [np.asarray(raw(condition)) for condition in condlist]
    if any(condition.dtype != bool for condition in conditions):
        raise TypeError("np.select takes boolean conditions; compare, x > 0")
    chosen = default
    for condition, choice in zip(conditions[::-1], list(choicelist)[::-1], strict=True):
        chosen = np.where(condition, choice, chosen)
    return chosen


@implements(np.trim_zeros)
def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    """Remove leading and trailing zeros."""
    trim = trim.lower()
    if set(trim) - {"f", "b"}:
        raise ValueError(f"trim of np.trim_zeros is made of 'f' and 'b', not {trim!r}")
    ndim = len(shape_of(filt))
    index = [slice(None)] * ndim
    places = np.nonzero(raw(filt))
    for one in normal_axes(axis, ndim):
        if not places[one].size:
            index[one] = slice(0, 0)
            continue
        start = places[one].min() if "f" in trim else None
        stop = places[one].max() + 1 if "b" in trim else None
        index[one] = slice(start, stop)
    return filt[tuple(index)]
