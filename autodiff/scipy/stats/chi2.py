"""The chi-squared distribution, a gamma distribution with `df`/2 and twice the scale."""

from __future__ import annotations

import math
from typing import Any

from autodiff.scipy.stats.distribution import Continuous
from autodiff.scipy.stats.gamma import gamma


class Chi2(Continuous):
    """Mirror of `scipy.stats.chi2`, differentiable in `x`, `loc`, `scale` and `df`."""

    name = "chi2"
    shapes = ("df",)
    middle = 1.0

    def _support(self, df: Any) -> tuple[Any, Any]:
        return 0.0, math.inf

    def _logpdf(self, z: Any, df: Any) -> Any:
        return gamma._logpdf(z / 2.0, df / 2.0) - math.log(2.0)

    def _pdf(self, z: Any, df: Any) -> Any:
        return gamma._pdf(z / 2.0, df / 2.0) / 2.0

    def _cdf(self, z: Any, df: Any) -> Any:
        return gamma._cdf(z / 2.0, df / 2.0)

    def _sf(self, z: Any, df: Any) -> Any:
        return gamma._sf(z / 2.0, df / 2.0)


chi2 = Chi2()
