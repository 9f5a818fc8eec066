"""Products with sparse matrices of SciPy, which are constants."""

from __future__ import annotations

import sys
from typing import Any

from autodiff.box import apply
from autodiff.primitives import Linear


def is_sparse(value: Any) -> bool:
    """Return whether `value` is a sparse matrix or array; without SciPy nothing is."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(value))


def _product(x: Any, *, matrix: Any, left: bool) -> Any:
    return matrix @ x if left else x @ matrix


def _product_back(grad: Any, x: Any, *, matrix: Any, left: bool) -> Any:
    return apply(sparse_rule, (grad,), {"matrix": matrix.T, "left": left})


sparse_rule = Linear("a product with a sparse matrix", _product, _product_back)


def sparse_matmul(x: Any, y: Any) -> Any:
    """Return ``x @ y``, where one is sparse and the other an array of one or two axes."""
    if is_sparse(x):
        return apply(sparse_rule, (y,), {"matrix": x, "left": True})
    return apply(sparse_rule, (x,), {"matrix": y, "left": False})
