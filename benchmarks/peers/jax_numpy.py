"""JAX in float64, operation by operation and compiled by its jit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp

from benchmarks import formulas
from benchmarks.inputs import LEARNING_RATE
from benchmarks.peers import Builder, Step

jax.config.update("jax_enable_x64", True)

Transform = Callable[[Any], Any]


def differentiated(formula: Any, transform: Transform) -> Builder:
    def build(x: Any, y: Any) -> Step:
        both = transform(jax.value_and_grad(partial(formula, jnp), argnums=(0, 1)))

        def step() -> Any:
            value, (grad_x, grad_y) = jax.block_until_ready(both(x, y))
            return value, grad_x, grad_y

        return step

    return build


def mlp(transform: Transform) -> Builder:
    def build(w1: Any, b1: Any, w2: Any, b2: Any, images: Any, labels: Any) -> Step:
        rows = np.arange(len(labels))
        images, labels = jnp.asarray(images), jnp.asarray(labels)

        def loss(parameters: Any) -> Any:
            scores = formulas.logits(jnp, *parameters, images)
            return formulas.cross_entropy(jnp, scores, rows, labels, jax.lax.stop_gradient)

        def update(parameters: Any) -> Any:
            value, grads = jax.value_and_grad(loss)(parameters)
            return value, [p - LEARNING_RATE * g for p, g in zip(parameters, grads, strict=True)]

        train = transform(update)
        parameters = [jnp.asarray(p) for p in (w1, b1, w2, b2)]

        def step() -> Any:
            nonlocal parameters
            value, parameters = jax.block_until_ready(train(parameters))
            return value, *parameters

        return step

    return build


def parameters(formula: Any, count: int, transform: Transform) -> Builder:
    """Differentiate by the first `count` inputs; the others are data."""

    def build(*inputs: Any) -> Step:
        both = transform(jax.value_and_grad(formula, argnums=tuple(range(count))))
        inputs = tuple(map(jnp.asarray, inputs))

        def step() -> Any:
            value, grads = jax.block_until_ready(both(*inputs))
            return value, *grads

        return step

    return build


def hessian(transform: Transform) -> Builder:
    def build(v: Any) -> Step:
        second = transform(jax.hessian(partial(formulas.rosenbrock, jnp)))
        return lambda: (jax.block_until_ready(second(v)),)

    return build


def workloads(transform: Transform) -> dict[str, Builder]:
    return {
        "sin_exp": differentiated(formulas.sin_exp, transform),
        "sin_exp_numpy": differentiated(formulas.sin_exp, transform),
        "product": differentiated(formulas.product, transform),
        "trace": differentiated(formulas.trace, transform),
        "sum_sin_exp": differentiated(formulas.sum_sin_exp, transform),
        "mlp": mlp(transform),
        "rnn": parameters(partial(formulas.rnn, jnp), 3, transform),
        "hessian": hessian(transform),
        "logistic": parameters(partial(formulas.logistic, jax.nn.softplus, jnp), 2, transform),
        "mixture": parameters(partial(formulas.mixture, logsumexp, jnp), 3, transform),
    }


CONTENDERS = {"jax": workloads(lambda function: function), "jax.jit": workloads(jax.jit)}
