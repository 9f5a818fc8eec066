"""What a box says when Python or NumPy asks it for a plain number or array.

A tracked value refuses, because its derivative would be lost in silence; a detached one is
what it holds.
"""

from __future__ import annotations

import inspect
import math
import sys
from types import FrameType
from typing import Any, NoReturn

import numpy as np

from autodiff.box import Box, raw


class Conversions(Box):
    """``float(v)``, ``np.asarray(v)``, ``if v``, ``f"{v}"`` and their kind."""

    __slots__ = ()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.is_tracked:
            if sys._getframe(1).f_code.co_name == "_matmul_dispatch":
                return _opaque(self)  # a sparse matrix then leaves `@` to us
            self._refuse(f"{caller_name()} needs a plain array", "autodiff.stop_gradient(v)")
        array = np.asarray(self._value, dtype=dtype)
        return array.copy() if copy else array

    def __float__(self) -> float:
        return float(self._plain("float() and the functions of `math` need"))

    def __int__(self) -> int:
        return int(self._plain("int() needs"))

    def __index__(self) -> NoReturn:
        raise TypeError("an index must be an integer; use int(v.item())")

    def __complex__(self) -> complex:
        return complex(self._plain("complex() needs"))

    # Steps: their derivative is 0 everywhere, so a plain integer loses nothing.

    def __round__(self, ndigits: int | None = None) -> Any:
        number = raw(self)
        return np.round(self, ndigits or 0) if np.ndim(number) else round(number, ndigits)

    def __floor__(self) -> int:
        number: float = raw(self)
        return math.floor(number)

    def __ceil__(self) -> int:
        number: float = raw(self)
        return math.ceil(number)

    def __trunc__(self) -> int:
        number: float = raw(self)
        return math.trunc(number)

    def __bool__(self) -> bool:
        return bool(raw(self))

    def __format__(self, spec: str) -> str:
        return format(raw(self), spec)

    def __repr__(self) -> str:
        from autodiff.showing import text_of  # not with every `import autodiff`

        return text_of(self)

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        from autodiff.showing import page_of

        return page_of(self)

    def _plain(self, wanted: str) -> Any:
        if self.is_tracked:
            self._refuse(f"{wanted} a plain number", "v.item()")
        return self._value

    def _refuse(self, what: str, escape: str) -> NoReturn:
        raise TypeError(
            f"{what}, but this {type(self).__name__} is tracked and its derivative would be "
            "lost. Write the function with NumPy or autodiff (np.sin, ad.sin), and with "
            "autodiff.scipy instead of SciPy; instead of np.array([v, w]) join tracked values "
            "with np.stack, np.concatenate or autodiff.numpy.array; instead of assigning them to "
            "parts of a plain array use np.where, np.concatenate or an array from "
            f"autodiff.numpy.zeros; or, if no derivative is wanted, take `{escape}`"
        )


def _opaque(value: Any) -> Any:
    """Return an array of no axes that holds `value` itself."""
    array = np.empty((), object)
    array[()] = value
    return array


def caller_name() -> str:
    """Return the function of NumPy or SciPy that the user called and that asked for an array."""
    frame: FrameType | None = sys._getframe(2)
    name = "np.asarray(), or the code it was given to,"
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] not in {"numpy", "scipy"}:
            break
        name = _public_name(module, frame.f_code.co_qualname) or _decorated(frame) or name
        frame = frame.f_back
    return name


def _public_name(module: str, function: str) -> str:
    """Return the name users write, ``np.linalg.det()``; none for a decorator's wrapper."""
    package, *parts = module.split(".")
    if package not in {"numpy", "scipy"} or parts[:1] == ["_lib"] or "<locals>" in function:
        return ""
    parts = [part for part in parts if not part.startswith("_") and part != "lib"]
    if module.startswith("numpy._core."):
        parts = []
    package = "np" if package == "numpy" else package
    return ".".join([package, *parts, function.removesuffix(".__init__")]) + "()"


def _decorated(frame: FrameType) -> str:
    """Return the name of the function a wrapper was made for: SciPy's know it by no one name."""
    functions = filter(inspect.isfunction, frame.f_locals.values())
    names = (_public_name(value.__module__, value.__qualname__) for value in functions)
    return next(filter(None, names), "")
