"""Where an entry is measured: the same points in every run."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from diffrules import oracle
from diffrules.domains import Domain, Interval
from diffrules.entry import Rule, as_float

REGULAR = 2000
NICE = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0, 20.0, 100.0)
Point = tuple[float, ...]


def regular_points(rule: Rule, dtype: Any = np.float64, count: int = REGULAR) -> list[Point]:
    """Return points inside the domain of `rule`, exact in `dtype`.

    Half of them are of moderate size. The others go through the whole range of the floats, lie at
    the edges of the domain down to the last float, and where several arguments are nearly equal,
    or opposite.
    """
    rng = random.Random(f"{rule.name} {len(rule.args)}")
    inside = _membership(rule.domain)
    found: dict[Point, None] = {}
    for point in _candidates(rule, rng, np.dtype(dtype), count):
        rounded = tuple(float(np.dtype(dtype).type(number)) for number in point)
        if inside(rounded):
            found[rounded] = None
    return list(found)


def special_points(rule: Rule) -> list[Point]:
    """Return the singular points that the entry names."""
    return [tuple(as_float(spot.where[arg]) for arg in rule.args) for spot in rule.at]


def _candidates(
    rule: Rule, rng: random.Random, dtype: np.dtype[Any], count: int
) -> Iterator[Point]:
    with np.errstate(all="ignore"):
        boxes = [[box[arg] for arg in rule.args] for box in rule.domain.boxes]
        if len(rule.args) == 1:
            for (interval,) in boxes:
                yield from ((number,) for number in edges(interval, dtype))
        else:
            yield from _at_edges(boxes, rng, dtype, count // 4)
            yield from _related(boxes, rng, dtype, count // 5)
        for k in range(count):
            box = rng.choice(boxes)
            spread = moderate if k % 2 else wide
            yield tuple(spread(interval, rng, dtype) for interval in box)


def _at_edges(
    boxes: list[list[Interval]], rng: random.Random, dtype: np.dtype[Any], count: int
) -> Iterator[Point]:
    """Yield points of which at least one coordinate is at an edge."""
    for _ in range(count):
        box = rng.choice(boxes)
        at = rng.randrange(len(box))
        point = [rng.choice((moderate, moderate, wide))(i, rng, dtype) for i in box]
        point[at] = rng.choice(edges(box[at], dtype))
        yield tuple(point)


def _related(
    boxes: list[list[Interval]], rng: random.Random, dtype: np.dtype[Any], count: int
) -> Iterator[Point]:
    """Yield points of which two coordinates are nearly equal, opposite, or of like size."""
    for _ in range(count):
        box = rng.choice(boxes)
        point = [rng.choice((moderate, wide))(interval, rng, dtype) for interval in box]
        one, other = rng.sample(range(len(box)), 2)
        if box[one].whole or box[other].whole:
            continue
        away = rng.choice((-1, 1)) * 2.0 ** -rng.randint(1, np.finfo(dtype).nmant)
        ratio = rng.choice((1.0 + away, -(1.0 + away), rng.uniform(-3.0, 3.0)))
        point[other] = point[one] * ratio
        yield tuple(point)


def moderate(interval: Interval, rng: random.Random, dtype: np.dtype[Any]) -> float:
    """Return a number of an interval of the size that people use."""
    if interval.whole:
        return interval.sample(rng)
    return _between(interval, rng, lambda: 10.0 ** rng.uniform(-3.0, rng.choice((1.5, 3.0))))


def wide(interval: Interval, rng: random.Random, dtype: np.dtype[Any]) -> float:
    """Return a number of an interval, log-uniform in the whole range of floats."""
    if interval.whole:
        return interval.sample(rng)
    info = np.finfo(dtype)
    low, high = math.log2(info.smallest_subnormal), math.log2(info.max)
    return _between(interval, rng, lambda: float(2.0 ** rng.uniform(low, high)))


def _between(interval: Interval, rng: random.Random, size: Callable[[], float]) -> float:
    """Return a number whose distance from 0, or from an end, has the given size."""
    low, high = float(interval.low), float(interval.high)
    for _ in range(100):
        found = rng.choice((-1.0, 1.0)) * size()
        if math.isfinite(low) and math.isfinite(high):
            share = rng.choice((rng.random(), min(abs(found), 1.0)))
            found = rng.choice((low + (high - low) * share, high - (high - low) * share, found))
        elif math.isfinite(low) or math.isfinite(high):
            end = low if math.isfinite(low) else high
            found = rng.choice((end + found, found))
        if found in interval:
            return found
    return interval.sample(rng)


def edges(interval: Interval, dtype: np.dtype[Any]) -> list[float]:
    """Return numbers at and next to the edges of an interval, at 0, and the nice ones inside."""
    if interval.whole:
        low = int(interval.low)
        return [float(k) for k in range(low, int(min(float(interval.high), low + 20)) + 1)]
    info, one = np.finfo(dtype), dtype.type
    found = [sign * number for number in NICE for sign in (-1.0, 1.0)]
    for end in {float(interval.low), float(interval.high), 0.0}:
        if math.isinf(end):
            found += [math.copysign(float(info.max) * share, end) for share in (1, 0.999, 0.5, 0.1)]
            continue
        up = down = one(end)
        found.append(float(up))
        for _ in range(8):
            up, down = np.nextafter(up, one(np.inf)), np.nextafter(down, one(-np.inf))
            found += [float(up), float(down)]
        size = abs(end) or 1.0
        for k in range(1, info.nmant + 2):
            found += [end + size * 2.0**-k, end - size * 2.0**-k]
        if end == 0.0:
            least = float(info.smallest_subnormal), float(info.tiny)
            found += [s * n * k for n in least for k in (1, 2, 3, 0.5) for s in (-1, 1)]
    inside = dict.fromkeys(float(one(number)) for number in found if number in interval)
    return list(inside) or [interval.sample(random.Random(0))]


def _membership(domain: Domain) -> Callable[[Point], bool]:
    """Return a fast test whether a point is in a domain."""
    condition = None
    if domain.condition is not None:
        condition = oracle.compiled(domain.args, domain.condition)
    boxes = Domain(domain.args, domain.boxes)
    return lambda point: point in boxes and (condition is None or bool(condition(*point)))
