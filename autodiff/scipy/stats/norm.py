"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import log_ndtr, ndtr

from autodiff.scipy.stats.distribution import Continuous

LOG_ROOT = math.log(2.0 * math.pi) / 2.0


class Norm(Continuous):
    """Mirror of `scipy.stats.norm`, differentiable in `x`, `loc` and `scale`."""

    name = "norm"

    def _logpdf(self, z: Any) -> Any:
        return -(z * z) / 2.0 - LOG_ROOT

    def _pdf(self, z: Any) -> Any:
        return np.exp(-(z * z) / 2.0) / math.sqrt(2.0 * math.pi)

    def _cdf(self, z: Any) -> Any:
        return ndtr(z)

    def _sf(self, z: Any) -> Any:
        return ndtr(-z)

    def _logcdf(self, z: Any) -> Any:
        return log_ndtr(z)

    def _logsf(self, z: Any) -> Any:
        return log_ndtr(-z)


norm = Norm()
