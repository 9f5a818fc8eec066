"""The logistic distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, log_expit

from autodiff.primitives import Primitive
from autodiff.scipy.stats.distribution import Continuous


def _slope(change: Any, out: Any, z: Any) -> Any:
    """Return the change of the log-density; SciPy's form of that has a kink at 0."""
    return change * -np.tanh(z / 2.0)


logpdf_rule = Primitive(
    "scipy.stats.logistic.logpdf",
    lambda z: logistic.logpdf(z),
    [_slope],
    [_slope],
    reads="args",
)


class Logistic(Continuous):
    """Mirror of `scipy.stats.logistic`, differentiable in `x`, `loc` and `scale`."""

    name = "logistic"

    def _logpdf(self, z: Any) -> Any:
        return logpdf_rule(z)

    def _cdf(self, z: Any) -> Any:
        return expit(z)

    def _sf(self, z: Any) -> Any:
        return expit(-z)

    def _logcdf(self, z: Any) -> Any:
        return log_expit(z)

    def _logsf(self, z: Any) -> Any:
        return log_expit(-z)


logistic: Logistic = Logistic()
