"""Points where a quantity changes: overflow and underflow thresholds, and its zeros."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from generator.accuracy.floats import DType, approaching, around, at, place, shifted
from generator.accuracy.quantities import Quantity
from generator.accuracy.reference import Exact, Point, exact
from generator.accuracy.ulp import FORMATS

Kind: TypeAlias = tuple[str, int]
# What a number is to a format; unknown numbers have no kind.
ZERO, SMALL, NORMAL, INFINITE = "zero", "subnormal", "normal", "infinite"

# A search needs some sixty numbers; it is given up at one that takes longer.
SECONDS = 0.05


def kind(number: Exact, dtype: DType) -> Kind | None:
    """Return what a number is in a format, and its sign; None if it is unknown."""
    form = FORMATS[dtype]
    if math.isnan(number.head):
        return None
    sign = int(np.sign(number.head))
    if number.head == 0 or number.exponent < form.lowest - form.bits:
        return ZERO, 0
    if math.isinf(number.head) or number.exponent > form.highest:
        return INFINITE, sign
    return (NORMAL if number.exponent >= form.lowest else SMALL), sign


def change(quantity: Quantity, point: Point, index: int, other: float, dtype: DType) -> list[float]:
    """Return coordinates where a quantity changes its kind or sign between two floats.

    Parameters
    ----------
    quantity : Quantity
        What to look at.
    point : tuple of float
        One end.
    index : int
        The coordinate that changes.
    other : float
        Its value at the other end.
    """

    def found(coordinate: float) -> Kind | None:
        moved = (*point[:index], coordinate, *point[index + 1 :])
        return kind(exact(quantity, moved, SECONDS), dtype)

    low, high = bisected(found, point[index], other, dtype)
    if low is None or high is None:
        return []
    first, second = found(low), found(high)
    zero = first is not None and second is not None and first[1] * second[1] <= 0
    places = around(low, dtype, 4)
    return [*places, *approaching(low, dtype)[::3]] if zero else places


def bisected(
    kind_at: Callable[[float], Kind | None], low: float, high: float, dtype: DType
) -> tuple[float | None, float | None]:
    """Return two neighbouring floats between which the kind changes from that of `low`."""
    start = kind_at(low)
    below, above = place(low, dtype), place(high, dtype)
    while abs(above - below) > 1:
        middle = (below + above) // 2
        found = kind_at(at(middle, dtype))
        if found is None:
            return None, None
        if found == start:
            below = middle
        else:
            above = middle
    return at(below, dtype), at(above, dtype)


def scale_at_zero(quantity: Quantity, point: Point, dtype: DType) -> int | None:
    """Return the exponent of the size of a quantity around an irrational zero next to a point.

    None if no zero is near, if it is a float, or if the sign changes at a pole or a step.
    """
    sizes = []
    for index, coordinate in enumerate(point):
        if quantity.rule.domain.is_whole(quantity.rule.args[index]) or not coordinate:
            continue
        delta = min(abs(coordinate) / 16, 0.25)
        if abs(coordinate - shifted(coordinate, 1 if coordinate < 0 else -1, dtype)) > delta / 8:
            size = _size_among_floats(quantity, point, index, dtype)
            sizes += [] if size is None else [size]
            continue
        ends = [float(dtype.type(coordinate + sign * delta)) for sign in (-1, 1)]
        size = _size_around(quantity, point, index, ends, dtype)
        sizes += [] if size is None else [size]
    return max(sizes, default=None)


def _size_among_floats(quantity: Quantity, point: Point, index: int, dtype: DType) -> int | None:
    """Return the exponent of the largest of neighbours, if their signs differ.

    Where floats are further apart than zeros, as those of sines far out, no float is a zero.
    """
    # At irregular distances: those of neighbours may be nearly whole periods.
    steps = (sign * step for step in (1, 2, 3, 5, 8, 13, 21, 34) for sign in (-1, 1))
    places = [shifted(point[index], step, dtype) for step in steps]
    near = [
        exact(quantity, (*point[:index], place, *point[index + 1 :]), SECONDS) for place in places
    ]
    near = [found for found in near if math.isfinite(found.head) and found.head]
    if not near or len({found.head > 0 for found in near}) == 1:
        return None
    return max(found.exponent for found in near)


def _size_around(
    quantity: Quantity, point: Point, index: int, ends: list[float], dtype: DType
) -> int | None:
    def number(coordinate: float) -> Exact:
        return exact(quantity, (*point[:index], coordinate, *point[index + 1 :]), SECONDS)

    def sign(coordinate: float) -> Kind | None:
        found = number(coordinate)
        return None if math.isnan(found.head) else ("", int(np.sign(found.head)))

    low, high = map(number, ends)
    if not low.head * high.head < 0:
        return None
    below, above = bisected(sign, ends[0], ends[1], dtype)
    if below is None or above is None:
        return None
    nearest = [number(below), number(above)]
    if any(found.head == 0 for found in nearest):
        return None
    size = max(low.exponent, high.exponent)
    steep = max(found.exponent for found in nearest) > size - 10
    return None if steep else size
