"""Copies: what a variable holds, its copies and pickles, and the constant it is.

A copied leaf keeps its gradient; any other variable gives a detached value.
"""

from __future__ import annotations

import copy
from typing import Any

from autodiff.box import Box, raw
from autodiff.levels import recording
from autodiff.values import leaf_value


def detached(value: Any) -> Any:
    """Return the plain number or array under all boxes, as a constant to every derivative."""
    plain = raw(value)
    stop = getattr(recording.watch, "stop", None)
    return plain if stop is None else stop(plain)


def own_value(value: Any) -> Any:
    """Return what a new variable holds for `value`: a number, or a copy that is read-only.

    Raises
    ------
    TypeError
        If `value` is tracked, boolean, or not numeric.
    """
    if isinstance(value, Box) and value.is_tracked:
        raise TypeError(
            "Variable(v) of a tracked value would lose its history; use v itself, v.copy() for "
            "a value of its own, or Variable(v.detach()) for a new start"
        )
    return leaf_value(raw(value))


def parts_to_copy(variable: Any) -> tuple[type, Any, Any, bool]:
    """Return what a copy of a variable of level 0 is made from.

    Raises
    ------
    TypeError
        Inside a transform, where a pickle would lose the derivative.
    """
    if variable.level:
        raise TypeError(
            "a value inside a transform cannot be pickled: its derivative would be lost; take "
            "v.item() or autodiff.stop_gradient(v) for the plain value"
        )
    return type(variable), variable._value, variable.grad, variable.is_leaf


def restored(kind: type, value: Any, grad: Any, leaf: bool) -> Any:
    """Return the variable that `parts_to_copy` described."""
    make: Any = kind
    found = make.leaf_at(value, 0) if leaf else make.wrap(value, None)
    found.grad = grad
    return found


def deep_copy(variable: Any) -> Any:
    """Return a variable of level 0 that shares no memory with `variable`."""
    return restored(*copy.deepcopy(parts_to_copy(variable)))
