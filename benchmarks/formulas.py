"""The functions that are differentiated, written once.

``xp`` is the namespace of the library: `numpy`, `autodiff`, `torch`, `jax.numpy` ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def sin_exp(xp: Any, x: Any, y: Any) -> Any:
    return xp.sin(x) * xp.exp(y)


def product(xp: Any, x: Any, y: Any) -> Any:
    return (x + y) * (x - y)


def trace(xp: Any, x1: Any, x2: Any) -> Any:
    return xp.trace(x1 @ x2)


def sum_sin_exp(xp: Any, a: Any, b: Any) -> Any:
    return xp.sum(xp.sin(a) * xp.exp(b))


def chain(xp: Any, x: Any, length: int) -> Any:
    for _ in range(length):
        x = x * 0.9999999
    return x


def logits(xp: Any, w1: Any, b1: Any, w2: Any, b2: Any, images: Any) -> Any:
    return xp.tanh(images @ w1 + b1) @ w2 + b2


def cross_entropy(
    xp: Any, scores: Any, rows: Any, labels: Any, constant: Callable[[Any], Any]
) -> Any:
    """Return the mean of ``-log(softmax(scores))[label]``; `rows` counts the samples.

    The shift by the largest score is a `constant` for every library: its derivative cancels.
    """
    shifted = scores - xp.max(constant(scores), axis=1, keepdims=True)
    total = xp.log(xp.sum(xp.exp(shifted), axis=1))
    return xp.mean(total - shifted[rows, labels])


def rnn(xp: Any, w: Any, u: Any, b: Any, start: Any, inputs: Any) -> Any:
    """Return the mean square of the last state of a recurrent network."""
    state = start
    for one in inputs:
        state = xp.tanh(one @ u + state @ w + b)
    return xp.mean(state * state)


def rosenbrock(xp: Any, v: Any) -> Any:
    return xp.sum(100.0 * (v[1:] - v[:-1] ** 2) ** 2 + (1.0 - v[:-1]) ** 2)


def logistic(softplus: Callable[[Any], Any], xp: Any, w: Any, b: Any, data: Any, signs: Any) -> Any:
    """Return the mean loss of logistic regression; `signs` are the labels, 1 or -1."""
    return xp.mean(softplus(-signs * (data @ w + b)))


def mixture(
    logsumexp: Callable[..., Any], xp: Any, scores: Any, means: Any, scales: Any, points: Any
) -> Any:
    """Return the log-likelihood of a mixture of normal distributions, up to a constant.

    Of `k` components in `d` dimensions: `scores` (k,) before softmax, `means` (k, d), and
    logarithms of standard deviations `scales` (k, d); `points` is (n, 1, d).
    """
    distances = (points - means) * xp.exp(-scales)
    logs = scores - xp.sum(scales, axis=1) - 0.5 * xp.sum(distances * distances, axis=2)
    return xp.sum(logsumexp(logs, 1)) - len(points) * logsumexp(scores, 0)
