"""Functions that make arrays: of tracked values, and such that take tracked values later."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import Box, raw
from autodiff.numpy.buffer import Buffer
from autodiff.numpy.joining import is_tracked, joined
from autodiff.rules.plain import plain
from autodiff.values import shape_of

__all__ = [
    "arange",
    "array",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "identity",
    "isscalar",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]


def _fillable(own: Callable[..., Any]) -> Callable[..., Any]:
    """Return `own`, which makes an array, so that the array takes tracked values."""

    @functools.wraps(own)
    def make(*args: Any, **kwargs: Any) -> Any:
        array = own(*map(plain, args), **{key: plain(value) for key, value in kwargs.items()})
        takes = type(array) is np.ndarray and array.dtype.kind in "fc"
        return array.view(Buffer) if takes else array

    return make


zeros = _fillable(np.zeros)
ones = _fillable(np.ones)
empty = _fillable(np.empty)
eye = _fillable(np.eye)
identity = _fillable(np.identity)
zeros_like = _fillable(np.zeros_like)
ones_like = _fillable(np.ones_like)
empty_like = _fillable(np.empty_like)
_full = _fillable(np.full)
_full_like = _fillable(np.full_like)


@functools.wraps(np.full)
def full(shape: Any, fill_value: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    """Return an array with `fill_value`, which may be tracked, everywhere."""
    if not is_tracked(fill_value):
        return _full(shape, fill_value, dtype, *args, **kwargs)
    return array(np.broadcast_to(joined(fill_value), shape), dtype)


@functools.wraps(np.full_like)
def full_like(a: Any, fill_value: Any, *args: Any, **kwargs: Any) -> Any:
    """Return an array like `a` with `fill_value`, which may be tracked, everywhere."""
    if not is_tracked(fill_value):
        return _full_like(a, fill_value, *args, **kwargs)
    like = _full_like(a, 0, *args, **kwargs)
    return full(like.shape, fill_value, like.dtype)


@functools.wraps(np.array)
def array(
    object: Any, dtype: Any = None, *, copy: bool | None = True, ndmin: int = 0, **kwargs: Any
) -> Any:
    """Return an array of numbers, or a tracked value of numbers some of which are tracked."""
    if not is_tracked(object):
        return np.array(plain(object), dtype, copy=copy, ndmin=ndmin, **kwargs)
    found = joined(object)
    if dtype is not None and np.dtype(dtype).kind in "iub":
        return np.array(raw(found), dtype, ndmin=ndmin)
    if dtype is not None and np.dtype(dtype) != found.dtype:
        found = found.astype(dtype)
    elif copy and found is object:
        found = found.copy()
    missing = ndmin - len(shape_of(found))
    return np.reshape(found, (1,) * missing + shape_of(found)) if missing > 0 else found


def _converted(own: Callable[..., Any], ndmin: int = 0) -> Callable[..., Any]:
    """Return `own`, which makes an array of array-likes, for tracked values too."""

    @functools.wraps(own)
    def convert(a: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
        if is_tracked(a):
            return array(a, dtype, copy=kwargs.get("copy"), ndmin=ndmin)
        return own(plain(a), dtype, *args, **kwargs)

    return convert


asarray = _converted(np.asarray)
asanyarray = _converted(np.asanyarray)
ascontiguousarray = _converted(np.ascontiguousarray, ndmin=1)
asfortranarray = _converted(np.asfortranarray, ndmin=1)


@functools.wraps(np.asarray_chkfinite)
def asarray_chkfinite(a: Any, dtype: Any = None, order: Any = None) -> Any:
    """Return numbers, some of which may be tracked, as an array; an error if one is not finite."""
    found = asarray(a, dtype, order)
    np.asarray_chkfinite(raw(found))
    return found


@functools.wraps(np.arange)
def arange(*args: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """Return evenly spaced numbers; the derivative is that for a fixed count of them."""
    if not any(isinstance(arg, Box) for arg in (*args, *kwargs.values())):
        return np.arange(*args, dtype=dtype, **kwargs)
    start, stop, step = _range_of(*args, **kwargs)
    count = max(math.ceil((raw(stop) - raw(start)) / raw(step)), 0)
    numbers = start + step * np.arange(count)
    return numbers if dtype is None else array(numbers, dtype)


def _range_of(
    start: Any = 0, stop: Any = None, step: Any = 1, *, device: Any = None, like: Any = None
) -> tuple[Any, Any, Any]:
    return (0, start, step) if stop is None else (start, stop, step)


@functools.wraps(np.isscalar)
def isscalar(element: Any) -> bool:
    """Return whether `element` is a single number, not an array of one."""
    return np.isscalar(raw(element))
