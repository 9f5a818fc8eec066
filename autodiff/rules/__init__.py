"""Rules of NumPy's array functions, one file a family.

Importing this registers what most programs use; the other families are imported when a function
is met that has no rule yet.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from autodiff import registry
from autodiff.rules import (  # noqa: F401 -- importing them is what they are for
    complex,
    dtypes,
    elementwise,
    indexing,
    plain,
    products,
    reductions,
    shapes,
)

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
    "matrix_power",
    "nan_reductions",
    "norms",
    "order",
    "padding",
    "polynomials",
    "quantiles",
    "ranges",
    "rearranging",
    "selecting",
    "sets",
    "singular_values",
    "solving",
    "splitting",
    "statistics",
    "trace",
    "ufunc_methods",
    "vectors",
)


def load_all() -> None:
    """Import the rules of all families."""
    for family in LATER:
        import_module(f"{__name__}.{family}")


def _load(function: Any) -> registry.Call | None:
    load_all()
    return registry.CALLS.get(function)


registry.LOADERS.append(_load)
