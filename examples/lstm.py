"""Teach an LSTM to add the two marked numbers of a sequence.

    python examples/lstm.py

Each step of a sequence shows a number and whether it is marked; the network gives one answer at
the end, so it has to remember (Hochreiter and Schmidhuber 1997). The parameters are a named
tuple, the loop over time is a Python loop, and Adam works on the one vector that `flatten` makes
of it all. It learns from sequences of 6 to 14 steps, and is tested on 20 as well.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

import autodiff as ad

UNITS = 12
GUESSING = 1 / 6
"""The mean squared error of always answering 1, the mean of the sum of two numbers."""


class Parameters(NamedTuple):
    """What is learned; the four gates stand side by side in the first three."""

    from_input: Any
    from_state: Any
    bias: Any
    to_answer: Any
    answer_bias: Any


def initial_parameters(rng: np.random.Generator) -> Parameters:
    """Return small random weights, with forget gates that are open."""
    return Parameters(
        from_input=rng.normal(size=(2, 4 * UNITS)) / 2,
        from_state=rng.normal(size=(UNITS, 4 * UNITS)) / np.sqrt(UNITS),
        bias=np.repeat([0.0, 1.0, 0.0, 0.0], UNITS),
        to_answer=rng.normal(size=UNITS) / np.sqrt(UNITS),
        answer_bias=0.0,
    )


def sequences(
    rng: np.random.Generator, length: int, count: int = 64
) -> tuple[np.ndarray, np.ndarray]:
    """Return sequences, shape (length, count, 2), and the sums of their marked numbers.

    One number of each half is marked.
    """
    numbers, marks = rng.random((length, count)), np.zeros((length, count))
    for start in (0, length // 2):
        marks[start + rng.integers(length // 2, size=count), np.arange(count)] = 1
    return np.stack([numbers, marks], axis=-1), np.sum(numbers * marks, axis=0)


def answers(p: Parameters, steps: np.ndarray) -> Any:
    """Return one number for each sequence."""
    state = memory = np.zeros((steps.shape[1], UNITS))
    for x in steps:
        gates = x @ p.from_input + state @ p.from_state + p.bias
        write, keep, show, new = np.split(gates, 4, axis=1)
        memory = expit(keep) * memory + expit(write) * np.tanh(new)
        state = expit(show) * np.tanh(memory)
    return state @ p.to_answer + p.answer_bias


def error(p: Parameters, steps: np.ndarray, sums: np.ndarray) -> Any:
    """Return the mean squared error of the answers."""
    return np.mean((answers(p, steps) - sums) ** 2)


def train(count: int, rng: np.random.Generator) -> tuple[Parameters, list[float]]:
    """Return the parameters after steps of Adam on fresh sequences, and the error of each."""
    vector, unflatten = ad.flatten(initial_parameters(rng))
    error_and_gradient = ad.value_and_grad(lambda v, *data: error(unflatten(v), *data))
    mean, square, errors = np.zeros_like(vector), np.zeros_like(vector), []
    for step in range(1, count + 1):
        data = sequences(rng, 2 * int(rng.integers(3, 8)))
        value, gradient = error_and_gradient(vector, *data)
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient**2 - square)
        unbiased, spread = mean / (1 - 0.9**step), np.sqrt(square / (1 - 0.999**step))
        vector = vector - 0.01 * unbiased / (spread + 1e-8)
        errors.append(float(value))
    return unflatten(vector), errors


def draw(p: Parameters, errors: list[float], path: Path) -> None:
    """Save the errors of training beside answers for longer sequences."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    left.semilogy(errors, color="tab:blue", linewidth=0.8)
    left.axhline(GUESSING, color="0.6", linestyle=":", label="guessing")
    left.set(xlabel="step", ylabel="mean squared error", title="Training, lengths 6 to 14")
    left.legend(frameon=False)
    steps, sums = sequences(np.random.default_rng(2), 20, 200)
    right.plot([0, 2], [0, 2], color="0.8")
    right.plot(sums, answers(p, steps), ".", color="tab:blue")
    right.set(xlabel="sum", ylabel="answer", title="Test, length 20")
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Train, test on longer sequences, draw, and return 0 if the network adds."""
    parser = argparse.ArgumentParser(description="Teach an LSTM to add two marked numbers.")
    parser.add_argument("--out", type=Path, default=Path("lstm.png"))
    parser.add_argument("--steps", type=int, default=500, help="of training")
    options = parser.parse_args(arguments)

    p, errors = train(options.steps, np.random.default_rng(0))
    print(f"guessing  {GUESSING:.4f}")
    for length in (10, 20):
        left = float(error(p, *sequences(np.random.default_rng(1), length, 1000)))
        print(f"length {length} {left:.4f}")
    draw(p, errors, options.out)
    print(f"picture   {options.out}")
    return 0 if left < GUESSING / 10 else 1


if __name__ == "__main__":
    sys.exit(main())
