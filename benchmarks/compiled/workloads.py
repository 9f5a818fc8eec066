"""What is compiled: formulas written once for any library with NumPy's names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.workloads import Bound, faster, within

MILLION = 10**6
ROOT_HALF = 0.5**0.5
RATE = 0.1


@dataclass(frozen=True)
class Workload:
    """One row.

    Attributes
    ----------
    name, title, unit : str
    scale : float
        Seconds of one unit.
    formula : callable
        ``formula(xp, *inputs)`` with a module that has NumPy's names; gives one number.
    inputs : callable
        Makes the inputs.
    form : str
        ``grad``: value and gradients in all inputs that `wanted` names; ``hessian``; ``step``: a
        step of gradient descent on them.
    wanted : tuple of int
    bounds : tuple of Bound
    """

    name: str
    title: str
    unit: str
    scale: float
    formula: Callable[..., Any]
    inputs: Callable[[], tuple[Any, ...]]
    form: str
    wanted: tuple[int, ...]
    bounds: tuple[Bound, ...]


def sin_exp(xp: Any, x: Any, y: Any) -> Any:
    return xp.sin(x) * xp.exp(y)


def sum_sin_exp(xp: Any, a: Any, b: Any) -> Any:
    return xp.sum(xp.sin(a) * xp.exp(b))


def black_scholes(xp: Any, spot: Any, strike: Any, years: Any, rate: Any, sigma: Any) -> Any:
    """Return the sum of prices of calls; its gradients are the greeks of each."""
    spread = sigma * xp.sqrt(years)
    upper = (xp.log(spot / strike) + (rate + 0.5 * sigma * sigma) * years) / spread
    normal = [0.5 * (1.0 + xp.erf(ROOT_HALF * d)) for d in (upper, upper - spread)]
    return xp.sum(spot * normal[0] - strike * xp.exp(-rate * years) * normal[1])


def rosenbrock(xp: Any, x: Any) -> Any:
    ahead, here = x[1:], x[:-1]
    return xp.sum(100.0 * (ahead - here * here) ** 2 + (1.0 - here) ** 2)


def network(xp: Any, w1: Any, b1: Any, w2: Any, b2: Any, images: Any, wanted: Any) -> Any:
    """Return the cross entropy of a network with one hidden layer."""
    scores = xp.tanh(images @ w1 + b1) @ w2 + b2
    scores = scores - xp.amax(scores, 1)[:, None]
    return xp.mean(xp.log(xp.sum(xp.exp(scores), 1)) - xp.sum(scores * wanted, 1))


def lennard_jones(xp: Any, places: Any) -> Any:
    """Return the energy of particles; its gradients are the forces, up to the sign."""
    apart = places[:, None, :] - places[None, :, :]
    square = xp.sum(apart * apart, 2) + xp.eye(len(places)) * 1e12
    third = 1.0 / (square * square * square)
    return 2.0 * xp.sum(third * third - third)


def recurrent(xp: Any, inside: Any, bias: Any, into: Any, inputs: Any) -> Any:
    """Return the sum of squares of the last state of a recurrent network."""

    def step(state: Any, one: Any) -> Any:
        return xp.tanh(inside @ state + into @ one + bias), one[0]

    last, _ = xp.scan(step, 0.0 * bias, inputs)
    return xp.sum(last * last)


def _normal(*shape: int) -> Any:
    return np.random.default_rng(0).normal(size=shape)


def _options() -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    ends = ((80, 120), (80, 120), (0.1, 2), (0.01, 0.05), (0.1, 0.5))
    return tuple(rng.uniform(*each, MILLION) for each in ends)


def _network(batch: int) -> Callable[[], tuple[Any, ...]]:
    def inputs() -> tuple[Any, ...]:
        labels = np.random.default_rng(0).integers(0, 10, batch)
        weights = (0.05 * _normal(784, 50), np.zeros(50), 0.1 * _normal(50, 10), np.zeros(10))
        return (*weights, _normal(batch, 784), np.eye(10)[labels])

    return inputs


def _particles() -> tuple[Any, ...]:
    grid = np.stack(np.meshgrid(*(np.arange(8.0),) * 3, indexing="ij"), -1).reshape(-1, 3)[:256]
    return (1.2 * grid + 0.1 * _normal(256, 3),)


def _network_row(batch: int, jax: float, torch: float) -> Workload:
    return Workload(
        f"network_{batch}",
        f"training step of a network 784-50-10, batch {batch}",
        "us",
        1e-6,
        network,
        _network(batch),
        "step",
        (0, 1, 2, 3),
        (faster("jax.jit", jax), faster("torch", torch), faster("this, tape", 1)),
    )


WORKLOADS = (
    Workload("sin_exp", "sin(x) * exp(y) on floats, value and gradients", "us", 1e-6, sin_exp,
             lambda: (0.5, 1.0), "grad", (0, 1), (faster("jax.jit", 30), faster("torch", 80))),
    Workload("sum", "sum(sin(a) * exp(b)), 10^6 doubles, value and gradients", "ms", 1e-3,
             sum_sin_exp, lambda: (_normal(MILLION), _normal(MILLION)), "grad", (0, 1),
             (faster("jax.jit", 4), faster("torch", 4))),
    Workload("black_scholes", "10^6 option prices and five greeks", "ms", 1e-3, black_scholes,
             _options, "grad", (0, 1, 2, 3, 4), (faster("jax.jit", 4),)),
    Workload("rosenbrock", "Rosenbrock in 1,000 dimensions, value and gradient", "us", 1e-6,
             rosenbrock, lambda: (_normal(1000),), "grad", (0,), (faster("jax.jit", 10),)),
    Workload("hessian", "dense Hessian of Rosenbrock in 100 dimensions", "us", 1e-6, rosenbrock,
             lambda: (_normal(100),), "hessian", (0,), (within(1, "jax.jit"),)),
    _network_row(1, 3, 10),
    _network_row(64, 1.1, 2),
    _network_row(512, 1, 1.5),
    Workload("recurrent", "recurrent network, 100 steps of 64 units, value and gradient", "us",
             1e-6, recurrent,
             lambda: (0.1 * _normal(64, 64), _normal(64), 0.1 * _normal(64, 64), _normal(100, 64)),
             "grad", (0, 1, 2), (faster("jax.jit", 1.3),)),
    Workload("lennard_jones", "Lennard-Jones energy and forces, 256 particles", "us", 1e-6,
             lennard_jones, _particles, "grad", (0,), (faster("jax.jit", 2.5),)),
)  # fmt: skip
