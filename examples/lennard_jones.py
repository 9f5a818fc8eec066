"""Thirteen atoms that attract and repel each other: relaxation, vibrations, and motion.

    python examples/lennard_jones.py

Only the energy is written down. Its gradient gives the forces that move the atoms, its Hessian
the frequencies at which the relaxed cluster vibrates, and six of these are 0, because shifts and
rotations cost no energy. Units are those of the potential; the atoms have mass 1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

import autodiff as ad

ATOMS = 13
LEAST_ENERGY = -44.326801
"""Of 13 atoms, an icosahedron with one in the middle (Hoare and Pal 1971)."""
FIRST, SECOND = np.triu_indices(ATOMS, k=1)


def energy(positions: Any) -> Any:
    """Return the sum over pairs of ``4 * (r**-12 - r**-6)``, positions of shape (atoms, 3)."""
    apart = positions[FIRST] - positions[SECOND]
    attraction = np.sum(apart**2, axis=1) ** -3.0
    return 4 * np.sum(attraction * (attraction - 1))


def flat_energy(vector: Any) -> Any:
    """Return the energy of positions that come as one vector."""
    return energy(np.reshape(vector, (ATOMS, 3)))


def icosahedron(radius: float) -> np.ndarray:
    """Return the middle and the twelve corners, at a distance from the middle."""
    golden = (1 + np.sqrt(5)) / 2
    third = np.array([[0, a, b * golden] for a in (-1, 1) for b in (-1, 1)])
    corners = np.concatenate([np.roll(third, shift, axis=1) for shift in range(3)])
    return np.concatenate([np.zeros((1, 3)), radius * corners / np.hypot(1, golden)])


def relaxed(positions: np.ndarray) -> np.ndarray:
    """Return the positions of the least energy nearby."""
    found = minimize(
        ad.value_and_grad(flat_energy), positions.ravel(), jac=True, method="BFGS", tol=1e-8
    )
    return found.x.reshape(ATOMS, 3)


def frequencies(positions: np.ndarray) -> np.ndarray:
    """Return the angular frequencies of small vibrations, 0 for the motion of the whole."""
    squares = np.linalg.eigvalsh(ad.hessian(flat_energy)(positions.ravel()))
    return np.sqrt(np.maximum(squares, 0))


def move(
    positions: np.ndarray, velocities: np.ndarray, *, step: float, count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return positions and velocities at the end, and both energies at every step.

    The steps are those of Verlet (1967), which keep the total energy near its first value.
    """
    forces, energies = -ad.grad(energy)(positions), []
    for _ in range(count):
        velocities = velocities + step / 2 * forces
        positions = positions + step * velocities
        potential, gradient = ad.value_and_grad(energy)(positions)
        forces = -gradient
        velocities = velocities + step / 2 * forces
        energies.append((potential, np.sum(velocities**2) / 2))
    return positions, velocities, np.array(energies)


def draw(energies: np.ndarray, step: float, modes: np.ndarray, path: Path) -> None:
    """Save the energies over time beside the frequencies of vibration."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    time = step * np.arange(1, len(energies) + 1)
    left.plot(time, energies[:, 0] - LEAST_ENERGY, color="tab:orange", label="potential")
    left.plot(time, energies[:, 1], color="tab:green", label="kinetic")
    left.plot(time, energies.sum(axis=1) - LEAST_ENERGY, color="tab:blue", label="total")
    left.set(xlabel="time", ylabel="energy above the least", title="Motion")
    left.legend(frameon=False)
    right.plot(modes, "o", color="tab:blue", markersize=4)
    right.set(xlabel="mode", ylabel="frequency", title="Vibrations of the relaxed cluster")
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Relax, heat, relax again, print the energies, draw, and return 0 if they are right."""
    parser = argparse.ArgumentParser(description="A cluster of atoms by Lennard-Jones forces.")
    parser.add_argument("--out", type=Path, default=Path("lennard_jones.png"))
    parser.add_argument("--steps", type=int, default=1500, help="of the motion")
    options = parser.parse_args(arguments)

    cluster = relaxed(icosahedron(radius=1.3))
    modes, step = frequencies(cluster), 0.005
    print(f"relaxed energy    {energy(cluster):.6f}, in the literature {LEAST_ENERGY}")
    print(f"frequencies       {np.sum(modes < 0.01)} are 0, {modes[6]:.2f} to {modes[-1]:.2f}")

    velocities = np.random.default_rng(0).normal(size=(ATOMS, 3))
    velocities = 0.5 * (velocities - velocities.mean(axis=0))
    moved, _, energies = move(cluster, velocities, step=step, count=options.steps)
    total = energies.sum(axis=1)
    drift = np.max(np.abs(total - total[0]))
    again = energy(relaxed(moved))
    print(f"total energy      {total[0]:.6f}, changes by at most {drift:.6f}")
    print(f"relaxed once more {again:.6f}")
    draw(energies, step, modes, options.out)
    print(f"picture           {options.out}")
    return 0 if drift < 0.01 and abs(again - LEAST_ENERGY) < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main())
