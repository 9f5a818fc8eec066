"""SciPy for tracked values: ``from autodiff import scipy``, ``import autodiff.scipy.special``.

Names are SciPy's. A function that has a rule takes plain and tracked values, and gives SciPy's
own result for plain ones; every other name is SciPy's own. Nothing of SciPy is imported before
a submodule is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

SUBMODULES = ("integrate", "interpolate", "linalg", "optimize", "signal", "special", "stats")


def __getattr__(name: str) -> Any:
    if name in SUBMODULES:
        return import_module(f"{__name__}.{name}")
    return getattr(import_module("scipy"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *SUBMODULES})
