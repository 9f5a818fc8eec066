"""Fit a damped oscillation to noisy data: SciPy minimises, `autodiff` gives the gradient.

    python examples/fit_curve.py

`value_and_grad` turns the loss into a function that returns the loss and its gradient,
which is what `scipy.optimize.minimize` asks for with ``jac=True``. The second derivatives
at the minimum, from `hessian`, say how far each fitted number can be trusted.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

import autodiff as ad

NAMES = ("amplitude", "decay rate", "frequency", "phase")
TRUTH = np.array([2.0, 0.25, 0.9, 0.4])
START = np.array([1.0, 0.1, 0.85, 0.0])
NOISE = 0.15


def model(parameters: Any, t: np.ndarray) -> Any:
    """Return ``amplitude * exp(-decay * t) * cos(2 pi * frequency * t + phase)``."""
    amplitude, decay, frequency, phase = parameters
    return amplitude * np.exp(-decay * t) * np.cos(2 * np.pi * frequency * t + phase)


def measurements() -> tuple[np.ndarray, np.ndarray]:
    """Return 120 times and noisy values of the true curve there."""
    rng = np.random.default_rng(0)
    t = np.linspace(0, 8, 120)
    return t, model(TRUTH, t) + NOISE * rng.normal(size=t.shape)


def draw(t: np.ndarray, y: np.ndarray, fitted: np.ndarray, path: Path) -> None:
    """Save the data with the curves, and what the fit leaves over."""
    import matplotlib.pyplot as plt

    figure, (top, bottom) = plt.subplots(
        2, 1, figsize=(8, 5.5), sharex=True, height_ratios=(3, 1), layout="constrained"
    )
    fine = np.linspace(t[0], t[-1], 600)
    top.plot(t, y, "o", color="0.6", markersize=4, label="data")
    top.plot(fine, model(START, fine), ":", color="tab:gray", label="start")
    top.plot(fine, model(TRUTH, fine), color="tab:green", linewidth=3, alpha=0.4, label="truth")
    top.plot(fine, model(fitted, fine), color="tab:blue", label="fit")
    top.set(ylabel="signal", title="Damped oscillation")
    top.legend(frameon=False, ncols=4)
    bottom.axhline(0, color="0.8")
    bottom.plot(t, y - model(fitted, t), "o", color="tab:blue", markersize=3)
    bottom.set(xlabel="time", ylabel="data - fit")
    for ax in (top, bottom):
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Fit, print the numbers, draw, and return 0 if the fit came to an end."""
    parser = argparse.ArgumentParser(description="Fit a damped oscillation to noisy data.")
    parser.add_argument("--out", type=Path, default=Path("fit_curve.png"), help="the picture")
    options = parser.parse_args(arguments)

    t, y = measurements()

    def loss(parameters: Any) -> Any:
        return np.mean((model(parameters, t) - y) ** 2)

    result = minimize(ad.value_and_grad(loss), START, jac=True, method="BFGS")
    by_differences = minimize(loss, START, method="BFGS")

    # Least squares: the covariance is 2 s**2 / n times the inverse of the Hessian.
    variance = result.fun * len(t) / (len(t) - len(START))
    errors = np.sqrt(np.diag(np.linalg.inv(ad.hessian(loss)(result.x))) * 2 * variance / len(t))

    print(f"{'':12}{'truth':>8}{'fit':>9}")
    for name, true, found, error in zip(NAMES, TRUTH, result.x, errors, strict=True):
        print(f"{name:12}{true:8.3f}{found:9.3f} +- {error:.3f}")
    print(f"loss {result.fun:.5f}, noise variance {NOISE**2:.5f}")
    print(
        f"{result.nfev} evaluations with exact gradients, "
        f"{by_differences.nfev} with finite differences"
    )
    draw(t, y, result.x, options.out)
    print(f"picture     {options.out}")
    return 0 if result.success else 1


if __name__ == "__main__":
    sys.exit(main())
