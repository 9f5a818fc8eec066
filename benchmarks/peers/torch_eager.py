"""PyTorch without its compiler, on one thread."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch

from benchmarks import formulas
from benchmarks.inputs import LEARNING_RATE
from benchmarks.peers import Builder, Step

torch.set_num_threads(1)
softplus = torch.nn.functional.softplus


def leaf(x: Any) -> torch.Tensor:
    """Return a fresh float64 leaf; an array is shared, not copied."""
    if isinstance(x, np.ndarray):
        return torch.from_numpy(x).requires_grad_()
    return torch.tensor(x, dtype=torch.float64, requires_grad=True)


def recorded(formula: Any) -> Builder:
    def build(x: Any, y: Any) -> Step:
        def step() -> Any:
            a, b = leaf(x), leaf(y)
            out = formula(torch, a, b)
            out.backward()
            return out.detach(), a.grad, b.grad

        return step

    return build


def kept(formula: Any) -> Builder:
    """Make the leaves once, as parameters are; each step clears their gradients."""

    def build(x: Any, y: Any) -> Step:
        a, b = leaf(x), leaf(y)

        def step() -> Any:
            a.grad = b.grad = None
            out = formula(torch, a, b)
            out.backward()
            return out.detach(), a.grad, b.grad

        return step

    return build


def chain(x: float, length: int) -> Step:
    def step() -> Any:
        a = leaf(x)
        out = formulas.chain(torch, a, length)
        out.backward()
        return out.detach(), a.grad

    return step


def mlp(w1: Any, b1: Any, w2: Any, b2: Any, images: Any, labels: Any) -> Step:
    parameters = [leaf(p.copy()) for p in (w1, b1, w2, b2)]
    inputs, targets = torch.from_numpy(images), torch.from_numpy(labels)

    def step() -> Any:
        scores = formulas.logits(torch, *parameters, inputs)
        loss = torch.nn.functional.cross_entropy(scores, targets)
        loss.backward()
        with torch.no_grad():
            for p in parameters:
                p.sub_(p.grad, alpha=LEARNING_RATE)
                p.grad = None
        return loss.detach(), *[p.detach() for p in parameters]

    return step


def parameters(formula: Any, count: int) -> Builder:
    """Differentiate by the first `count` inputs; the others are data."""

    def build(*inputs: Any) -> Step:
        leaves = [leaf(x) for x in inputs[:count]]
        data = [torch.from_numpy(x) for x in inputs[count:]]

        def step() -> Any:
            for x in leaves:
                x.grad = None
            out = formula(*leaves, *data)
            out.backward()
            return out.detach(), *[x.grad for x in leaves]

        return step

    return build


def hessian(v: Any) -> Step:
    given = torch.from_numpy(v)
    formula = partial(formulas.rosenbrock, torch)
    return lambda: (torch.autograd.functional.hessian(formula, given),)


CONTENDERS = {
    "torch": {
        "sin_exp": recorded(formulas.sin_exp),
        "sin_exp_numpy": recorded(formulas.sin_exp),
        "product": recorded(formulas.product),
        "trace": kept(formulas.trace),
        "sum_sin_exp": recorded(formulas.sum_sin_exp),
        "chain": chain,
        "mlp": mlp,
        "rnn": parameters(partial(formulas.rnn, torch), 3),
        "hessian": hessian,
        "logistic": parameters(partial(formulas.logistic, softplus, torch), 2),
        "mixture": parameters(partial(formulas.mixture, torch.logsumexp, torch), 3),
    }
}
