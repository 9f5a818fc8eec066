"""Exact numbers, from the values of the table alone.

Two precisions must agree. Beside them a limit of time holds for each number.
"""

from __future__ import annotations

import itertools
import math
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any, NamedTuple

import mpmath
import numpy as np

from diffrules import oracle
from generator.accuracy.quantities import Quantity, expression, seams

DIGITS = 40
# Digits of work. The second of the fast ones holds 1 + 5e-324; slow ones are chosen by the point.
FAST, SLOW = (60, 400, 800, 1600), (55, 75, 150, 400, 800, 1600)
# Digits at which zeros and infinities are believed.
BELIEVED = 400
# Twice below 10 to this power: zero in every format, if it is not the noise of an exact zero.
VANISHING = -400
# On each side of a seam, this far away, the pieces must agree to so many digits.
ASIDE, AGREE = 45, 15
# Exponents beyond are no different to a float.
EXPONENT = 1 << 40
Point = tuple[float, ...]


class Exact(NamedTuple):
    """A number as ``(head + tail) * 2**exponent``, 0.5 <= abs(head) < 1."""

    head: float
    tail: float
    exponent: int


# No two precisions agree in time; and: there is no such number, two pieces meet here.
NOTHING, KINK = Exact(np.nan, 0.0, 0), Exact(np.nan, 0.0, 1)


class TooLongError(Exception):
    """The limit of time is over."""


# What mpmath raises where it finds no number; MemoryError for series of too many terms,
# RecursionError for its incomplete gamma function, one part of which asks for the other.
FAILED = (
    *(TooLongError, ArithmeticError, ValueError, TypeError, MemoryError, RecursionError),
    mpmath.libmp.NoConvergence,
)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TooLongError` in the main thread after some seconds of its work."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def exact(quantity: Quantity, point: Point, seconds: float = 1.0) -> Exact:
    """Return a quantity at a point, or `NOTHING`, or `KINK`."""
    function, whole = _function(quantity)
    ladder = _holding(point, whole)
    try:
        with time_limit(seconds):
            if quantity.along and _on_a_seam(quantity, point):
                return _beside(function, ladder, point)
            return split(_agreed(function, ladder, point))
    except FAILED:
        return NOTHING


def split(number: Any) -> Exact:
    """Return an mpmath number as `Exact`."""
    if isinstance(number, mpmath.mpc):
        if number.imag:
            return NOTHING
        number = number.real
    if mpmath.isnan(number):
        return NOTHING
    if number == 0 or mpmath.isinf(number):
        return Exact(float(number), 0.0, 0)
    with mpmath.workdps(DIGITS):
        mantissa, exponent = mpmath.frexp(number)
        head = float(mantissa)
        return Exact(head, float(mantissa - head), int(max(-EXPONENT, min(EXPONENT, exponent))))


def code(quantity: Quantity) -> str:
    """Return what the reference is computed from, to know whether a stored one still holds."""
    found = expression(quantity)
    return f"{quantity.along} of {quantity.rule.meaning()}" if found is None else str(found)


def _holding(point: Point, ladder: Sequence[int]) -> Sequence[int]:
    """Return the precisions that hold 1 + x for each coordinate: lower ones agree on noise."""
    sizes = [abs(math.log10(abs(x))) for x in point if x and math.isfinite(x)]
    needed = min(max(sizes, default=0.0) + DIGITS, BELIEVED)
    # The second of the fast ones does.
    return ladder if ladder is FAST else tuple(digits for digits in ladder if digits >= needed)


def _agreed(function: Callable[..., Any], ladder: Sequence[int], point: Sequence[Any]) -> Any:
    before, vanished = None, False
    for digits in ladder:
        try:
            with mpmath.workdps(digits):
                after = mpmath.mpmathify(function(*map(mpmath.mpmathify, point)))
        except ZeroDivisionError:
            # A difference that has lost its digits; more of them help.
            continue
        with mpmath.workdps(DIGITS):
            small = abs(after) < mpmath.mpf(10) ** VANISHING
            if before is not None:
                ordinary = mpmath.isfinite(after) and after != 0
                if ordinary and abs(after - before) <= abs(after) * mpmath.eps:
                    return after
                if digits > BELIEVED and after == before:
                    return after
                if digits > BELIEVED and small and vanished:
                    return mpmath.mpf(0)
        before, vanished = after, small
    raise ValueError("no two precisions agree")


def _on_a_seam(quantity: Quantity, point: Point) -> bool:
    """Return whether two pieces of the value may meet at a point."""
    rule = quantity.rule
    zeros, whole = seams(rule)
    with mpmath.workdps(60):
        at = [mpmath.mpf(number) for number in point]
        for places, distance in ((zeros, abs), (whole, lambda n: n - mpmath.nint(n))):
            for place in places:
                if place.is_number:
                    continue
                found = oracle.compiled(rule.args, place)(*at)
                if mpmath.isfinite(found) and not distance(found):
                    return True
    return False


def _beside(function: Callable[..., Any], ladder: Sequence[int], point: Point) -> Exact:
    """Return the number at a seam, if it is the limit from all sides."""
    with mpmath.workdps(2 * ASIDE):
        step = mpmath.mpf(10) ** -ASIDE
        sides = [
            (n * (1 + step), n * (1 - step)) if n else (step**2, -(step**2))
            for n in map(mpmath.mpf, point)
        ]
        found = [_agreed(function, ladder, side) for side in itertools.product(*sides)]
        size = max(map(abs, found))
        apart = max(abs(one - found[0]) for one in found)
        allowed = max(size * mpmath.mpf(10) ** -AGREE, step * mpmath.sqrt(step))
        if apart > allowed:
            return KINK
        mean = sum(found) / len(found)
    try:
        at = _agreed(function, ladder, point)
    except (ArithmeticError, ValueError):
        return split(mean)
    # A piece of a single point has a derivative of its own for SymPy.
    return split(at if abs(at - mean) <= allowed else mean)


@cache
def _function(quantity: Quantity) -> tuple[Callable[..., Any], tuple[int, ...]]:
    found, value = expression(quantity), quantity.rule.meaning()
    args = quantity.rule.args
    if found is not None:
        return oracle.compiled(args, found), SLOW if oracle.is_slow(found) else FAST
    return _difference(oracle.compiled(args, value), quantity), SLOW


def _difference(function: Callable[..., Any], quantity: Quantity) -> Callable[..., Any]:
    """Return a derivative by central differences, of the digits of the caller."""
    ends = [
        {float(e) for box in quantity.rule.domain.boxes for e in (box[arg].low, box[arg].high)}
        for arg in quantity.rule.args
    ]

    def derivative(along: tuple[int, ...], point: tuple[Any, ...]) -> Any:
        if not along:
            return function(*point)
        index, *rest = along
        at = point[index]
        far = [abs(at - end) for end in ends[index] if np.isfinite(end) and at != end]
        step = min([abs(at) or mpmath.mpf(1), *far]) * mpmath.mpf(10) ** -(mpmath.mp.dps // 4)
        low, high = (
            derivative(tuple(rest), (*point[:index], at + s, *point[index + 1 :]))
            for s in (-step, step)
        )
        return (high - low) / (2 * step)

    def found(*point: Any) -> Any:
        with mpmath.workdps(2 * mpmath.mp.dps):
            return derivative(quantity.along, point)

    return found
