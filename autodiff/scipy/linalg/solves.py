"""Solutions of linear equations: general, triangular, banded, Sylvester, Lyapunov."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg

from autodiff.box import operand, raw
from autodiff.primitives import Primitive
from autodiff.rules.shapes import swapped
from autodiff.scipy.mirror import mirrors
from autodiff.values import is_complex, shape_of, unbroadcast

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


def conjugate_transposed(a: Any) -> Any:
    """Return `a` with its last two axes exchanged, conjugated if it is complex."""
    return np.conj(swapped(a)) if is_complex(a) else swapped(a)


def as_read(a: Any, kind: str | None, lower: bool) -> Any:
    """Return the matrix that SciPy works with where it reads only a part of `a`.

    Parameters
    ----------
    kind : str or None
        ``assume_a`` of `scipy.linalg.solve`, a short name.
    lower : bool
        Which triangle of a symmetric matrix is read.
    """
    n = shape_of(a)[-1]
    below = np.tri(n, dtype=bool)
    if kind in {"sym", "her", "pos"}:
        hermitian = kind != "sym" and is_complex(a)
        mirrored = conjugate_transposed(a) if hermitian else swapped(a)
        full = np.where(below if lower else below.T, a, mirrored)
        return np.where(np.eye(n, dtype=bool), np.real(a), full) if hermitian else full
    if kind == "lower triangular":
        return np.where(below, a, 0.0)
    if kind == "upper triangular":
        return np.where(below.T, a, 0.0)
    if kind == "diagonal":
        return np.where(np.eye(n, dtype=bool), a, 0.0)
    if kind == "tridiagonal":
        near = np.tri(n, k=1, dtype=bool)
        return np.where(near & near.T, a, 0.0)
    return a


def _solve(a: Any, b: Any, *, kind: str | None) -> Any:
    if kind in FLIPPED:
        lower = kind == "lower triangular"
        return scipy.linalg.solve_triangular(a, b, lower=lower, check_finite=False)
    return scipy.linalg.solve(a, b, assume_a=kind, check_finite=False)


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
        matrix = conjugate_transposed(matrix) if trans in (2, "C") else swapped(matrix)
        kind = FLIPPED[kind]
    return on_columns(lambda columns: solve_rule(matrix, columns, kind=kind), b)


def _row_range(offset: int, n: int) -> tuple[int, int]:
    """Return the first row of the diagonal `offset` of an (n, n) matrix, and the one after."""
    return max(-offset, 0), min(n - offset, n)


def _placed(part: Any, start: int, n: int) -> Any:
    """Return `part` along the last axis, from `start`, with zeros around it to size `n`."""
    shape = shape_of(part)
    before = np.zeros((*shape[:-1], start), part.dtype)
    after = np.zeros((*shape[:-1], n - start - shape[-1]), part.dtype)
    return np.concatenate((before, part, after), -1)


def _bands_transposed(ab: Any, lower: int, upper: int) -> Any:
    """Return the diagonals of the transposed matrix, in SciPy's layout."""
    n = shape_of(ab)[-1]
    rows = []
    for offset in range(lower, -upper - 1, -1):
        first, last = _row_range(-offset, n)
        rows.append(_placed(ab[..., upper + offset, first - offset : last - offset], first, n))
    return np.stack(rows, -2)


def _bands_times(ab: Any, x: Any, lower: int, upper: int) -> Any:
    """Return the product of the matrix with the diagonals `ab` and the columns `x`."""
    n = shape_of(ab)[-1]
    total: Any = 0.0
    turned = swapped(x)
    for offset in range(-lower, upper + 1):
        first, last = _row_range(offset, n)
        along = slice(first + offset, last + offset)
        part = ab[..., upper - offset, None, along] * turned[..., along]
        total = total + _placed(part, first, n)
    return swapped(total)


def _bands_of_outer(y: Any, x: Any, lower: int, upper: int) -> Any:
    """Return the diagonals of ``y @ x.T``."""
    n = shape_of(x)[-2]
    rows = []
    for offset in range(upper, -lower - 1, -1):
        first, last = _row_range(offset, n)
        product = y[..., first:last, :] * x[..., first + offset : last + offset, :]
        rows.append(_placed(np.sum(product, -1), first + offset, n))
    return np.stack(rows, -2)


def _solve_bands(ab: Any, b: Any, *, lower: int, upper: int) -> Any:
    return scipy.linalg.solve_banded((lower, upper), ab, b, check_finite=False)


def _bands_pulled(grad: Any, ab: Any, lower: int, upper: int) -> Any:
    flipped = _bands_transposed(ab, lower, upper)
    return bands_rule(flipped, grad, lower=upper, upper=lower)


def _bands_vjp_ab(grad: Any, out: Any, ab: Any, b: Any, *, lower: int, upper: int) -> Any:
    pulled = _bands_pulled(grad, ab, lower, upper)
    return summed_to(-_bands_of_outer(pulled, out, lower, upper), shape_of(ab))


def _bands_vjp_b(grad: Any, out: Any, ab: Any, b: Any, *, lower: int, upper: int) -> Any:
    return summed_to(_bands_pulled(grad, ab, lower, upper), shape_of(b))


def _bands_jvp_ab(tangent: Any, out: Any, ab: Any, b: Any, *, lower: int, upper: int) -> Any:
    return -bands_rule(ab, _bands_times(tangent, out, lower, upper), lower=lower, upper=upper)


