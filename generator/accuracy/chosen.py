"""All points of an entry: regular ones, and those where its value or a partial changes."""

from __future__ import annotations

import random
from collections.abc import Iterator

from diffrules.entry import Rule
from generator.accuracy import cache
from generator.accuracy.floats import DType
from generator.accuracy.points import Point, membership, regular_points, scanned
from generator.accuracy.quantities import quantities
from generator.accuracy.reference import Exact
from generator.accuracy.searches import change, kind
from generator.accuracy.work import Source

# Regular points, by the bytes of a number.
COUNTS = {8: 2000, 4: 600}
# Lines for each of several arguments, and points on each.
LINES, STATIONS = 4, 40
# Changes that are searched for each quantity: zeros are many where it oscillates.
CHANGES = 12
# Share of the time of a quantity that one line, and one search, may take.
SEARCHING = 0.125


def chosen_points(rule: Rule, dtype: DType, source: Source) -> list[Point]:
    """Return the points at which an entry is measured, found once and kept on disk."""
    path = cache.points_path(rule, dtype)
    found = cache.load_points(path)
    if found is None:
        found = _chosen(rule, dtype, source)
        cache.store_points(path, found)
    return found


def _chosen(rule: Rule, dtype: DType, source: Source) -> list[Point]:
    found = dict.fromkeys(regular_points(rule, dtype, COUNTS[dtype.itemsize]))
    inside = membership(rule.domain)
    lines = list(_lines(rule, dtype, list(found)))
    for quantity in quantities(rule):
        for line, index in lines:
            known = source.numbers(quantity, line, SEARCHING)
            numbers = map(Exact, known.head.tolist(), known.tail.tolist(), known.exponent.tolist())
            kinds = [kind(number, dtype) for number in numbers]
            pairs = [
                (line[k], line[k + 1])
                for k in range(len(line) - 1)
                if kinds[k] != kinds[k + 1] and kinds[k] is not None and kinds[k + 1] is not None
            ]
            few = _few(pairs, CHANGES // (1 if len(rule.args) == 1 else LINES))
            work = [(quantity, one, index, other[index], dtype) for one, other in few]
            for (one, _), coordinates in zip(
                few, source.map(change, work, SEARCHING), strict=False
            ):
                for coordinate in coordinates:
                    point = (*one[:index], coordinate, *one[index + 1 :])
                    if inside(point):
                        found[point] = None
        for line, _ in lines:
            found.update(dict.fromkeys(line))
    return list(found)


def _lines(rule: Rule, dtype: DType, regular: list[Point]) -> Iterator[tuple[list[Point], int]]:
    """Yield rows of points that differ in one coordinate, which rises, and its index."""
    if len(rule.args) == 1:
        for box in rule.domain.boxes:
            yield sorted(point for point in regular if point[0] in box[rule.args[0]]), 0
        return
    rng = random.Random(f"lines of {rule.name}")
    inside = membership(rule.domain)
    for index, arg in enumerate(rule.args):
        if rule.domain.is_whole(arg):
            continue
        for base in rng.sample(regular, min(LINES, len(regular))):
            boxes = [
                box
                for box in rule.domain.boxes
                if all(base[k] in box[other] for k, other in enumerate(rule.args))
            ]
            line = [
                (*base[:index], coordinate, *base[index + 1 :])
                for box in boxes[:1]
                for coordinate in scanned(box[arg], rng, dtype, STATIONS)
            ]
            yield [point for point in line if inside(point)], index


def _few(pairs: list[tuple[Point, Point]], count: int) -> list[tuple[Point, Point]]:
    """Return some pairs: the smallest numbers, and others evenly through the rest."""
    if len(pairs) <= count:
        return pairs
    pairs = sorted(pairs, key=lambda pair: max(map(abs, pair[0])))
    rest = pairs[count // 2 :]
    step = len(rest) / (count - count // 2)
    return pairs[: count // 2] + [rest[int(k * step)] for k in range(count - count // 2)]
