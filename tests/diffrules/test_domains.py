"""Domains: what is inside, how they read, and points inside them."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, Rational, oo, pi

from diffrules.domains import HUGE, REALS, Interval, closed, domain_of, integers, interval
from diffrules.guards import x, y

finite = st.floats(-1e8, 1e8)
seeds = st.integers(0, 2**32)


@st.composite
def intervals(draw):
    """Draw an interval of any kind: open or closed, each end finite or not."""
    low, high = sorted((draw(finite), draw(finite)))
    if high - low < 1e-3 * max(1.0, abs(low), abs(high)):
        high = low + 1e-3 * max(1.0, abs(low), abs(high))
    low = draw(st.sampled_from([low, -oo]))
    high = draw(st.sampled_from([high, oo]))
    return closed(low, high) if draw(st.booleans()) else interval((low, high))


@settings(max_examples=200, deadline=None)
@given(intervals(), seeds, st.sampled_from([1e-3, 1.0, HUGE]))
def test_samples_are_inside(box, seed, reach):
    found = box.sample(random.Random(seed), reach)
    assert found in box
    assert math.isfinite(found)


@settings(max_examples=100, deadline=None)
@given(intervals(), seeds)
def test_samples_are_repeatable(box, seed):
    assert box.sample(random.Random(seed)) == box.sample(random.Random(seed))


@settings(max_examples=100, deadline=None)
@given(st.integers(-50, 50), st.integers(0, 30), seeds)
def test_whole_numbers_are_whole(low, more, seed):
    found = integers(low, low + more).sample(random.Random(seed))
    assert found == math.floor(found)
    assert low <= found <= low + more


@settings(max_examples=100, deadline=None)
@given(seeds, st.floats(0.1, 100.0))
def test_a_sample_stays_within_reach(seed, reach):
    rng = random.Random(seed)
    assert abs(REALS.sample(rng, reach)) <= reach
    assert 3.0 < interval((3, oo)).sample(rng, reach) <= 3.0 + reach * (1 + 1e-12)
    assert 3.0 - reach * (1 + 1e-12) <= interval((-oo, 3)).sample(rng, reach) < 3.0


def test_ends():
    assert 0.0 not in interval((0, 1))
    assert 0.0 in closed(0, 1)
    assert 1.0 in closed(0, 1)
    assert math.inf not in closed(0, oo)
    assert math.inf not in REALS
    assert math.nan not in REALS
    assert 2.0 in integers(0, 3)
    assert 2.5 not in integers(0, 3)


@pytest.mark.parametrize(
    ("box", "text"),
    [
        (interval((0, oo)), "(0, inf)"),
        (closed(0, oo), "[0, inf)"),
        (closed(-1, 1), "[-1, 1]"),
        (interval((-pi / 2, pi / 2)), "(-pi/2, pi/2)"),
        (integers(0, 20), "whole numbers 0 to 20"),
        (integers(0, oo), "whole numbers 0 to inf"),
    ],
)
def test_how_an_interval_reads(box, text):
    assert str(box) == text


def test_an_argument_is_whole_if_it_is_in_every_box():
    both = domain_of(
        [{x: integers(0, 5), y: integers(0, 5)}, {x: (0, 1), y: integers(9, oo)}], (x, y)
    )
    assert not both.is_whole(x)
    assert both.is_whole(y)


def test_how_a_domain_reads():
    both = domain_of([{x: (-oo, 0), y: closed(0, 1)}, {x: (0, oo), y: (-oo, oo)}], (x, y))
    assert str(both) == "x in (-inf, 0), y in [0, 1] or x in (0, inf), y in (-inf, inf)"
    assert str(domain_of(x > Abs(y), (x, y))) == "x > Abs(y)"


def test_several_boxes():
    domain = domain_of([{x: (-2, -1)}, {x: (1, 2)}], (x,))
    assert (1.5,) in domain
    assert (-1.5,) in domain
    assert (0.0,) not in domain
    rng = random.Random(0)
    signs = {math.copysign(1, domain.sample(rng)[0]) for _ in range(50)}
    assert signs == {-1, 1}


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_samples_fulfil_a_condition(seed):
    domain = domain_of(x > Abs(y), (x, y))
    first, second = domain.sample(random.Random(seed))
    assert first > abs(second)
    assert (first, second) in domain
    assert (abs(second), second) not in domain


def test_a_box_that_forgets_an_argument():
    with pytest.raises(ValueError, match="names x, the arguments are x, y; give one interval"):
        domain_of({x: (0, 1)}, (x, y))


def test_a_condition_without_points():
    domain = domain_of((x > 1) & (x < Rational(1, 2)), (x,))
    with pytest.raises(ValueError, match=r"no point of the domain .* in 1000 tries; give boxes"):
        domain.sample(random.Random(0))


def test_a_domain_is_kept():
    domain = domain_of({x: (0, 1)}, (x,))
    assert domain_of(domain, (x,)) is domain
    assert interval(REALS) is REALS
    assert Interval(0, 1) == Interval(0, 1)