bands_rule: Primitive = Primitive(
    "scipy.linalg.solve_banded",
    _solve_bands,
    [_bands_vjp_ab, _bands_vjp_b],
    [_bands_jvp_ab, lambda tangent, out, ab, b, **static: bands_rule(ab, tangent, **static)],
)


@mirrors(scipy.linalg.solve_banded)
def solve_banded(
    l_and_u: tuple[int, int],
    ab: Any,
    b: Any,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:
    """Solve ``a @ x = b`` for `a` with the diagonals `ab`; `scipy.linalg.solve_banded`."""
    lower, upper = l_and_u
    ab, b = operand(ab), operand(b)
    check(check_finite, ab, b)
    return on_columns(lambda columns: bands_rule(ab, columns, lower=lower, upper=upper), b)


@mirrors(scipy.linalg.solveh_banded)
def solveh_banded(
    ab: Any,
    b: Any,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    lower: bool = False,
    check_finite: bool = True,
) -> Any:
    """Solve ``a @ x = b`` for a Hermitian positive definite `a`; `scipy.linalg.solveh_banded`."""
    ab = operand(ab)
    width = shape_of(ab)[-2] - 1
    given = (width, 0) if lower else (0, width)
    other = np.conj(ab) if is_complex(ab) else ab
    mirrored = _bands_transposed(other, *given)
    parts = (mirrored[..., :-1, :], ab) if lower else (ab, mirrored[..., 1:, :])
    return solve_banded((width, width), np.concatenate(parts, -2), b, check_finite=check_finite)


def _sylvester(a: Any, b: Any, q: Any) -> Any:
    common = np.result_type(a, b, q)
    if common.kind == "c":  # SciPy errs where a real factor has complex eigenvalues
        a, b, q = (np.asarray(part).astype(common) for part in (a, b, q))
    return scipy.linalg.solve_sylvester(a, b, q)


def _sylvester_pulled(grad: Any, a: Any, b: Any) -> Any:
    return sylvester_rule(swapped(a), swapped(b), grad)


sylvester_rule: Primitive = Primitive(
    "scipy.linalg.solve_sylvester",
    _sylvester,
    [
        lambda grad, x, a, b, q: summed_to(
            -_sylvester_pulled(grad, a, b) @ swapped(x), shape_of(a)
        ),
        lambda grad, x, a, b, q: summed_to(
            -swapped(x) @ _sylvester_pulled(grad, a, b), shape_of(b)
        ),
        lambda grad, x, a, b, q: summed_to(_sylvester_pulled(grad, a, b), shape_of(q)),
    ],
    [
        lambda tangent, x, a, b, q: -sylvester_rule(a, b, tangent @ x),
        lambda tangent, x, a, b, q: -sylvester_rule(a, b, x @ tangent),
        lambda tangent, x, a, b, q: sylvester_rule(a, b, tangent),
    ],
)


@mirrors(scipy.linalg.solve_sylvester)
def solve_sylvester(a: Any, b: Any, q: Any) -> Any:
    """Solve ``a @ x + x @ b = q``; `scipy.linalg.solve_sylvester`."""
    return sylvester_rule(operand(a), operand(b), operand(q))


@mirrors(scipy.linalg.solve_continuous_lyapunov)
def solve_continuous_lyapunov(a: Any, q: Any) -> Any:
    """Solve ``a @ x + x @ a.conj().T = q``; `scipy.linalg.solve_continuous_lyapunov`."""
    a = operand(a)
    return sylvester_rule(a, conjugate_transposed(a), operand(q))


def _discrete(a: Any, q: Any, *, method: str | None) -> Any:
    return scipy.linalg.solve_discrete_lyapunov(a, q, method=method)


def _conjugated(a: Any) -> Any:
    return np.conj(a) if is_complex(a) else a


def _discrete_vjp_a(grad: Any, x: Any, a: Any, q: Any, *, method: str | None) -> Any:
    pulled = discrete_rule(swapped(a), grad, method=method)
    change = pulled @ _conjugated(a) @ swapped(x) + _conjugated(swapped(pulled) @ a @ x)
    return summed_to(change, shape_of(a))


def _discrete_vjp_q(grad: Any, x: Any, a: Any, q: Any, *, method: str | None) -> Any:
    return summed_to(discrete_rule(swapped(a), grad, method=method), shape_of(q))


def _discrete_jvp_a(tangent: Any, x: Any, a: Any, q: Any, *, method: str | None) -> Any:
    change = tangent @ x @ conjugate_transposed(a) + a @ x @ conjugate_transposed(tangent)
    return discrete_rule(a, change, method=method)


discrete_rule: Primitive = Primitive(
    "scipy.linalg.solve_discrete_lyapunov",
    _discrete,
    [_discrete_vjp_a, _discrete_vjp_q],
    [
        _discrete_jvp_a,
        lambda tangent, x, a, q, *, method: discrete_rule(a, tangent, method=method),
    ],
)


@mirrors(scipy.linalg.solve_discrete_lyapunov)
def solve_discrete_lyapunov(a: Any, q: Any, method: str | None = None) -> Any:
    """Solve ``a @ x @ a.conj().T - x + q = 0``; `scipy.linalg.solve_discrete_lyapunov`."""
    return discrete_rule(operand(a), operand(q), method=method)
