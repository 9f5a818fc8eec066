"""What is timed of an entry: steps of this library, of torch and of autograd.

A step is a function without arguments. ``value`` computes the function on plain arrays, ``both``
the sum of its values and that sum's gradients with respect to all arguments that have a
derivative, and ``gradient``, of this library only, calls the generated gradient methods.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

import autodiff as ad
from benchmarks.peers import Step
from diffrules.entry import Rule, not_differentiable
from generator.accuracy import peers
from generator.methods import gradient_name
from generator.tables import OURS

PEERS = ("torch", "autograd")
# More is a different function, or another convention.
TOLERANCE = 1e-6
DIFFERS = "differs"


def ours(rule: Rule, args: Sequence[Any]) -> dict[str, Step]:
    """Return the steps of this library."""
    methods = importlib.import_module(f"{OURS}.broadcasted.{rule.family}")
    function = getattr(ad, rule.name)
    forward, chosen = getattr(methods, rule.name), active(rule)
    steps: dict[str, Step] = {"value": partial(forward, *args)}
    if chosen:
        gradients = [getattr(methods, gradient_name(rule, rule.args[i])) for i in chosen]
        out = forward(*args)
        cotangent = np.ones_like(out)
        steps["gradient"] = lambda: [method(cotangent, out, *args) for method in gradients]
        steps["both"] = partial(ad.value_and_grad(summed(np, function), argnums=chosen), *args)
    return steps


def active(rule: Rule) -> tuple[int, ...]:
    """Return the positions of the arguments that have a derivative which is not 0 everywhere."""
    return tuple(
        i
        for i, arg in enumerate(rule.args)
        if not isinstance(found := rule.partials[arg], not_differentiable) and found != 0
    )


def summed(xp: Any, function: Any) -> Any:
    return lambda *args: xp.sum(function(*args))


def torch(rule: Rule, args: Sequence[Any]) -> dict[str, Step]:
    """Return the steps of PyTorch: plain tensors, and leaves that are kept."""
    function = peers.function("torch", rule)
    if function is None:
        return {}
    library = importlib.import_module("torch")
    library.set_num_threads(1)
    given = [library.from_numpy(x) if isinstance(x, np.ndarray) else x for x in args]
    leaves = [x.detach().requires_grad_() if i in active(rule) else x for i, x in enumerate(given)]
    chosen = [leaves[i] for i in active(rule)]

    def both() -> Any:
        for leaf in chosen:
            leaf.grad = None
        total = function(*leaves).sum()
        total.backward()
        return total.detach(), [leaf.grad for leaf in chosen]

    return {"value": lambda: function(*given), "both": both}


def autograd(rule: Rule, args: Sequence[Any]) -> dict[str, Step]:
    """Return the steps of HIPS autograd."""
    function = peers.function("autograd", rule)
    if function is None:
        return {}
    library = importlib.import_module("autograd")
    total = summed(importlib.import_module("autograd.numpy"), function)
    return {
        "value": lambda: function(*args),
        "both": partial(library.value_and_grad(total, argnum=active(rule)), *args),
    }


def compared(own: Mapping[str, Step], other: Mapping[str, Step]) -> dict[str, Step | str]:
    """Return the steps that can be timed, and a word where an answer is another one.

    What the library cannot do at all is left out.
    """
    found: dict[str, Step | str] = {}
    for name in own.keys() & other.keys():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = other[name]()
        except Exception:  # where they lack a derivative, libraries raise whatever comes
            continue
        found[name] = other[name] if _agree(answer, own[name]()) else DIFFERS
    return found


def _agree(answer: Any, wanted: Any) -> bool:
    """Return whether most numbers are the same; some are less precise."""
    if isinstance(wanted, (tuple, list)):
        return len(answer) == len(wanted) and all(map(_agree, answer, wanted))
    answer, wanted = np.asarray(answer), np.asarray(wanted)
    if answer.shape != wanted.shape:
        return False
    close = np.isclose(answer, wanted, rtol=TOLERANCE, atol=TOLERANCE * np.abs(wanted).max())
    return bool(close.mean() > 0.99)
