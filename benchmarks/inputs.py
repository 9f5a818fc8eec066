"""Inputs of each workload, made from a size; the same for every contender."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

LEARNING_RATE = 1e-3
BATCH = 64


def floats(size: int) -> tuple[Any, ...]:
    return 0.7, -0.3


def matrices(size: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(size, size)), rng.normal(size=(size, size))


def vectors(size: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    return rng.normal(size=size), rng.normal(size=size)


def start_and_length(size: int) -> tuple[Any, ...]:
    return 1.5, size


def digits(size: int) -> tuple[Any, ...]:
    """Return parameters of a 64-32-10 network and a batch of `size` handwritten digits."""
    from sklearn.datasets import load_digits

    data = load_digits()
    rng = np.random.default_rng(0)
    return (
        rng.normal(size=(64, 32)) / 8,
        np.zeros(32),
        rng.normal(size=(32, 10)) / 6,
        np.zeros(10),
        data.data[:size] / 16,
        data.target[:size],
    )


# Name of a workload, as in the modules of `benchmarks.peers`: how its inputs are made.
INPUTS: Mapping[str, Callable[[int], tuple[Any, ...]]] = {
    "sin_exp": floats,
    "sin_exp_numpy": floats,
    "product": floats,
    "trace": matrices,
    "sum_sin_exp": vectors,
    "chain": start_and_length,
    "mlp": digits,
}
