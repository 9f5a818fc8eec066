"""What makers of vjps use: sums over the axes along which an argument was broadcast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.values import dtype_of, is_complex, shape_of
from autodiff.values import unbroadcast as summed

__all__ = ["metadata", "unbroadcast", "unbroadcast_f"]

Metadata = tuple[tuple[int, ...], int, Any, bool]


def metadata(x: Any) -> Metadata:
    """Return shape, number of axes, dtype and whether it is complex."""
    shape = np.shape(raw(x))
    return shape, len(shape), dtype_of(raw(x)), is_complex(raw(x))


def unbroadcast(x: Any, target_meta: Metadata, broadcast_idx: int = 0) -> Any:
    """Return a cotangent summed to the shape of the argument that `metadata` described."""
    shape, _, _, complex_target = target_meta
    if np.ndim(raw(x)) < len(shape):
        return x
    x = np.reshape(summed(x, shape_of(x), shape), shape)
    return np.real(x) if is_complex(raw(x)) and not complex_target else x


def unbroadcast_f(target: Any, f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the vjp `f`, what it gives summed to the shape of `target`."""
    target_meta = metadata(target)
    return lambda grad: unbroadcast(f(grad), target_meta)
