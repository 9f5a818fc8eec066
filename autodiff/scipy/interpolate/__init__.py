"""`scipy.interpolate` on plain and tracked values; a name without a rule is SciPy's own."""

from __future__ import annotations

from typing import Any

import scipy.interpolate

from autodiff.scipy.interpolate.piecewise import PPoly
from autodiff.scipy.interpolate.splines import (
    CubicHermiteSpline,
    CubicSpline,
    PchipInterpolator,
)

__all__ = ["CubicHermiteSpline", "CubicSpline", "PPoly", "PchipInterpolator"]


def __getattr__(name: str) -> Any:
    return getattr(scipy.interpolate, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *dir(scipy.interpolate)})
