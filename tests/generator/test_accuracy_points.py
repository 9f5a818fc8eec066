"""Where entries are measured, and what is found out about thresholds and zeros."""

import math

import numpy as np
import pytest

from diffrules import RULES
from generator.accuracy.chosen import chosen_points
from generator.accuracy.floats import around, at, place, shifted
from generator.accuracy.measure import DOUBLE, SINGLE
from generator.accuracy.points import membership, regular_points
from generator.accuracy.quantities import Quantity
from generator.accuracy.searches import change, scale_at_zero
from generator.accuracy.work import Workers

SOME = [("exp", 1), ("arctanh", 1), ("log", 1), ("hypot", 2), ("power", 2), ("polygamma", 2)]
HUGE = float(np.finfo(float).max)


@pytest.mark.parametrize("key", SOME, ids=str)
@pytest.mark.parametrize("dtype", [DOUBLE, SINGLE], ids=str)
def test_points_are_many_inside_and_always_the_same(key, dtype):
    rule = RULES[key]
    points = regular_points(rule, dtype)
    assert points == regular_points(rule, dtype)
    assert len(points) == len(set(points)) >= 2000
    inside = membership(rule.domain)
    assert all(map(inside, points))
    assert all(float(dtype.type(n)) == n for point in points for n in point)


def test_half_of_the_points_are_of_the_size_that_people_use():
    points = [x for (x,) in regular_points(RULES["exp", 1], DOUBLE)]
    usual = [x for x in points if 1e-3 <= abs(x) <= 1e3]
    assert 0.4 < len(usual) / len(points) < 0.7
    assert min(abs(x) for x in points if x) == 5e-324
    assert {HUGE, -HUGE, 0.0} <= set(points)
    # Log-uniform through the whole range: each sixth of the exponents has its share.
    counts = np.histogram([math.log2(abs(x)) for x in points if x], 6, (-1074, 1024))[0]
    assert min(counts) > 80


def test_edges_to_the_last_float():
    points = {x for (x,) in regular_points(RULES["arctanh", 1], DOUBLE)}
    assert {np.nextafter(1, 0), np.nextafter(-1, 0), 1 - 2.0**-10, 5e-324, -1e-323} <= points
    single = {x for (x,) in regular_points(RULES["arctanh", 1], SINGLE)}
    assert {float(np.nextafter(np.float32(1), np.float32(0))), 2.0**-149} <= single


def test_points_of_two_arguments_that_belong_together():
    points = regular_points(RULES["hypot", 2], DOUBLE)
    close = [p for p in points if p[0] != p[1] and math.isclose(*p, rel_tol=1e-3)]
    opposite = [p for p in points if math.isclose(p[0], -p[1], rel_tol=1e-3)]
    assert len(close) > 50
    assert len(opposite) > 50
    far = [p for p in points if abs(p[0]) > 1e100 * abs(p[1]) > 0]
    assert len(far) > 50


def test_whole_numbers_stay_whole():
    points = regular_points(RULES["polygamma", 2], DOUBLE)
    assert {n for n, _ in points} == {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}


def test_neighbours():
    for number in (0.0, 1.0, -1.0, 5e-324, -HUGE, 3e-310):
        assert at(place(number, DOUBLE), DOUBLE) == number
    assert shifted(1.0, -1, DOUBLE) == np.nextafter(1.0, 0.0)
    assert shifted(HUGE, 5, DOUBLE) == HUGE
    assert around(0.0, SINGLE, 1) == [-(2.0**-149), 0.0, 2.0**-149]


def test_thresholds_and_zeros_are_found():
    value, slope = Quantity(("exp", 1)), Quantity(("sin", 1), (0,))
    found = change(value, (700.0,), 0, 720.0, DOUBLE)
    # The last finite one is log of the largest number.
    assert {709.782712893384, np.nextafter(709.782712893384, 710)} <= set(found)
    found = change(slope, (1.0,), 0, 2.0, DOUBLE)
    assert math.pi / 2 in found
    assert any(0 < abs(x - math.pi / 2) < 1e-12 for x in found)
    assert any(1e-3 < abs(x - math.pi / 2) < 1 for x in found)


def test_size_around_zeros():
    sine, slope = Quantity(("sin", 1)), Quantity(("sin", 1), (0,))
    # Of sin(3 +- 3/16) the larger one is 0.32.
    assert scale_at_zero(sine, (3.0,), DOUBLE) == -1
    assert scale_at_zero(slope, (math.pi / 2,), DOUBLE) is not None
    assert scale_at_zero(slope, (0.3,), DOUBLE) is None
    # log(x) is 0 at the float 1: nothing is forgiven next to it.
    assert scale_at_zero(Quantity(("log", 1)), (1.01,), DOUBLE) is None
    # Nor at a pole, where the sign changes too.
    assert scale_at_zero(Quantity(("tan", 1)), (1.55,), DOUBLE) is None


def test_all_points_of_an_entry(tmp_path, monkeypatch):
    monkeypatch.setenv("DIFFRULES_CACHE", str(tmp_path))
    rule = RULES["expm1", 1]
    with Workers() as workers:
        points = chosen_points(rule, DOUBLE, workers)
        assert chosen_points(rule, DOUBLE, workers) == points
    assert set(regular_points(rule, DOUBLE)) <= set(points)
    assert (709.782712893384,) in points
    # The partial becomes 0 there, in steps.
    assert any(-745.14 < x < -745.12 for (x,) in points)
