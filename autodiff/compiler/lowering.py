"""What NumPy's functions and our rules are in a program: the few operations a backend knows.

Whatever is not here is written down as a call of the function itself.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import Box, operand, raw
from autodiff.compiler.operations import (
    Broadcast,
    Cast,
    Join,
    Kernel,
    Matmul,
    Part,
    Put,
    Reduce,
    Reshape,
    Take,
    Transpose,
    Ufunc,
)
from autodiff.elementwise import rule_named
from autodiff.primitives import normal_axes
from autodiff.registry import CALLS
from autodiff.rules.dtypes import astype_rule
from autodiff.rules.indexing import getitem_rule, scatter_rule, setitem_rule
from autodiff.rules.joining import concatenate_rule, stack_rule
from autodiff.rules.plain import BY_SHAPE
from autodiff.rules.products import matmul_rule
from autodiff.rules.reductions import mean_rule, sum_rule
from autodiff.rules.shapes import broadcast_rule, reshape_rule, transpose_rule
from autodiff.rules.sparse import is_sparse
from autodiff.values import dtype_of, shape_of

Lowered = Callable[..., Any]

LOWERED: dict[Any, Lowered] = {}
"""Functions of NumPy, (ufunc, method) and names of methods, called ``(recorder, *args)``."""

LOWERED_RULES: dict[Any, Lowered] = {}
"""The same of our rules, called ``(recorder, *args, **static)``."""

VIEWS_OF_SHAPE = BY_SHAPE
"""Functions that ask for shape and dtype only."""

DATA_SHAPES = frozenset(
    {
        np.argwhere,
        np.compress,
        np.extract,
        np.flatnonzero,
        np.intersect1d,
        np.nonzero,
        np.setdiff1d,
        np.trim_zeros,
        np.union1d,
        np.unique,
        np.where,
    }
)
"""Functions whose result has a shape that depends on numbers (`np.where` of a condition alone)."""


def lowers(*keys: Any, rule: Any = None) -> Callable[[Lowered], Lowered]:
    """Put the decorated function in the tables, for functions of NumPy and for a rule of ours."""

    def decorate(lowered: Lowered) -> Lowered:
        LOWERED.update(dict.fromkeys(keys, lowered))
        if rule is not None:
            LOWERED_RULES[rule] = lowered
        return lowered

    return decorate


def _kernel(name: str) -> Kernel:
    rule = rule_named(name)
    assert rule is not None, name
    return Kernel(rule)


def _reduction(ufunc: Any) -> Lowered:
    def reduce(
        recorder: Any,
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: None = None,
        keepdims: bool = False,
        **others: Any,
    ) -> Any:
        given = {key: each for key, each in others.items() if each is not np._NoValue}
        if given or out is not None:
            return recorder.call(ufunc.reduce, (a,), {"axis": axis, "keepdims": keepdims} | given)
        if ufunc in (np.logical_and, np.logical_or):
            dtype = bool
        elif dtype is None and dtype_of(a).kind == "b" and ufunc in (np.add, np.multiply):
            dtype = np.intp
        if dtype is not None and dtype_of(a) != dtype:
            a = recorder.emit(Cast(np.dtype(dtype)), a)
        axes = normal_axes(axis, len(shape_of(a)))
        return recorder.emit(Reduce(ufunc, tuple(sorted(axes)), bool(keepdims)), a)

    return reduce


def _add_reduction(ufunc: Any, *functions: Any) -> Lowered:
    lowered = _reduction(ufunc)
    of_ufunc = _reduction(ufunc)

    def reduce(recorder: Any, a: Any, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        return of_ufunc(recorder, a, axis, *args, **kwargs)

    LOWERED[ufunc, "reduce"] = reduce
    LOWERED.update(dict.fromkeys(functions, lowered))
    return lowered


_sum = _add_reduction(np.add, np.sum)
_add_reduction(np.multiply, np.prod)
_add_reduction(np.logical_and, np.all)
_add_reduction(np.logical_or, np.any)


def _extreme(ufunc: Any, *functions: Any) -> None:
    lowered = _add_reduction(ufunc)

    def extreme(
        recorder: Any, a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, **k: Any
    ) -> Any:
        return lowered(recorder, a, axis, None, out, keepdims, **k)

    LOWERED.update(dict.fromkeys(functions, extreme))


_extreme(np.maximum, np.max)
_extreme(np.minimum, np.min)


@lowers(rule=sum_rule)
def _sum_rule(recorder: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _sum(recorder, x, axis, keepdims=keepdims)


@lowers(rule=mean_rule)
def _mean(recorder: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    if dtype_of(x).char not in "fd":
        return recorder.call(np.mean, (x,), {"axis": axis, "keepdims": keepdims})
    shape = shape_of(x)
    count = math.prod(shape[one] for one in normal_axes(axis, len(shape)))
    return recorder.emit(_kernel("divide"), _sum(recorder, x, axis, keepdims=keepdims), count)


@lowers(np.mean)
def _mean_of(recorder: Any, a: Any, axis: Any = None, **keywords: Any) -> Any:
    if keywords.keys() - {"keepdims"}:
        return recorder.call(np.mean, (a, axis), keywords)
    return _mean(recorder, a, axis=axis, keepdims=bool(keywords.get("keepdims", False)))


@lowers(np.where)
def _where(recorder: Any, condition: Any, x: Any, y: Any) -> Any:
    return recorder.emit(_kernel("where"), condition, x, y)


@lowers(np.reshape, rule=reshape_rule)
def _reshape(
    recorder: Any, a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None
) -> Any:
    if order != "C":
        return recorder.call(np.reshape, (a, shape, order), {})
    size = math.prod(shape_of(a))
    given = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    known = math.prod(one for one in given if one != -1)
    full = tuple(size // known if one == -1 and known else int(one) for one in given)
    if math.prod(full) != size:
        raise ValueError(f"cannot reshape array of size {size} into shape {given}")
    return a if full == shape_of(a) else recorder.emit(Reshape(full), a)


@lowers(np.transpose, rule=transpose_rule)
def _transpose(recorder: Any, a: Any, axes: Any = None) -> Any:
    ndim = len(shape_of(a))
    order = tuple(range(ndim))[::-1] if axes is None else normal_axes(tuple(axes), ndim)
    if sorted(order) != list(range(ndim)):
        raise ValueError(f"axes {axes} do not permute those of shape {shape_of(a)}")
    return a if order == tuple(range(ndim)) else recorder.emit(Transpose(order), a)


@lowers(np.broadcast_to, rule=broadcast_rule)
def _broadcast(recorder: Any, array: Any, shape: Any, subok: bool = False) -> Any:
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if shape == shape_of(array):
        return array
    np.broadcast_to(np.empty(shape_of(array), bool), shape)  # NumPy's own error
    return recorder.emit(Broadcast(shape), array)


def _through_rule(function: Any) -> None:
    """Lower a function by our rule of it, which is made of others."""

    def lowered(recorder: Any, *args: Any, **kwargs: Any) -> Any:
        def boxes(value: Any) -> Any:
            return (
                type(value)(map(boxes, value)) if type(value) in (list, tuple) else operand(value)
            )

        found = CALLS[function](*map(boxes, args), **kwargs)
        return tuple(map(raw, found)) if isinstance(found, (tuple, list)) else raw(found)

    LOWERED[function] = lowered


_THROUGH_RULES: tuple[Any, ...] = (
    np.swapaxes,
    np.moveaxis,
    np.matrix_transpose,
    np.ravel,
    np.concatenate,
    np.stack,
    np.broadcast_arrays,
    np.clip,
)
for _function in _THROUGH_RULES:
    _through_rule(_function)


def _reshaped_like(function: Any) -> None:
    """Lower a function that only adds or drops axes of size 1."""

    def lowered(recorder: Any, a: Any, axis: Any = None) -> Any:
        stand_in = np.broadcast_to(False, shape_of(a))
        found = function(stand_in) if axis is None else function(stand_in, axis)
        return _reshape(recorder, a, found.shape)

    LOWERED[function] = lowered


_RESHAPED: tuple[Any, ...] = (
    np.squeeze,
    np.expand_dims,
    np.atleast_1d,
    np.atleast_2d,
    np.atleast_3d,
)
for _function in _RESHAPED:
    _reshaped_like(_function)


@lowers("astype", rule=astype_rule)
def _astype(recorder: Any, x: Any, dtype: Any) -> Any:
    return x if dtype_of(x) == dtype else recorder.emit(Cast(np.dtype(dtype)), x)


@lowers("getitem", rule=getitem_rule)
def _getitem(recorder: Any, x: Any, index: Any) -> Any:
    found = regular(index, shape_of(x))
    if found is None:
        return recorder.call(_take_entries, (x, index), {}, "indexing")
    parts, shape = found
    if all(part == (0, size, 1) for part, size in zip(parts, shape_of(x), strict=True)):
        taken = x
    else:
        taken = recorder.emit(Take(parts), x)
    return _reshape(recorder, taken, shape)


def _take_entries(x: Any, index: Any) -> Any:
    whole: Any = x if isinstance(x, Box) else np.asarray(x)
    return whole[index]


@lowers(rule=scatter_rule)
def _scatter(recorder: Any, grad: Any, *, index: Any, shape: Any) -> Any:
    found = regular(index, shape)
    if found is None:
        static = {"index": index, "shape": shape}
        return recorder.call(scatter_rule.forward, (grad,), static, rule=scatter_rule)
    parts, out_shape = found
    taken = tuple(part[1] for part in parts if part[1] is not None)
    grad = _reshape(recorder, _broadcast(recorder, grad, out_shape), taken)
    return recorder.emit(Put(parts, tuple(shape)), grad)


def regular(index: Any, shape: tuple[int, ...]) -> tuple[tuple[Part, ...], tuple[int, ...]] | None:
    """Return an index of ints, slices, None and Ellipsis as one part for each axis.

    Returns
    -------
    parts : tuple of Part
    shape : tuple of int
        Of what it takes; with axes of size 1 where the index has None.
    None
        If the index has arrays.

    Raises
    ------
    IndexError
        If it has too many parts, or an entry is not there.
    """
    given = index if isinstance(index, tuple) else (index,)
    for part in given:
        if isinstance(part, bool) or not (
            part is None or part is Ellipsis or isinstance(part, (int, np.integer, slice))
        ):
            return None
    used = sum(part is not None and part is not Ellipsis for part in given)
    if used > len(shape):
        raise IndexError(f"too many indices: {used} for an array of shape {shape}")
    rest = (slice(None),) * (len(shape) - used)
    at = next((i for i, part in enumerate(given) if part is Ellipsis), len(given))
    full: Sequence[Any] = (*given[:at], *rest, *given[at + 1 :])
    parts: list[Part] = []
    out: list[int] = []
    for part in full:
        if part is None:
            out.append(1)
            continue
        size = shape[len(parts)]
        if isinstance(part, slice):
            places = range(size)[part]
            # Where nothing is taken the start may be outside, and the step does not matter.
            parts.append((places.start, len(places), places.step) if places else (0, 0, 1))
            out.append(len(places))
        else:
            if not -size <= part < size:
                raise IndexError(f"index {part} is out of bounds for an axis of size {size}")
            parts.append((int(part) % size, None, 1))
    return tuple(parts), tuple(out)


@lowers(rule=concatenate_rule)
def _concatenate(recorder: Any, *arrays: Any, axis: int, ends: Any) -> Any:
    return recorder.emit(Join(axis), *arrays)


@lowers(rule=stack_rule)
def _stack(recorder: Any, *arrays: Any, axis: int) -> Any:
    shapes = {shape_of(each) for each in arrays}
    if len(shapes) != 1:
        raise ValueError(f"np.stack needs arrays of one shape, not {sorted(shapes)}")
    (shape,) = shapes
    (axis,) = normal_axes(axis, len(shape) + 1)
    wide = (*shape[:axis], 1, *shape[axis:])
    parts = [
        np.reshape(each, wide) if isinstance(each, (np.ndarray, np.generic, float, int))
        else _reshape(recorder, each, wide)
        for each in arrays
    ]  # fmt: skip
    return recorder.emit(Join(axis), *parts)


@lowers((np.matmul, "__call__"), rule=matmul_rule)
def _matmul(recorder: Any, x: Any, y: Any) -> Any:
    if is_sparse(x) or is_sparse(y):
        return recorder.call(operator.matmul, (x, y), {}, "a product with a sparse matrix")
    return recorder.emit(Matmul(), x, y)


@lowers(rule=setitem_rule)
def _setitem(recorder: Any, x: Any, new: Any, *, index: Any, new_shape: Any) -> Any:
    given = {"index": index, "new_shape": new_shape}
    return recorder.call(setitem_rule.forward, (x, new), given, setitem_rule.name)


def _plain_ufunc(ufunc: np.ufunc) -> None:
    def call(recorder: Any, *args: Any) -> Any:
        return recorder.emit(Ufunc(ufunc), *args)

    LOWERED[ufunc, "__call__"] = call


for _ufunc in (
    np.equal,
    np.not_equal,
    np.less,
    np.less_equal,
    np.greater,
    np.greater_equal,
    np.logical_and,
    np.logical_or,
    np.logical_not,
    np.logical_xor,
    np.isnan,
    np.isinf,
    np.isfinite,
    np.signbit,
    np.bitwise_and,
    np.bitwise_or,
    np.bitwise_xor,
    np.invert,
):
    _plain_ufunc(_ufunc)
