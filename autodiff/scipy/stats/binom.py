"""The binomial distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import betainc, betaincc, gammaln, xlog1py, xlogy

from autodiff.scipy.stats.beta import density
from autodiff.scipy.stats.distribution import Discrete


class Binom(Discrete):
    """Mirror of `scipy.stats.binom`, differentiable in `p`."""

    name = "binom"
    shapes = ("n", "p")
    whole = ("n",)

    def _support(self, n: Any, p: Any) -> tuple[Any, Any]:
        return 0.0, n

    def _valid(self, n: Any, p: Any) -> Any:
        return (n >= 0) & (n == np.floor(n)) & (p >= 0) & (p <= 1)

    def _logpmf(self, k: Any, n: Any, p: Any) -> Any:
        ways = gammaln(n + 1.0) - (gammaln(k + 1.0) + gammaln(n - k + 1.0))
        return ways + xlogy(k, p) + xlog1py(n - k, -p)

    def _pmf(self, k: Any, n: Any, p: Any) -> Any:
        return density(k + 1.0, n - k + 1.0, p) / (n + 1.0)

    def _cdf(self, k: Any, n: Any, p: Any) -> Any:
        return betaincc(k + 1.0, n - k, p)

    def _sf(self, k: Any, n: Any, p: Any) -> Any:
        return betainc(k + 1.0, n - k, p)


binom = Binom()
