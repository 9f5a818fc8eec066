"""Joining arrays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from autodiff.box import operand
from autodiff.primitives import Linear, implements, normal_axes
from autodiff.values import shape_of


def _concatenate(*arrays: Any, axis: int, ends: Any) -> Any:
    return np.concatenate(arrays, axis)


def _slice_back(grad: Any, which: int, *, axis: int, ends: Any) -> Any:
    start = ends[which - 1] if which else 0
    return grad[(slice(None),) * axis + (slice(start, ends[which]),)]


concatenate_rule = Linear("np.concatenate", _concatenate, _slice_back, joint=True)


@implements(np.concatenate)
def concatenate(arrays: Sequence[Any], axis: int | None = 0) -> Any:
    """Join arrays along an axis they have; flat ones if `axis` is None."""
    parts = [operand(a) for a in arrays]
    if axis is None:
        parts = [np.ravel(part) for part in parts]
    shapes = [shape_of(part) for part in parts]
    if () in shapes:
        raise ValueError("np.concatenate cannot join single numbers; use np.stack")
    (axis,) = normal_axes(axis or 0, len(shapes[0]))
    ends = tuple(accumulate(shape[axis] for shape in shapes))
    return concatenate_rule(*parts, axis=axis, ends=ends)


def _stack(*arrays: Any, axis: int) -> Any:
    return np.stack(arrays, axis)


def _take_back(grad: Any, which: int, *, axis: int) -> Any:
    return grad[(slice(None),) * axis + (which,)]


stack_rule = Linear("np.stack", _stack, _take_back, joint=True)


@implements(np.stack)
def stack(arrays: Sequence[Any], axis: int = 0) -> Any:
    """Join arrays of one shape along a new axis."""
    parts = [operand(a) for a in arrays]
    (axis,) = normal_axes(axis, len(shape_of(parts[0])) + 1)
    return stack_rule(*parts, axis=axis)
