"""Linear algebra: norms."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.careful import careful_product
from autodiff.primitives import Primitive, implements
from autodiff.rules.reductions import kept_axes
from autodiff.values import shape_of


def _norm(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return np.linalg.norm(x, axis=axis, keepdims=keepdims)


def _direction(out: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """Return ``x / out``; 0 at the tip of the cone, where `x` and `out` are 0.

    Where the squares of `x` left the float range, `out` is 0 or infinite; `x` is scaled then.
    """
    length = kept_axes(out, axis, shape_of(x), keepdims)
    plain = raw(length)
    if not np.all((plain > 0.0) & (plain < np.inf)):
        scale = np.max(np.abs(raw(x)), axis=axis, keepdims=True)
        x = x / (scale + (scale == 0.0))
        length = np.sqrt(np.sum(x * x, axis=axis, keepdims=True))
    return x / (length + (length == 0.0))


def _norm_vjp(grad: Any, out: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    grad = kept_axes(grad, axis, shape_of(x), keepdims)
    return careful_product(grad, _direction(out, x, axis, keepdims))


def _norm_jvp(tangent: Any, out: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    change = careful_product(tangent, _direction(out, x, axis, keepdims))
    return np.sum(change, axis=axis, keepdims=keepdims)


norm_rule = Primitive("np.linalg.norm", _norm, [_norm_vjp], [_norm_jvp])


@implements(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Norm of vectors or matrices: Euclidean, Frobenius, 1, inf, -inf, or p for vectors."""
    count = len(shape_of(x)) if axis is None else len(axis) if isinstance(axis, tuple) else 1
    if ord is None or (ord == "fro" and count == 2) or (ord == 2 and count == 1):
        return norm_rule(x, axis=axis, keepdims=keepdims)
    if count != 1:
        raise TypeError(
            f"np.linalg.norm of tracked matrices has no rule for ord={ord!r}; "
            "ord=None and 'fro' have"
        )
    size = np.abs(x)
    if ord == np.inf:
        return np.max(size, axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return np.min(size, axis=axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(size, axis=axis, keepdims=keepdims)
    if isinstance(ord, (int, float, np.integer, np.floating)) and ord != 0:
        return np.sum(size**ord, axis=axis, keepdims=keepdims) ** (1.0 / ord)
    raise TypeError(f"np.linalg.norm of tracked vectors has no derivative for ord={ord!r}")
