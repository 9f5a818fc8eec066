"""Bayesian linear regression, sampled by Hamiltonian Monte Carlo.

    python examples/hmc.py

Weights and noise of a linear model have a posterior distribution, and particles that slide along
the gradient of its logarithm draw from it (Duane and others 1987). The Hessian where the density
is greatest is their mass. A hundred particles go at once: `vjp` gives the energy of each and
pulls all gradients back together. For this prior the answer is known in closed form.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

import autodiff as ad
from autodiff.scipy.stats import gamma, norm

NAMES = ("intercept", "slope", "bend", "noise")
PARTICLES = 100
TRUTH = np.array([1.0, -2.0, 0.5, 0.4])
WIDTH = 3.0
"""Of the prior of each weight, in units of the noise; 1 / noise**2 is gamma(2, scale=1)."""


def data(count: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Return rows ``(1, x, x**2)`` and what was measured at each."""
    rng = np.random.default_rng(0)
    rows = np.vander(rng.uniform(-1.5, 1.5, size=count), 3, increasing=True)
    return rows, rows @ TRUTH[:3] + TRUTH[3] * rng.normal(size=count)


def potential(states: Any, rows: np.ndarray, y: np.ndarray) -> Any:
    """Return minus the logarithm of the posterior of weights and ``log(noise)``, last axis 4."""
    weights, noise = states[..., :3], np.exp(states[..., 3:])
    fit = np.sum(norm.logpdf(y, weights @ rows.T, noise), axis=-1)
    prior = np.sum(norm.logpdf(weights, 0.0, WIDTH * noise), axis=-1)
    of_noise = gamma.logpdf(noise[..., 0] ** -2, 2.0) - 2 * states[..., 3]
    return -(fit + prior + of_noise)


def energy_and_slope(states: np.ndarray, *data: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the potential of each particle and its gradient."""
    energy, pullback = ad.vjp(lambda states: potential(states, *data), states)
    return energy, pullback(np.ones(energy.shape))[0]


def sample(
    rows: np.ndarray, y: np.ndarray, rounds: int, *, step: float = 0.4, leaps: int = 5
) -> tuple[np.ndarray, float]:
    """Return the states after each round, (rounds, particles, 4), and the share accepted."""
    rng, both = np.random.default_rng(1), ad.value_and_grad(potential)
    best = minimize(both, np.zeros(4), args=(rows, y), jac=True, method="BFGS").x
    mass = ad.hessian(potential)(best, rows, y)
    factor, inverse = np.linalg.cholesky(mass), np.linalg.inv(mass)

    states = best + rng.normal(size=(PARTICLES, 4)) @ np.linalg.inv(factor)
    kept, accepted = np.empty((rounds, *states.shape)), 0.0
    for i in range(rounds):
        momenta = rng.normal(size=states.shape) @ factor.T
        first, slope = energy_and_slope(states, rows, y)
        before = first + np.sum(momenta @ inverse * momenta, axis=1) / 2
        # Unequal steps, so that no journey comes back to where it began.
        length, places = step * rng.uniform(0.7, 1.3), states
        for _ in range(leaps):
            momenta = momenta - length / 2 * slope
            places = places + length * momenta @ inverse
            last, slope = energy_and_slope(places, rows, y)
            momenta = momenta - length / 2 * slope
        after = last + np.sum(momenta @ inverse * momenta, axis=1) / 2
        taken = np.log(rng.random(PARTICLES)) < before - after
        kept[i] = states = np.where(taken[:, None], places, states)
        accepted += np.mean(taken) / rounds
    return kept, accepted


def closed_form(rows: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Return mean and covariance of the weights, and the mean of ``noise**2``."""
    inverse = np.linalg.inv(rows.T @ rows + np.eye(3) / WIDTH**2)
    mean = inverse @ rows.T @ y
    shape, rate = 2 + len(y) / 2, 1 + (y @ y - mean @ rows.T @ y) / 2
    return mean, rate / (shape - 1) * inverse, rate / (shape - 1)


def draw(rows: np.ndarray, y: np.ndarray, states: np.ndarray, path: Path) -> None:
    """Save the data with curves of the posterior, and the samples of two weights."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    x = np.linspace(-1.6, 1.6, 100)
    curves = states[:: len(states) // 100, :3] @ np.vander(x, 3, increasing=True).T
    left.plot(x, curves.T, color="tab:blue", alpha=0.08)
    left.plot(rows[:, 1], y, "o", color="0.3", markersize=4)
    left.set(xlabel="x", ylabel="y", title="Data, and curves of the posterior")
    right.plot(states[:, 1], states[:, 2], ".", color="tab:blue", markersize=2, alpha=0.4)
    right.plot(*TRUTH[1:3], "+", color="tab:green", markersize=14, label="truth")
    right.set(xlabel="slope", ylabel="bend", title="Samples")
    right.legend(frameon=False)
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Sample, compare with the closed form, draw, and return 0."""
    parser = argparse.ArgumentParser(description="Bayesian linear regression by HMC.")
    parser.add_argument("--out", type=Path, default=Path("hmc.png"))
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args(arguments)

    rows, y = data()
    states, accepted = sample(rows, y, options.rounds)
    states = states.reshape(-1, 4)
    states[:, 3] = np.exp(states[:, 3])
    mean, covariance, square = closed_form(rows, y)
    exact = [f"{m:.3f} +- {np.sqrt(v):.3f}" for m, v in zip(mean, np.diag(covariance), strict=True)]
    print(f"{'':10}{'truth':>7}{'samples':>9}{'exact':>17}")
    for name, true, values, known in zip(NAMES, TRUTH, states.T, [*exact, ""], strict=True):
        print(f"{name:10}{true:7.2f}{values.mean():9.3f} +- {values.std():.3f}{known:>17}")
    print(f"noise**2  {TRUTH[3] ** 2:7.2f}{np.mean(states[:, 3] ** 2):9.3f}{square:17.3f}")
    print(f"accepted  {accepted:.1%} of {len(states)}")
    draw(rows, y, states, options.out)
    print(f"picture   {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
