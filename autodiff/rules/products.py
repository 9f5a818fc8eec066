"""Matrix products, and dot, inner, outer, Kronecker and tensor products."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.box import apply, operand, raw
from autodiff.calls import on_arrays
from autodiff.primitives import Bilinear, implements
from autodiff.rules.complex import conjugate
from autodiff.rules.contraction import contraction, tensordot
from autodiff.rules.shapes import swapped
from autodiff.rules.sparse import is_sparse, sparse_matmul
from autodiff.values import shape_of, unbroadcast


def _left_back(grad: Any, y: Any, x: Any) -> Any:
    """Return the cotangent of `x` in ``x @ y``; of `x` only the shape is read."""
    shape, ndim = x.shape, len(y.shape)
    if ndim == len(shape) == 2:
        return grad @ y.T
    if ndim == 1:
        return grad * y if len(shape) == 1 else grad[..., None] * y
    if len(shape) <= 2:
        summed = [*range(ndim - 2), ndim - 1]
        return (
            tensordot(y, grad, (summed, range(ndim - 1)))
            if len(shape) == 1
            else tensordot(grad, y, (summed, summed))
        )
    part = np.matmul(grad, swapped(y))
    return unbroadcast(part, shape_of(part), shape)


def _right_back(grad: Any, x: Any, y: Any) -> Any:
    """Return the cotangent of `y` in ``x @ y``; of `y` only the shape is read."""
    shape, ndim = y.shape, len(x.shape)
    if ndim == len(shape) == 2:
        return x.T @ grad
    if len(shape) == 1:
        return grad * x if ndim == 1 else tensordot(grad, x, ndim - 1)
    if ndim == 1:
        return x[:, None] * grad[..., None, :]
    if len(shape) == 2:
        summed = range(ndim - 1)
        return tensordot(x, grad, (summed, summed))
    part = np.matmul(swapped(x), grad)
    return unbroadcast(part, shape_of(part), shape)


class _Matmul(Bilinear):
    """The rule of ``x @ y``; with a sparse matrix it is a linear function of the other."""

    def __call__(self, *args: Any, **static: Any) -> Any:
        return sparse_matmul(*args) if any(map(is_sparse, args)) else apply(self, args, static)


matmul_rule = _Matmul("np.matmul", np.matmul, (_left_back, _right_back))
matmul = implements(np.matmul, np.linalg.matmul, doc="Matrix product; one may be sparse.")(
    on_arrays(matmul_rule, np.matmul)
)
matmul.__module__ = __name__


@implements(np.dot)
def dot(a: Any, b: Any) -> Any:
    """Dot product, over the last axis of `a` and the last but one of `b`."""
    a, b = operand(a), operand(b)
    rows, columns = len(shape_of(a)), len(shape_of(b))
    if not rows or not columns:
        return np.multiply(a, b)
    if rows <= 2 and columns <= 2:
        return matmul(a, b)
    return tensordot(a, b, (-1, max(columns - 2, 0)))


@implements(np.inner)
def inner(a: Any, b: Any) -> Any:
    """Inner product, over the last axis of both."""
    a, b = operand(a), operand(b)
    rows, columns = len(shape_of(a)), len(shape_of(b))
    if not rows or not columns:
        return np.multiply(a, b)
    return matmul(a, b) if rows == columns == 1 else tensordot(a, b, (-1, -1))


@implements(np.vdot)
def vdot(a: Any, b: Any) -> Any:
    """Dot product of the flattened arrays, the first conjugated."""
    return matmul(np.ravel(conjugate(operand(a))), np.ravel(operand(b)))


@implements(np.outer)
def outer(a: Any, b: Any) -> Any:
    """Outer product of the flattened arrays."""
    return contraction((0,), (1,), (0, 1))(np.ravel(operand(a)), np.ravel(operand(b)))


@implements(np.linalg.outer)
def linalg_outer(x1: Any, x2: Any, /) -> Any:
    """Outer product of two vectors."""
    x1, x2 = operand(x1), operand(x2)
    if not len(shape_of(x1)) == len(shape_of(x2)) == 1:
        raise ValueError(
            f"np.linalg.outer needs vectors, not shapes {shape_of(x1)}, {shape_of(x2)}"
        )
    return outer(x1, x2)


@implements(np.tensordot, np.linalg.tensordot)
def sum_over_axes(a: Any, b: Any, axes: Any = 2) -> Any:
    """Tensor product summed over pairs of axes."""
    return tensordot(operand(a), operand(b), axes)


@implements(np.kron)
def kron(a: Any, b: Any) -> Any:
    """Kronecker product."""
    a, b = operand(a), operand(b)
    ndim = max(len(shape_of(a)), len(shape_of(b)))
    blocks, entries = ((1,) * (ndim - len(shape_of(x))) + shape_of(x) for x in (a, b))
    apart = np.reshape(a, tuple(n for size in blocks for n in (size, 1)))
    product = apart * np.reshape(b, tuple(n for size in entries for n in (1, size)))
    return np.reshape(product, tuple(m * n for m, n in zip(blocks, entries, strict=True)))


@implements(np.linalg.multi_dot)
def multi_dot(arrays: Sequence[Any]) -> Any:
    """Product of a chain of matrices, in the cheapest order."""
    factors = [operand(array) for array in arrays]
    last = len(factors) - 1
    if last < 1:
        raise ValueError("np.linalg.multi_dot needs two arrays at least")
    if last == 1:
        return dot(*factors)
    shapes = [shape_of(factor) for factor in factors]
    for i, shape in enumerate(shapes):
        if len(shape) != 2 and not (len(shape) == 1 and i in (0, last)):
            raise np.linalg.LinAlgError(
                f"np.linalg.multi_dot needs matrices, and vectors at the ends only; array {i} "
                f"has shape {shape}"
            )
    rows = (1, *shapes[0])[-2]
    split = _cheapest_splits((rows, *(shape[0] for shape in shapes[1:]), (*shapes[-1], 1)[1]))

    def product(first: int, last: int) -> Any:
        if first == last:
            return factors[first]
        middle = split[first, last]
        return matmul(product(first, middle), product(middle + 1, last))

    return product(0, last)


@functools.lru_cache(maxsize=256)
def _cheapest_splits(sizes: tuple[int, ...]) -> dict[tuple[int, int], int]:
    """Return after which matrix to split each part of a chain, so that products are few.

    Matrix i of the chain is ``sizes[i]`` by ``sizes[i + 1]``.
    """
    count = len(sizes) - 1
    cost = {(i, i): 0 for i in range(count)}
    split = {}
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            cost[first, last], split[first, last] = min(
                (
                    cost[first, middle]
                    + cost[middle + 1, last]
                    + sizes[first] * sizes[middle + 1] * sizes[last + 1],
                    middle,
                )
                for middle in range(first, last)
            )
    return split


@implements(np.linalg.matrix_power)
def matrix_power(a: Any, n: int) -> Any:
    """Integer power of a square matrix; of its inverse if `n` is negative."""
    a, exponent = operand(a), operator.index(n)
    if exponent == 0:
        return np.linalg.matrix_power(raw(a), 0)
    base = a if exponent > 0 else np.linalg.inv(a)
    result = base
    for bit in f"{abs(exponent):b}"[1:]:
        result = result @ result
        if bit == "1":
            result = result @ base
    return result
