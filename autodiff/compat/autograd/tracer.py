"""Tracked values by autograd's names."""

from __future__ import annotations

from typing import Any

from autodiff.box import Box, raw
from autodiff.compat.autograd.primitives import notrace_primitive, primitive

__all__ = ["Box", "getval", "isbox", "notrace_primitive", "primitive"]


def isbox(value: Any) -> bool:
    """Return whether `value` is tracked."""
    return isinstance(value, Box)


def getval(value: Any) -> Any:
    """Return the plain number or array of a tracked value."""
    return raw(value)
