"""Steps along gradients: plain with momentum, RMSprop, Adam.

Each takes ``grad(x, i)``, the gradient at `x` in iteration `i`, and a container of parameters
`x0` that it leaves as it is; ``callback(x, i, g)`` is called before each step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.containers import flatten

__all__ = ["adam", "rmsprop", "sgd"]

Gradient = Callable[[Any, int], Any]
Callback = Callable[[Any, int, Any], Any]


def sgd(
    grad: Gradient,
    x0: Any,
    callback: Callback | None = None,
    num_iters: int = 200,
    step_size: float = 0.1,
    mass: float = 0.9,
) -> Any:
    """Return the parameters after gradient steps with momentum `mass`."""
    velocity: Any = 0.0

    def step(gradient: Any, i: int) -> Any:
        nonlocal velocity
        velocity = mass * velocity - (1.0 - mass) * gradient
        return step_size * velocity

    return _minimized(grad, x0, callback, num_iters, step)


def rmsprop(
    grad: Gradient,
    x0: Any,
    callback: Callback | None = None,
    num_iters: int = 100,
    step_size: float = 0.1,
    gamma: float = 0.9,
    eps: float = 1e-8,
) -> Any:
    """Return the parameters after steps divided by the root of the mean squared gradient."""
    mean_square: Any = 1.0

    def step(gradient: Any, i: int) -> Any:
        nonlocal mean_square
        mean_square = gamma * mean_square + (1.0 - gamma) * gradient**2
        return -step_size * gradient / (np.sqrt(mean_square) + eps)

    return _minimized(grad, x0, callback, num_iters, step)


def adam(
    grad: Gradient,
    x0: Any,
    callback: Callback | None = None,
    num_iters: int = 100,
    step_size: float = 0.001,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
) -> Any:
    """Return the parameters after Adam's steps (Kingma and Ba, 2015, algorithm 1)."""
    mean: Any = 0.0
    mean_square: Any = 0.0

    def step(gradient: Any, i: int) -> Any:
        nonlocal mean, mean_square
        mean = b1 * mean + (1.0 - b1) * gradient
        mean_square = b2 * mean_square + (1.0 - b2) * gradient**2
        # Without the start at zero.
        first, second = mean / (1.0 - b1 ** (i + 1)), mean_square / (1.0 - b2 ** (i + 1))
        return -step_size * first / (np.sqrt(second) + eps)

    return _minimized(grad, x0, callback, num_iters, step)


def _minimized(
    grad: Gradient,
    x0: Any,
    callback: Callback | None,
    num_iters: int,
    step: Callable[[Any, int], Any],
) -> Any:
    """Return the parameters after `num_iters` steps from `x0`."""
    x, unflatten = flatten(x0)
    for i in range(num_iters):
        gradient = grad(unflatten(x), i)
        if callback is not None:
            callback(unflatten(x), i, gradient)
        x = x + step(flatten(gradient)[0], i)
    return unflatten(x)
