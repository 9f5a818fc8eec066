"""Derivatives worked out on paper and written with `math` or NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.inputs import LEARNING_RATE
from benchmarks.peers import Step


def sin_exp(x: float, y: float) -> Step:
    def step() -> Any:
        sine, power = math.sin(x), math.exp(y)
        out = sine * power
        return out, math.cos(x) * power, out

    return step


def product(x: float, y: float) -> Step:
    def step() -> Any:
        total, difference = x + y, x - y
        return total * difference, difference + total, difference - total

    return step


def trace(x1: Any, x2: Any) -> Step:
    def step() -> Any:
        out = np.trace(x1 @ x2)
        eye = np.eye(len(x1))
        return out, eye @ x2.T, x1.T @ eye

    return step


def sum_sin_exp(a: Any, b: Any) -> Step:
    def step() -> Any:
        sine, power = np.sin(a), np.exp(b)
        terms = sine * power
        return np.sum(terms), np.cos(a) * power, terms

    return step


def mlp(w1: Any, b1: Any, w2: Any, b2: Any, images: Any, labels: Any) -> Step:
    w1, b1, w2, b2 = (p.copy() for p in (w1, b1, w2, b2))
    rows = np.arange(len(labels))

    def step() -> Any:
        hidden = np.tanh(images @ w1 + b1)
        scores = hidden @ w2 + b2
        scores -= scores.max(axis=1, keepdims=True)
        probabilities = np.exp(scores)
        totals = probabilities.sum(axis=1, keepdims=True)
        loss = np.mean(np.log(totals[:, 0]) - scores[rows, labels])
        probabilities /= totals
        probabilities[rows, labels] -= 1
        probabilities /= len(labels)
        back = (probabilities @ w2.T) * (1 - hidden * hidden)
        for parameter, gradient in (
            (w1, images.T @ back),
            (b1, back.sum(axis=0)),
            (w2, hidden.T @ probabilities),
            (b2, probabilities.sum(axis=0)),
        ):
            parameter -= LEARNING_RATE * gradient
        return loss, w1, b1, w2, b2

    return step


CONTENDERS = {
    "by hand": {
        "sin_exp": sin_exp,
        "sin_exp_numpy": sin_exp,
        "product": product,
        "trace": trace,
        "sum_sin_exp": sum_sin_exp,
        "mlp": mlp,
    }
}
