"""Rules of NumPy's array functions, one file a family.

Importing this registers what most programs use; the other families are imported when a function
is met that has no rule yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from autodiff import registry

FIRST = (
    "complex",
    "dtypes",
    "elementwise",
    "indexing",
    "plain",
    "products",
    "reductions",
    "shapes",
)
LATER = (
    "applying",
    "assigning",
    "binning",
    "convolution",
    "cumulative",
    "determinants",
    "diagonals",
    "differences",
    "eigen",
    "einsum",
    "extremes",
    "factorizations",
    "fft",
    "interpolation",
    "joining",
    "lambert",
    "nan_reductions",
    "norms",
    "padding",
    "polynomials",
    "quantiles",
    "ranges",
    "rearranging",
    "selecting",
    "sets",
    "singular_values",
    "solving",
    "sorting",
    "splitting",
    "statistics",
    "ufunc_methods",
    "vectors",
)


def load_all() -> None:
    """Import the rules of all families."""
    _load(LATER)


def _load(families: Sequence[str]) -> None:
    for family in families:
        import_module(f"{__name__}.{family}")


def _found_later(function: Any) -> registry.Call | None:
    load_all()
    return registry.CALLS.get(function)


_load(FIRST)
registry.LOADERS.append(_found_later)
