"""What a box shares with ndarray: attributes, methods, comparisons, indexing, in-place forms.

The arithmetic operators are put in by `autodiff.operators`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff import in_place
from autodiff.box import Box, raw
from autodiff.conversions import Conversions
from autodiff.registry import CALLS
from autodiff.values import dtype_of


def _comparison(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return compare(raw(self), raw(other))

    return method


class ArrayMethods(Conversions):
    """ndarray's interface; each method calls the NumPy function, which finds its rule."""

    __slots__ = ()

    if TYPE_CHECKING:
        __add__: Callable[..., Any]
        __radd__: Callable[..., Any]
        __sub__: Callable[..., Any]
        __rsub__: Callable[..., Any]
        __mul__: Callable[..., Any]
        __rmul__: Callable[..., Any]
        __truediv__: Callable[..., Any]
        __rtruediv__: Callable[..., Any]
        __pow__: Callable[..., Any]
        __rpow__: Callable[..., Any]
        __neg__: Callable[..., Any]

    __hash__ = Box.__hash__
    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)
    __eq__ = _comparison(operator.eq)
    __ne__ = _comparison(operator.ne)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the value; () for a number."""
        return getattr(self._value, "shape", ())

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of the value; float64 for a Python float, complex128 for a complex."""
        return dtype_of(self._value)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of entries."""
        return int(np.prod(self.shape))

    @property
    def T(self) -> Any:  # noqa: N802 -- NumPy's name
        """The value with its axes reversed."""
        return np.transpose(self)

    def item(self) -> float:
        """Return the value as a Python float, a constant; it must be one number."""
        return float(np.asarray(raw(self)).item())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single number has no len()")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("a single number cannot be iterated over")
        return (self[i] for i in range(self.shape[0]))

    def __contains__(self, item: Any) -> bool:
        return bool(np.any(raw(self) == raw(item)))

    def __getitem__(self, index: Any) -> Any:
        return CALLS["getitem"](self, index)

    def __setitem__(self, index: Any, new: Any) -> None:
        in_place.set_items(self, index, new)

    def sum(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """Return ``np.sum`` of the value."""
        return np.sum(self, axis=axis, keepdims=keepdims)

    def mean(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """Return ``np.mean`` of the value."""
        return np.mean(self, axis=axis, keepdims=keepdims)

    def max(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """Return ``np.max`` of the value."""
        return np.max(self, axis=axis, keepdims=keepdims)

    def min(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """Return ``np.min`` of the value."""
        return np.min(self, axis=axis, keepdims=keepdims)

    def var(self, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Any:
        """Return ``np.var`` of the value."""
        return np.var(self, axis=axis, ddof=ddof, keepdims=keepdims)

    def std(self, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Any:
        """Return ``np.std`` of the value."""
        return np.std(self, axis=axis, ddof=ddof, keepdims=keepdims)

    def reshape(self, *shape: Any) -> Any:
        """Return ``np.reshape`` of the value; the shape in one tuple or as numbers."""
        return np.reshape(self, shape[0] if len(shape) == 1 else shape)

    def ravel(self) -> Any:
        """Return ``np.ravel`` of the value."""
        return np.ravel(self)

    flatten = ravel

    def squeeze(self, axis: Any = None) -> Any:
        """Return ``np.squeeze`` of the value."""
        return np.squeeze(self, axis=axis)

    def transpose(self, *axes: Any) -> Any:
        """Return ``np.transpose`` of the value; the axes in one tuple or as numbers."""
        return np.transpose(self, (axes[0] if len(axes) == 1 else axes) or None)

    def dot(self, other: Any) -> Any:
        """Return ``np.dot`` of the value and `other`."""
        return np.dot(self, other)

    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        """Return ``np.trace`` of the value."""
        return np.trace(self, offset, axis1, axis2)

    def clip(self, min: Any = None, max: Any = None) -> Any:
        """Return ``np.clip`` of the value."""
        return np.clip(self, min, max)

    def astype(self, dtype: Any) -> Any:
        """Return the value in another floating-point dtype."""
        return CALLS["astype"](self, np.dtype(dtype))

    def copy(self) -> Any:
        """Return a value of its own that may be changed in place, recorded as the identity."""
        return np.positive(self)

    def argmax(self, axis: Any = None) -> Any:
        """Return ``np.argmax`` of the value, plain integers."""
        return np.argmax(raw(self), axis=axis)

    def argmin(self, axis: Any = None) -> Any:
        """Return ``np.argmin`` of the value, plain integers."""
        return np.argmin(raw(self), axis=axis)
