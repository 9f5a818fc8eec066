"""This library: variables made by the user, or a function and its gradient."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import autodiff as ad
from autodiff.scipy.special import logsumexp
from benchmarks import formulas
from benchmarks.inputs import LEARNING_RATE
from benchmarks.peers import Builder, Step


def recorded(formula: Any, xp: Any) -> Builder:
    def build(x: Any, y: Any) -> Step:
        def step() -> Any:
            a, b = ad.Variable(x), ad.Variable(y)
            out = formula(xp, a, b)
            out.backward()
            return out.value, a.grad, b.grad

        return step

    return build


def kept(formula: Any, xp: Any) -> Builder:
    """Make the leaves once, as parameters are; each step clears their gradients."""

    def build(x: Any, y: Any) -> Step:
        a, b = ad.Variable(x), ad.Variable(y)

        def step() -> Any:
            a.zero_grad()
            b.zero_grad()
            out = formula(xp, a, b)
            out.backward()
            return out.value, a.grad, b.grad

        return step

    return build


def sum_sin_exp(a: Any, b: Any) -> Step:
    both = ad.value_and_grad(lambda a, b: formulas.sum_sin_exp(np, a, b), argnums=(0, 1))

    def step() -> Any:
        value, (grad_a, grad_b) = both(a, b)
        return value, grad_a, grad_b

    return step


def chain(x: float, length: int) -> Step:
    def step() -> Any:
        a = ad.Variable(x)
        out = formulas.chain(ad, a, length)
        out.backward()
        return out.value, a.grad

    return step


def mlp(w1: Any, b1: Any, w2: Any, b2: Any, images: Any, labels: Any) -> Step:
    parameters = [ad.Variable(p) for p in (w1, b1, w2, b2)]
    rows = np.arange(len(labels))

    def step() -> Any:
        scores = formulas.logits(np, *parameters, images)
        loss = formulas.cross_entropy(np, scores, rows, labels, ad.stop_gradient)
        loss.backward()
        with ad.no_grad():
            for p in parameters:
                p -= LEARNING_RATE * p.grad
                p.zero_grad()
        return loss.value, *[p.value for p in parameters]

    return step


def parameters(formula: Any, count: int) -> Builder:
    """Differentiate by the first `count` inputs; the others are data."""

    def build(*inputs: Any) -> Step:
        both = ad.value_and_grad(formula, argnums=tuple(range(count)))

        def step() -> Any:
            value, grads = both(*inputs)
            return value, *grads

        return step

    return build


def hessian(v: Any) -> Step:
    second = ad.hessian(partial(formulas.rosenbrock, np))
    return lambda: (second(v),)


CONTENDERS = {
    "this": {
        "sin_exp": recorded(formulas.sin_exp, ad),
        "sin_exp_numpy": recorded(formulas.sin_exp, np),
        "product": recorded(formulas.product, ad),
        "trace": kept(formulas.trace, np),
        "sum_sin_exp": sum_sin_exp,
        "chain": chain,
        "mlp": mlp,
        "rnn": parameters(partial(formulas.rnn, np), 3),
        "hessian": hessian,
        "logistic": parameters(partial(formulas.logistic, ad.softplus, np), 2),
        "mixture": parameters(partial(formulas.mixture, logsumexp, np), 3),
    }
}
