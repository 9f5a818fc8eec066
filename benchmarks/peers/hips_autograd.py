"""HIPS autograd: a tape over its own copy of NumPy's namespace."""

from __future__ import annotations

from functools import partial
from typing import Any

import autograd
import autograd.numpy as anp
import autograd.tracer
import numpy as np
from autograd.scipy.special import logsumexp

from benchmarks import formulas
from benchmarks.inputs import LEARNING_RATE
from benchmarks.peers import Builder, Step


def differentiated(formula: Any) -> Builder:
    def build(x: Any, y: Any) -> Step:
        both = autograd.value_and_grad(partial(formula, anp), argnum=(0, 1))

        def step() -> Any:
            value, (grad_x, grad_y) = both(x, y)
            return value, grad_x, grad_y

        return step

    return build


def chain(x: float, length: int) -> Step:
    both = autograd.value_and_grad(lambda x: formulas.chain(anp, x, length))
    return lambda: both(x)


def mlp(w1: Any, b1: Any, w2: Any, b2: Any, images: Any, labels: Any) -> Step:
    parameters = [p.copy() for p in (w1, b1, w2, b2)]
    rows = np.arange(len(labels))

    def loss(*parameters: Any) -> Any:
        scores = formulas.logits(anp, *parameters, images)
        return formulas.cross_entropy(anp, scores, rows, labels, autograd.tracer.getval)

    both = autograd.value_and_grad(loss, argnum=(0, 1, 2, 3))

    def step() -> Any:
        value, grads = both(*parameters)
        for p, g in zip(parameters, grads, strict=True):
            p -= LEARNING_RATE * g
        return value, *parameters

    return step


def parameters(formula: Any, count: int) -> Builder:
    """Differentiate by the first `count` inputs; the others are data."""

    def build(*inputs: Any) -> Step:
        both = autograd.value_and_grad(formula, argnum=tuple(range(count)))

        def step() -> Any:
            value, grads = both(*inputs)
            return value, *grads

        return step

    return build


def hessian(v: Any) -> Step:
    second = autograd.hessian(partial(formulas.rosenbrock, anp))
    return lambda: (second(v),)


def softplus(x: Any) -> Any:
    return anp.logaddexp(0.0, x)


CONTENDERS = {
    "autograd": {
        "sin_exp": differentiated(formulas.sin_exp),
        "sin_exp_numpy": differentiated(formulas.sin_exp),
        "product": differentiated(formulas.product),
        "trace": differentiated(formulas.trace),
        "sum_sin_exp": differentiated(formulas.sum_sin_exp),
        "chain": chain,
        "mlp": mlp,
        "rnn": parameters(partial(formulas.rnn, anp), 3),
        "hessian": hessian,
        "logistic": parameters(partial(formulas.logistic, softplus, anp), 2),
        "mixture": parameters(partial(formulas.mixture, logsumexp, anp), 3),
    }
}
