"""Rules of NumPy's array functions, one file a family; importing this registers them."""

from __future__ import annotations

from autodiff.rules import (
    elementwise,
    indexing,
    joining,
    linalg,
    plain,
    products,
    reductions,
    shapes,
)

__all__ = [
    "elementwise",
    "indexing",
    "joining",
    "linalg",
    "plain",
    "products",
    "reductions",
    "shapes",
]
