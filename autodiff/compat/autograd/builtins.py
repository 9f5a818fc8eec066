"""Python's types, and `isinstance` and `type` that look through tracked values.

Containers of tracked values are ordinary lists, tuples and dicts, so the types are Python's.
"""

from __future__ import annotations

import builtins
from typing import Any

from autodiff.box import Box, raw

__all__ = ["DictBox", "ListBox", "TupleBox", "dict", "isinstance", "list", "tuple", "type"]


dict, list, tuple = builtins.dict, builtins.list, builtins.tuple
DictBox, ListBox, TupleBox = dict, list, tuple


def type(value: Any) -> Any:
    """Return the type of a value, of a tracked one that of the number or array it holds."""
    return builtins.type(raw(value))


def isinstance(value: Any, kinds: Any) -> bool:
    """Return whether `value`, or what a tracked value holds, is of one of the types `kinds`."""
    if builtins.isinstance(value, kinds):
        return True
    return builtins.isinstance(value, Box) and builtins.isinstance(raw(value), kinds)
