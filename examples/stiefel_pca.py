"""Principal components by gradient descent over orthonormal frames.

    python examples/stiefel_pca.py

Frames, matrices whose columns are orthonormal, form a curved space, the Stiefel manifold. A
step goes along the part of the gradient that is tangent to it, and the QR factorization brings
the frame back (Absil, Mahony and Sepulchre, Optimization Algorithms on Matrix Manifolds, 2008).
Different weights of the columns make the optimum the eigenvectors themselves, in order.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

import autodiff as ad

COMPONENTS = 4


def images() -> np.ndarray:
    """Return scikit-learn's digits as rows of 64 pixels from 0 to 1, their mean taken off."""
    from sklearn.datasets import load_digits

    rows = load_digits().data / 16
    return rows - rows.mean(axis=0)


def loss(frame: Any, rows: np.ndarray) -> Any:
    """Return minus the variance along the columns of a frame, the first counted most."""
    weights = np.arange(COMPONENTS, 0, -1)
    return -np.sum(weights * np.mean((rows @ frame) ** 2, axis=0))


def tangent(frame: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Return the part of a matrix that is tangent to the space of frames."""
    product = frame.T @ matrix
    return matrix - frame @ (product + product.T) / 2


def retracted(matrix: np.ndarray) -> np.ndarray:
    """Return the frame that the QR factorization makes of a matrix, signs kept."""
    q, r = np.linalg.qr(matrix)
    return q * np.sign(np.diagonal(r))


def descend(rows: np.ndarray, tolerance: float = 1e-6) -> tuple[np.ndarray, list[float]]:
    """Return the best frame, and the length of the gradient at every step.

    The length of a step is that of Barzilai and Borwein (1988): from the last step and how the
    gradient changed along it.
    """
    gradient = ad.grad(loss)
    frame = retracted(np.random.default_rng(0).normal(size=(rows.shape[1], COMPONENTS)))
    slope, rate = tangent(frame, gradient(frame, rows)), 0.01
    lengths = [float(np.linalg.norm(slope))]
    while lengths[-1] > tolerance and len(lengths) < 2000:
        next_frame = retracted(frame - rate * slope)
        next_slope = tangent(next_frame, gradient(next_frame, rows))
        step, change = next_frame - frame, next_slope - slope
        rate = np.sum(step**2) / abs(np.sum(step * change))
        frame, slope = next_frame, next_slope
        lengths.append(float(np.linalg.norm(slope)))
    return frame, lengths


def components(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest variances and their directions by `eigh`."""
    variances, directions = np.linalg.eigh(rows.T @ rows / len(rows))
    return variances[::-1][:COMPONENTS], directions[:, ::-1][:, :COMPONENTS]


def draw(frame: np.ndarray, lengths: list[float], path: Path) -> None:
    """Save the components as images beside the lengths of the gradient."""
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subfigures(1, 2)
    ax = left.subplots()
    ax.semilogy(lengths, color="tab:blue")
    ax.set(xlabel="step", ylabel="length of the gradient", title="Descent over frames")
    ax.spines[["top", "right"]].set_visible(False)
    right.suptitle("Principal components of digits")
    for ax, column in zip(right.subplots(2, 2).flat, frame.T, strict=True):
        ax.imshow(column.reshape(8, 8), cmap="RdBu", vmin=-0.35, vmax=0.35)
        ax.set_axis_off()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Descend, compare with `eigh`, draw, and return 0 if both agree."""
    parser = argparse.ArgumentParser(description="Principal components over orthonormal frames.")
    parser.add_argument("--out", type=Path, default=Path("stiefel_pca.png"))
    options = parser.parse_args(arguments)

    rows = images()
    frame, lengths = descend(rows)
    variances, directions = components(rows)
    cosines = np.abs(np.sum(frame * directions, axis=0))
    print(f"{'':10}{'variance':>10}{'by eigh':>10}{'1 - |cosine|':>14}")
    for i, variance in enumerate(np.mean((rows @ frame) ** 2, axis=0)):
        print(f"component {i}{variance:9.5f}{variances[i]:10.5f}{1 - cosines[i]:14.0e}")
    print(f"{len(lengths) - 1} steps, gradient {lengths[-1]:.0e}")
    draw(frame, lengths, options.out)
    print(f"picture   {options.out}")
    return 0 if np.all(cosines > 1 - 1e-8) else 1


if __name__ == "__main__":
    sys.exit(main())
