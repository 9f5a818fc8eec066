"""Moderate arguments inside the domain of an entry, as arrays."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import sympy

from diffrules.domains import Interval
from diffrules.entry import Rule

# A longer interval is cut to its part between -REACH and REACH, or to so much at its finite end.
REACH = 8.0
# An order, a whole number, is the same for all points: this, or the nearest of the domain; where
# a condition has to be met, one that meets it.
ORDER = 2
SEED = 0
# A condition on the arguments is met by at least one point of so many.
TRIES = 100


def arguments(rule: Rule, size: int) -> list[Any]:
    """Return the arguments of `rule` at `size` points: arrays, and one int for an order.

    Each box of the domain holds about as many points, uniform in it.
    """
    rng = np.random.default_rng(SEED)
    found = np.empty((0, len(rule.args)))
    for _ in range(TRIES):
        if len(found) >= size:
            break
        found = np.concatenate([found, _points(rule, size, rng)])
    if len(found) < size:
        raise ValueError(f"{rule.title}: few points meet {rule.domain}; give boxes instead")
    return [
        int(column[0]) if rule.domain.is_whole(arg) else column.copy()
        for arg, column in zip(rule.args, found[:size].T, strict=True)
    ]


def _points(rule: Rule, size: int, rng: np.random.Generator) -> Any:
    """Return up to `size` points of the domain, one a row."""
    boxes, condition = rule.domain.boxes, rule.domain.condition
    chosen = rng.integers(len(boxes), size=size)
    columns = []
    for arg in rule.args:
        low, high = np.array([_moderate(box[arg]) for box in boxes])[chosen].T
        columns.append(rng.uniform(low, high))
    if condition is None:
        return np.stack(columns, axis=1)
    meets = rule.domain.sample(random.Random(SEED), REACH)
    for position, arg in enumerate(rule.args):
        if rule.domain.is_whole(arg):
            columns[position] = np.full(size, meets[position])
    points = np.stack(columns, axis=1)
    return points[sympy.lambdify(rule.args, condition, "numpy")(*columns)]


def _moderate(interval: Interval) -> tuple[float, float]:
    """Return the ends of the part of an interval that points are taken from."""
    low, high = interval.ends
    if interval.whole:
        order = min(max(ORDER, low), high)
        return order, order
    if max(low, -REACH) < min(high, REACH):
        return max(low, -REACH), min(high, REACH)
    return (low, min(high, low + REACH)) if low >= REACH else (max(low, high - REACH), high)
