"""The Laplace distribution, two exponential ones back to back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.scipy.stats.distribution import Continuous


class Laplace(Continuous):
    """Mirror of `scipy.stats.laplace`, differentiable in `x`, `loc` and `scale`."""

    name = "laplace"

    def _logpdf(self, z: Any) -> Any:
        return -np.abs(z) - math.log(2.0)

    def _pdf(self, z: Any) -> Any:
        return np.exp(-np.abs(z)) / 2.0

    def _cdf(self, z: Any) -> Any:
        right = raw(z) > 0.0
        tail = np.exp(np.where(right, -z, z)) / 2.0  # abs would have slope 0 at 0
        return np.where(right, 1.0 - tail, tail)

    def _sf(self, z: Any) -> Any:
        return self._cdf(-z)

    def _logcdf(self, z: Any) -> Any:
        right = raw(z) > 0.0
        tail = np.where(right, -z, z) - math.log(2.0)
        return np.where(right, np.log1p(-np.exp(tail)), tail)

    def _logsf(self, z: Any) -> Any:
        return self._logcdf(-z)


laplace = Laplace()
