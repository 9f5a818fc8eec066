"""Lists and tuples that hold tracked values, which NumPy does not look into."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autodiff.box import Box, operand
from autodiff.holding import HOLDERS

SEQUENCES = (list, tuple)


def holds_tracked(items: Iterable[Any]) -> bool:
    """Return whether a tracked value is in a list or tuple, or in one of those inside it.

    The types are looked at first: a long list of numbers costs one pass in C.
    """
    kinds = set(map(type, items))
    if any(issubclass(kind, Box) or kind in HOLDERS for kind in kinds):
        return True
    if not any(issubclass(kind, SEQUENCES) for kind in kinds):
        return False
    return any(isinstance(item, SEQUENCES) and holds_tracked(item) for item in items)


def is_tracked(value: Any) -> bool:
    """Return whether `value` is tracked, or a list or tuple with something tracked in it."""
    if isinstance(value, SEQUENCES):
        return holds_tracked(value)
    return isinstance(operand(value), Box)


def joined(value: Any) -> Any:
    """Return nested lists with tracked values as one tracked array; anything else as it is."""
    if not isinstance(value, SEQUENCES):
        return operand(value)
    return np.stack([joined(item) for item in value]) if holds_tracked(value) else value


def joined_items(value: Any) -> Any:
    """Return a list of arrays with each array that is itself a list joined."""
    if isinstance(value, SEQUENCES) and holds_tracked(value):
        return [joined(item) for item in value]
    return value
