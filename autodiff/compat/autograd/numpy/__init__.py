"""`autodiff.numpy`, with the few names that autograd has and NumPy has not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autodiff import numpy as _mirror
from autodiff.compat.autograd.numpy import fft, linalg, random

__all__ = ["fft", "linalg", "make_diagonal", "random", "stack", "where"]


def make_diagonal(D: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:  # noqa: N803
    """Return matrices, in the last two axes, with the last axis of `D` on their diagonals."""
    if offset != 0 or {axis1, axis2} != {-1, -2}:
        raise NotImplementedError(
            "make_diagonal takes offset=0, axis1=-1 and axis2=-2; use np.diag, or np.pad and "
            "np.moveaxis"
        )
    return D[..., None] * _mirror.eye(D.shape[-1]).view(_mirror.ndarray)


def stack(arrays: Iterable[Any], axis: int = 0) -> Any:
    """Join arrays along a new axis, as NumPy's `stack`; from any iterable."""
    return _mirror.stack(list(arrays), axis)


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """Choose between two values, as NumPy's `where`; the arguments may be given by name."""
    branches = () if x is None and y is None else (x, y)
    return _mirror.where(condition, *branches)


def __getattr__(name: str) -> Any:
    return getattr(_mirror, name)


def __dir__() -> list[str]:
    return sorted({*dir(_mirror), *__all__})
