"""Modules whose names are those of another module."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any


def delegate(name: str, source: str, submodules: tuple[str, ...] = ()) -> tuple[Any, Any]:
    """Return ``__getattr__`` and ``__dir__`` for module `name` that give the names of `source`.

    Parameters
    ----------
    name, source : str
        Dotted names of modules.
    submodules : tuple of str
        Names of `source` that ``import name.submodule`` finds too.
    """

    def get(attribute: str) -> Any:
        if attribute.startswith("__") and attribute != "__version__":
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
        return getattr(import_module(source), attribute)

    def names() -> list[str]:
        return dir(import_module(source))

    for submodule in submodules:
        sys.modules[f"{name}.{submodule}"] = getattr(import_module(source), submodule)
    return get, names
