"""Eigenvalues and eigenvectors.

Eigenvectors are determined up to a factor; a derivative exists for losses that do not depend on
it. Eigenvalues that are equal up to rounding count as repeated: their vectors do not turn within
their space, so a loss that depends on that space only, a projector for instance, has the right
first derivative. A loss that tells the vectors of one space apart has none, and functions of the
matrix written as ``v @ diag(f(w)) @ v.T`` lose the part within the space; the same holds for
second derivatives. No answer is NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.primitives import implements
from autodiff.rules.complex import conjugate
from autodiff.rules.matrix_parts import (
    FactorsOfMatrix,
    OfMatrix,
    adjoint,
    alive,
    diagonal_of,
    folded_rule,
    inverse_gaps,
    mirrored_rule,
    on_diagonal,
)
from autodiff.rules.shapes import swapped
from autodiff.values import is_complex, shape_of

EighResult: Any = type(np.linalg.eigh(np.eye(1)))
EigResult: Any = type(np.linalg.eig(np.eye(1)))


def _eigh(a: Any, *, uplo: Any) -> tuple[Any, ...]:
    return tuple(np.linalg.eigh(a, uplo))


def _eigh_vjp(grads: Any, outs: Any, a: Any, *, uplo: Any) -> Any:
    of_w, of_v = grads
    w, v = outs
    if of_v is None:
        return _spectral(of_w, v, uplo)
    inner = inverse_gaps(w) * (swapped(v) @ of_v)
    if of_w is not None:
        inner = inner + on_diagonal(of_w)
    return folded_rule(conjugate(v) @ inner @ swapped(v), lower=uplo == "L")


def _spectral(grad: Any, v: Any, uplo: Any) -> Any:
    """Return the cotangent of the matrix from that of its eigenvalues."""
    return folded_rule((conjugate(v) * grad[..., None, :]) @ swapped(v), lower=uplo == "L")


def _eigh_jvp(tangent: Any, outs: Any, a: Any, *, uplo: Any) -> Any:
    w, v = outs
    inner = adjoint(v) @ mirrored_rule(tangent, lower=uplo == "L") @ v
    return diagonal_of(inner), v @ (inverse_gaps(w) * inner)


eigh_rule = FactorsOfMatrix("np.linalg.eigh", _eigh, [_eigh_vjp], [_eigh_jvp], reads="out")


@implements(np.linalg.eigh)
def eigh(a: Any, UPLO: str = "L") -> Any:  # noqa: N803 -- NumPy's name
    """Eigenvalues and eigenvectors of a Hermitian matrix; finite derivatives if values repeat.

    The triangle `UPLO` is read; only its entries have a derivative. The docstring of the module
    says what holds for repeated eigenvalues. For complex matrices the loss must not depend on
    the phases of the vectors.
    """
    return EighResult(*eigh_rule(a, uplo=UPLO.upper()))


def _eigvalsh(a: Any, *, uplo: Any) -> Any:
    return np.linalg.eigvalsh(a, uplo)


def _eigvalsh_vjp(grad: Any, out: Any, a: Any, *, uplo: Any) -> Any:
    return _spectral(grad, np.linalg.eigh(a, uplo).eigenvectors, uplo)


def _eigvalsh_jvp(tangent: Any, out: Any, a: Any, *, uplo: Any) -> Any:
    v = np.linalg.eigh(a, uplo).eigenvectors
    change = mirrored_rule(tangent, lower=uplo == "L")
    return np.sum(conjugate(v) * (change @ v), axis=-2)


eigvalsh_rule = OfMatrix(
    "np.linalg.eigvalsh", _eigvalsh, [_eigvalsh_vjp], [_eigvalsh_jvp], reads="args"
)


@implements(np.linalg.eigvalsh)
def eigvalsh(a: Any, UPLO: str = "L") -> Any:  # noqa: N803 -- NumPy's name
    """Eigenvalues of a Hermitian matrix; repeated ones have first derivatives too."""
    return eigvalsh_rule(a, uplo=UPLO.upper())


def _eig(a: Any) -> tuple[Any, ...]:
    return tuple(np.linalg.eig(a))


def _check_not_defective(v: Any) -> None:
    """Raise a LinAlgError where the eigenvectors, of some matrices, do not span the space."""
    s = np.linalg.svdvals(v)
    if s.size and np.any(s[..., -1] <= s[..., 0] * s.shape[-1] * np.finfo(s.dtype).eps):
        raise np.linalg.LinAlgError(
            "np.linalg.eig of a defective matrix has no derivative: its eigenvectors do not span "
            "the space (a repeated eigenvalue has too few of them)"
        )


def _largest(v: Any) -> Any:
    """Return where the largest entry of each vector is, the one that LAPACK makes real."""
    size = np.abs(raw(v))
    if not size.size:
        return np.zeros(size.shape, dtype=bool)
    return np.arange(size.shape[-2])[:, None] == np.argmax(size, axis=-2)[..., None, :]


def _eig_vjp(grads: Any, outs: Any, a: Any) -> Any:
    of_w, of_v = grads
    w, v = outs
    _check_not_defective(raw(v)[alive(grads, len(shape_of(w)) - 1)])
    inner: Any = 0.0
    if of_v is not None:
        # Each vector has length 1, and its largest entry is real.
        along = np.sum(of_v * v, axis=-2, keepdims=True)
        of_v = of_v - np.real(along) * conjugate(v)
        if is_complex(v):
            largest = _largest(v)
            turn = np.imag(along) / np.sum(np.where(largest, np.real(v), 0.0), -2, keepdims=True)
            of_v = of_v - np.where(largest, 1j * turn, 0.0)
        inner = inverse_gaps(w) * (swapped(v) @ of_v)
    if of_w is not None:
        inner = inner + on_diagonal(of_w)
    return np.linalg.solve(swapped(v), inner @ swapped(v))


def _eig_jvp(tangent: Any, outs: Any, a: Any) -> Any:
    w, v = outs
    _check_not_defective(raw(v))
    inner = np.linalg.solve(v, tangent @ v)
    change = v @ (inverse_gaps(w) * inner)
    along = -np.real(np.sum(conjugate(v) * change, axis=-2, keepdims=True))
    if is_complex(v):
        largest = _largest(v)
        turn, real = (
            np.sum(np.where(largest, part, 0.0), axis=-2, keepdims=True)
            for part in (np.imag(change), np.real(v))
        )
        along = along - 1j * (turn / real)
    return diagonal_of(inner), change + v * along


eig_rule = FactorsOfMatrix("np.linalg.eig", _eig, [_eig_vjp], [_eig_jvp], reads="out")


@implements(np.linalg.eig)
def eig(a: Any) -> Any:
    """Eigenvalues and eigenvectors of a square matrix; a defective one has no derivative.

    The vectors change as NumPy normalizes them, to length 1 with a real largest entry. The
    docstring of the module says what holds for repeated eigenvalues.

    Raises
    ------
    numpy.linalg.LinAlgError
        By the derivative, if the eigenvectors do not span the space.
    """
    return EigResult(*eig_rule(a))


@implements(np.linalg.eigvals)
def eigvals(a: Any) -> Any:
    """Eigenvalues of a square matrix, in the order of `eig`."""
    return eig(a).eigenvalues
