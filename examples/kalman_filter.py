"""Fit the noise of a state-space model by the likelihood that a Kalman filter computes.

    python examples/kalman_filter.py

A position is measured with noise while its speed wanders. The filter predicts each measurement
from those before; how well it does is the likelihood of the two noise levels. Gradient and
Hessian go through all the steps of the filter, which is an ordinary Python loop.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

import autodiff as ad
from autodiff.scipy.stats import norm

NAMES = ("speed changes by", "measurements err by")
TRUTH = np.array([0.2, 2.0])
STEP = np.array([[1.0, 1.0], [0.0, 1.0]])
START = (np.zeros(2), np.diag([100.0, 1.0]))
"""Mean and covariance of position and speed before the first measurement."""


def measurements(count: int = 120) -> tuple[np.ndarray, np.ndarray]:
    """Return true positions and what is measured of them."""
    rng = np.random.default_rng(0)
    wander, noise = TRUTH
    speed = np.cumsum(wander * rng.normal(size=count))
    position = np.concatenate([[0.0], np.cumsum(speed)[:-1]])
    return position, position + noise * rng.normal(size=count)


def filtered(scales: Any, measured: np.ndarray) -> tuple[Any, Any, Any]:
    """Return the log-likelihood, and means and variances of the position at each time."""
    wander, noise = scales
    mean, covariance = START
    expected, means, variances = [], [], []
    for y in measured:
        expected.append((mean[0], covariance[0, 0] + noise**2))
        gain = covariance[:, 0] / expected[-1][1]
        mean = mean + gain * (y - mean[0])
        covariance = covariance - np.outer(gain, covariance[0])
        means.append(mean[0])
        variances.append(covariance[0, 0])
        mean = STEP @ mean
        covariance = STEP @ covariance @ STEP.T + wander**2 * np.diag([0.0, 1.0])
    centres, spreads = map(np.stack, zip(*expected, strict=True))
    log_likelihood = np.sum(norm.logpdf(measured, centres, np.sqrt(spreads)))
    return log_likelihood, np.stack(means), np.stack(variances)


def fit(measured: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Return both noise levels, their relative errors, and the number of evaluations."""

    def loss(logarithms: Any) -> Any:
        return -filtered(np.exp(logarithms), measured)[0]

    found = minimize(ad.value_and_grad(loss), np.zeros(2), jac=True, method="BFGS")
    covariance = np.linalg.inv(ad.hessian(loss)(found.x))
    return np.exp(found.x), np.sqrt(np.diag(covariance)), found.nfev


def draw(position: np.ndarray, measured: np.ndarray, scales: np.ndarray, path: Path) -> None:
    """Save the errors of the measurements and of the filter, with its own opinion of them."""
    import matplotlib.pyplot as plt

    _, means, variances = filtered(scales, measured)
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
    time = np.arange(len(measured))
    top.plot(time, measured, ".", color="0.6", markersize=4, label="measured")
    top.plot(time, position, color="tab:green", linewidth=3, alpha=0.4, label="truth")
    top.plot(time, means, color="tab:blue", label="filter")
    top.set(ylabel="position", title="Kalman filter with fitted noise")
    top.legend(frameon=False)
    band = 2 * np.sqrt(variances)
    bottom.fill_between(time, -band, band, color="tab:blue", alpha=0.15, label="2 deviations")
    bottom.plot(time, measured - position, ".", color="0.6", markersize=4)
    bottom.plot(time, means - position, color="tab:blue")
    bottom.set(xlabel="time", ylabel="error")
    bottom.legend(frameon=False)
    for ax in (top, bottom):
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Fit, print the noise levels, draw, and return 0."""
    parser = argparse.ArgumentParser(description="Fit the noise of a state-space model.")
    parser.add_argument("--out", type=Path, default=Path("kalman_filter.png"))
    options = parser.parse_args(arguments)

    position, measured = measurements()
    scales, errors, evaluations = fit(measured)
    print(f"{'':20}{'truth':>7}{'fit':>8}")
    for name, true, found, error in zip(NAMES, TRUTH, scales, errors, strict=True):
        print(f"{name:20}{true:7.3f}{found:8.3f} +- {found * error:.3f}")
    left = np.std(filtered(scales, measured)[1] - position)
    print(f"{evaluations} evaluations of likelihood and gradient")
    print(f"measurements err by {np.std(measured - position):.2f}, the filter by {left:.2f}")
    draw(position, measured, scales, options.out)
    print(f"picture             {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
