"""Matrices made of the entries of others: blocks, constant diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from autodiff.box import operand
from autodiff.rules.complex import conjugate
from autodiff.scipy.mirror import mirrors
from autodiff.values import dtype_of, shape_of


def _at_least(a: Any, ndim: int) -> Any:
    """Return `a` with axes of size 1 in front, so that it has `ndim` of them."""
    a = operand(a)
    shape = shape_of(a)
    return a if len(shape) >= ndim else np.reshape(a, (1,) * (ndim - len(shape)) + shape)


@mirrors(scipy.linalg.block_diag)
def block_diag(*arrs: Any) -> Any:
    """Matrices along the diagonal, zeros elsewhere; `scipy.linalg.block_diag`."""
    blocks = [_at_least(a, 2) for a in arrs]
    batch = np.broadcast_shapes(*(shape_of(block)[:-2] for block in blocks))
    width = sum(shape_of(block)[-1] for block in blocks)
    rows, start = [], 0
    for block in blocks:
        m, n = shape_of(block)[-2:]
        before = np.zeros((*batch, m, start), dtype_of(block))
        after = np.zeros((*batch, m, width - start - n), dtype_of(block))
        block = np.broadcast_to(block, (*batch, m, n))
        rows.append(np.concatenate((before, block, after), -1))
        start += n
    return np.concatenate(rows, -2)


def _joined(first: Any, second: Any) -> Any:
    """Return two vectors, or batches of them, end to end."""
    batch = np.broadcast_shapes(shape_of(first)[:-1], shape_of(second)[:-1])
    parts = [np.broadcast_to(part, batch + shape_of(part)[-1:]) for part in (first, second)]
    return np.concatenate(parts, -1)


@mirrors(scipy.linalg.toeplitz)
def toeplitz(c: Any, r: Any = None) -> Any:
    """Matrix with constant diagonals from its first column and row; `scipy.linalg.toeplitz`."""
    c = _at_least(c, 1)
    r = conjugate(c) if r is None else _at_least(r, 1)
    m, n = shape_of(c)[-1], shape_of(r)[-1]
    values = _joined(c[..., ::-1], r[..., 1:])
    return values[..., np.arange(m - 1, -1, -1)[:, None] + np.arange(n)]


@mirrors(scipy.linalg.hankel)
def hankel(c: Any, r: Any = None) -> Any:
    """Matrix with constant antidiagonals from its first column and last row."""
    c = _at_least(c, 1)
    r = np.zeros(shape_of(c), dtype_of(c)) if r is None else _at_least(r, 1)
    m, n = shape_of(c)[-1], shape_of(r)[-1]
    return _joined(c, r[..., 1:])[..., np.arange(m)[:, None] + np.arange(n)]


@mirrors(scipy.linalg.circulant)
def circulant(c: Any) -> Any:
    """Matrix whose columns are `c` rotated; `scipy.linalg.circulant`."""
    c = _at_least(c, 1)
    n = shape_of(c)[-1]
    return c[..., (np.arange(n)[:, None] - np.arange(n)) % n]
