"""Where an entry is measured: the same points in every run."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator

import numpy as np

from diffrules import oracle
from diffrules.domains import Domain, Interval
from diffrules.entry import Rule, as_float
from generator.accuracy.floats import DType, approaching, around

REGULAR = 2000
NICE = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0, 20.0, 100.0)
# Tries for each point, where conditions refuse most of them.
TRIES = 30
Point = tuple[float, ...]


def regular_points(rule: Rule, dtype: DType, count: int = REGULAR) -> list[Point]:
    """Return points inside the domain of `rule`, exact in `dtype`.

    Half of them are of moderate size. The others go through the whole range of the floats, lie at
    the edges of the domain down to the last float, and where several arguments are nearly equal,
    or opposite.
    """
    rng = random.Random(f"{rule.name} {len(rule.args)}")
    inside = membership(rule.domain)
    found: dict[Point, None] = {}
    for tried, point in enumerate(_candidates(rule, rng, dtype, count), 1):
        rounded = tuple(float(dtype.type(number)) for number in point)
        if inside(rounded):
            found[rounded] = None
        if (tried > count and len(found) >= count) or tried > TRIES * count:
            break
    return list(found)


def special_points(rule: Rule) -> list[Point]:
    """Return the singular points that the entry names."""
    return [tuple(as_float(spot.where[arg]) for arg in rule.args) for spot in rule.at]


def membership(domain: Domain) -> Callable[[Point], bool]:
    """Return a fast test whether a point is in a domain."""
    condition = None
    if domain.condition is not None:
        condition = oracle.compiled(domain.args, domain.condition)
    boxes = Domain(domain.args, domain.boxes)
    return lambda point: point in boxes and (condition is None or bool(condition(*point)))


def scanned(interval: Interval, rng: random.Random, dtype: DType, count: int) -> list[float]:
    """Return rising numbers through an interval, for the search of thresholds and zeros."""
    spreads = (moderate, wide)
    found = {spreads[k % 2](interval, rng, dtype) for k in range(count)}
    rounded = sorted({float(dtype.type(number)) for number in found})
    return [number for number in rounded if number in interval]


def _candidates(rule: Rule, rng: random.Random, dtype: DType, count: int) -> Iterator[Point]:
    boxes = [[box[arg] for arg in rule.args] for box in rule.domain.boxes]
    with np.errstate(all="ignore"):
        if len(rule.args) == 1:
            for (interval,) in boxes:
                yield from ((number,) for number in edges(interval, dtype))
        else:
            yield from _at_edges(boxes, rng, dtype, count // 4)
            yield from _related(boxes, rng, dtype, count // 5)
        for spread in itertools.cycle((moderate, wide)):
            yield tuple(spread(interval, rng, dtype) for interval in rng.choice(boxes))


def _at_edges(
    boxes: list[list[Interval]], rng: random.Random, dtype: DType, count: int
) -> Iterator[Point]:
    """Yield points of which at least one coordinate is at an edge."""
    ends = [[edges(interval, dtype) for interval in box] for box in boxes]
    for _ in range(count):
        chosen = rng.randrange(len(boxes))
        box = boxes[chosen]
        index = rng.randrange(len(box))
        point = [rng.choice((moderate, moderate, wide))(i, rng, dtype) for i in box]
        point[index] = rng.choice(ends[chosen][index])
        yield tuple(point)


def _related(
    boxes: list[list[Interval]], rng: random.Random, dtype: DType, count: int
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


def moderate(interval: Interval, rng: random.Random, dtype: DType) -> float:
    """Return a number of an interval of the size that people use."""
    if interval.whole:
        return interval.sample(rng)
    return _between(interval, rng, lambda: 10.0 ** rng.uniform(-3.0, rng.choice((1.5, 3.0))))


def wide(interval: Interval, rng: random.Random, dtype: DType) -> float:
    """Return a number of an interval, log-uniform in the whole range of floats."""
    if interval.whole:
        return interval.sample(rng)
    info = np.finfo(dtype)
    low, high = math.log2(info.smallest_subnormal), math.log2(info.max)
    return _between(interval, rng, lambda: float(2.0 ** rng.uniform(low, high)))


def _between(interval: Interval, rng: random.Random, size: Callable[[], float]) -> float:
    """Return a number whose distance from 0, or from an end, has the given size."""
    low, high = interval.ends
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


def edges(interval: Interval, dtype: DType) -> list[float]:
    """Return numbers at and next to the edges of an interval, at 0, and the nice ones inside."""
    if interval.whole:
        low = int(interval.low)
        return [float(k) for k in range(low, int(min(float(interval.high), low + 20)) + 1)]
    info = np.finfo(dtype)
    found = [sign * number for number in NICE for sign in (-1.0, 1.0)]
    for end in dict.fromkeys((*interval.ends, 0.0)):
        if math.isinf(end):
            found += [math.copysign(float(info.max) * share, end) for share in (1, 0.999, 0.5, 0.1)]
        else:
            found += around(end, dtype, 8) + approaching(end, dtype)
            # From an end at 0 up to 1, and down to the last bit.
            found += [end + sign * 2.0**-k for k in range(info.nmant + 2) for sign in (-1, 1)]
        if end == 0.0:
            least = float(info.smallest_subnormal), float(info.tiny)
            found += [s * n * k for n in least for k in (1, 2, 3, 0.5) for s in (-1, 1)]
    rounded = dict.fromkeys(float(dtype.type(number)) for number in found)
    return [number for number in rounded if number in interval] or [
        interval.sample(random.Random(0))
    ]
