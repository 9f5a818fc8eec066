"""The beta distribution."""

from __future__ import annotations

from typing import Any

from scipy.special import betainc, betaincc, betaln, xlog1py, xlogy

from autodiff.calls import function_named
from autodiff.scipy.stats.distribution import Continuous

density = function_named("_beta_density")


class Beta(Continuous):
    """Mirror of `scipy.stats.beta`, differentiable in `x`, `a`, `b`, `loc` and `scale`."""

    name = "beta"
    shapes = ("a", "b")
    middle = 0.5

    def _support(self, a: Any, b: Any) -> tuple[Any, Any]:
        return 0.0, 1.0

    def _logpdf(self, z: Any, a: Any, b: Any) -> Any:
        return xlogy(a - 1.0, z) + xlog1py(b - 1.0, -z) - betaln(a, b)

    def _pdf(self, z: Any, a: Any, b: Any) -> Any:
        return density(a, b, z)

    def _cdf(self, z: Any, a: Any, b: Any) -> Any:
        return betainc(a, b, z)

    def _sf(self, z: Any, a: Any, b: Any) -> Any:
        return betaincc(a, b, z)


beta = Beta()
