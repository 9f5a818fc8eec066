"""Python's arithmetic on boxes: each operator is the function of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.calls import call_of, on_arrays
from autodiff.elementwise import named
from autodiff.methods import ArrayMethods
from autodiff.registry import CALLS
from autodiff.rules.products import matmul

UNARY = {"neg": "negative", "pos": "positive", "abs": "absolute"}
BINARY = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
}


def _reflected(call: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        return call(other, self)

    return operator


def _in_place(call: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        if self.is_leaf():
            self.check_in_place()
            self.assign(call(self._value, raw(other)))
            return self
        new = call(self, other)
        if isinstance(raw(self), np.ndarray):
            self.move_to(new)
            return self
        return new

    return operator


def _install(name: str, call: Callable[[Any, Any], Any]) -> None:
    setattr(ArrayMethods, f"__{name}__", call)
    setattr(ArrayMethods, f"__r{name}__", _reflected(call))
    setattr(ArrayMethods, f"__i{name}__", _in_place(call))


def _table(name: str) -> Callable[..., Any]:
    rule = named(name)
    assert rule is not None, f"the table has no entry {name}"
    return call_of(rule)


_square, _power = _table("square"), _table("power")


def power(x: Any, y: Any) -> Any:
    """Return ``x ** y``, by `square` for the exponent 2 as NumPy does."""
    return _square(x) if type(y) is int and y == 2 else _power(x, y)


for _name, _entry in UNARY.items():
    setattr(ArrayMethods, f"__{_name}__", _table(_entry))
for _name, _entry in BINARY.items():
    _install(_name, _table(_entry))
_install("pow", power)
CALLS[np.matmul] = on_arrays(matmul, np.matmul)
_install("matmul", CALLS[np.matmul])
