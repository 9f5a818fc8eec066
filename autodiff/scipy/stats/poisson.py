"""The Poisson distribution."""

from __future__ import annotations

import math
from typing import Any

from scipy.special import gammainc, gammaincc, gammaln, xlogy

from autodiff.scipy.stats.distribution import Discrete
from autodiff.scipy.stats.gamma import density


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
        return density(k + 1.0, mu)

    def _cdf(self, k: Any, mu: Any) -> Any:
        return gammaincc(k + 1.0, mu)

    def _sf(self, k: Any, mu: Any) -> Any:
        return gammainc(k + 1.0, mu)


poisson = Poisson()
