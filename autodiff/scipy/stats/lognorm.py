"""The distribution whose logarithm is normal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import log_ndtr, ndtr

from autodiff.scipy.stats.distribution import Continuous


class Lognorm(Continuous):
    """Mirror of `scipy.stats.lognorm`, differentiable in `x`, `s`, `loc` and `scale`."""

    name = "lognorm"
    shapes = ("s",)
    middle = 1.0

    def _support(self, s: Any) -> tuple[Any, Any]:
        return math.ulp(0.0), math.inf  # without 0

    def _logpdf(self, z: Any, s: Any) -> Any:
        return -(np.log(z) ** 2) / (2.0 * s**2) - np.log(s * z * math.sqrt(2.0 * math.pi))

    def _cdf(self, z: Any, s: Any) -> Any:
        return ndtr(np.log(z) / s)

    def _sf(self, z: Any, s: Any) -> Any:
        return ndtr(-np.log(z) / s)

    def _logcdf(self, z: Any, s: Any) -> Any:
        return log_ndtr(np.log(z) / s)

    def _logsf(self, z: Any, s: Any) -> Any:
        return log_ndtr(-np.log(z) / s)


lognorm = Lognorm()
