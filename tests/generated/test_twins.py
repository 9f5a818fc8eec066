"""The scalar and the broadcasted methods of every entry agree, and both hold its points."""

import math

import numpy as np
import pytest

from diffrules import oracle
from diffrules.entry import as_float

RAISED = (ValueError, ZeroDivisionError, OverflowError)
# A few units in the last place: libm and NumPy's vector loops round differently.
CLOSE = 1e-13
SMALLEST = 1e-307


def called(function, *args):
    """Return a scalar result; None where the engine would call the broadcasted twin."""
    try:
        return function(*args)
    except RAISED:
        return None


def test_values_agree_on_special_points(rule, methods):
    scalar = methods.scalar(rule, rule.name)
    if scalar is None:
        return
    points = methods.special(rule)
    want = methods.evaluate(rule, rule.name, points)
    compare(methods, scalar, points, want, [()] * len(points))


def test_gradients_agree_on_special_points(rule, methods):
    points = methods.special(rule)
    out = methods.evaluate(rule, rule.name, points)
    for _, name in methods.gradients(rule):
        scalar = methods.scalar(rule, name)
        for grad in (1.5, 0.0) if scalar else ():
            want = methods.evaluate(rule, name, points, np.full(len(points), grad), out)
            before = [(grad, float(value)) for value in out]
            compare(methods, scalar, points, want, before)


def compare(methods, scalar, points, want, before):
    got = [called(scalar, *first, *point) for first, point in zip(before, points, strict=True)]
    assert all(number is None or type(number) is float for number in got), scalar
    kept = [i for i, number in enumerate(got) if number is not None]
    found = np.array([got[i] for i in kept], dtype=float)
    wrong = methods.differences(found, want[kept], CLOSE, SMALLEST)
    assert not len(wrong), [
        f"{scalar.__name__}{(*before[kept[i]], *points[kept[i]])} is {found[i]}, "
        f"broadcasted {want[kept[i]]}"
        for i in wrong[:8]
    ]


def test_singular_points_hold(rule, methods):
    for spot in rule.at:
        point = tuple(as_float(spot.where[arg]) for arg in rule.args)
        point = tuple(int(v) if methods.is_whole(rule, i) else v for i, v in enumerate(point))
        known = spot.value is not None
        value = as_float(spot.value) if known else float(oracle.value(rule, point))
        expect(methods, rule, rule.name, (), point, value)
        for index, name in methods.gradients(rule):
            wanted = as_float(spot.partials[rule.args[index]])
            expect(methods, rule, name, (1.0, value), point, wanted)


def expect(methods, rule, name, before, point, wanted):
    columns = [np.array([number]) for number in before]
    found = {"broadcasted": float(methods.evaluate(rule, name, [point], *columns)[0])}
    scalar = methods.scalar(rule, name)
    if scalar is not None:
        found["scalar"] = called(scalar, *before, *point)
    for kind, number in found.items():
        if number is not None:
            agrees = number == pytest.approx(wanted, rel=1e-14, abs=0, nan_ok=True)
            assert agrees, f"{kind} {name} at {point} is {number}, the entry says {wanted}"


def test_scalar_points_of_the_domain(rule, methods):
    """Inside the domain a scalar twin may only raise where the broadcasted one overflows."""
    points = methods.inside(rule, 50)
    scalar = methods.scalar(rule, rule.name)
    if scalar is None:
        return
    want = methods.evaluate(rule, rule.name, points)
    for point, wanted in zip(points, want, strict=True):
        got = called(scalar, *point)
        assert got is not None or not math.isfinite(wanted), (scalar, point)
        if got is not None:
            assert got == pytest.approx(wanted, rel=1e-11, abs=1e-300)
