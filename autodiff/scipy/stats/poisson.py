"""The Poisson distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special
from scipy.special import gammainc, gammaincc, gammaln, xlogy

from autodiff.box import raw
from autodiff.scipy.stats.distribution import Discrete


class Poisson(Discrete):
    """Mirror of `scipy.stats.poisson`, differentiable in `mu`."""

    name = "poisson"
    shapes = ("mu",)

    def _support(self, mu: Any) -> tuple[Any, Any]:
        return 0.0, math.inf

    def _valid(self, mu: Any) -> Any:
        return mu >= 0

    def _logpmf(self, k: Any, mu: Any) -> Any:
        return xlogy(k, mu) - gammaln(k + 1.0) - mu

    def _pmf(self, k: Any, mu: Any) -> Any:
        out = np.exp(self._logpmf(k, mu))
        edge = raw(mu) == 0.0
        if not np.any(edge):
            return out
        # exp(logpmf) is exp(-inf) at 0, where its slope is lost.
        return np.where(edge, mu**k * np.exp(-mu) / scipy.special.gamma(k + 1.0), out)

    def _cdf(self, k: Any, mu: Any) -> Any:
        return gammaincc(k + 1.0, mu)

    def _sf(self, k: Any, mu: Any) -> Any:
        return gammainc(k + 1.0, mu)


poisson = Poisson()
