"""`Box`: a value some transform follows, speaking NumPy's protocols.

Plain NumPy code differentiates because `__array_ufunc__` and `__array_function__` hand each
call to the rule of its function. A rule is applied at the highest level among its arguments;
boxes of lower levels are values to it, so transforms nest in any order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from autodiff import registry


class Box:
    """A followed value: `Variable` in reverse mode, `Dual` in forward mode.

    Attributes
    ----------
    level : int
        Number of the transform that follows it; 0 for variables made by the user.
    value : float, NumPy scalar, ndarray or Box of a lower level
        What the operations compute with.
    """

    __slots__ = ("_value", "level")
    __hash__ = object.__hash__

    level: int
    _value: Any

    @property
    def value(self) -> Any:
        """The value without its history; an array is read-only."""
        return self._value

    def process(self, primitive: Any, args: Sequence[Any], static: dict[str, Any]) -> Any:
        """Apply `primitive` at this box's level; it is the highest among `args`."""
        raise TypeError(f"{type(self).__name__} does not follow operations")

    def is_tracked(self) -> bool:
        """Return whether a derivative flows through this value."""
        return True

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "__call__" and not kwargs:
            return (registry.CALLS.get(ufunc) or registry.find(ufunc))(*inputs)
        return registry.call_method(ufunc, method, inputs, kwargs)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Any:
        return registry.call_function(function, args, kwargs)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.is_tracked():
            self._refuse(f"{_caller()} needs a plain array", ".value")
        array = np.asarray(self._value, dtype=dtype)
        return array.copy() if copy else array

    def __float__(self) -> float:
        return float(self._plain("float() and the functions of `math` need"))

    def __int__(self) -> int:
        return int(self._plain("int() needs"))

    def __index__(self) -> NoReturn:
        raise TypeError("a tracked value cannot be an index: it is a floating-point number")

    def __complex__(self) -> complex:
        return complex(self._plain("complex() needs"))

    def __round__(self, ndigits: int | None = None) -> Any:
        return round(self._plain("round() needs"), ndigits)

    def __bool__(self) -> bool:
        return bool(raw(self))

    def __format__(self, spec: str) -> str:
        return format(raw(self), spec)

    def __repr__(self) -> str:
        value = self._value
        text = (
            repr(value)
            if isinstance(value, (float, Box))
            else np.array2string(
                np.asarray(value), separator=", ", prefix=type(self).__name__ + "("
            )
        )
        return f"{type(self).__name__}({text})"

    def _plain(self, wanted: str) -> Any:
        if self.is_tracked():
            self._refuse(f"{wanted} a plain number", ".item()")
        return self._value

    def _refuse(self, what: str, escape: str) -> NoReturn:
        raise TypeError(
            f"{what}, but this {type(self).__name__} is tracked and its derivative would be "
            "lost. Write the function with NumPy or autodiff (np.sin, ad.sin), join tracked "
            "values with np.stack or np.concatenate, choose between them with np.where; or, if "
            f"no derivative is wanted, take {escape} of `v.detach()`"
        )


def _caller() -> str:
    """Return the name of the function that asked for an array."""
    frame = sys._getframe(2)
    inside = frame.f_globals.get("__name__", "").partition(".")[0] in {"numpy", "scipy"}
    return f"{frame.f_code.co_name}()" if inside else "np.asarray(), or the code it was given to,"


def raw(value: Any) -> Any:
    """Return the plain number or array under all boxes."""
    while isinstance(value, Box):
        value = value._value
    return value


def apply(primitive: Any, args: Sequence[Any], static: dict[str, Any]) -> Any:
    """Apply `primitive` at the highest level among `args`, or plainly if none is a box."""
    top = None
    for arg in args:
        if isinstance(arg, Box) and (top is None or arg.level > top.level):
            top = arg
    if top is None:
        return primitive.forward(*args, **static)
    return top.process(primitive, args, static)
