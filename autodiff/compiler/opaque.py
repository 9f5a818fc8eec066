"""Functions that cannot be followed: calls of Python, whose derivatives are calls as well.

A function of NumPy whose rule asks for numbers (`np.median`, `np.linalg.cond`) runs on plain
arrays in the middle of a program; its derivatives are taken by the tape there.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import Box, apply
from autodiff.compiler.operations import Hole, filled
from autodiff.holding import HOLDERS
from autodiff.primitives import Several
from autodiff.products import jvp, vjp
from autodiff.registry import function_name
from autodiff.values import full, shape_of


class Opaque(Several):
    """The rule of a function of leaves, which gives a tuple and is only ever called.

    Parameters
    ----------
    function : callable
        Takes numbers and arrays, plain or tracked.
    name : str
    """

    def __init__(self, function: Callable[..., tuple[Any, ...]], name: str) -> None:
        super().__init__(name, function)

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangents, by another function that is only called."""
        wanted = [i for i, source in enumerate(node.inputs) if source is not None]
        grads = [
            full(0.0 if part is None else part, shape_of(one))
            for part, one in zip(grad.items, out, strict=True)
        ]
        count, function = len(grads), self.forward

        def backward(*given: Any) -> tuple[Any, ...]:
            leaves = given[count:]
            pulled = vjp(_of_some(function, wanted, leaves), *(leaves[i] for i in wanted))[1]
            return tuple(map(np.asarray, pulled(given[:count])))

        found = iter(apply(Opaque(_quiet(backward), f"vjp of {self.name}"), (*grads, *args), {}))
        return [None if source is None else next(found) for source in node.inputs]

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the changes of the outputs, by another function that is only called."""
        wanted = [i for i, tangent in enumerate(tangents) if tangent is not None]
        given = [full(tangents[i], shape_of(args[i])) for i in wanted]
        count, function = len(given), self.forward

        def forward(*leaves: Any) -> tuple[Any, ...]:
            changes, values = leaves[:count], leaves[count:]
            primals = tuple(values[i] for i in wanted)
            return tuple(
                map(np.asarray, jvp(_of_some(function, wanted, values), primals, changes)[1])
            )

        return apply(Opaque(_quiet(forward), f"jvp of {self.name}"), (*given, *args), {})


def _of_some(function: Any, wanted: Sequence[int], leaves: Sequence[Any]) -> Any:
    """Return `function` as one of some of its leaves."""

    def some(*chosen: Any) -> Any:
        whole = list(leaves)
        for at, value in zip(wanted, chosen, strict=True):
            whole[at] = value
        return tuple(function(*whole))

    return some


def _quiet(function: Any) -> Any:
    """Return `function` without the warnings of a run that nobody looks at."""

    def quiet(*args: Any) -> Any:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return function(*args)

    return quiet


def called(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Return what a NumPy function gives of traced values, as one call."""
    operands: list[Any] = []

    def hole(given: Any) -> Any:
        if isinstance(given, Box) or type(given) in HOLDERS:
            operands.append(given)
            return Hole(len(operands) - 1)
        if isinstance(given, dict):
            return {key: hole(item) for key, item in given.items()}
        if type(given) in (list, tuple):
            return type(given)(map(hole, given))
        return given

    template, keywords = hole(tuple(args)), hole(dict(kwargs))
    form: list[Any] = []

    def whole(*leaves: Any) -> tuple[Any, ...]:
        out = function(*filled(template, leaves), **filled(keywords, leaves))
        form[:] = [type(out)]
        return tuple(out) if isinstance(out, (tuple, list)) else (out,)

    found = apply(Opaque(whole, function_name(function)), operands, {})
    kind = form[0]
    if kind in (tuple, list):
        return kind(found)
    return kind(*found) if hasattr(kind, "_fields") else found[0]
