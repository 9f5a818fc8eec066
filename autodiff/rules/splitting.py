"""Splitting arrays along an axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.primitives import Several, implements, normal_axes
from autodiff.rules.indexing import at_axis
from autodiff.values import dtype_of, shape_of

# The cotangents of so many pieces are joined at once; those of more are added one by one.
_MANY = 32


def _pieces(x: Any, *, indices: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(x[index] for index in indices)


def _pieces_back(grads: Sequence[Any], outs: Any, x: Any, *, indices: Sequence[Any]) -> Any:
    """Return the pieces joined, zeros in the place of those that nothing depends on."""
    dtype = next(dtype_of(grad) for grad in grads if grad is not None)
    pieces = [
        np.zeros(shape_of(out), dtype) if grad is None else grad
        for grad, out in zip(grads, outs, strict=True)
    ]
    axis = len(indices[0]) - 1
    join = np.concatenate if isinstance(indices[0][-1], slice) else np.stack
    return join(pieces, axis)


split_rule = Several(
    "splitting",
    _pieces,
    [_pieces_back],
    [lambda tangent, outs, x, *, indices: _pieces(tangent, indices=indices)],
    reads="out",
)


def _split(x: Any, indices: Sequence[Any]) -> tuple[Any, ...]:
    """Return the pieces that together are `x`; all indices are of one axis."""
    if 0 < len(indices) <= _MANY:
        found: tuple[Any, ...] = split_rule(x, indices=indices)
        return found
    return _pieces(x, indices=indices)


def _cut(cut: Callable[..., Any], ary: Any, places: Any, axis: int) -> list[Any]:
    """Return the slices of `ary` along an axis that `cut` gives of the numbers of its entries."""
    (axis,) = normal_axes(axis, len(shape_of(ary)))
    size = shape_of(ary)[axis]
    parts = cut(np.arange(size), raw(places))
    bounds = [(int(part[0]), int(part[-1]) + 1) if part.size else (0, 0) for part in parts]
    indices = [at_axis(axis, slice(*pair)) for pair in bounds]
    # Places that do not ascend make pieces overlap.
    whole = sum(part.size for part in parts) == size
    return list(_split(ary, indices) if whole else _pieces(ary, indices=indices))


@implements(np.array_split)
def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Split along an axis at indices, or into parts whose sizes differ by 1 at most."""
    return _cut(np.array_split, ary, indices_or_sections, axis)


@implements(np.split)
def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Split along an axis at indices, or into equal parts."""
    return _cut(np.split, ary, indices_or_sections, axis)


def _split_along(function: Callable[..., Any], axis: int, least: int) -> None:
    @implements(function, doc=f"Split along axis {axis} at indices, or into equal parts.")
    def call(ary: Any, indices_or_sections: Any) -> Any:
        ndim = len(shape_of(ary))
        if ndim < least:
            raise ValueError(f"{function.__name__} needs {least} or more axes, not {ndim}")
        return split(ary, indices_or_sections, min(axis, ndim - 1))


_split_along(np.vsplit, 0, 2)
_split_along(np.hsplit, 1, 1)
_split_along(np.dsplit, 2, 3)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """Split into the slices along an axis, without that axis."""
    (axis,) = normal_axes(axis, len(shape_of(x)))
    return _split(x, [at_axis(axis, i) for i in range(shape_of(x)[axis])])


if hasattr(np, "unstack"):  # since NumPy 2.1
    implements(np.unstack)(unstack)
