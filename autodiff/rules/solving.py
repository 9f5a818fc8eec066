"""Linear equations, inverses, pseudoinverses and least squares."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.careful import careful_bilinear
from autodiff.primitives import Primitive, implements, normal_axes
from autodiff.rules.complex import conjugate
from autodiff.rules.matrix_parts import (
    OfMatrix,
    adjoint,
    alive,
    mirrored_rule,
    per_matrix,
    product,
)
from autodiff.rules.shapes import swapped
from autodiff.values import full, shape_of, unbroadcast


class _Solve(Primitive):
    """``solve(a, b)`` for matrices `b`; one solution gives both cotangents."""

    def make_plan(self, tracked: int, count: int) -> tuple[bool, tuple[int, ...]]:
        """Keep `a`, and the solution for the cotangent of `a`."""
        return bool(tracked & 1), (1,)

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return ``-c @ out.T`` and c, where c is ``solve(a.T, grad)``."""
        left, right = node.inputs
        grad = full(grad, node.shape)
        back = np.linalg.solve(swapped(args[0]), grad)
        if careful:
            live = alive([grad], len(node.shape) - 2)
            back = np.where(per_matrix(live), back, 0.0)
        found = []
        if left is not None:
            part = careful_bilinear(_outer, back, out) if careful else _outer(back, out)
            found.append(unbroadcast(part, shape_of(part), left.shape))
        else:
            found.append(None)
        found.append(None if right is None else unbroadcast(back, node.shape, right.shape))
        return found

    def jvp(self, tangents: Any, out: Any, args: Any, static: Any) -> Any:
        """Return the solution for the change of the right side."""
        of_a, of_b = tangents
        if of_a is not None:
            of_b = -(of_a @ out) if of_b is None else of_b - of_a @ out
        return np.linalg.solve(args[0], of_b)


def _outer(back: Any, out: Any) -> Any:
    return -(back @ swapped(out))


solve_rule = _Solve("np.linalg.solve", np.linalg.solve)


@implements(np.linalg.solve)
def solve(a: Any, b: Any) -> Any:
    """Solution x of ``a @ x = b``."""
    b = operand(b)
    # As in NumPy 2, `b` is a vector only if it has one axis.
    return solve_rule(a, b[:, None])[..., 0] if len(shape_of(b)) == 1 else solve_rule(a, b)


inv_rule = OfMatrix(
    "np.linalg.inv",
    np.linalg.inv,
    [lambda grad, out, a: -(swapped(out) @ grad @ swapped(out))],
    [lambda tangent, out, a: -(out @ tangent @ out)],
    reads="out",
)


@implements(np.linalg.inv)
def inv(a: Any) -> Any:
    """Inverse of matrices."""
    return inv_rule(a)


def _pinv(a: Any, **static: Any) -> Any:
    return np.linalg.pinv(a, **static)


# With p the pseudoinverse and ' the adjoint, for matrices of constant rank (Golub and Pereyra):
# dp = -p da p + p p' da' (1 - a p) + (1 - p a) da' p' p.


def _pinv_vjp(grad: Any, p: Any, a: Any, **static: Any) -> Any:
    turned, p_adjoint = swapped(grad), adjoint(p)
    right = product(turned, p, p_adjoint)
    right = right - product(a, p, right)
    left = product(p_adjoint, p, turned)
    left = left - product(left, p, a)
    return conjugate(right + left) - product(swapped(p), grad, swapped(p))


def _pinv_jvp(tangent: Any, p: Any, a: Any, **static: Any) -> Any:
    turned, p_adjoint = adjoint(tangent), adjoint(p)
    right = product(p, p_adjoint, turned)
    right = right - product(right, a, p)
    left = product(turned, p_adjoint, p)
    left = left - product(p, a, left)
    return right + left - product(p, tangent, p)


pinv_rule = OfMatrix("np.linalg.pinv", _pinv, [_pinv_vjp], [_pinv_jvp])

_NOT_GIVEN = object()


@implements(np.linalg.pinv)
def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = _NOT_GIVEN) -> Any:
    """Pseudoinverse; the derivative is that among matrices of the same rank.

    With `hermitian` the lower triangle is read, and has the derivative.
    """
    static = {"hermitian": hermitian} if rcond is None else {"hermitian": hermitian, "rcond": rcond}
    if rtol is not _NOT_GIVEN:
        static["rtol"] = rtol
    return pinv_rule(mirrored_rule(a, lower=True) if hermitian else a, **static)


@implements(np.linalg.lstsq)
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """Least-squares solution, residuals, rank and singular values.

    The solution is ``pinv(a) @ b``; where the rank is not full, its derivative is that among
    matrices of the same rank.
    """
    a, b = operand(a), operand(b)
    _, residuals, rank, s = np.linalg.lstsq(raw(a), raw(b), rcond)
    eps = np.finfo(s.dtype).eps
    if rcond is None:
        rcond = eps * max(shape_of(a))
    x = pinv(a, rcond if rcond >= 0.0 else eps) @ b
    if residuals.size:
        left = np.abs(b - a @ x)
        residuals = np.sum(left * left, axis=0).reshape(residuals.shape)
    return x, residuals, rank, np.linalg.svdvals(a) if s.size else s


@implements(np.linalg.tensorsolve)
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """Solution x of ``tensordot(a, x, x.ndim) = b``."""
    a, b = operand(a), operand(b)
    ndim = len(shape_of(a))
    if axes is not None:
        last = normal_axes(tuple(axes), ndim)
        a = np.transpose(a, (*(i for i in range(ndim) if i not in last), *last))
    shape = shape_of(a)[len(shape_of(b)) :]
    size = math.prod(shape)
    if math.prod(shape_of(a)) != size**2:
        raise np.linalg.LinAlgError(
            f"np.linalg.tensorsolve needs prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim]), but "
            f"a has shape {shape_of(a)} and b has {len(shape_of(b))} axes"
        )
    return np.linalg.solve(a.reshape((size, size)), b.reshape(size)).reshape(shape)


@implements(np.linalg.tensorinv)
def tensorinv(a: Any, ind: int = 2) -> Any:
    """Inverse of the tensor product ``tensordot(a, x, ind)``."""
    if ind <= 0:
        raise ValueError(f"np.linalg.tensorinv: ind is a positive number of axes, not {ind}")
    shape = shape_of(a)
    rows, columns = shape[ind:], shape[:ind]
    return np.linalg.inv(a.reshape((math.prod(rows), -1))).reshape(rows + columns)
