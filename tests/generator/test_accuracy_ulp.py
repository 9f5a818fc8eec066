"""The measure: errors in units in the last place, and answers that are none."""

import math

import mpmath
import numpy as np
import pytest

from generator.accuracy.reference import split
from generator.accuracy.ulp import Near, Numbers, catastrophic, errors

TINY, HUGE = 5e-324, 1.7976931348623157e308
NORMAL = 2.2250738585072014e-308
SMALLEST = {np.float64: TINY, np.float32: 2.0**-149}


def numbers(*exact):
    with mpmath.workdps(50):
        head, tail, exponent = zip(*(split(mpmath.mpf(n)) for n in exact), strict=True)
    return Numbers(np.array(head), np.array(tail), np.array(exponent))


def error(computed, exact, dtype=np.float64):
    return float(errors(np.array([computed], dtype), numbers(exact), dtype)[0])


def is_lost(computed, exact, dtype=np.float64):
    computed, exact = np.array([computed], dtype), numbers(exact)
    return bool(catastrophic(computed, exact, dtype, errors(computed, exact, dtype))[0])


def test_neighbours_are_one_unit_apart():
    for number in (1.0, -3.7, 1e300, 1e-300, NORMAL, 3e-310):
        assert error(number, number) == 0
        assert error(np.nextafter(number, np.inf), number) in (1.0, 0.5)
        assert error(np.nextafter(number, -np.inf), number) in (1.0, 0.5)


def test_units_are_those_of_the_exact_number():
    third = mpmath.mpf(1) / 3
    with mpmath.workdps(50):
        third = mpmath.mpf(1) / 3
        assert error(1 / 3, third) == pytest.approx(1 / 3, rel=1e-12)
        assert error(1.0, 1 - mpmath.mpf(2) ** -54) == pytest.approx(0.5)
    assert error(np.float32(1) / np.float32(3), 1 / 3, np.float32) == pytest.approx(1 / 3, rel=1e-7)


def test_subnormal_numbers_have_the_smallest_unit():
    assert error(0.0, 3 * TINY) == 3
    assert error(5 * TINY, TINY) == 4
    assert error(TINY, mpmath.mpf(10) ** -1000) == 1
    assert error(0.0, mpmath.mpf(10) ** -1000) == pytest.approx(0, abs=1e-300)
    assert error(0.0, 2.0**-148, np.float32) == 2


def test_next_to_the_largest_number_infinity_is_right():
    unit = mpmath.mpf(HUGE) - mpmath.mpf(np.nextafter(HUGE, 0))
    for k in (-7, 1, 8, 1000):
        assert error(np.inf, HUGE + k * unit) == 0
        assert not is_lost(np.inf, HUGE + k * unit)
    assert error(np.inf, HUGE - 9 * unit) == np.inf
    assert is_lost(np.inf, HUGE - 9 * unit)
    assert error(HUGE, HUGE + 3 * unit) == 3
    assert not is_lost(HUGE, HUGE + 3 * unit)
    assert is_lost(HUGE, HUGE + 9 * unit)
    assert is_lost(-np.inf, np.inf)
    assert not is_lost(np.inf, np.inf)
    assert error(np.inf, 3.5e38, np.float32) == 0


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_answers_that_are_none(dtype):
    for computed in (0.0, np.inf, np.nan, -1.0, 2.0):
        assert is_lost(computed, 1.0, dtype), computed
    for computed in (1.5, 0.25, 1.9):
        assert not is_lost(computed, 1.0, dtype), computed
    # Ordinary where the exact number is zero, out of range, or infinite.
    assert is_lost(1.0, 0.0, dtype)
    assert is_lost(1e-30, mpmath.mpf(10) ** -1000, dtype)
    assert is_lost(1e30, mpmath.mpf(10) ** 1000, dtype)
    assert is_lost(1e30, np.inf, dtype)
    # Subnormal ones have digits missing by nature.
    smallest = SMALLEST[dtype]
    assert not is_lost(0.0, 3 * smallest, dtype)
    assert not is_lost(smallest, 0.0, dtype)
    assert is_lost(1.0, 3 * smallest, dtype)
    assert is_lost(np.nan, 0.0, dtype)
    assert is_lost(np.inf, 0.0, dtype)


def test_unknown_numbers_count_nowhere():
    assert math.isnan(error(1.0, mpmath.nan))
    assert not is_lost(1.0, mpmath.nan)


def test_size_around_a_zero():
    """Half a unit of pi is an error of many units of sin(pi)."""
    with mpmath.workdps(50):
        exact = numbers(mpmath.sin(mpmath.mpf(math.pi)))
    computed = np.array([2.0 * float(exact.rounded()[0])])
    assert catastrophic(computed, exact, float, errors(computed, exact, float))
    near = Near(np.array([True]), np.array([-2]))
    measured = errors(computed, exact, float, near)
    assert measured[0] == pytest.approx(1.22e-16 / 2.0**-55, rel=0.01)
    assert not catastrophic(computed, exact, float, measured, near)
    wrong = np.array([1.0])
    assert catastrophic(wrong, exact, float, errors(wrong, exact, float, near), near)
