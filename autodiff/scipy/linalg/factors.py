"""Factorizations, and what follows from them: inverse, determinant, eigenvalues, norms.

NumPy's functions of the same meaning carry the derivatives.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from autodiff.box import operand, raw
from autodiff.primitives import Linear
from autodiff.rules.matrix_parts import adjoint
from autodiff.scipy.linalg.solves import (
    LONG_NAMES,
    as_read,
    check,
    on_columns,
    solve_triangular,
)
from autodiff.scipy.mirror import any_box, mirrors, refused
from autodiff.values import shape_of


@mirrors(scipy.linalg.cholesky)
def cholesky(
    a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """Triangular factor of a positive definite matrix, upper by default; `scipy.linalg.cholesky`.

    Only the triangle that is read has a derivative.
    """
    a = operand(a)
    check(check_finite, a)
    factor = np.linalg.cholesky(as_read(a, "pos", lower))
    return factor if lower else adjoint(factor)


@mirrors(scipy.linalg.cho_factor)
def cho_factor(
    a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Any, bool]:
    """Factor for `cho_solve`; `scipy.linalg.cho_factor`, here with zeros in the other triangle."""
    return cholesky(a, lower, check_finite=check_finite), lower


def cho_solve(
    c_and_lower: tuple[Any, bool], b: Any, overwrite_b: bool = False, check_finite: bool = True
) -> Any:
    """Solve with the factor of `cho_factor`; `scipy.linalg.cho_solve`."""
    if not any_box((c_and_lower, b)):
        return scipy.linalg.cho_solve(c_and_lower, b, overwrite_b, check_finite)
    factor, lower = c_and_lower
    first, second = ("N", "C") if lower else ("C", "N")
    half = solve_triangular(factor, b, first, lower, check_finite=check_finite)
    return solve_triangular(factor, half, second, lower, check_finite=check_finite)


def _lu_solve(b: Any, *, lu_and_piv: Any, trans: int) -> Any:
    return scipy.linalg.lu_solve(lu_and_piv, b, trans, check_finite=False)


def _lu_transposed(grad: Any, b: Any, *, lu_and_piv: Any, trans: int) -> Any:
    return lu_solve_rule(grad, lu_and_piv=lu_and_piv, trans=1 - trans)


lu_solve_rule = Linear("scipy.linalg.lu_solve", _lu_solve, _lu_transposed)


@mirrors(scipy.linalg.lu_solve)
def lu_solve(
    lu_and_piv: Any,
    b: Any,
    trans: int = 0,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:
    """Solve with a plain factor of `lu_factor`, differentiable in `b`; `scipy.linalg.lu_solve`."""
    b = operand(b)
    check(check_finite, b)
    if trans == 2:  # conj(a.T) x = b is a.T conj(x) = conj(b)
        return np.conj(lu_solve(lu_and_piv, np.conj(b), 1))
    return on_columns(lambda cols: lu_solve_rule(cols, lu_and_piv=lu_and_piv, trans=trans), b)


@mirrors(scipy.linalg.inv)
def inv(
    a: Any,
    overwrite_a: bool = False,
    check_finite: bool = True,
    *,
    assume_a: str | None = None,
    lower: bool = False,
) -> Any:
    """Inverse of square matrices; `scipy.linalg.inv`."""
    a = operand(a)
    check(check_finite, a)
    return np.linalg.inv(as_read(a, LONG_NAMES.get(assume_a or "", assume_a), lower))


@mirrors(scipy.linalg.det)
def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Return the determinant of square matrices; `scipy.linalg.det`."""
    check(check_finite, a)
    return np.linalg.det(operand(a))


@mirrors(scipy.linalg.norm)
def norm(
    a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True
) -> Any:
    """Norm of vectors or matrices; `scipy.linalg.norm`."""
    check(check_finite, a)
    return np.linalg.norm(operand(a), ord, axis, keepdims)


def _relative(a: Any, absolute: float | None, relative: float | None) -> Any:
    """Return the bound of small singular values relative to the largest of each matrix."""
    if relative is None:
        eps = np.finfo(raw(a).dtype).eps
        relative = max(shape_of(a)[-2:]) * eps if absolute is None else 0.0
    if not absolute:
        return relative
    return relative + absolute / np.linalg.norm(raw(a), 2, (-2, -1))


