"""`scipy.optimize` with derivatives of solutions; a name without a rule is SciPy's own function.

A solution x of ``f(x, p) = 0`` changes with p as ``dx/dp = -(df/dx)**-1 @ df/dp`` (the implicit
function theorem), however it was found. The functions of this module that find roots, fixed
points and minima are differentiable so in their ``args``, in both modes and every order: the
equations are ``f(x, p) - x = 0`` for a fixed point and ``grad f(x, p) = 0`` for a minimum. Where
the search starts, ``x0`` and brackets, has no derivative. The function is called with plain
values to solve and with tracked ones for derivatives, so it is made of functions that have
rules, and it uses tracked values through ``args`` only; each may be a container of them.

>>> import numpy as np
>>> import autodiff as ad
>>> from autodiff.scipy.optimize import brentq, minimize
>>> square_root = lambda p: brentq(lambda x, p: x**2 - p, 0.0, 10.0, args=(p,))
>>> print(round(ad.grad(square_root)(4.0), 9))
0.25
>>> def nearest(p):
...     return minimize(lambda x, p: np.sum((x - p) ** 2 + x**4), np.zeros(2), args=(p,)).x
>>> print(np.round(np.diag(ad.jacobian(nearest)(np.array([0.0, 3.0]))), 4))
[1.     0.1429]
"""

from __future__ import annotations

from typing import Any

import scipy.optimize

from autodiff.scipy.optimize.implicit import implicit_root
from autodiff.scipy.optimize.solvers import (
    bisect,
    brent,
    brenth,
    brentq,
    curve_fit,
    fixed_point,
    fmin,
    fmin_bfgs,
    fmin_cg,
    fmin_ncg,
    fmin_powell,
    fminbound,
    fsolve,
    golden,
    least_squares,
    leastsq,
    minimize,
    minimize_scalar,
    newton,
    ridder,
    root,
    root_scalar,
    toms748,
)

__all__ = [
    "bisect",
    "brent",
    "brenth",
    "brentq",
    "curve_fit",
    "fixed_point",
    "fmin",
    "fmin_bfgs",
    "fmin_cg",
    "fmin_ncg",
    "fmin_powell",
    "fminbound",
    "fsolve",
    "golden",
    "implicit_root",
    "least_squares",
    "leastsq",
    "minimize",
    "minimize_scalar",
    "newton",
    "ridder",
    "root",
    "root_scalar",
    "toms748",
]


def __getattr__(name: str) -> Any:
    return getattr(scipy.optimize, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *dir(scipy.optimize)})
