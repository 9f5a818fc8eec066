"""Reading and writing entries by index."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff.box import apply, raw
from autodiff.primitives import Linear, implements
from autodiff.values import shape_of, unbroadcast


def _getitem(x: Any, *, index: Any) -> Any:
    return np.asarray(x)[index] if type(x) is float else x[index]


def _scatter_back(grad: Any, x: Any, *, index: Any) -> Any:
    return apply(scatter_rule, (grad,), {"index": index, "shape": x.shape})


def _scatter(grad: Any, *, index: Any, shape: Any) -> Any:
    array = np.zeros(shape, getattr(grad, "dtype", float))
    if _may_repeat(index):
        np.add.at(array, index, grad)
    else:
        array[index] = grad
    return array


getitem_rule = Linear("indexing", _getitem, _scatter_back)
scatter_rule = Linear(
    "the transpose of indexing", _scatter, lambda grad, x, *, index, shape: grad[index]
)


@implements("getitem")
def getitem(x: Any, index: Any) -> Any:
    """Return ``x[index]`` for any index of NumPy."""
    return apply(getitem_rule, (x,), {"index": _plain_index(index)})


def _plain_index(index: Any) -> Any:
    """Return an index whose parts are NumPy's own kinds; array-likes become arrays."""
    if type(index) is tuple:
        return tuple(map(_plain_part, index))
    return _plain_part(index)


def _plain_part(part: Any) -> Any:
    if part is None or isinstance(part, (int, slice, np.ndarray, np.generic, type(Ellipsis))):
        return part
    array = np.asarray(part)
    return array if array.size else array.astype(int)


def _may_repeat(index: Any) -> bool:
    """Return whether an index has integer arrays, which may name an entry twice."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(part, np.ndarray) and part.dtype.kind in "iu" for part in parts)


def _setitem(x: Any, new: Any, *, index: Any, shapes: Any) -> Any:
    array = np.array(x)
    array[index] = new
    return array


def _setitem_back(grad: Any, which: int, *, index: Any, shapes: Any) -> Any:
    if which == 0:
        return setitem_rule(grad, 0.0, index=index, shapes=((), ()))
    part = grad[index]
    if _may_repeat(index):
        part = np.where(_last_writer(index, shape_of(grad)), part, 0.0)
    return unbroadcast(part, shape_of(part), _trailing(shapes[1], shape_of(part)))


def _trailing(shape: tuple[int, ...], target: tuple[int, ...]) -> tuple[int, ...]:
    """Return `shape` without leading axes of size 1 that an assignment ignores."""
    extra = max(len(shape) - len(target), 0)
    return shape[extra:]


def _last_writer(index: Any, shape: Any) -> Any:
    """Return which of the assigned entries stay: of those with one place, the last."""
    places = np.arange(math.prod(shape)).reshape(shape)[index]
    order = np.arange(places.size).reshape(places.shape)
    last = np.zeros(shape, int)
    last[index] = order
    return last[index] == order


setitem_rule = Linear("item assignment", _setitem, _setitem_back, joint=True)


@implements("setitem")
def setitem(x: Any, index: Any, new: Any) -> Any:
    """Return `x` with ``x[index] = new`` done to a copy."""
    index = _plain_index(index)
    return setitem_rule(x, new, index=index, shapes=(shape_of(raw(x)), shape_of(raw(new))))