@mirrors(scipy.linalg.pinv)
def pinv(
    a: Any,
    *,
    atol: float | None = None,
    rtol: float | None = None,
    return_rank: bool = False,
    check_finite: bool = True,
) -> Any:
    """Pseudo-inverse of matrices; `scipy.linalg.pinv`."""
    a = operand(a)
    check(check_finite, a)
    bound = _relative(a, atol, rtol)
    inverse = np.linalg.pinv(a, bound)
    if not return_rank:
        return inverse
    sizes = np.linalg.svd(raw(a), compute_uv=False)
    return inverse, np.sum(sizes > np.asarray(bound)[..., None] * sizes[..., :1], -1)


@mirrors(scipy.linalg.lstsq)
def lstsq(
    a: Any,
    b: Any,
    cond: float | None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    lapack_driver: str | None = None,
) -> tuple[Any, Any, int, Any]:
    """Least squares solution, residues, rank and singular values; `scipy.linalg.lstsq`."""
    a, b = operand(a), operand(b)
    check(check_finite, a, b)
    rows, columns = shape_of(a)
    bound = float(np.finfo(raw(a).dtype).eps) if cond is None else cond
    sizes = np.linalg.svd(a, compute_uv=False)
    rank = int(np.sum(raw(sizes) > bound * np.max(raw(sizes), initial=0.0)))
    x = np.linalg.pinv(a, bound) @ b
    if rank < columns or rows <= columns:
        return x, np.empty(0, b.dtype), rank, sizes
    return x, np.sum(np.abs(b - a @ x) ** 2, axis=0), rank, sizes


@mirrors(scipy.linalg.qr)
def qr(
    a: Any,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> Any:
    """QR decomposition; `scipy.linalg.qr`.

    The order of columns that `pivoting` chooses is a constant. The full decomposition of a
    matrix with more rows than columns has no derivative.
    """
    a = operand(a)
    check(check_finite, a)
    rows, columns = shape_of(a)[-2:]
    if mode not in {"full", "economic", "r"}:
        raise TypeError(f"scipy.linalg.qr of tracked values has no rule for mode={mode!r}")
    if mode == "full" and rows > columns:
        raise TypeError(
            "scipy.linalg.qr: the last columns of the full q are not unique, so they have no "
            "derivative; use mode='economic'"
        )
    order: tuple[Any, ...] = ()
    if pivoting:
        if len(shape_of(a)) > 2:
            raise TypeError("scipy.linalg.qr of tracked batches takes no pivoting=True")
        order = (scipy.linalg.qr(raw(a), mode="r", pivoting=True)[1],)
        a = a[:, order[0]]
    q, r = np.linalg.qr(a)
    if mode != "r":
        return (q, r, *order)
    if rows > columns:  # SciPy's r keeps its rows of zeros
        zeros = np.zeros((*shape_of(r)[:-2], rows - columns, columns), r.dtype)
        r = np.concatenate((r, zeros), -2)
    return (r, *order)


@mirrors(scipy.linalg.svd)
def svd(
    a: Any,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:
    """Singular value decomposition; `scipy.linalg.svd`."""
    check(check_finite, a)
    split: Any = np.linalg.svd  # the overloads of its types want literals
    found = split(operand(a), full_matrices, compute_uv)
    return tuple(found) if compute_uv else found


@mirrors(scipy.linalg.svdvals)
def svdvals(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Singular values; `scipy.linalg.svdvals`."""
    return svd(a, compute_uv=False, check_finite=check_finite)


_PIVOTS = (
    "the rows that it exchanges change with the entries; scipy.linalg.solve, det and inv have "
    "derivatives"
)
lu = refused(scipy.linalg.lu, _PIVOTS)
lu_factor = refused(scipy.linalg.lu_factor, _PIVOTS)
schur = refused(
    scipy.linalg.schur, "its factors are not unique; scipy.linalg.eig and eigh have derivatives"
)
