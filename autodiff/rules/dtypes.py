"""Changes of dtype, copies, and arrays filled with one value."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import Box, raw
from autodiff.primitives import Linear, implements
from autodiff.rules.shapes import broadcast_to
from autodiff.values import dtype_of, shape_of


def _astype(x: Any, *, dtype: Any) -> Any:
    return x.astype(dtype) if hasattr(x, "astype") else dtype.type(x)


astype_rule = Linear("astype", _astype, lambda grad, x, *, dtype: grad)


@implements("astype")
def astype(a: Any, dtype: Any) -> Any:
    """Change the dtype to a real or complex floating-point one."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "fc":
        raise TypeError(
            f"a tracked value cannot become {dtype}: derivatives need floats; "
            "use autodiff.stop_gradient(v) for a plain array"
        )
    return astype_rule(a, dtype=dtype)


def in_dtype(x: Any, dtype: Any, casting: Any = "unsafe") -> Any:
    """Return `x` in `dtype`, None for its own; raise a TypeError if `casting` forbids that."""
    if dtype is None or dtype_of(x) == dtype:
        return x
    if not np.can_cast(dtype_of(x), dtype, casting):
        raise TypeError(f"dtype {dtype_of(x)} cannot become {np.dtype(dtype)} with {casting=}")
    return astype(x, dtype) if isinstance(x, Box) else _astype(x, dtype=np.dtype(dtype))


def _astype_function(x: Any, dtype: Any, /, *, copy: bool = True) -> Any:
    """Change the dtype."""
    return x.astype(dtype, copy=copy)


if hasattr(np, "astype"):
    implements(np.astype)(_astype_function)


@implements(np.copy)
def copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    """Copy, recorded as the identity."""
    return np.positive(a)


@implements(np.full_like)
def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
) -> Any:
    """Array filled with one value, in which it is differentiable."""
    if not isinstance(fill_value, Box):
        return np.full_like(raw(a), raw(fill_value), dtype, shape=shape)
    filled: Any = broadcast_to(fill_value, shape_of(a) if shape is None else shape)
    return astype(filled, np.asarray(raw(a)).dtype if dtype is None else dtype)
