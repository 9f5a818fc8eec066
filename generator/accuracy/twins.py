"""Calls of the generated code at many points."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from diffrules.entry import Rule
from generator.accuracy.kernels import Kernels
from generator.accuracy.quantities import Quantity
from generator.accuracy.reference import Point
from generator.accuracy.ulp import FORMATS, SLACK, Array, Numbers
from generator.accuracy.warned import warned
from generator.methods import gradient_name
from generator.tables import OURS

# What a scalar method raises where math refuses; the engine then asks the broadcasted one.
REFUSED = (ValueError, ArithmeticError)


class Twins:
    """The generated functions of one package.

    Parameters
    ----------
    package : str
        Its dotted name.
    kernels : Kernels or None
        Its compiled functions; None: there is no C.
    """

    def __init__(self, package: str = OURS, kernels: Kernels | None = None) -> None:
        self._package, self._kernels = package, kernels

    def broadcasted(self, quantity: Quantity, points: Sequence[Point], dtype: Any) -> Array:
        """Return what the broadcasted methods give at `points`, all at once."""
        rule = quantity.rule
        module = self._module("broadcasted", rule)
        forward = getattr(module, rule.name)
        function = forward
        if len(quantity.along) == 1:
            method = getattr(module, gradient_name(rule, rule.args[quantity.along[0]]))

            def function(*args: Any) -> Any:
                # The value has warnings of its own.
                with np.errstate(all="ignore"):
                    out = forward(*args)
                return method(np.ones((), dtype), out, *args)

        if len(quantity.along) > 1:
            function = _differentiated(forward, quantity.along)
        result = np.full(len(points), np.nan, dtype)
        for chosen, args in columns(rule, points, dtype):
            result[chosen] = function(*args)
        return result

    def scalar(self, quantity: Quantity, points: Sequence[Point]) -> tuple[Array, Array] | None:
        """Return what the scalar methods give, and where they raise and the arrays answer.

        None if there is no scalar method.
        """
        rule = quantity.rule
        module = self._module("scalar", rule)
        forward = getattr(module, rule.name, None)
        function = forward
        if quantity.along:
            function = getattr(module, gradient_name(rule, rule.args[quantity.along[0]]), None)
        if function is None:
            return None
        whole = [rule.domain.is_whole(arg) for arg in rule.args]
        result, raised = np.full(len(points), np.nan), np.zeros(len(points), bool)
        for index, point in enumerate(points):
            args = [int(n) if is_whole else n for n, is_whole in zip(point, whole, strict=True)]
            before = (1.0, self._out(forward, rule, args)) if quantity.along else ()
            try:
                result[index] = function(*before, *args)
            except REFUSED:
                raised[index] = True
        if raised.any():
            again = [point for point, failed in zip(points, raised, strict=True) if failed]
            with np.errstate(all="ignore"):
                result[raised] = self.broadcasted(quantity, again, np.float64)
        return result, raised

    def _out(self, forward: Callable[..., Any] | None, rule: Rule, args: list[Any]) -> float:
        """Return the value of a function at floats, as the engine gets it."""
        if forward is not None:
            try:
                return float(forward(*args))
            except REFUSED:
                pass
        array = getattr(self._module("broadcasted", rule), rule.name)
        return float(array(*(n if isinstance(n, int) else np.float64(n) for n in args)))

    def compiled(self, quantity: Quantity, points: Sequence[Point], dtype: Any) -> Array | None:
        """Return what the compiled functions give; None if C lacks this one."""
        kernels, rule = self._kernels, quantity.rule
        if kernels is None:
            return None
        suffix = "" if np.dtype(dtype) == np.float64 else "f"
        args = [np.array(column, dtype) for column in zip(*points, strict=True)]
        value = f"ad_{rule.name}{suffix}"
        if not quantity.along:
            return kernels(value, *args) if value in kernels else None
        name = f"ad_{gradient_name(rule, rule.args[quantity.along[0]])}{suffix}"
        if name not in kernels:
            return None
        if value in kernels:
            out = kernels(value, *args)
        else:
            out = self.broadcasted(Quantity(quantity.key), points, dtype)
        return kernels(name, 1.0, out, *args)

    def warnings(
        self, quantity: Quantity, points: Sequence[Point], dtype: Any, exact: Numbers
    ) -> int:
        """Return at how many points the broadcasted methods warn.

        An overflow is none where the exact number, of which there is one for each point, is out
        of range, or not known.
        """
        beyond = ~(exact.beyond(FORMATS[np.dtype(dtype)])[: len(points)] <= -SLACK)

        def call(part: Array) -> None:
            self.broadcasted(quantity, [points[k] for k in part], dtype)

        return int(warned(call, len(points), beyond).sum())

    def _module(self, backend: str, rule: Rule) -> Any:
        return importlib.import_module(f"{self._package}.{backend}.{rule.family}")


def _differentiated(function: Callable[..., Any], along: Sequence[int]) -> Callable[..., Any]:
    """Return a higher derivative as users get it, the generated gradient differentiated again."""
    # The engine is what is measured here, and the generator works without it.
    elementwise_grad = importlib.import_module("autodiff").elementwise_grad
    for index in along:
        function = elementwise_grad(function, index)
    return function


def columns(
    rule: Rule, points: Sequence[Point], dtype: Any
) -> Iterator[tuple[list[int], list[Any]]]:
    """Yield the arguments as arrays, with the indices of their points.

    Whole numbers, orders and exponents, are given as one int for all points that have it.
    """
    whole = [i for i, arg in enumerate(rule.args) if rule.domain.is_whole(arg)]
    groups: dict[Point, list[int]] = {}
    for index, point in enumerate(points):
        groups.setdefault(tuple(point[i] for i in whole), []).append(index)
    for chosen in groups.values():
        yield (
            chosen,
            [
                int(points[chosen[0]][i])
                if i in whole
                else np.array([points[k][i] for k in chosen], dtype)
                for i in range(len(rule.args))
            ],
        )
