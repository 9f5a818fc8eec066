"""Solutions of linear equations with a banded matrix, given by its diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from autodiff.box import operand, raw
from autodiff.primitives import Primitive
from autodiff.rules.complex import conjugate
from autodiff.rules.shapes import swapped
from autodiff.scipy.linalg.solves import check, on_columns, summed_to
from autodiff.scipy.mirror import mirrors
from autodiff.values import is_complex, shape_of


def _row_range(offset: int, n: int) -> tuple[int, int]:
    """Return the first row of the diagonal `offset` of an (n, n) matrix, and the one after."""
    return max(-offset, 0), min(n - offset, n)


def _placed(part: Any, start: int, n: int) -> Any:
    """Return `part` along the last axis, from `start`, with zeros around it to size `n`."""
    *batch, size = shape_of(part)
    return np.pad(part, [*((0, 0) for _ in batch), (start, n - start - size)])


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
    check(check_finite, ab)
    scipy.linalg.cholesky_banded(raw(ab), lower=lower, check_finite=False)  # raises what SciPy does
    width = shape_of(ab)[-2] - 1
    given = (width, 0) if lower else (0, width)
    if is_complex(ab):
        diagonal = np.arange(width + 1) == (0 if lower else width)
        ab = np.where(diagonal[:, None], np.real(ab), ab)
    mirrored = _bands_transposed(conjugate(ab), *given)
    parts = (mirrored[..., :-1, :], ab) if lower else (ab, mirrored[..., 1:, :])
    return solve_banded((width, width), np.concatenate(parts, -2), b, check_finite=check_finite)
