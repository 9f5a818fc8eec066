"""Interfaces of other libraries on this engine, for code that changes only its imports."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    if name == "autograd":
        return import_module(f"{__name__}.autograd")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
