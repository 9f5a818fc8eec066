"""Rules of NumPy's array functions, one file a family; importing this registers them."""

from __future__ import annotations

from autodiff.rules import (
    einsum,
    elementwise,
    indexing,
    joining,
    linalg,
    plain,
    products,
    ranges,
    reductions,
    shapes,
)

__all__ = [
    "einsum",
    "elementwise",
    "indexing",
    "joining",
    "linalg",
    "plain",
    "products",
    "ranges",
    "reductions",
    "shapes",
]
