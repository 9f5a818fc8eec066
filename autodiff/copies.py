"""Copies and pickles of variables: a leaf with its gradient, any other a detached value."""

from __future__ import annotations

import copy
from typing import Any


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
