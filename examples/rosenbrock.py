"""The valley of Rosenbrock's function, walked by SciPy with derivatives of three kinds.

    python examples/rosenbrock.py

L-BFGS gets the gradient, Newton-CG the product of the Hessian and a vector, trust-exact the
Hessian itself, and L-BFGS once more nothing, so that it takes differences. The better a method
knows the curvature, the fewer steps it takes. The counts are of calls: a "curvature" is a
product with the Hessian for Newton-CG, the whole Hessian for trust-exact.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import OptimizeResult, minimize

import autodiff as ad

DIMENSIONS = 20


def rosenbrock(x: Any) -> Any:
    """Return Rosenbrock's function, 0 where all entries are 1."""
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


WAYS: dict[str, dict[str, Any]] = {
    "L-BFGS, differences": {"method": "L-BFGS-B"},
    "L-BFGS, gradient": {"method": "L-BFGS-B", "jac": ad.grad(rosenbrock)},
    "Newton-CG, hvp": {
        "method": "Newton-CG",
        "jac": ad.grad(rosenbrock),
        "hessp": lambda x, v: ad.hvp(rosenbrock, x, v),
    },
    "trust-exact, hessian": {
        "method": "trust-exact",
        "jac": ad.grad(rosenbrock),
        "hess": ad.hessian(rosenbrock),
    },
}


def minimise(way: str) -> tuple[OptimizeResult, list[float]]:
    """Return what SciPy found from zeros, and the values on the way."""
    start = np.zeros(DIMENSIONS)
    values = [float(rosenbrock(start))]
    result = minimize(
        rosenbrock,
        start,
        tol=1e-8,
        callback=lambda x: values.append(float(rosenbrock(x))),
        **WAYS[way],
    )
    return result, values


def draw(paths: dict[str, list[float]], path: Path) -> None:
    """Save how the values fall, step by step."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
    for way, values in paths.items():
        ax.semilogy(np.maximum(values, 1e-30), label=way)
    ax.set(xlabel="step", ylabel="value", title=f"Rosenbrock's function of {DIMENSIONS} numbers")
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Minimise each way, print the counts, draw, and return 0 if all found the minimum."""
    parser = argparse.ArgumentParser(description="Minimise Rosenbrock's function in four ways.")
    parser.add_argument("--out", type=Path, default=Path("rosenbrock.png"))
    options = parser.parse_args(arguments)

    paths, all_found = {}, True
    print(f"{'':22}{'steps':>6}{'values':>8}{'gradients':>11}{'curvatures':>12}{'error':>10}")
    for way in WAYS:
        result, paths[way] = minimise(way)
        error = np.max(np.abs(result.x - 1))
        gradients, curvatures = result.njev if "jac" in WAYS[way] else 0, result.get("nhev", 0)
        print(f"{way:22}{result.nit:6}{result.nfev:8}{gradients:11}{curvatures:12}{error:10.0e}")
        all_found &= bool(error < 1e-3)
    draw(paths, options.out)
    print(f"picture               {options.out}")
    return 0 if all_found else 1


if __name__ == "__main__":
    sys.exit(main())
