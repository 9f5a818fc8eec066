"""`autodiff.scipy`, under the names that autograd's clients import."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from autodiff.compat.autograd._delegate import delegate

SUBMODULES = ("integrate", "linalg", "signal", "special", "stats")
"""Those that are here too; the others are `autodiff.scipy`'s own."""

_get, __dir__ = delegate(__name__, "autodiff.scipy")


def __getattr__(name: str) -> Any:
    return import_module(f"{__name__}.{name}") if name in SUBMODULES else _get(name)
