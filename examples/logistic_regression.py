"""Logistic regression by Newton's method, with standard errors from the Hessian.

    python examples/logistic_regression.py

The loss is the negative log-likelihood, so its second derivatives at the minimum are the
observed information, and the inverse of that is the covariance of the estimates. The same
`hessian` serves both: the steps on the way, and the error bars at the end.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

import autodiff as ad

NAMES = ("intercept", "dose", "age", "weight", "treated")
TRUTH = np.array([-0.5, 1.2, -0.8, 0.0, 1.5])


def patients(count: int = 600) -> tuple[np.ndarray, np.ndarray]:
    """Return a row of features for each patient, the first of them 1, and who recovered."""
    rng = np.random.default_rng(0)
    measured = rng.normal(size=(count, 3))
    treated = rng.integers(2, size=count)
    features = np.column_stack([np.ones(count), measured, treated])
    return features, rng.random(count) < 1 / (1 + np.exp(-features @ TRUTH))


def loss(weights: Any, features: np.ndarray, recovered: np.ndarray) -> Any:
    """Return ``-log(probability of what happened)``, which no score makes overflow."""
    margins = np.where(recovered, 1.0, -1.0) * (features @ weights)
    return np.sum(np.logaddexp(0.0, -margins))


def fit(features: np.ndarray, recovered: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the weights of the least loss, their standard errors, and the number of steps.

    Raises
    ------
    RuntimeError
        If the steps do not become small, as with classes that a plane separates.
    """
    weights = np.zeros(features.shape[1])
    for step in range(1, 26):
        information = ad.hessian(loss)(weights, features, recovered)
        change = np.linalg.solve(information, ad.grad(loss)(weights, features, recovered))
        weights = weights - change
        if np.max(np.abs(change)) < 1e-10:
            return weights, np.sqrt(np.diag(np.linalg.inv(information))), step
    raise RuntimeError("Newton's method did not come to an end: are the classes separable?")


def draw(weights: np.ndarray, errors: np.ndarray, path: Path) -> None:
    """Save the weights with intervals that hold the truth 19 times out of 20."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(7, 3.2), layout="constrained")
    rows = np.arange(len(NAMES))
    ax.axvline(0, color="0.8")
    ax.errorbar(weights, rows, xerr=1.96 * errors, fmt="o", color="tab:blue", label="fit")
    ax.plot(TRUTH, rows, "|", color="tab:green", markersize=18, label="truth")
    ax.set_yticks(rows, NAMES)
    ax.invert_yaxis()
    ax.set(xlabel="weight", title="Logistic regression")
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Fit, print the weights, draw, and return 0."""
    parser = argparse.ArgumentParser(description="Logistic regression by Newton's method.")
    parser.add_argument("--out", type=Path, default=Path("logistic_regression.png"))
    options = parser.parse_args(arguments)

    weights, errors, steps = fit(*patients())
    print(f"{'':10}{'truth':>7}{'fit':>8}{'error':>10}{'z':>8}")
    for name, true, found, error in zip(NAMES, TRUTH, weights, errors, strict=True):
        print(f"{name:10}{true:7.2f}{found:8.2f} +- {error:6.3f}{found / error:8.1f}")
    print(f"{steps} steps of Newton's method")
    draw(weights, errors, options.out)
    print(f"picture   {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
