"""Products of two arrays summed over axes that they share: `contraction`, the one rule."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autodiff.calls import on_arrays
from autodiff.primitives import Bilinear
from autodiff.values import shape_of

Labels = tuple[int, ...]


@functools.lru_cache(maxsize=1024)
def contraction(left: Labels, right: Labels, out: Labels) -> Callable[[Any, Any], Any]:
    """Return the product of two arrays whose axes have labels, summed over those not in `out`.

    Parameters
    ----------
    left, right, out : tuple of int
        Labels of the axes of the two arrays and of the result. In each tuple a label occurs
        once; each occurs in two of the tuples at least; sizes of equal labels are equal.

    Returns
    -------
    callable
        Takes the two arrays, plain or tracked.
    """
    # In the roles of the labels the cotangents are of the same kind as the product.
    rule = Bilinear(
        "a product of arrays",
        _product(left, right, out),
        (
            lambda grad, y, x: contraction(out, right, left)(grad, y),
            lambda grad, x, y: contraction(out, left, right)(grad, x),
        ),
    )
    return on_arrays(rule, rule.forward)


def _product(left: Labels, right: Labels, out: Labels) -> Callable[[Any, Any], Any]:
    """Return the function that contracts plain arrays, by a matrix product where it sums."""
    inner = tuple(label for label in left if label not in out)
    if not inner:
        return functools.partial(_elementwise, order=(_places(left, out), _places(right, out)))
    batch = tuple(label for label in out if label in left and label in right)
    rows = tuple(label for label in out if label not in right)
    columns = tuple(label for label in out if label not in left)
    x_moved = _moved(left, batch + rows + inner)
    y_moved = _moved(right, batch + inner + columns)
    out_moved = _moved(batch + rows + columns, out)
    if len(rows) == len(inner) == len(columns) == 1:
        return lambda x, y: out_moved(np.matmul(x_moved(x), y_moved(y)))
    first, second = len(batch), len(batch) + len(rows)

    def product(x: Any, y: Any) -> Any:
        x, y = x_moved(x), y_moved(y)
        lead, row, summed = x.shape[:first], x.shape[first:second], x.shape[second:]
        column = y.shape[first + len(summed) :]
        size = math.prod(summed)
        x = x.reshape((*lead, math.prod(row), size))
        y = y.reshape((*lead, size, math.prod(column)))
        result = np.matmul(x, y).reshape(lead + row + column)
        return out_moved(result) if out else result[()]

    return product


def _order(labels: Labels, wanted: Iterable[int]) -> tuple[int, ...]:
    return tuple(labels.index(label) for label in wanted)


def _moved(labels: Labels, wanted: Labels) -> Callable[[Any], Any]:
    """Return the function that puts the axes of an array in the order of `wanted`."""
    if labels == wanted:
        return lambda x: x
    if labels == wanted[::-1]:
        return lambda x: x.T
    order = _order(labels, wanted)
    return lambda x: x.transpose(order)


def _places(labels: Labels, out: Labels) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """Return the order of axes, and the index that puts in axes of size 1, to match `out`."""
    order = _order(labels, (label for label in out if label in labels))
    return order, tuple(slice(None) if label in labels else None for label in out)


def _elementwise(x: Any, y: Any, *, order: Any) -> Any:
    (x_order, x_index), (y_order, y_index) = order
    x = np.transpose(x, x_order)[x_index] if x_order else x
    y = np.transpose(y, y_order)[y_index] if y_order else y
    return x * y


def tensordot(a: Any, b: Any, axes: Any) -> Any:
    """Return the sum of products over pairs of axes, as `np.tensordot`.

    Parameters
    ----------
    a, b : numbers or arrays, plain or tracked
    axes : int, or pair of int or sequences of int
        How many of the last axes of `a` and the first of `b`, or which.

    Raises
    ------
    ValueError
        If the axes do not pair off, or their sizes differ.
    """
    a_shape, b_shape = shape_of(a), shape_of(b)
    a_axes, b_axes = _paired_axes(axes, len(a_shape), len(b_shape))
    if tuple(a_shape[i] for i in a_axes) != tuple(b_shape[i] for i in b_axes):
        raise ValueError(
            f"shape-mismatch for sum: axes {a_axes} of shape {a_shape} do not match axes {b_axes} "
            f"of shape {b_shape}"
        )
    return contraction(*_pair_labels(a_axes, b_axes, len(a_shape), len(b_shape)))(a, b)


def _paired_axes(axes: Any, a_ndim: int, b_ndim: int) -> tuple[list[int], list[int]]:
    """Return which axes of the two arrays are summed over, as numbers from 0."""
    if np.ndim(axes) == 0 and not isinstance(axes, (tuple, list)):
        count = int(axes)
        first: Any = range(a_ndim - count, a_ndim)
        second: Any = range(count)
    else:
        first, second = ([one] if np.ndim(one) == 0 else list(one) for one in axes)
    found = []
    for given, ndim in ((first, a_ndim), (second, b_ndim)):
        for one in given:
            if not -ndim <= one < ndim:
                raise np.exceptions.AxisError(int(one), ndim)
        found.append([int(one) % ndim for one in given])
    if len(found[0]) != len(found[1]) or any(len(set(one)) < len(one) for one in found):
        raise ValueError(f"shape-mismatch for sum: axes={axes!r} do not pair off")
    return found[0], found[1]


def _pair_labels(
    a_axes: list[int], b_axes: list[int], a_ndim: int, b_ndim: int
) -> tuple[Labels, Labels, Labels]:
    """Return the labels of `contraction` for summing over pairs of axes."""
    left = tuple(range(a_ndim))
    shared = dict(zip(b_axes, a_axes, strict=True))
    right = tuple(shared.get(axis, a_ndim + axis) for axis in range(b_ndim))
    summed = set(a_axes)
    return left, right, tuple(label for label in left + right if label not in summed)
