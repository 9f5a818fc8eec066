"""The gamma distribution."""

from __future__ import annotations

import math
from typing import Any

from scipy.special import gammainc, gammaincc, gammaln, xlogy

from autodiff.calls import function_named
from autodiff.scipy.stats.distribution import Continuous

density = function_named("_gamma_density")


class Gamma(Continuous):
    """Mirror of `scipy.stats.gamma`, differentiable in `x`, `loc`, `scale` and `a`."""

    name = "gamma"
    shapes = ("a",)
    middle = 1.0

    def _support(self, a: Any) -> tuple[Any, Any]:
        return 0.0, math.inf

    def _logpdf(self, z: Any, a: Any) -> Any:
        return xlogy(a - 1.0, z) - z - gammaln(a)

    def _pdf(self, z: Any, a: Any) -> Any:
        return density(a, z)

    def _cdf(self, z: Any, a: Any) -> Any:
        return gammainc(a, z)

    def _sf(self, z: Any, a: Any) -> Any:
        return gammaincc(a, z)


gamma = Gamma()
