"""Fit a mixture of Gaussians to points in the plane by L-BFGS.

    python examples/gaussian_mixture.py

The parameters are a dictionary of arrays. `flatten` makes one vector of them, which is what
`scipy.optimize.minimize` works on, and gives the function back from vectors to dictionaries.
Weights that add up to 1 and covariances that are positive definite come from numbers without
constraints, so nothing has to be watched during the search.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import OptimizeResult, minimize

import autodiff as ad
from autodiff.scipy.special import log_softmax, logsumexp
from autodiff.scipy.stats import multivariate_normal

WEIGHTS = np.array([0.5, 0.3, 0.2])
MEANS = np.array([[0.0, 0.0], [3.0, 1.0], [-1.0, 3.0]])
COVARIANCES = np.array([[[1.0, 0.6], [0.6, 0.8]], [[0.3, -0.1], [-0.1, 0.6]], 0.25 * np.eye(2)])


def sample(count: int = 1000) -> np.ndarray:
    """Return points of the true mixture, shape (count, 2)."""
    rng = np.random.default_rng(0)
    component = rng.choice(len(WEIGHTS), size=count, p=WEIGHTS)
    normal = rng.normal(size=(count, 2, 1))
    return MEANS[component] + (np.linalg.cholesky(COVARIANCES)[component] @ normal)[..., 0]


def start(points: np.ndarray) -> dict[str, Any]:
    """Return equal weights, points of the sample as means, and round components."""
    chosen = np.random.default_rng(1).choice(len(points), size=len(WEIGHTS), replace=False)
    return {
        "logits": np.zeros(len(WEIGHTS)),
        "means": points[chosen],
        "factors": np.zeros((len(WEIGHTS), 2, 2)),
    }


def covariances(factors: Any) -> Any:
    """Return ``L @ L.T`` of triangular matrices whose diagonals are given by logarithms."""
    diagonal = np.exp(np.diagonal(factors, axis1=-2, axis2=-1))
    lower = np.tril(factors, -1) + diagonal[..., None] * np.eye(factors.shape[-1])
    return lower @ np.matrix_transpose(lower)


def log_density(parameters: dict[str, Any], points: np.ndarray) -> Any:
    """Return the logarithm of the mixture's density at each point."""
    spreads = covariances(parameters["factors"])
    components = [
        multivariate_normal.logpdf(points, mean, spread)
        for mean, spread in zip(parameters["means"], spreads, strict=True)
    ]
    return logsumexp(log_softmax(parameters["logits"]) + np.stack(components, axis=-1), axis=-1)


def fit(points: np.ndarray) -> tuple[dict[str, Any], OptimizeResult]:
    """Return the parameters of the greatest likelihood near the start, and SciPy's report."""
    vector, unflatten = ad.flatten(start(points))

    def loss(vector: Any) -> Any:
        return -np.mean(log_density(unflatten(vector), points))

    result = minimize(ad.value_and_grad(loss), vector, jac=True, method="L-BFGS-B")
    return unflatten(result.x), result


def draw(parameters: dict[str, Any], points: np.ndarray, path: Path) -> None:
    """Save the points with lines of equal density."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(6, 5), layout="constrained")
    x, y = np.meshgrid(np.linspace(-4, 5.5, 150), np.linspace(-4, 5.5, 150))
    density = np.exp(log_density(parameters, np.stack([x, y], axis=-1).reshape(-1, 2)))
    ax.plot(*points.T, ".", color="0.7", markersize=3)
    ax.contour(x, y, density.reshape(x.shape), levels=10, linewidths=0.9)
    ax.plot(*MEANS.T, "+", color="tab:green", markersize=12, label="true means")
    ax.plot(*parameters["means"].T, "x", color="tab:red", label="fitted means")
    ax.set(title="Mixture of three Gaussians", aspect="equal")
    ax.legend(frameon=False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Fit, print the components, draw, and return 0 if the search came to an end."""
    parser = argparse.ArgumentParser(description="Fit a mixture of Gaussians by L-BFGS.")
    parser.add_argument("--out", type=Path, default=Path("gaussian_mixture.png"))
    options = parser.parse_args(arguments)

    points = sample()
    parameters, result = fit(points)
    weights = np.exp(log_softmax(parameters["logits"]))
    for i in np.argsort(-weights):
        print(f"weight {weights[i]:.3f}, mean {np.round(parameters['means'][i], 2)}, covariance")
        print(np.round(covariances(parameters["factors"])[i], 2))
    print(f"log-likelihood {-result.fun:.4f} a point after {result.nfev} evaluations")
    draw(parameters, points, options.out)
    print(f"picture        {options.out}")
    return 0 if result.success else 1


if __name__ == "__main__":
    sys.exit(main())
