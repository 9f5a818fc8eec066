"""A few points of every entry, for tests: what is measured of them, and what breaks its bound."""

from __future__ import annotations

from diffrules.entry import Rule
from generator.accuracy.kept import KeptNumbers
from generator.accuracy.measure import DOUBLE, Measurement, PointSet, Row, row_of
from generator.accuracy.points import regular_points, special_points
from generator.accuracy.quantities import Quantity, quantities
from generator.accuracy.twins import Twins

# Of an entry whose numbers are not kept.
POINTS = 40
# Regular points that those are taken from.
DENSITY = 10


def bounded(rule: Rule) -> list[Quantity]:
    """Return the quantities of an entry whose error has a bound."""
    return [q for q in quantities(rule, (0, 1, 2)) if row_of(q).bound is not None]


def sampled(rule: Rule, kept: KeptNumbers, twins: Twins) -> list[Row]:
    """Return an entry measured in float64 at a few points.

    The points are those that are kept; of an entry that is not, regular ones, spread evenly over
    their kinds. The special ones come on top. A quantity whose numbers are not found in time has
    no points.
    """
    measurement = Measurement(kept, twins)
    rows = []
    for quantity in bounded(rule):
        second = len(quantity.along) > 1
        if second and quantity not in kept:
            continue
        special = [] if second else special_points(rule)
        points = PointSet(DOUBLE, _points(rule, quantity, kept), special)
        if not points.inside:
            continue
        rows.append(row_of(quantity))
        (measurement.second if second else measurement.first)(rows[-1], quantity, points)
    return rows


def _points(rule: Rule, quantity: Quantity, kept: KeptNumbers) -> list[tuple[float, ...]]:
    if quantity in kept:
        return kept.points(quantity)
    points = regular_points(rule, DOUBLE, DENSITY * POINTS)
    return points[:: max(1, len(points) // POINTS)]
