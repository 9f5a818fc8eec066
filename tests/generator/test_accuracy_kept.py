"""The exact numbers that are kept for the tests."""

import json
import math

import mpmath
import numpy as np
import pytest

from generator.accuracy import kept
from generator.accuracy.kept import Kept, KeptNumbers
from generator.accuracy.measure import DOUBLE
from generator.accuracy.quantities import Quantity
from generator.accuracy.reference import NOTHING, Exact, exact
from generator.accuracy.ulp import Near, Numbers

SINE, SLOPE = Quantity(("sin", 1)), Quantity(("sin", 1), (0,))
POINTS = [(0.5,), (1e-320,), (2.0**1000,), (math.pi,)]


def whole(number):
    return mpmath.ldexp(mpmath.mpf(number.head) + number.tail, number.exponent)


def kept_at(quantity, points, scale=None):
    return [Kept(point, exact(quantity, point), scale) for point in points]


def test_numbers_survive_the_file(tmp_path):
    found = {SINE: kept_at(SINE, POINTS), SLOPE: kept_at(SLOPE, POINTS, -3)}
    kept.write(tmp_path, found)
    again = kept.read(tmp_path)
    for quantity, points in found.items():
        assert again.points(quantity) == POINTS
        for point, right, _ in points:
            number = again.number(quantity, point)
            with mpmath.workdps(40):
                assert mpmath.almosteq(whole(number), whole(right), rel_eps=1e-21)
    assert again.scales(SINE, DOUBLE) == {}
    assert again.scales(SLOPE, DOUBLE) == dict.fromkeys(POINTS, -3)
    before = (tmp_path / "trigonometric.jsonl").read_text()
    kept.write(tmp_path, {SINE: kept_at(SINE, POINTS), SLOPE: kept_at(SLOPE, POINTS, -3)})
    assert (tmp_path / "trigonometric.jsonl").read_text() == before


@pytest.mark.parametrize("head", [0.0, math.inf, -math.inf])
def test_zeros_and_infinities_survive(tmp_path, head):
    kept.write(tmp_path, {SINE: [Kept((1.0,), Exact(head, 0.0, 0), None)]})
    assert kept.read(tmp_path).number(SINE, (1.0,)).head == head


def test_only_measured_entries_are_written_again(tmp_path):
    cosine = Quantity(("cos", 1))
    kept.write(tmp_path, {SINE: kept_at(SINE, POINTS), SLOPE: kept_at(SLOPE, POINTS)})
    kept.write(tmp_path, {cosine: kept_at(cosine, POINTS[:1])})
    kept.write(tmp_path, {SINE: kept_at(SINE, POINTS[:2])})
    again = kept.read(tmp_path)
    assert (len(again.points(SINE)), len(again.points(cosine))) == (2, 1)
    assert SLOPE not in again


def test_numbers_of_another_value_are_not_used(tmp_path):
    kept.write(tmp_path, {SINE: kept_at(SINE, POINTS)})
    path = tmp_path / "trigonometric.jsonl"
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "code": "of an older value"}) + "\n")
    assert SINE not in kept.read(tmp_path)


def test_what_is_not_kept_is_computed():
    source = KeptNumbers({})
    numbers = source.numbers(SINE, [(0.5,), (1.0,)])
    np.testing.assert_array_equal(numbers.rounded(), [math.sin(0.5), math.sin(1.0)])


def test_points_through_all_kinds_and_the_worst():
    count = 100
    numbers = Numbers(np.full(count, 0.5), np.zeros(count), np.zeros(count, np.int64))
    numbers.head[7] = NOTHING.head
    error = np.zeros(count)
    error[[3, 5, 50]] = 3.0, 5.0, 4.0
    near = Near(np.arange(count) == 5, np.full(count, -9))
    points = [(float(k),) for k in range(count)]
    found = {one.point[0]: one for one in kept.chosen(points, numbers, error, near)}
    assert {3.0, 5.0, 50.0} <= found.keys()
    assert 7.0 not in found
    assert (found[5.0].scale, found[3.0].scale) == (-9, None)
    assert len(found) <= kept.SPREAD + kept.WORST
    assert max(found) > 80
