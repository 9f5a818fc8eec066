"""Rules of NumPy's array functions, one file a family; importing this registers them."""

from __future__ import annotations

from autodiff.rules import (
    cumulative,
    einsum,
    elementwise,
    extremes,
    indexing,
    joining,
    linalg,
    nan_reductions,
    plain,
    products,
    ranges,
    reductions,
    shapes,
    statistics,
    ufunc_methods,
)

__all__ = [
    "cumulative",
    "einsum",
    "elementwise",
    "extremes",
    "indexing",
    "joining",
    "linalg",
    "nan_reductions",
    "plain",
    "products",
    "ranges",
    "reductions",
    "shapes",
    "statistics",
    "ufunc_methods",
]
