"""Stir a fluid once so that a disc of dye flows into a heart.

    python examples/fluid.py

The simulation is written with `np.roll` and a Fourier transform: vorticity and dye are carried
by the velocity, and spread a little. What is sought is the vorticity at the beginning, one
number for each cell, and the gradient comes back through all steps. `checkpoint` keeps the
state at the start of each step only, and computes its insides again on the way back.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

import autodiff as ad

SIDE = 32
STEPS = 20
STEP = 0.6
SPREAD = 0.03
WAVES = np.sin(2 * np.pi * np.fft.fftfreq(SIDE))
SQUARES = WAVES[:, None] ** 2 + WAVES**2
INVERSE = np.divide(1, SQUARES, out=np.zeros_like(SQUARES), where=SQUARES > 1e-9)
"""Of minus the Laplacian that follows from `slope`, on waves."""


def slope(field: Any, axis: int) -> Any:
    """Return the central difference along an axis; cells have size 1 and the edges meet."""
    return (np.roll(field, -1, axis) - np.roll(field, 1, axis)) / 2


def velocity(vorticity: Any) -> tuple[Any, Any]:
    """Return both components of the velocity without sources that turns as told."""
    stream = np.real(np.fft.ifft2(np.fft.fft2(vorticity) * INVERSE))
    return slope(stream, 0), -slope(stream, 1)


def change(vorticity: Any, dye: Any) -> tuple[Any, Any]:
    """Return how fast both fields change: what flows in, and what spreads in."""
    right, down = velocity(vorticity)

    def carried(field: Any) -> Any:
        around = sum(np.roll(field, shift, axis) for shift in (-1, 1) for axis in (0, 1))
        return SPREAD * (around - 4 * field) - slope(right * field, 1) - slope(down * field, 0)

    return carried(vorticity), carried(dye)


@ad.checkpoint
def step(vorticity: Any, dye: Any) -> tuple[Any, Any]:
    """Return both fields one step later, by the midpoint rule."""
    turning, flowing = change(vorticity, dye)
    turning, flowing = change(vorticity + STEP / 2 * turning, dye + STEP / 2 * flowing)
    return vorticity + STEP * turning, dye + STEP * flowing


def flow(vorticity: Any, dye: Any, steps: int = STEPS) -> tuple[Any, Any]:
    """Return both fields after some steps."""
    for _ in range(steps):
        vorticity, dye = step(vorticity, dye)
    return vorticity, dye


def pictures() -> tuple[np.ndarray, np.ndarray]:
    """Return a disc and a heart of the same area, with soft edges."""
    y, x = np.mgrid[1 : -1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    disc = np.hypot(x, y) / 0.5
    x, y = x / 0.56, 1.25 * y / 0.56 + 0.3
    heart = np.hypot(x, y - np.sqrt(np.abs(x)))
    return 1 / (1 + np.exp(10 * (disc - 1))), 1 / (1 + np.exp(10 * (heart - 1)))


def stir(start: np.ndarray, goal: np.ndarray, iterations: int) -> tuple[np.ndarray, list[float]]:
    """Return the vorticity that brings the dye nearest to the goal, and the error on the way."""

    def error(vector: Any) -> Any:
        return np.mean((flow(np.reshape(vector, goal.shape), start)[1] - goal) ** 2)

    errors = [float(error(np.zeros(goal.size)))]
    found = minimize(
        ad.value_and_grad(error),
        np.zeros(goal.size),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": iterations},
        callback=lambda intermediate_result: errors.append(intermediate_result.fun),
    )
    return found.x.reshape(goal.shape), errors


def draw(vorticity: np.ndarray, start: np.ndarray, goal: np.ndarray, path: Path) -> None:
    """Save the dye at five times, the goal, and the first velocity."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 6, figsize=(13, 2.4), layout="constrained")
    for ax, time in zip(axes, np.linspace(0, STEPS, 5).astype(int), strict=False):
        ax.imshow(flow(vorticity, start, time)[1], cmap="magma_r", vmin=0, vmax=1)
        ax.set_title(f"step {time}")
    right, down = (part[::2, ::2] for part in velocity(vorticity))
    places = np.arange(0, SIDE, 2)
    axes[0].quiver(places, places, right, -down, color="tab:blue")
    axes[-1].imshow(goal, cmap="magma_r", vmin=0, vmax=1)
    axes[-1].set_title("goal")
    for ax in axes:
        ax.set_axis_off()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Stir, draw, and return 0 if the dye came near the goal."""
    parser = argparse.ArgumentParser(description="Stir a fluid so that dye flows into a heart.")
    parser.add_argument("--out", type=Path, default=Path("fluid.png"))
    parser.add_argument("--iterations", type=int, default=12, help="of L-BFGS")
    options = parser.parse_args(arguments)

    start, goal = pictures()
    vorticity, errors = stir(start, goal, options.iterations)
    print(f"squared error {errors[0]:.5f} unstirred, {errors[-1]:.5f} stirred")
    print(f"dye           {start.sum():.6f}, in the end {flow(vorticity, start)[1].sum():.6f}")
    draw(vorticity, start, goal, options.out)
    print(f"picture       {options.out}")
    return 0 if errors[-1] < errors[0] / 10 else 1


if __name__ == "__main__":
    sys.exit(main())
