"""Calls of the generated code at many points."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from diffrules.entry import Rule
from generator.accuracy.quantities import Quantity
from generator.accuracy.ulp import Array
from generator.methods import gradient_name
from generator.tables import OURS

Point = tuple[float, ...]


def broadcasted(quantity: Quantity, points: Sequence[Point], dtype: Any) -> Array:
    """Return what the broadcasted methods give at `points`, all at once."""
    rule = quantity.rule
    module = importlib.import_module(f"{OURS}.broadcasted.{rule.family}")
    result = np.full(len(points), np.nan, dtype)
    with np.errstate(all="ignore"):
        for chosen, args in columns(rule, points, dtype):
            out = getattr(module, rule.name)(*args)
            if quantity.along:
                (index,) = quantity.along
                method = getattr(module, gradient_name(rule, rule.args[index]))
                out = method(np.ones((), dtype), out, *args)
            result[chosen] = out
    return result


def columns(rule: Rule, points: Sequence[Point], dtype: Any) -> list[tuple[list[int], list[Any]]]:
    """Return the arguments as arrays, with the indices of their points.

    Whole numbers, orders and exponents, are given as one int for all points that have it.
    """
    whole = [i for i, arg in enumerate(rule.args) if rule.domain.is_whole(arg)]
    groups: dict[Point, list[int]] = {}
    for index, point in enumerate(points):
        groups.setdefault(tuple(point[i] for i in whole), []).append(index)
    return [
        (
            chosen,
            [
                int(points[chosen[0]][i])
                if i in whole
                else np.array([points[k][i] for k in chosen], dtype)
                for i in range(len(rule.args))
            ],
        )
        for chosen in groups.values()
    ]
