"""Python's arithmetic on boxes: each operator is the function of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff import in_place, rules  # noqa: F401 -- the rules bring matmul
from autodiff.box import raw
from autodiff.calls import function_named
from autodiff.methods import ArrayMethods
from autodiff.registry import CALLS

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
        if self.is_leaf:
            in_place.check(self)
            in_place.assign(self, call(self._value, raw(other)))
            return self
        return in_place.become(self, call(self, other))

    return operator


def _install(name: str, call: Callable[[Any, Any], Any]) -> None:
    setattr(ArrayMethods, f"__{name}__", call)
    setattr(ArrayMethods, f"__r{name}__", _reflected(call))
    setattr(ArrayMethods, f"__i{name}__", _in_place(call))


_square, _power = function_named("square"), function_named("power")


def power(x: Any, y: Any) -> Any:
    """Return ``x ** y``, by `square` for the exponent 2 as NumPy does."""
    return _square(x) if type(y) is int and y == 2 else _power(x, y)


for _name, _entry in UNARY.items():
    setattr(ArrayMethods, f"__{_name}__", function_named(_entry))
for _name, _entry in BINARY.items():
    _install(_name, function_named(_entry))
_install("pow", power)
_install("matmul", CALLS[np.matmul])
ArrayMethods.__divmod__ = CALLS[np.divmod]
ArrayMethods.__rdivmod__ = _reflected(CALLS[np.divmod])
