"""Points where a quantity changes: overflow and underflow thresholds, and its zeros."""

from __future__ import annotations

import itertools
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
# Around a zero ten are enough, beginning with so many steps of the secant method.
LONGER, SECANTS = 0.2, 16
# Powers of two by which numbers at two ends may differ, and by which they rise to a pole.
APART, RISE = 500, 8


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
        if abs(coordinate - shifted(coordinate, 1 if coordinate < 0 else -1, dtype)) > delta / 512:
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
    steps = (sign * step for step in (1, 2, 3, 5, 8, 13, 21, 34, 89, 233) for sign in (-1, 1))
    places = [shifted(point[index], step, dtype) for step in steps]
    near = [
        exact(quantity, (*point[:index], place, *point[index + 1 :]), LONGER) for place in places
    ]
    near = [found for found in near if math.isfinite(found.head) and found.head]
    if not near or len({found.head > 0 for found in near}) == 1:
        return None
    return max(found.exponent for found in near)


def _size_around(
    quantity: Quantity, point: Point, index: int, ends: list[float], dtype: DType
) -> int | None:
    def number(coordinate: float) -> Exact:
        return exact(quantity, (*point[:index], coordinate, *point[index + 1 :]), LONGER)

    low, high = map(number, ends)
    if not low.head * high.head < 0:
        return None
    nearest = closed_in(number, (ends[0], ends[1]), (low, high), dtype)
    if nearest is None:
        return None
    size = max(low.exponent, high.exponent)
    steep = max(found.exponent for found in nearest) > size - 10
    return None if steep else size


def closed_in(
    number: Callable[[float], Exact],
    ends: tuple[float, float],
    found: tuple[Exact, Exact],
    dtype: DType,
) -> tuple[Exact, Exact] | None:
    """Return the numbers at the two neighbouring floats around a zero.

    None if the zero is a float, or if it is a pole.

    By the Illinois method: the secant's, where the number at an end that stays twice is halved; in
    turn with bisection once it takes long.

    Parameters
    ----------
    number : callable
        Of a float; the signs at the ends differ.
    ends : tuple of float
        Where it begins.
    found : tuple of Exact
        The numbers there.
    dtype : dtype
        Whose floats are meant.
    """
    places, sides, weights = [place(end, dtype) for end in ends], list(found), [1.0, 1.0]
    before, largest = -1, max(one.exponent for one in found)
    for tried in itertools.count():
        low, high = sorted(places)
        if high - low <= 1:
            return sides[0], sides[1]
        guess = (low + high) // 2
        if tried < SECANTS or tried % 2:
            shift = max(-APART, min(APART, sides[0].exponent - sides[1].exponent))
            heads = weights[0] * sides[0].head, weights[1] * sides[1].head
            ratio = math.ldexp(heads[0] / heads[1], shift)
            zero = (at(places[0], dtype) - ratio * at(places[1], dtype)) / (1.0 - ratio)
            guess = min(max(place(zero, dtype), low + 1), high - 1)
        new = number(at(guess, dtype))
        if not new.head or not math.isfinite(new.head) or new.exponent > largest + RISE:
            return None
        side = int((new.head > 0) != (sides[0].head > 0))
        places[side], sides[side], weights[side] = guess, new, 1.0
        if side == before:
            weights[1 - side] *= 0.5
        before = side
    return None
