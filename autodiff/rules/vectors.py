"""Products of vectors in the last axis: cross, vecdot, matvec and vecmat."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import operand
from autodiff.primitives import Linear, implements
from autodiff.rules.complex import conjugate
from autodiff.rules.einsum import einsum
from autodiff.values import shape_of


def _rotated(x: Any, *, by: int) -> Any:
    """Return 3-vectors with their entries moved up by 1 or 2 places, in a cycle."""
    return x.take((by, (by + 1) % 3, (by + 2) % 3), -1)


rotate_rule: Linear = Linear(
    "np.cross", _rotated, lambda grad, x, *, by: rotate_rule(grad, by=3 - by)
)


@implements(np.cross)
def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """Cross product of 3-vectors; of 2-vectors its third entry."""
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = np.moveaxis(operand(a), axisa, -1), np.moveaxis(operand(b), axisb, -1)
    sizes = shape_of(a)[-1], shape_of(b)[-1]
    if not set(sizes) <= {2, 3}:
        raise ValueError(f"np.cross needs vectors of 3 entries (or 2), not of {sizes}")
    if sizes == (2, 2):
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    a, b = _in_space(a), _in_space(b)
    first = rotate_rule(a, by=1) * rotate_rule(b, by=2)
    product = first - rotate_rule(a, by=2) * rotate_rule(b, by=1)
    return np.moveaxis(product, -1, axisc)


def _in_space(x: Any) -> Any:
    """Return 2-vectors with a third entry 0, 3-vectors as they are."""
    shape = shape_of(x)
    return x if shape[-1] == 3 else np.concatenate([x, np.zeros((*shape[:-1], 1), x.dtype)], -1)


@implements(np.linalg.cross)
def cross_in_space(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """Cross product of 3-vectors."""
    x1, x2 = operand(x1), operand(x2)
    sizes = shape_of(x1)[axis], shape_of(x2)[axis]
    if sizes != (3, 3):
        raise ValueError(f"np.linalg.cross needs vectors of 3 entries, not of {sizes}")
    return cross(x1, x2, axis=axis)


def _summed(subscripts: str, x: Any, y: Any, name: str, axis: int) -> Any:
    """Return an einsum over the last axis of `x` and `axis` of `y`, which must be of one size."""
    sizes = shape_of(x)[-1:], shape_of(y)[axis:][:1]
    if sizes[0] != sizes[1] or not sizes[0]:
        raise ValueError(f"np.{name} got shapes {shape_of(x)} and {shape_of(y)}, which do not fit")
    return einsum(subscripts, x, y)


@implements(np.linalg.vecdot)
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1, keepdims: bool = False) -> Any:
    """Dot product along an axis, the first conjugated."""
    x1, x2 = np.moveaxis(operand(x1), axis, -1), np.moveaxis(operand(x2), axis, -1)
    found = _summed("...i,...i->...", conjugate(x1), x2, "vecdot", -1)
    return np.expand_dims(found, axis) if keepdims else found


def matvec(x1: Any, x2: Any) -> Any:
    """Products of matrices and vectors."""
    return _summed("...ij,...j->...i", operand(x1), operand(x2), "matvec", -1)


def vecmat(x1: Any, x2: Any) -> Any:
    """Products of conjugated vectors and matrices."""
    return _summed("...i,...ij->...j", conjugate(operand(x1)), operand(x2), "vecmat", -2)


# NumPy 2.0 lacks the first, 2.1 the others.
for _name, _call in (("vecdot", vecdot), ("matvec", matvec), ("vecmat", vecmat)):
    if hasattr(np, _name):
        implements(getattr(np, _name))(_call)
