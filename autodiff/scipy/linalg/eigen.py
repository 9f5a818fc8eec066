"""Eigenvalues and eigenvectors; NumPy's functions carry the derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from autodiff.box import operand, raw
from autodiff.rules.matrix_parts import adjoint
from autodiff.scipy.linalg.factors import cholesky
from autodiff.scipy.linalg.solves import (
    as_read,
    check,
    solve,
    solve_triangular,
)
from autodiff.scipy.mirror import mirrors
from autodiff.values import is_complex


@mirrors(scipy.linalg.eigh)
def eigh(
    a: Any,
    b: Any = None,
    *,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: str | None = None,
) -> Any:
    """Eigenvalues and vectors of Hermitian matrices; `scipy.linalg.eigh`.

    A second matrix `b` is split, ``b = l @ l.conj().T``, which leaves an ordinary problem. The
    signs of the vectors are free, and may differ from SciPy's then.
    """
    matrix = as_read(operand(a), "her", lower)
    check(check_finite, matrix)
    factor: Any = None
    if b is not None:
        factor = cholesky(adjoint(as_read(operand(b), "her", lower)), lower=True)
        if type == 1:
            half = solve_triangular(factor, matrix, lower=True)
            matrix = solve_triangular(factor, adjoint(half), lower=True)
            matrix = adjoint(matrix)
        else:
            matrix = adjoint(factor) @ matrix @ factor
    if eigvals_only:
        values = np.linalg.eigvalsh(matrix)
        return values[..., _subset(values, subset_by_index, subset_by_value)]
    values, vectors = np.linalg.eigh(matrix)
    if factor is not None:
        back = type in (1, 2)
        vectors = solve_triangular(factor, vectors, "C", lower=True) if back else factor @ vectors
    chosen = _subset(values, subset_by_index, subset_by_value)
    return values[..., chosen], vectors[..., chosen]


def _subset(values: Any, by_index: Any, by_value: Any) -> slice:
    """Return which of the ascending eigenvalues were asked for."""
    if by_index is not None:
        return slice(by_index[0], by_index[1] + 1)
    if by_value is not None:
        low, high = by_value
        first, last = np.searchsorted(raw(values), [low, high], side="right")
        return slice(int(first), int(last))
    return slice(None)


@mirrors(scipy.linalg.eigvalsh)
def eigvalsh(a: Any, b: Any = None, **keywords: Any) -> Any:
    """Eigenvalues of Hermitian matrices; `scipy.linalg.eigvalsh`."""
    return eigh(a, b, eigvals_only=True, **keywords)


@mirrors(scipy.linalg.eig)
def eig(
    a: Any,
    b: Any = None,
    left: bool = False,
    right: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> Any:
    """Eigenvalues and right vectors of square matrices; `scipy.linalg.eig`.

    With a second matrix `b` they may come in another order than SciPy's.
    """
    if left or homogeneous_eigvals:
        raise TypeError(
            "scipy.linalg.eig of tracked values has no rule for left=True and "
            "homogeneous_eigvals=True; the left vectors of a are the right ones of conj(a).T"
        )
    check(check_finite, a)
    matrix = operand(a) if b is None else solve(b, a, check_finite=check_finite)
    if not right:
        return _complex(np.linalg.eigvals(matrix))
    values, vectors = np.linalg.eig(matrix)
    return _complex(values), vectors


def _complex(values: Any) -> Any:
    """Return eigenvalues as SciPy does, complex also where all are real."""
    return values if is_complex(values) else values + 0j


@mirrors(scipy.linalg.eigvals)
def eigvals(
    a: Any,
    b: Any = None,
    overwrite_a: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> Any:
    """Eigenvalues of square matrices; `scipy.linalg.eigvals`."""
    return eig(
        a, b, right=False, check_finite=check_finite, homogeneous_eigvals=homogeneous_eigvals
    )
