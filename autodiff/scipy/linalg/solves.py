"""Solutions of linear equations with a square matrix, general or of some structure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg

from autodiff.box import operand, raw
from autodiff.primitives import Primitive
from autodiff.rules.matrix_parts import adjoint, mirrored_rule
from autodiff.rules.shapes import swapped
from autodiff.scipy.mirror import mirrors
from autodiff.values import shape_of, unbroadcast

FLIPPED = {"lower triangular": "upper triangular", "upper triangular": "lower triangular"}
LONG_NAMES = {
    "general": "gen",
    "symmetric": "sym",
    "hermitian": "her",
    "positive definite": "pos",
    "banded": "gen",
}


def summed_to(value: Any, shape: tuple[int, ...]) -> Any:
    """Return a cotangent summed over the batches along which an argument was broadcast."""
    return unbroadcast(value, shape_of(value), shape)


def on_columns(solver: Callable[[Any], Any], b: Any) -> Any:
    """Return the solution for `b` whose last two axes are a matrix, or that is one vector."""
    b = operand(b)
    return solver(b) if len(shape_of(b)) > 1 else solver(b[:, None])[..., 0]


def check(check_finite: bool, *arrays: Any) -> None:
    """Raise a ValueError if a value is not finite, as SciPy does; derivatives are not checked."""
    if check_finite:
        for array in arrays:
            np.asarray_chkfinite(raw(array))


def as_read(a: Any, kind: str | None, lower: bool) -> Any:
    """Return the matrix that SciPy works with where it reads only a part of `a`.

    Parameters
    ----------
    kind : str or None
        ``assume_a`` of `scipy.linalg.solve`, a short name.
    lower : bool
        Which triangle of a symmetric matrix is read.
    """
    if kind in {"her", "pos"}:
        return mirrored_rule(a, lower=lower)
    if kind == "sym":
        half, rest = (np.tril(a), np.tril(a, -1)) if lower else (np.triu(a), np.triu(a, 1))
        return half + swapped(rest)
    if kind == "lower triangular":
        return np.tril(a)
    if kind == "upper triangular":
        return np.triu(a)
    if kind == "diagonal":
        return np.tril(np.triu(a))
    if kind == "tridiagonal":
        return np.tril(np.triu(a, -1), 1)
    return a


def _solve(a: Any, b: Any, *, kind: str | None) -> Any:
    if kind in FLIPPED:
        lower = kind == "lower triangular"
        return scipy.linalg.solve_triangular(a, b, lower=lower, check_finite=False)
    assumed = {} if kind is None else {"assume_a": kind}  # SciPy looks for itself, since 1.17
    return scipy.linalg.solve(a, b, check_finite=False, **assumed)


def _transposed(a: Any, b: Any, kind: str | None) -> Any:
    return solve_rule(swapped(a), b, kind=FLIPPED.get(kind or "", kind))


def _solve_vjp_a(grad: Any, out: Any, a: Any, b: Any, *, kind: str | None) -> Any:
    return summed_to(-(_transposed(a, grad, kind) @ swapped(out)), shape_of(a))


def _solve_vjp_b(grad: Any, out: Any, a: Any, b: Any, *, kind: str | None) -> Any:
    return summed_to(_transposed(a, grad, kind), shape_of(b))


solve_rule: Primitive = Primitive(
    "scipy.linalg.solve",
    _solve,
    [_solve_vjp_a, _solve_vjp_b],
    [
        lambda tangent, out, a, b, *, kind: -solve_rule(a, tangent @ out, kind=kind),
        lambda tangent, out, a, b, *, kind: solve_rule(a, tangent, kind=kind),
    ],
)
"""``solve_rule(a, b, kind=...)`` for matrices `b`; `a` is of that kind, all of it is read."""


@mirrors(scipy.linalg.solve)
def solve(
    a: Any,
    b: Any,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    assume_a: str | None = None,
    transposed: bool = False,
) -> Any:
    """Solve ``a @ x = b``; `scipy.linalg.solve`.

    With `assume_a` only what SciPy reads has a derivative: one triangle of a symmetric matrix,
    `lower` says which.
    """
    a, b = operand(a), operand(b)
    check(check_finite, a, b)
    kind = LONG_NAMES.get(assume_a or "", assume_a)
    matrix = as_read(a, kind, lower)
    if transposed:
        matrix, kind = swapped(matrix), FLIPPED.get(kind or "", kind)
    return on_columns(lambda columns: solve_rule(matrix, columns, kind=kind), b)


@mirrors(scipy.linalg.solve_triangular)
def solve_triangular(
    a: Any,
    b: Any,
    trans: int | str = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:
    """Solve ``a @ x = b`` for a triangular `a`; `scipy.linalg.solve_triangular`.

    Only the triangle that is read has a derivative, without the diagonal if it counts as 1.
    """
    a, b = operand(a), operand(b)
    check(check_finite, a, b)
    kind = "lower triangular" if lower else "upper triangular"
    matrix = as_read(a, kind, lower)
    if unit_diagonal:
        matrix = np.where(np.eye(shape_of(a)[-1], dtype=bool), 1.0, matrix)
    if trans not in (0, "N"):
        matrix = adjoint(matrix) if trans in (2, "C") else swapped(matrix)
        kind = FLIPPED[kind]
    return on_columns(lambda columns: solve_rule(matrix, columns, kind=kind), b)
