"""`scipy.integrate` on plain and tracked values; a name without a rule is SciPy's own function."""

from __future__ import annotations

from typing import Any

import scipy.integrate

from autodiff.scipy.integrate.samples import cumulative_trapezoid, simpson, trapezoid
from autodiff.scipy.integrate.solvers import odeint, solve_ivp

__all__ = ["cumulative_trapezoid", "odeint", "simpson", "solve_ivp", "trapezoid"]


def __getattr__(name: str) -> Any:
    return getattr(scipy.integrate, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *dir(scipy.integrate)})
