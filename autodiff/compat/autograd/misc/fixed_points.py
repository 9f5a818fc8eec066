"""Fixed points, differentiated by the implicit function theorem."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff.compat.autograd.core import make_vjp, vspace
from autodiff.compat.autograd.primitives import defvjp, primitive

Function = Callable[..., Any]

__all__ = ["fixed_point"]


@primitive
def fixed_point(f: Function, a: Any, x0: Any, distance: Function, tol: float) -> Any:
    """Return the fixed point of ``x -> f(a)(x)`` found from `x0` by iteration.

    Parameters
    ----------
    f : callable
        ``f(a)`` is a function of `x`.
    a : number, array, or container of them
        What the fixed point is differentiated by.
    x0 : number or array
        Where to start.
    distance : callable
        ``distance(x, y)``; the iteration stops when two iterates are nearer than `tol`.
    tol : float
    """
    step = f(a)
    x, last = step(x0), x0
    while distance(x, last) > tol:
        x, last = step(x), x
    return x


def _vjp_of_a(ans: Any, f: Function, a: Any, x0: Any, distance: Function, tol: float) -> Function:
    def back(parts: Any) -> Function:
        # u = grad + u J, the same iteration in the other direction.
        a, x, grad = parts
        pull = make_vjp(f(a), x)[0]
        return lambda u: grad + pull(u)

    pull, _ = make_vjp(lambda a: f(a)(ans), a)
    return lambda grad: pull(fixed_point(back, (a, ans, grad), grad, distance, tol))


def _vjp_of_start(ans: Any, f: Function, a: Any, x0: Any, distance: Function, tol: float) -> Any:
    return lambda grad: vspace(x0).zeros()


defvjp(fixed_point, None, _vjp_of_a, _vjp_of_start)
