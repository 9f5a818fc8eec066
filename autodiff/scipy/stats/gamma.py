"""The gamma distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special
from scipy.special import gammainc, gammaincc, gammaln, xlogy

from autodiff.box import raw
from autodiff.scipy.stats.distribution import Continuous


class Gamma(Continuous):
    """Mirror of `scipy.stats.gamma`, differentiable in `x`, `loc`, `scale` and, densities, `a`."""

    name = "gamma"
    shapes = ("a",)
    middle = 1.0
    fixed = (("a", "SciPy has no derivative of the incomplete gamma function in a"),)

    def _support(self, a: Any) -> tuple[Any, Any]:
        return 0.0, math.inf

    def _logpdf(self, z: Any, a: Any) -> Any:
        return xlogy(a - 1.0, z) - z - gammaln(a)

    def _pdf(self, z: Any, a: Any) -> Any:
        out = np.exp(self._logpdf(z, a))
        edge = raw(z) == 0.0
        if not np.any(edge):
            return out
        # exp(logpdf) is exp(-inf) at 0, where its slope is lost.
        return np.where(edge, z ** (a - 1.0) * np.exp(-z) / scipy.special.gamma(a), out)

    def _cdf(self, z: Any, a: Any) -> Any:
        return gammainc(a, z)

    def _sf(self, z: Any, a: Any) -> Any:
        return gammaincc(a, z)


gamma = Gamma()
