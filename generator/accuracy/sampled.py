"""A few points of every entry, for tests: what is measured of them, and what breaks its bound."""

from __future__ import annotations

from diffrules.entry import Rule
from generator.accuracy.measure import DOUBLE, Measurement, PointSet, Row, row_of
from generator.accuracy.points import regular_points, special_points
from generator.accuracy.quantities import quantities
from generator.accuracy.twins import Twins
from generator.accuracy.work import Workers

POINTS = 40
# Regular points that those are taken from.
DENSITY = 10


def sampled(rule: Rule, workers: Workers, twins: Twins, count: int = POINTS) -> list[Row]:
    """Return an entry measured in float64 at a few points.

    The points are regular ones of the whole measurement, spread evenly over their kinds, and the
    special ones.
    """
    points = regular_points(rule, DOUBLE, DENSITY * count)
    step = max(1, len(points) // count)
    few = PointSet(DOUBLE, points[::step], special_points(rule))
    measurement = Measurement(workers, twins)
    rows = []
    for quantity in quantities(rule):
        row = row_of(quantity)
        if row.bound is not None:
            measurement.first(row, quantity, few)
            rows.append(row)
    return rows
