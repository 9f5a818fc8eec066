"""The normal distribution of vectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.stats

from autodiff.box import raw
from autodiff.scipy.mirror import mirrors, refused
from autodiff.scipy.stats.distribution import doubled
from autodiff.scipy.stats.frozen import Mirror
from autodiff.values import shape_of

SCIPY = scipy.stats.multivariate_normal
INTEGRATED = "SciPy integrates it numerically, to few digits"
LOG_2PI = math.log(2.0 * math.pi)


def _parameters(mean: Any, cov: Any) -> tuple[Any, Any]:
    """Return the mean as a vector and the covariance as a matrix; SciPy's rules for sizes."""
    cov = doubled(1.0 if cov is None else cov)
    if mean is None:
        mean = np.zeros(1 if len(shape_of(cov)) < 2 else shape_of(cov)[0])
    mean = doubled(mean)
    dim = math.prod(shape_of(mean))
    if dim == 1:
        mean, cov = np.reshape(mean, (1,)), np.reshape(cov, (1, 1))
    if len(shape_of(cov)) < 2:
        cov = np.eye(dim) * cov
    if shape_of(mean) != (dim,) or shape_of(cov) != (dim, dim):
        SCIPY.entropy(raw(mean), np.ones(shape_of(cov)))  # raises what SciPy raises
    return mean, cov


def _spectrum(cov: Any, allow_singular: bool) -> tuple[Any, Any, float]:
    """Return the axes with and without variance, and what SciPy takes for a distance of 0.

    Raises
    ------
    ValueError, LinAlgError
        As SciPy, if the plain `cov` is not positive semidefinite, or not definite.
    """
    values, vectors = np.linalg.eigh(cov)
    eps = 1e6 * np.finfo(float).eps * np.max(np.abs(values))
    if np.min(values) < -eps:
        raise ValueError("The input matrix must be symmetric positive semidefinite.")
    kept = values > eps
    if not (allow_singular or np.all(kept)):
        raise np.linalg.LinAlgError(
            "When `allow_singular is False`, the input matrix must be symmetric positive definite."
        )
    return vectors[:, kept], vectors[:, ~kept], 1e3 * eps


def _factor(cov: Any, axes: Any) -> Any:
    """Return the Cholesky factor of the covariance along `axes`.

    Neither triangle is preferred: a symmetric covariance has a symmetric derivative. That of a
    singular one is along changes that keep the directions without variance.
    """
    cov = (cov + cov.T) / 2.0
    return np.linalg.cholesky(cov if axes is None else axes.T @ cov @ axes)


def _log_determinant(factor: Any) -> Any:
    return 2.0 * np.sum(np.log(np.diagonal(factor)))


class MultivariateNormal(Mirror):
    """Mirror of `scipy.stats.multivariate_normal`, differentiable in `x`, `mean` and `cov`."""

    name = "multivariate_normal"

    @staticmethod
    @mirrors(SCIPY.logpdf)
    def logpdf(x: Any, mean: Any = None, cov: Any = 1, allow_singular: bool = False) -> Any:
        """Logarithm of the density at the vectors along the last axis of `x`."""
        mean, cov = _parameters(mean, cov)
        dim = shape_of(mean)[0]
        x = doubled(x)
        if len(shape_of(x)) < 2:
            x = np.reshape(x, (-1, 1) if dim == 1 else (1, -1))
        deviation = x - mean
        axes, others, bound = _spectrum(raw(cov), allow_singular)
        singular = others.shape[1] > 0
        outside = np.linalg.norm(raw(deviation) @ others, axis=-1) >= bound
        factor = _factor(cov, axes if singular else None)
        if singular:
            deviation = deviation @ axes
        flat = np.reshape(deviation, (-1, shape_of(factor)[0]))
        distance = np.sum(np.linalg.solve(factor, flat.T) ** 2, axis=0)
        distance = np.reshape(distance, shape_of(deviation)[:-1])
        out = -0.5 * (shape_of(factor)[0] * LOG_2PI + _log_determinant(factor) + distance)
        if singular and np.any(outside):
            out = np.where(outside, -np.inf, out)
        return np.squeeze(out)

    @staticmethod
    @mirrors(SCIPY.pdf)
    def pdf(x: Any, mean: Any = None, cov: Any = 1, allow_singular: bool = False) -> Any:
        """Density at the vectors along the last axis of `x`."""
        return np.exp(multivariate_normal.logpdf(x, mean, cov, allow_singular))

    @staticmethod
    @mirrors(SCIPY.entropy)
    def entropy(mean: Any = None, cov: Any = 1) -> Any:
        """Differential entropy."""
        mean, cov = _parameters(mean, cov)
        axes, others, _ = _spectrum(raw(cov), allow_singular=True)
        factor = _factor(cov, axes if others.shape[1] else None)
        return 0.5 * (axes.shape[1] * (LOG_2PI + 1.0) + _log_determinant(factor))

    cdf = staticmethod(refused(SCIPY.cdf, INTEGRATED, "multivariate_normal.cdf"))
    logcdf = staticmethod(refused(SCIPY.logcdf, INTEGRATED, "multivariate_normal.logcdf"))


multivariate_normal = MultivariateNormal()
