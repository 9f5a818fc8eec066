"""The exponential distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff.calls import function_named
from autodiff.scipy.stats.distribution import Continuous


class Expon(Continuous):
    """Mirror of `scipy.stats.expon`, differentiable in `x`, `loc` and `scale`."""

    name = "expon"
    middle = 1.0

    def _support(self) -> tuple[Any, Any]:
        return 0.0, math.inf

    def _logpdf(self, z: Any) -> Any:
        return -z

    def _cdf(self, z: Any) -> Any:
        return -np.expm1(-z)

    def _sf(self, z: Any) -> Any:
        return np.exp(-z)

    def _logcdf(self, z: Any) -> Any:
        return function_named("log1mexp")(-z)

    def _logsf(self, z: Any) -> Any:
        return -z


expon = Expon()
