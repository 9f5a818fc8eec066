"""Small things of autograd's `util`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["subval", "subvals"]


def subval(values: Sequence[Any], index: int, value: Any) -> tuple[Any, ...]:
    """Return `values` as a tuple with `value` at `index`."""
    found = list(values)
    found[index] = value
    return tuple(found)


def subvals(values: Sequence[Any], pairs: Sequence[tuple[int, Any]]) -> tuple[Any, ...]:
    """Return `values` as a tuple with the value of each pair at its index."""
    found = list(values)
    for index, value in pairs:
        found[index] = value
    return tuple(found)
