"""The Dirichlet distribution of shares."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.stats
from scipy.special import gammaln, xlogy

from autodiff.box import raw
from autodiff.scipy.mirror import mirrors
from autodiff.scipy.stats.distribution import doubled
from autodiff.scipy.stats.frozen import Mirror
from autodiff.values import shape_of

SCIPY = scipy.stats.dirichlet


def _arguments(x: Any, alpha: Any) -> tuple[Any, Any]:
    """Return all shares along the first axis of `x`, and `alpha` of as many axes."""
    x, alpha = doubled(x), doubled(alpha)
    SCIPY.logpdf(raw(x), raw(alpha))  # raises what SciPy raises
    if shape_of(x)[0] < shape_of(alpha)[0]:
        x = np.concatenate((x, 1.0 - np.sum(x, axis=0, keepdims=True)))
    return x, np.reshape(alpha, (-1, *[1] * (len(shape_of(x)) - 1)))


def _log_factor(alpha: Any) -> Any:
    return gammaln(np.sum(alpha)) - np.sum(gammaln(alpha))


class Dirichlet(Mirror):
    """Mirror of `scipy.stats.dirichlet`, differentiable in `x` and `alpha`."""

    name = "dirichlet"

    @staticmethod
    @mirrors(SCIPY.logpdf)
    def logpdf(x: Any, alpha: Any) -> Any:
        """Logarithm of the density at the shares along the first axis of `x`."""
        x, alpha = _arguments(x, alpha)
        return np.squeeze(_log_factor(alpha) + np.sum(xlogy(alpha - 1.0, x), axis=0))

    @staticmethod
    @mirrors(SCIPY.pdf)
    def pdf(x: Any, alpha: Any) -> Any:
        """Density at the shares along the first axis of `x`."""
        x, alpha = _arguments(x, alpha)
        log_factor = _log_factor(alpha)
        if np.all(raw(x) > 0.0):
            return np.squeeze(np.exp(log_factor + np.sum(xlogy(alpha - 1.0, x), axis=0)))
        # The exponential of -inf has lost the slope at a share that is 0; a product has not.
        return np.squeeze(np.exp(log_factor) * np.prod(x ** (alpha - 1.0), axis=0))


dirichlet = Dirichlet()
