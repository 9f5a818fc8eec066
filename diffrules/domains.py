"""Domains of functions: what an entry says, how it reads, and points inside it.

A domain is written in an entry as

* a box: ``{x: (0, oo), y: (-oo, oo)}``; an interval is open, ``closed(0, oo)`` includes
  its ends (infinite ends never), ``integers(0, 20)`` holds whole numbers;
* several boxes: a list of them;
* a predicate: a SymPy condition on the arguments, ``x > abs(y)``.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

TINY = 1e-6
HUGE = 1e6
# A number with more characters is shown as a float.
READABLE = 20


def shown(number: Any) -> str:
    """Return a number of an entry as people write it: ``inf``, and not ``oo``."""
    text = str(number)
    if len(text) > READABLE:
        return repr(float(number))
    return {"oo": "inf", "-oo": "-inf"}.get(text, text)


@dataclass(frozen=True)
class Interval:
    """An interval of numbers; open unless `closed`, whole numbers if `whole`."""

    low: Any
    high: Any
    closed: bool = False
    whole: bool = False

    def __str__(self) -> str:
        if self.whole:
            return f"whole numbers {shown(self.low)} to {shown(self.high)}"
        left = "[" if self.closed and self.low != -sympy.oo else "("
        right = "]" if self.closed and self.high != sympy.oo else ")"
        return f"{left}{shown(self.low)}, {shown(self.high)}{right}"

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Both ends as floats."""
        return float(self.low), float(self.high)

    def __contains__(self, number: float) -> bool:
        low, high = self.ends
        if self.whole and number != math.floor(number):
            return False
        if self.closed or self.whole:
            return low <= number <= high and not math.isinf(number)
        return low < number < high

    def sample(self, rng: random.Random, reach: float = HUGE) -> float:
        """Return a point inside, log-uniform in the distance from a finite end or from 0.

        Parameters
        ----------
        rng : random.Random
            Source of randomness; seed it.
        reach : float
            Largest distance from 0, or from the finite end.
        """
        low, high = self.ends
        if self.whole:
            return float(rng.randint(int(low), int(min(high, low + 20))))
        if math.isfinite(low) and math.isfinite(high):
            edge = _log_uniform(rng, TINY, 0.5)
            share = rng.choice((rng.random(), edge, 1 - edge))
            found = low + (high - low) * share
        elif math.isfinite(low):
            found = low + _log_uniform(rng, TINY, reach)
        elif math.isfinite(high):
            found = high - _log_uniform(rng, TINY, reach)
        else:
            found = rng.choice((-1, 1)) * _log_uniform(rng, TINY, reach)
        return found if found in self else self.sample(rng, reach)


def _log_uniform(rng: random.Random, low: float, high: float) -> float:
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def closed(low: Any, high: Any) -> Interval:
    """Return the interval from `low` to `high`, ends included."""
    return Interval(sympy.sympify(low), sympy.sympify(high), closed=True)


def integers(low: int, high: Any) -> Interval:
    """Return the whole numbers from `low` to `high`, both included."""
    return Interval(sympy.sympify(low), sympy.sympify(high), whole=True)


def interval(ends: Any) -> Interval:
    """Return `ends` as an `Interval`; a plain pair is an open one."""
    if isinstance(ends, Interval):
        return ends
    low, high = (sympy.sympify(end) for end in ends)
    return Interval(low, high)


REALS = Interval(-sympy.oo, sympy.oo)


@dataclass(frozen=True)
class Domain:
    """Where a function and its partials are finite: boxes, of which `condition` may hold.

    Attributes
    ----------
    args : tuple of sympy.Symbol
        The arguments, in order.
    boxes : tuple of dict
        ``{symbol: Interval}``; the domain is their union.
    condition : sympy condition or None
        If given, only the points of the boxes where it holds.
    """

    args: tuple[sympy.Symbol, ...]
    boxes: tuple[Mapping[sympy.Symbol, Interval], ...]
    condition: Any = None

    def __str__(self) -> str:
        if self.condition is not None:
            return str(sympy.sstr(self.condition))
        return " or ".join(
            ", ".join(f"{arg} in {box[arg]}" for arg in self.args) for box in self.boxes
        )

    def __contains__(self, point: Sequence[float]) -> bool:
        values = dict(zip(self.args, point, strict=True))
        inside = any(all(values[arg] in box[arg] for arg in self.args) for box in self.boxes)
        if not inside or self.condition is None:
            return inside
        exact = {arg: sympy.Rational(value) for arg, value in values.items()}
        return bool(self.condition.subs(exact))

    def is_whole(self, arg: sympy.Symbol) -> bool:
        """Return whether an argument is a whole number, an order or an exponent of two."""
        return all(box[arg].whole for box in self.boxes)

    def sample(self, rng: random.Random, reach: float = HUGE) -> tuple[float, ...]:
        """Return a point of the domain as floats, in the order of the arguments."""
        for _ in range(1000):
            box = rng.choice(self.boxes)
            found = tuple(box[arg].sample(rng, reach) for arg in self.args)
            if found in self:
                return found
        raise ValueError(f"no point of the domain {self} found in 1000 tries; give boxes instead")


def domain_of(written: Any, args: tuple[sympy.Symbol, ...]) -> Domain:
    """Return what an entry says of its domain as a `Domain`.

    Raises
    ------
    ValueError
        If a box does not name exactly the arguments.
    """
    if isinstance(written, Domain):
        return written
    if isinstance(written, (sympy.logic.boolalg.Boolean, bool)):
        return Domain(args, (dict.fromkeys(args, REALS),), written)
    boxes = written if isinstance(written, (list, tuple)) else (written,)
    for box in boxes:
        if set(box) != set(args):
            raise ValueError(
                f"a box of the domain names {_names(box)}, the arguments are {_names(args)}; "
                "give one interval for each argument"
            )
    return Domain(args, tuple({arg: interval(box[arg]) for arg in args} for box in boxes))


def _names(symbols: Any) -> str:
    return ", ".join(map(str, symbols))
