"""Solutions of the matrix equations of Sylvester and Lyapunov."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from autodiff.box import operand
from autodiff.primitives import Primitive
from autodiff.rules.complex import conjugate
from autodiff.rules.matrix_parts import adjoint
from autodiff.rules.shapes import swapped
from autodiff.scipy.linalg.solves import summed_to
from autodiff.scipy.mirror import mirrors
from autodiff.values import shape_of


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
    return sylvester_rule(a, adjoint(a), operand(q))


def _discrete(a: Any, q: Any, *, method: str | None) -> Any:
    return scipy.linalg.solve_discrete_lyapunov(a, q, method=method)


def _discrete_vjp_a(grad: Any, x: Any, a: Any, q: Any, *, method: str | None) -> Any:
    pulled = discrete_rule(swapped(a), grad, method=method)
    change = pulled @ conjugate(a) @ swapped(x) + conjugate(swapped(pulled) @ a @ x)
    return summed_to(change, shape_of(a))


def _discrete_vjp_q(grad: Any, x: Any, a: Any, q: Any, *, method: str | None) -> Any:
    return summed_to(discrete_rule(swapped(a), grad, method=method), shape_of(q))


def _discrete_jvp_a(tangent: Any, x: Any, a: Any, q: Any, *, method: str | None) -> Any:
    change = tangent @ x @ adjoint(a) + a @ x @ adjoint(tangent)
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
