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


def rnn(w: Any, u: Any, b: Any, start: Any, inputs: Any) -> Step:
    def step() -> Any:
        states = [start]
        for one in inputs:
            states.append(np.tanh(one @ u + states[-1] @ w + b))
        last = states[-1]
        of_w, of_u, of_b = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b)
        back = 2.0 * last / last.size
        for i in range(len(inputs) - 1, -1, -1):
            back = back * (1.0 - states[i + 1] ** 2)
            of_w += states[i].T @ back
            of_u += inputs[i].T @ back
            of_b += back.sum(axis=0)
            back = back @ w.T
        return np.mean(last * last), of_w, of_u, of_b

    return step


def hessian(v: Any) -> Step:
    def step() -> Any:
        diagonal = np.zeros_like(v)
        diagonal[:-1] = 1200.0 * v[:-1] ** 2 - 400.0 * v[1:] + 2.0
        diagonal[1:] += 200.0
        beside = -400.0 * v[:-1]
        return (np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1),)

    return step


def logistic(w: Any, b: Any, data: Any, signs: Any) -> Step:
    def step() -> Any:
        margins = -signs * (data @ w + b)
        slopes = -signs / (1.0 + np.exp(-margins)) / len(data)
        return np.mean(np.logaddexp(0.0, margins)), slopes @ data, np.sum(slopes)

    return step


CONTENDERS = {
    "by hand": {
        "sin_exp": sin_exp,
        "sin_exp_numpy": sin_exp,
        "product": product,
        "trace": trace,
        "sum_sin_exp": sum_sin_exp,
        "mlp": mlp,
        "rnn": rnn,
        "hessian": hessian,
        "logistic": logistic,
    }
}
