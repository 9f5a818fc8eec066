"""`Box`: a value some transform follows, speaking NumPy's protocols.

Plain NumPy code differentiates because `__array_ufunc__` and `__array_function__` hand each
call to the rule of its function. A rule is applied at the highest level among its arguments;
boxes of lower levels are values to it, so transforms nest in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff import registry
from autodiff.holding import HOLDERS, PLAIN, is_converted, takes_over
from autodiff.levels import ACTIVE


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
    __pandas_priority__ = 10_000  # pandas cannot hold boxes: its operators leave them to us

    level: int
    _value: Any

    # What this level computes with; inside nested transforms a value of the outer one.
    value = property(lambda self: self._value)
    # Whether a derivative flows through this value, and whether the user made it.
    is_tracked = property(lambda self: self.level in ACTIVE)
    is_leaf = property(lambda self: False)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "__call__" and not kwargs:
            return (registry.CALLS.get(ufunc) or registry.find(ufunc))(*inputs)
        return registry.call_method(ufunc, method, inputs, kwargs)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Any:
        call = None if kwargs else registry.CALLS.get(function)
        return call(*args) if call else registry.call_function(function, args, kwargs)


def raw(value: Any) -> Any:
    """Return the plain number or array under all boxes."""
    while isinstance(value, Box):
        value = value._value
    return value


def operand(value: Any) -> Any:
    """Return `value` as functions take it.

    A list, a tuple, or what holds an array becomes an array; a box that escaped from a finished
    transform is the constant it holds; an array that holds a tracked value is that value.
    """
    if type(value) in PLAIN:
        return value
    if type(value) in HOLDERS:
        value = HOLDERS[type(value)](value)
    while isinstance(value, Box) and value.level and value.level not in ACTIVE:
        value = value._value
    return np.asarray(value) if not isinstance(value, Box) and is_converted(value) else value


def apply(primitive: Any, args: Sequence[Any], static: dict[str, Any]) -> Any:
    """Apply `primitive` at the highest level among `args`, or plainly if none is a box."""
    top: Any = None
    for arg in args:
        if isinstance(arg, Box):
            if arg.level and arg.level not in ACTIVE:
                return apply(primitive, [operand(arg) for arg in args], static)
            if top is None or arg.level > top.level:
                top = arg
        elif type(arg) not in PLAIN and is_converted(arg):
            if takes_over(arg, primitive):
                return NotImplemented
            return apply(primitive, [operand(arg) for arg in args], static)
    if top is None:
        return primitive.forward(*args, **static)
    return top.process(primitive, args, static)
