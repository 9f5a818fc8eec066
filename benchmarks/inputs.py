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


UNITS, SAMPLES, FEATURES = 64, 16, 8


def recurrent(size: int) -> tuple[Any, ...]:
    """Return weights of 64 units, the first state of 16 samples, and `size` inputs."""
    rng = np.random.default_rng(0)
    return (
        rng.normal(size=(UNITS, UNITS)) / UNITS**0.5,
        rng.normal(size=(FEATURES, UNITS)),
        np.zeros(UNITS),
        np.zeros((SAMPLES, UNITS)),
        rng.normal(size=(size, SAMPLES, FEATURES)),
    )


def valley(size: int) -> tuple[Any, ...]:
    return (np.random.default_rng(0).uniform(-1.5, 1.5, size),)


def labelled(size: int) -> tuple[Any, ...]:
    """Return weights, an offset, `size` points in 20 dimensions, and labels 1 or -1."""
    rng = np.random.default_rng(0)
    data, w = rng.normal(size=(size, 20)), rng.normal(size=20)
    signs = np.sign(data @ w + rng.logistic(size=size))
    return w / 2, np.zeros(()), data, signs


def clusters(size: int) -> tuple[Any, ...]:
    """Return parameters of 5 components in 3 dimensions, and `size` points."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(size, 1, 3)) + rng.integers(-3, 4, size=(size, 1, 3))
    return np.zeros(5), rng.normal(size=(5, 3)), np.zeros((5, 3)), points


# Name of a workload, as in the modules of `benchmarks.peers`: how its inputs are made.
INPUTS: Mapping[str, Callable[[int], tuple[Any, ...]]] = {
    "sin_exp": floats,
    "sin_exp_numpy": floats,
    "product": floats,
    "trace": matrices,
    "sum_sin_exp": vectors,
    "chain": start_and_length,
    "mlp": digits,
    "rnn": recurrent,
    "hessian": valley,
    "logistic": labelled,
    "mixture": clusters,
}
