"""Student's t distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import betaln, stdtr

from autodiff.box import raw
from autodiff.scipy.stats.distribution import Continuous
from autodiff.scipy.stats.norm import norm


class T(Continuous):
    """Mirror of `scipy.stats.t`, differentiable in `x`, `loc`, `scale` and, densities, `df`."""

    name = "t"
    shapes = ("df",)
    fixed = (("df", "SciPy has no derivative of Student's distribution function in df"),)

    def _logpdf(self, z: Any, df: Any) -> Any:
        normal = raw(df) == math.inf
        if np.any(normal):
            df = np.where(normal, 1.0, df)
        # 1 / (sqrt(df) * beta(df/2, 1/2)): two gammas of nearly the same number would cancel.
        log_scale = betaln(df / 2.0, 0.5) + np.log(df) / 2.0
        out = -(df + 1.0) / 2.0 * np.log1p(z * z / df) - log_scale
        return np.where(normal, norm._logpdf(z), out) if np.any(normal) else out

    def _cdf(self, z: Any, df: Any) -> Any:
        return stdtr(df, z)

    def _sf(self, z: Any, df: Any) -> Any:
        return stdtr(df, -z)


t = T()
