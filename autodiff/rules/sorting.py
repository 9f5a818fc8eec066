"""Sorting and partitioning; equal entries keep their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.primitives import Linear, implements, normal_axes
from autodiff.values import is_complex, shape_of


def _permute(x: Any, *, order: Any, axis: int) -> Any:
    return np.take_along_axis(x, order, axis)


def _permute_back(grad: Any, x: Any, *, order: Any, axis: int) -> Any:
    return permute_rule(grad, order=np.argsort(order, axis), axis=axis)


permute_rule = Linear("a permutation", _permute, _permute_back)


def _rows(a: Any, axis: int | None) -> tuple[Any, int]:
    """Return `a` and the number of the axis to sort; a flat array for None."""
    a = operand(a)
    if axis is None:
        return np.reshape(a, -1), 0
    (axis,) = normal_axes(axis, len(shape_of(a)))
    return a, axis


def matching(x: Any, y: Any, axis: int) -> Any:
    """Return the order in which the plain `x` is `y`, which has the same entries."""
    order = np.empty(x.shape, int)
    places = np.argsort(y, axis, kind="stable")
    np.put_along_axis(order, places, np.argsort(x, axis, kind="stable"), axis)
    return order


@implements(np.sort)
def sort(
    a: Any, axis: int | None = -1, kind: Any = None, order: None = None, *, stable: Any = None
) -> Any:
    """Sort along `axis`; the derivative is that of a stable sort, whatever the `kind`."""
    a, axis = _rows(a, axis)
    return permute_rule(a, order=np.argsort(raw(a), axis, kind="stable"), axis=axis)


@implements(np.partition)
def partition(
    a: Any, kth: Any, axis: int | None = -1, kind: Any = "introselect", order: None = None
) -> Any:
    """Partial sort: the entries at `kth` are where sorting would put them."""
    a, axis = _rows(a, axis)
    plain = raw(a)
    return permute_rule(
        a, order=matching(plain, np.partition(plain, raw(kth), axis), axis), axis=axis
    )


@implements(np.sort_complex)
def sort_complex(a: Any) -> Any:
    """Sort along the last axis; the result is complex."""
    found = sort(a)
    return found if is_complex(found) else found + 0j
