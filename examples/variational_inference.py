"""Fit a Gaussian to a posterior by natural gradients.

    python examples/variational_inference.py

Counts grow with time, and a Poisson regression says how fast. The posterior of its two weights
is approximated by the Gaussian of the smallest divergence, its evidence bound being known
exactly. The plain gradient depends on how the Gaussian is described; the natural one divides by
the Fisher information, here the Hessian of the divergence between two neighbours (Amari 1998).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

import autodiff as ad
from autodiff.scipy.special import gammaln

TRUTH = np.array([1.0, 0.8])
PRIOR = np.array([0.0, 0.0, np.log(2.0), np.log(2.0), 0.0])
"""Of the weights: means, logarithms of the diagonal of the covariance's triangular factor, and
the entry below it."""
START = np.array([0.0, 0.0, np.log(0.1), np.log(0.1), 0.0])


def counts() -> tuple[np.ndarray, np.ndarray]:
    """Return rows (1, time) and a count for each."""
    rng = np.random.default_rng(0)
    time = np.linspace(-1, 1, 25)
    rows = np.column_stack([np.ones_like(time), time])
    return rows, rng.poisson(np.exp(rows @ TRUTH))


def mean_and_factor(q: Any) -> tuple[Any, Any]:
    """Return mean and triangular factor of the covariance of a Gaussian."""
    return q[:2], np.diag(np.exp(q[2:4])) + q[4] * np.eye(2, k=-1)


def divergence(q: Any, p: Any) -> Any:
    """Return the Kullback-Leibler divergence of the Gaussian `q` from `p`."""
    (mean_q, factor_q), (mean_p, factor_p) = mean_and_factor(q), mean_and_factor(p)
    ratio = np.linalg.solve(factor_p, factor_q)
    apart = np.linalg.solve(factor_p, mean_q - mean_p)
    return np.sum(p[2:4] - q[2:4]) + (np.sum(ratio**2) + np.sum(apart**2) - 2) / 2


def bound(q: Any, rows: np.ndarray, y: np.ndarray) -> Any:
    """Return the evidence lower bound; rates have log-normal distributions under `q`."""
    mean, factor = mean_and_factor(q)
    logs = rows @ mean
    rates = np.exp(logs + np.sum((rows @ factor) ** 2, axis=1) / 2)
    return np.sum(y * logs - rates - gammaln(y + 1.0)) - divergence(q, PRIOR)


def fisher(q: np.ndarray) -> np.ndarray:
    """Return the Fisher information: the Hessian of the divergence of a neighbour."""
    return ad.hessian(divergence)(q, q)


def climb(natural: bool, rate: float, steps: int) -> tuple[np.ndarray, list[float]]:
    """Return the Gaussian after some steps from the start, and the bound at each."""
    q, values = START, []
    for _ in range(steps):
        value, gradient = ad.value_and_grad(bound)(q, *counts())
        values.append(float(value))
        q = q + rate * (np.linalg.solve(fisher(q), gradient) if natural else gradient)
    return q, values


def posterior(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the posterior on a grid of the two weights, adding up to 1."""
    rows, y = counts()
    weights = np.stack(np.meshgrid(first, second, indexing="ij"), axis=-1)
    logs = weights @ rows.T
    variance = np.exp(2 * PRIOR[2])
    log_density = np.sum(y * logs - np.exp(logs), axis=-1) - np.sum(weights**2, -1) / 2 / variance
    density = np.exp(log_density - log_density.max())
    return density / density.sum()


def draw(q: np.ndarray, paths: dict[str, list[float]], path: Path) -> None:
    """Save how the bounds rise, and the Gaussian over the true posterior."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    best = max(paths["natural"])
    for name, values in paths.items():
        left.loglog(np.arange(1, len(values) + 1), best - np.array(values), label=name)
    left.set(xlabel="step", ylabel="below the best bound", ylim=(1e-8, None))
    left.legend(frameon=False)
    left.spines[["top", "right"]].set_visible(False)
    first, second = np.linspace(0.5, 1.5, 100), np.linspace(0.0, 1.8, 100)
    right.contourf(first, second, posterior(first, second).T, levels=12, cmap="Blues")
    mean, factor = mean_and_factor(q)
    angle = np.linspace(0, 2 * np.pi, 200)
    for radius in (1, 2):
        ring = mean[:, None] + radius * factor @ [np.cos(angle), np.sin(angle)]
        right.plot(*ring, color="tab:orange")
    right.set(xlabel="intercept", ylabel="slope", title="Posterior, and the Gaussian at 1, 2 sigma")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Climb both ways, print the Gaussian, draw, and return 0 if the natural way arrives."""
    parser = argparse.ArgumentParser(description="Fit a Gaussian to a posterior.")
    parser.add_argument("--out", type=Path, default=Path("variational_inference.png"))
    options = parser.parse_args(arguments)

    q, natural = climb(natural=True, rate=1.0, steps=20)
    _, plain = climb(natural=False, rate=0.02, steps=400)
    mean, factor = mean_and_factor(q)
    deviations = np.linalg.norm(factor, axis=1)
    for name, true, m, s in zip(("intercept", "slope"), TRUTH, mean, deviations, strict=True):
        print(f"{name:10} truth {true:.2f}, posterior {m:.4f} +- {s:.4f}")
    for name, values in {"natural": natural, "plain": plain}.items():
        needed = int(np.argmax(np.array(values) > natural[-1] - 1e-4))
        print(f"{name:10} {needed} steps to a bound of {values[needed]:.4f}")
    draw(q, {"natural": natural, "plain": plain}, options.out)
    print(f"picture    {options.out}")
    return 0 if abs(natural[-1] - natural[-2]) < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
