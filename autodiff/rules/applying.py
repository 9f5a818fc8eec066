"""Applying functions along axes, over axes, and where conditions hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.primitives import implements, normal_axes
from autodiff.rules.indexing import setitem
from autodiff.rules.splitting import unstack
from autodiff.values import shape_of


@implements(np.apply_along_axis)
def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any
) -> Any:
    """Apply a function to the 1-D slices along an axis."""
    (axis,) = normal_axes(axis, len(shape_of(arr)))
    rows = np.moveaxis(arr, axis, -1)
    outer = shape_of(rows)[:-1]
    if 0 in outer:
        raise ValueError("np.apply_along_axis has no row to call the function on")
    flat = np.reshape(rows, (-1, shape_of(rows)[-1]))
    results = np.stack([operand(func1d(row, *args, **kwargs)) for row in unstack(flat)])
    inner = shape_of(results)[1:]
    joined = np.reshape(results, outer + inner)
    ndim, count = len(outer) + len(inner), len(inner)
    return np.moveaxis(joined, tuple(range(ndim - count, ndim)), tuple(range(axis, axis + count)))


@implements(np.apply_over_axes)
def apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Any:
    """Apply a function of an array and an axis over several axes in turn."""
    ndim = len(shape_of(a))
    for axis in np.ravel(axes).tolist():
        (axis,) = normal_axes(axis, ndim)
        reduced = func(a, axis)
        a = reduced if len(shape_of(reduced)) == ndim else np.expand_dims(reduced, axis)
    if len(shape_of(a)) != ndim:
        raise ValueError("np.apply_over_axes needs a function that drops one axis or none")
    return a


@implements(np.piecewise)
def piecewise(x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Any:
    """Apply to each entry the function whose condition holds there."""
    x = operand(x)
    if np.isscalar(condlist) or (
        not isinstance(condlist[0], (list, np.ndarray)) and shape_of(x) != ()
    ):
        condlist = [condlist]
    conditions = np.asarray(raw(condlist), bool)
    if len(conditions) == len(funclist) - 1:
        conditions = np.concatenate([conditions, ~np.any(conditions, axis=0, keepdims=True)])
    if len(conditions) != len(funclist):
        raise ValueError(
            f"np.piecewise got {len(conditions)} conditions and {len(funclist)} functions; "
            "one each, and perhaps one more function for the rest"
        )
    out: Any = np.zeros(shape_of(x), x.dtype)
    for condition, function in zip(conditions, funclist, strict=True):
        part: Any = function
        if callable(function):
            part = x[condition]
            if not part.size:
                continue
            part = function(part, *args, **kw)
        out = setitem(out, condition, part)
    return out
