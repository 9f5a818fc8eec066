"""The number in each docstring: a point of the domain, and what comes out there.

The number is computed by mpmath from the table, not by the generated code it checks.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from diffrules import oracle
from diffrules.domains import Interval
from diffrules.entry import Rule, as_float
from generator.errors import GeneratorError
from generator.methods import has_gradient, is_zero

NICE = (0.5, 2.0, 1.5, 3.0, 0.25, -0.5, 1.0, -2.0, -0.25, -1.5, 0.0, 5.0, 10.0, 20.0, -3.0, 0.75)
DIGITS = 20
# The generated code may be off by this much without changing the digits shown.
MARGIN = 1e-12
# So many digits are shown, or fewer of a value that is off by more.
MOST, LEAST = 10, 3
TRIES = 12
# So many points are sorted by how nice they are.
POINTS = 20_000
# A number of this size is the rounding error of the oracle where the exact one is 0.
NOISE = 1e-15


@dataclass(frozen=True)
class Example:
    """A point and the results there, as ``format(result, ".10g")`` shows them.

    Of the value there may be fewer digits, see `digits`.

    Attributes
    ----------
    point : tuple of (float or int)
        In the order of the arguments; whole numbers where the argument is one.
    value : str
        The value.
    exact : float or complex
        The value, rounded once.
    partials : tuple of (str or None)
        One per argument; None where there is no method.
    """

    point: tuple[float | int | complex, ...]
    value: str
    exact: float | complex
    partials: tuple[str | None, ...]

    @property
    def arguments(self) -> str:
        """The point as it is written in a call."""
        return ", ".join(repr(number).strip("()") for number in self.point)


def digits(rule: Rule) -> int:
    """Return how many digits of the value are shown: those that are right, less one or two.

    With an error of 1e-9 of its size, 9 are right and the last of them may be rounded another way.
    """
    if not rule.off:
        return MOST
    return min(MOST, max(LEAST, math.floor(-math.log10(rule.off)) - 1))


@cache
def example(rule: Rule) -> Example:
    """Return a point at which the docstrings of `rule` show numbers.

    Raises
    ------
    GeneratorError
        If no point of the domain gives finite numbers.
    """
    best: Example | None = None
    for point in itertools.islice(_candidates(rule), TRIES):
        found = _at(rule, point)
        if found is not None and (best is None or _zeros(rule, found) < _zeros(rule, best)):
            best = found
            if not _zeros(rule, best):
                break
    if best is None:
        raise GeneratorError(
            f"{rule.title}: no point of its domain {rule.domain} with "
            "coordinates such as 0.5 and 2.0 has finite value and partials; correct the domain"
        )
    return best


@cache
def example_of_complex(rule: Rule) -> Example:
    """Return a complex point, near that of `example`, and the results there; orders are real."""
    followed = [has_gradient(rule, arg) for arg in rule.args]
    point = tuple(
        complex(real, 0.5 + i) if followed[i] else real
        for i, real in enumerate(example(rule).point)
    )
    value, slopes = oracle.value_and_partials(rule, point, DIGITS, of_complex=True)
    exact = complex(value)
    partials = tuple(None if slope is None else f"{complex(slope):.{MOST}g}" for slope in slopes)
    return Example(point, f"{exact:.{digits(rule)}g}", exact, partials)


def _candidates(rule: Rule) -> Iterator[tuple[float, ...]]:
    """Yield points of the domain: the nicest numbers first, distinct, away from singular ones."""
    singular = {tuple(as_float(spot.where[arg]) for arg in rule.args) for spot in rule.at}
    most = int(POINTS ** (1 / len(rule.args)))
    choices = [_inside(rule, arg)[:most] for arg in rule.args]

    def unlikely(point: tuple[float, ...]) -> tuple[bool, bool, int]:
        ranks = map(list.index, choices, point)
        return point in singular, len(set(point)) < len(point), sum(ranks)

    # Few are wanted, and whether a point is inside is the dear question.
    yield from filter(rule.domain.__contains__, sorted(itertools.product(*choices), key=unlikely))


def _inside(rule: Rule, arg: object) -> list[float]:
    intervals: list[Interval] = [box[arg] for box in rule.domain.boxes]
    found = [number for number in NICE if any(number in interval for interval in intervals)]
    for interval in intervals:
        low, high = float(interval.low), float(interval.high)
        if math.isfinite(low) and math.isfinite(high):
            found.append((low + high) / 2)
    return found


def _at(rule: Rule, point: tuple[float, ...]) -> Example | None:
    exact, slopes = oracle.value_and_partials(rule, point, DIGITS)
    value = _shown(exact, digits(rule), max(MARGIN, rule.off))
    partials = [None if slope is None else _shown(slope) for slope in slopes]
    missing = (
        shown is None and slope is not None for shown, slope in zip(partials, slopes, strict=True)
    )
    if value is None or any(missing):
        return None
    written = (
        int(number) if rule.domain.is_whole(arg) else number
        for number, arg in zip(point, rule.args, strict=True)
    )
    return Example(tuple(written), value, float(exact), tuple(partials))


def _zeros(rule: Rule, found: Example) -> int:
    """Return how many numbers are 0 at this point only: a wrong factor would not show."""
    shown = [
        number
        for number, arg in zip(found.partials, rule.args, strict=True)
        if not is_zero(rule, arg)
    ]
    return [found.value, *shown].count("0")


def _shown(number: object, count: int = MOST, margin: float = MARGIN) -> str | None:
    """Return `count` digits of a number, or None if an error of `margin` would change them."""
    exact = complex(number)  # type: ignore[call-overload]
    size = abs(exact.real)
    if exact.imag or not (size == 0 or NOISE < size < math.inf):
        return None
    shown = {f"{exact.real * (1 + shift) + 0.0:.{count}g}" for shift in (-margin, 0.0, margin)}
    return shown.pop() if len(shown) == 1 else None
