"""Student's t distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import betaln, poch, stdtr

from autodiff.box import raw
from autodiff.scipy.stats.distribution import Continuous
from autodiff.scipy.stats.norm import norm


def _log_ratio(df: Any) -> Any:
    """Return ``-betaln(df/2, 1/2)``, its value by a function that does not lose digits."""
    ratio = -betaln(df / 2.0, 0.5)
    return np.log(poch(raw(df) / 2.0, 0.5)) - math.log(math.pi) / 2.0 + (ratio - raw(ratio))


class T(Continuous):
    """Mirror of `scipy.stats.t`, differentiable in `x`, `loc`, `scale` and `df`."""

    name = "t"
    shapes = ("df",)

    def _logpdf(self, z: Any, df: Any) -> Any:
        normal = raw(df) == math.inf
        if np.any(normal):
            df = np.where(normal, 1.0, df)
        out = _log_ratio(df) - np.log(df) / 2.0 - (df + 1.0) / 2.0 * np.log1p(z * z / df)
        return np.where(normal, norm._logpdf(z), out) if np.any(normal) else out

    def _cdf(self, z: Any, df: Any) -> Any:
        return stdtr(df, z)

    def _sf(self, z: Any, df: Any) -> Any:
        return stdtr(df, -z)


t = T()
