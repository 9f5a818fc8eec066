"""`scipy.linalg` on plain and tracked values; a name without a rule is SciPy's own function.

Where SciPy reads only a part of a matrix, one triangle of a symmetric one for instance, only
that part has a derivative.
"""

from __future__ import annotations

from typing import Any

import scipy.linalg

from autodiff.scipy.linalg.banded import solve_banded, solveh_banded
from autodiff.scipy.linalg.eigen import eig, eigh, eigvals, eigvalsh
from autodiff.scipy.linalg.factors import (
    cho_factor,
    cho_solve,
    cholesky,
    det,
    inv,
    lstsq,
    lu,
    lu_factor,
    lu_solve,
    norm,
    pinv,
    qr,
    schur,
    svd,
    svdvals,
)
from autodiff.scipy.linalg.matrix_functions import (
    coshm,
    cosm,
    expm,
    expm_frechet,
    fractional_matrix_power,
    logm,
    sinhm,
    sinm,
    sqrtm,
    tanhm,
    tanm,
)
from autodiff.scipy.linalg.solves import solve, solve_triangular
from autodiff.scipy.linalg.structured import block_diag, circulant, hankel, toeplitz
from autodiff.scipy.linalg.sylvester import (
    solve_continuous_lyapunov,
    solve_discrete_lyapunov,
    solve_sylvester,
)

__all__ = [
    "block_diag",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "circulant",
    "coshm",
    "cosm",
    "det",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "expm",
    "expm_frechet",
    "fractional_matrix_power",
    "hankel",
    "inv",
    "logm",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "norm",
    "pinv",
    "qr",
    "schur",
    "sinhm",
    "sinm",
    "solve",
    "solve_banded",
    "solve_continuous_lyapunov",
    "solve_discrete_lyapunov",
    "solve_sylvester",
    "solve_triangular",
    "solveh_banded",
    "sqrtm",
    "svd",
    "svdvals",
    "tanhm",
    "tanm",
    "toeplitz",
]


def __getattr__(name: str) -> Any:
    return getattr(scipy.linalg, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *dir(scipy.linalg)})
