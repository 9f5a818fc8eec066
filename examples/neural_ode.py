"""Learn the law of a pendulum: a network inside a differential equation.

    python examples/neural_ode.py

All that is measured is where pendulums go within one second. The acceleration is a small network
whose parameters pass through `odeint` of `autodiff.scipy`; its gradient solves the adjoint
equation backwards, so no step of the solver is kept. The learned law then predicts a much
longer swing from a start it has not seen.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

import autodiff as ad
from autodiff.scipy.integrate import odeint

HIDDEN = 8
NOISE = 0.01
TIMES = np.linspace(0, 1, 5)
LONG_TIMES, LONG_START = np.linspace(0, 12, 200), np.array([2.5, 0.0])


def pendulum(state: np.ndarray, time: float) -> np.ndarray:
    """Return the change of angles and speeds, which come one after the other in `state`."""
    angle, speed = state.reshape(2, -1)
    return np.concatenate([speed, -np.sin(angle) - 0.25 * speed])


def measurements(count: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Return starts of pendulums, and their states at `TIMES` with noise."""
    rng = np.random.default_rng(0)
    starts = np.concatenate([rng.uniform(-3, 3, count), rng.uniform(-2, 2, count)])
    states = odeint(pendulum, starts, TIMES)
    return starts, states + NOISE * rng.normal(size=states.shape)


def initial_parameters() -> dict[str, np.ndarray]:
    """Return weights and biases of both layers."""
    rng = np.random.default_rng(1)
    return {
        "w1": rng.normal(size=(HIDDEN, 2)) / 2,
        "b1": rng.normal(size=(HIDDEN, 1)) / 2,
        "w2": rng.normal(size=(1, HIDDEN)) / 10,
        "b2": np.zeros((1, 1)),
    }


def learned(state: Any, time: Any, p: dict[str, Any]) -> Any:
    """Return what `pendulum` does, with a network for the acceleration."""
    columns = np.reshape(state, (2, -1))
    acceleration = p["w2"] @ np.tanh(p["w1"] @ columns + p["b1"]) + p["b2"]
    return np.concatenate([columns[1], acceleration[0]])


def error(p: dict[str, Any], starts: np.ndarray, states: np.ndarray) -> Any:
    """Return the mean squared distance of predicted and measured states."""
    predicted = odeint(learned, starts, TIMES, args=(p,), rtol=1e-4, atol=1e-4)
    return np.mean((predicted - states) ** 2)


def train(starts: np.ndarray, states: np.ndarray, steps: int) -> tuple[dict[str, Any], float]:
    """Return the parameters after some steps of BFGS, and the error that is left."""
    vector, unflatten = ad.flatten(initial_parameters())
    found = minimize(
        ad.value_and_grad(lambda v: error(unflatten(v), starts, states)),
        vector,
        jac=True,
        method="BFGS",
        options={"maxiter": steps},
    )
    return unflatten(found.x), found.fun


def swings(p: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return the true and the predicted states of the long swing."""
    true = odeint(pendulum, LONG_START, LONG_TIMES)
    return true, odeint(learned, LONG_START, LONG_TIMES, args=(p,))


def draw(p: dict[str, Any], path: Path) -> None:
    """Save the long swing beside the learned acceleration without friction."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    true, predicted = swings(p)
    left.plot(LONG_TIMES, true[:, 0], color="tab:green", linewidth=4, alpha=0.4, label="truth")
    left.plot(LONG_TIMES, predicted[:, 0], color="tab:blue", label="learned")
    left.axvspan(0, TIMES[-1], color="0.9", zorder=0, label="length of the data")
    left.set(xlabel="time", ylabel="angle", title="A swing that was not in the data")
    angles = np.linspace(-3, 3, 100)
    states = np.concatenate([angles, np.zeros(100)])
    right.plot(angles, -np.sin(angles), color="tab:green", linewidth=4, alpha=0.4, label="truth")
    right.plot(angles, learned(states, 0.0, p)[100:], color="tab:blue", label="learned")
    right.set(xlabel="angle", ylabel="acceleration", title="The law, at rest")
    for ax in (left, right):
        ax.legend(frameon=False)
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Train, predict, draw, and return 0 if the prediction is good."""
    parser = argparse.ArgumentParser(description="Learn the law of a pendulum.")
    parser.add_argument("--out", type=Path, default=Path("neural_ode.png"))
    parser.add_argument("--steps", type=int, default=80, help="of BFGS")
    options = parser.parse_args(arguments)

    p, left = train(*measurements(), steps=options.steps)
    true, predicted = swings(p)
    distance = np.max(np.abs(predicted - true)[:, 0])
    print(f"error of the data {np.sqrt(left):.4f}, their noise {NOISE}")
    print(f"longest distance  {distance:.3f} in {LONG_TIMES[-1]:.0f} seconds")
    draw(p, options.out)
    print(f"picture           {options.out}")
    return 0 if distance < 0.25 else 1


if __name__ == "__main__":
    sys.exit(main())
