"""Inverse functions in expressions: the root of an entry's value, to any number of digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, TypeAlias

import mpmath

from diffrules.meanings import Meaning

Ends: TypeAlias = tuple[float | Callable[..., Any], float | Callable[..., Any]]
# Digits of the first search; it ends with a root to some 12 digits.
DIGITS = 30


class Inverse(Meaning):
    """The argument of an entry at which it has a given value.

    Attributes
    ----------
    entry : tuple
        Name and number of arguments of the entry, which rises or falls in that argument.
    place : int
        Where the argument stands; in the call of the inverse the value stands there.
    ends : tuple
        Between which the root is; an end may be a function of the arguments.
    rising : bool
        Whether the entry rises with the argument.
    """

    entry: ClassVar[tuple[str, int]]
    place: ClassVar[int]
    ends: ClassVar[Ends]
    rising: ClassVar[bool]


def inverse_of(
    name: str, nargs: int, place: int, ends: Ends, rising: bool = True
) -> type[Inverse]:
    """Return the SymPy function that solves an entry for its argument at `place`."""
    fields = {"entry": (name, nargs), "place": place, "ends": ends, "rising": rising}

    def numeric(*args: Any) -> Any:
        return _root(made, args)

    made = type(f"{name}_at_{place}", (Inverse,),
                {"nargs": nargs, "numeric": staticmethod(numeric), **fields})  # fmt: skip
    return made


def _root(inverse: type[Inverse], args: tuple[Any, ...]) -> Any:
    """Return the root at the precision of the caller, by secants from a first search."""
    there = _coordinate(inverse, args)
    key: Any = inverse  # mypy does not believe that classes are hashable
    before = mpmath.mpf(_first(key, tuple(map(float, args))))
    with mpmath.extraprec(20):
        miss = _miss(inverse, args)
        step = mpmath.mpf(2) ** -40 * max(1, abs(before))
        found, missed = before + step, miss(before)
        for _ in range(50):
            now = miss(found)
            if now == missed:
                break
            step = -now * (found - before) / (now - missed)
            before, missed, found = found, now, found + step
            # The step after that of a secant has 1.6 times its digits.
            if mpmath.mag(step) < -0.7 * mpmath.mp.prec:
                break
        else:
            raise ArithmeticError(f"no root of {inverse.__name__} at {args}")
        return there(found)


@cache
def _first(inverse: type[Inverse], args: tuple[float, ...]) -> float:
    """Return the coordinate of the root to some digits: ever larger steps, then halves."""
    # Beside 1 a root of a small value is told from 1 by as many digits more.
    sizes = [abs(math.log10(abs(arg))) for arg in args if arg and math.isfinite(arg)]
    with mpmath.workdps(DIGITS + int(max(sizes, default=0.0))):
        miss = _miss(inverse, tuple(map(mpmath.mpf, args)))
        way = -1.0 if miss(mpmath.mpf(0)) > 0 else 1.0
        near, far = 0.0, way
        while way * miss(mpmath.mpf(far)) < 0 and abs(far) < 2000.0:
            near, far = far, far + 2.0 * way if abs(far) < 60.0 else 2.0 * far
        low, high = sorted((near, far))
        while high - low > 1e-12 * max(1.0, abs(low)):
            middle = (low + high) / 2
            if miss(mpmath.mpf(middle)) > 0:
                high = middle
            else:
                low = middle
    return (low + high) / 2


def _coordinate(inverse: type[Inverse], args: tuple[Any, ...]) -> Callable[[Any], Any]:
    """Return what maps the reals to the interval of the root."""
    low, high = (end(*args) if callable(end) else end for end in inverse.ends)
    if math.isinf(low):
        return mpmath.sinh  # type: ignore[no-any-return]
    if math.isinf(high):
        return lambda u: low + mpmath.exp(u)
    return lambda u: low + (high - low) / (1 + mpmath.exp(-u))


def _miss(inverse: type[Inverse], args: tuple[Any, ...]) -> Callable[[Any], Any]:
    """Return by what the value at a coordinate is beyond the one sought; it rises."""
    from diffrules.oracle import function

    value, there, place = function(*inverse.entry), _coordinate(inverse, args), inverse.place
    sign = 1 if inverse.rising else -1
    return lambda u: sign * (value(*args[:place], there(u), *args[place + 1 :]) - args[place])
