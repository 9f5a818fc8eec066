"""Functions that keep the entries and change what they are held in: dtype, copies, fills."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import Box, raw
from autodiff.primitives import Linear, implements
from autodiff.rules.shapes import broadcast_to
from autodiff.values import shape_of


def _astype(x: Any, *, dtype: Any) -> Any:
    return x.astype(dtype) if hasattr(x, "astype") else dtype.type(x)


astype_rule = Linear("astype", _astype, lambda grad, x, *, dtype: grad)


@implements("astype")
def astype(a: Any, dtype: Any) -> Any:
    """Change the dtype to another floating-point or complex one."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "fc":
        raise TypeError(
            f"a tracked value cannot become {dtype}: derivatives need floats; "
            "use autodiff.stop_gradient(v) for a plain array"
        )
    return astype_rule(a, dtype=dtype)


def cast_to(value: Any, dtype: Any, casting: Any = "unsafe") -> Any:
    """Return an array, tracked or not, in `dtype`; raise a TypeError if `casting` forbids that."""
    if not np.can_cast(value.dtype, dtype, casting):
        raise TypeError(f"dtype {value.dtype} cannot become {np.dtype(dtype)} by {casting!r}")
    return value if value.dtype == dtype else value.astype(dtype)


def _astype_function(x: Any, dtype: Any, /, *, copy: bool = True) -> Any:
    """Change the dtype."""
    return x.astype(dtype, copy=copy)


if hasattr(np, "astype"):
    implements(np.astype)(_astype_function)


@implements(np.copy)
def copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    """Return a value of its own; values of the tape have no order in memory to choose."""
    return np.positive(a)


@implements(np.real_if_close)
def real_if_close(a: Any, tol: float = 100) -> Any:
    """Drop the imaginary parts if all are within `tol` machine epsilons of 0."""
    return a if np.iscomplexobj(np.real_if_close(raw(a), tol)) else np.real(a)


@implements(np.full_like)
def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
) -> Any:
    """Repeat one value in the shape of `a`; it has a derivative, `a` has none."""
    if not isinstance(fill_value, Box):
        return np.full_like(raw(a), raw(fill_value), dtype, shape=shape)
    filled: Any = broadcast_to(fill_value, shape_of(a) if shape is None else shape)
    return astype(filled, np.asarray(raw(a)).dtype if dtype is None else dtype)
