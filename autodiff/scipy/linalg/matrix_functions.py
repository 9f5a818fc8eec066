"""Functions of a matrix: exponential, logarithm, root, trigonometric.

For a function f of matrices the upper right block of ``f([[a, e], [0, a]])`` is the derivative
of f at `a` along `e` (Higham, Functions of Matrices, section 3.2), and the transpose of that
linear map is the derivative at ``a.T``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg

from autodiff.box import operand, raw
from autodiff.primitives import Primitive
from autodiff.rules.shapes import swapped
from autodiff.scipy.linalg.sylvester import sylvester_rule
from autodiff.scipy.mirror import any_box, mirrors
from autodiff.values import dtype_of, shape_of

Function = Callable[..., Any]


def _upper_blocks(a: Any, e: Any) -> Any:
    """Return ``[[a, e], [0, a]]``."""
    below = np.concatenate((np.zeros(shape_of(a), dtype_of(a)), a), -1)
    return np.concatenate((np.concatenate((a, e), -1), below), -2)


def _corner(blocks: Any, n: int) -> Any:
    return blocks[..., :n, n:]


def _size(e: Any) -> float:
    """Return a scale of `e`, not 0: a direction far larger than the matrix would cost digits."""
    return float(np.max(np.abs(raw(e)), initial=0.0)) or 1.0


def _of_matrix(own: Function) -> Function:
    """Return SciPy's function of matrices `own` with the derivative by blocks."""
    name = f"scipy.linalg.{own.__name__}"
    signature = inspect.signature(own)

    def along(e: Any, a: Any, extra: tuple[Any, ...]) -> Any:
        size = _size(e)
        return _corner(rule(_upper_blocks(a, e / size), extra=extra), shape_of(a)[-1]) * size

    rule = Primitive(
        name,
        lambda a, *, extra: own(a, *extra),
        [lambda grad, out, a, *, extra: along(grad, swapped(a), extra)],
        [lambda tangent, out, a, *, extra: along(tangent, a, extra)],
        reads="args",
    )

    @mirrors(own)
    def call(*args: Any, **kwargs: Any) -> Any:
        a, *extra = signature.bind(*args, **kwargs).arguments.values()
        if any_box(extra):
            raise TypeError(f"{name} has a derivative in the matrix only")
        return rule(operand(a), extra=tuple(extra))

    call.__name__ = call.__qualname__ = own.__name__
    call.__doc__ = f"`{name}`, differentiable in the matrix."
    return call


def _frechet(a: Any, e: Any) -> Any:
    shape = np.broadcast_shapes(shape_of(a), shape_of(e))
    a, e = np.broadcast_to(a, shape), np.broadcast_to(e, shape)
    out = np.empty(shape, np.result_type(a, e))
    for batch in np.ndindex(shape[:-2]):
        out[batch] = scipy.linalg.expm_frechet(
            a[batch], e[batch], compute_expm=False, check_finite=False
        )
    return out


def _frechet_along(a: Any, e: Any, f: Any) -> Any:
    """Return the change of the derivative of expm at `a` along `e`, when `a` moves along `f`."""
    size = _size(e)
    moved = _upper_blocks(f, np.zeros(shape_of(f), dtype_of(f)))
    return _corner(frechet_rule(_upper_blocks(a, e / size), moved), shape_of(a)[-1]) * size


frechet_rule: Primitive = Primitive(
    "scipy.linalg.expm_frechet",
    _frechet,
    [
        lambda grad, out, a, e: _frechet_along(swapped(a), grad, swapped(e)),
        lambda grad, out, a, e: frechet_rule(swapped(a), grad),
    ],
    [
        lambda tangent, out, a, e: _frechet_along(a, e, tangent),
        lambda tangent, out, a, e: frechet_rule(a, tangent),
    ],
    reads="args",
)
"""The derivative of expm at `a` along `e`, of equal shapes: three times the cost of expm."""

expm_rule: Primitive = Primitive(
    "scipy.linalg.expm",
    scipy.linalg.expm,
    [lambda grad, out, a: frechet_rule(swapped(a), grad)],
    [lambda tangent, out, a: frechet_rule(a, tangent)],
    reads="args",
)


@mirrors(scipy.linalg.expm)
def expm(A: Any) -> Any:  # noqa: N803 -- SciPy's name
    """Exponential of square matrices; `scipy.linalg.expm`."""
    return expm_rule(operand(A))


@mirrors(scipy.linalg.expm_frechet)
def expm_frechet(
    A: Any,  # noqa: N803 -- SciPy's name
    E: Any,  # noqa: N803 -- SciPy's name
    method: str | None = None,
    compute_expm: bool = True,
    check_finite: bool = True,
) -> Any:
    """Exponential of a matrix and its derivative along `E`; `scipy.linalg.expm_frechet`."""
    found = frechet_rule(operand(A), operand(E))
    return (expm(A), found) if compute_expm else found


sqrtm_rule: Primitive = Primitive(
    "scipy.linalg.sqrtm",
    scipy.linalg.sqrtm,
    [lambda grad, out, a: sylvester_rule(swapped(out), swapped(out), grad)],
    [lambda tangent, out, a: sylvester_rule(out, out, tangent)],
    reads="out",
)


@mirrors(scipy.linalg.sqrtm)
def sqrtm(A: Any) -> Any:  # noqa: N803 -- SciPy's name
    """Square root of square matrices; `scipy.linalg.sqrtm`.

    It has no derivative where two eigenvalues of the root add up to 0, at singular matrices
    for instance.
    """
    return sqrtm_rule(operand(A))


logm = _of_matrix(scipy.linalg.logm)
cosm = _of_matrix(scipy.linalg.cosm)
sinm = _of_matrix(scipy.linalg.sinm)
tanm = _of_matrix(scipy.linalg.tanm)
coshm = _of_matrix(scipy.linalg.coshm)
sinhm = _of_matrix(scipy.linalg.sinhm)
tanhm = _of_matrix(scipy.linalg.tanhm)
fractional_matrix_power = _of_matrix(scipy.linalg.fractional_matrix_power)
