"""A few points of each quantity with their exact numbers, kept in ``tests/exact``.

Tests hold the bounds of all entries at them, without a minute of many-digit arithmetic each.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import mpmath
import numpy as np

from generator.accuracy.cache import Scale
from generator.accuracy.floats import DType
from generator.accuracy.quantities import Quantity
from generator.accuracy.reference import DIGITS, NOTHING, Exact, Point, exact, split
from generator.accuracy.ulp import Array, Near, Numbers

# Points through all kinds, and those of the largest errors.
SPREAD, WORST = 12, 4
# Digits that are kept: an error of 1e-4 units can be told.
SHOWN = 22
# Of an entry that is not kept, a number that takes longer is unknown, and so are all that follow
# after the limit.
SECONDS, LIMIT = 0.1, 0.25


class Kept(NamedTuple):
    """A point, the exact number there, and the exponent of the size around a zero next to it."""

    point: Point
    exact: Exact
    scale: int | None


def chosen(points: Sequence[Point], numbers: Numbers, error: Array, near: Near) -> list[Kept]:
    """Return the points of a measurement that are kept."""
    known = np.flatnonzero(numbers.known[: len(points)])
    step = max(1, len(known) // SPREAD)
    worst = known[np.argsort(-error[known], kind="stable")][:WORST]
    places = dict.fromkeys((*known[::step][:SPREAD].tolist(), *worst.tolist()))
    return [
        Kept(
            points[k],
            Exact(float(numbers.head[k]), float(numbers.tail[k]), int(numbers.exponent[k])),
            int(near.exponent[k]) if near.where[k] else None,
        )
        for k in places
    ]


class KeptNumbers:
    """Exact numbers from the files; what is not there is computed.

    Parameters
    ----------
    found : mapping
        The points of each quantity.
    """

    def __init__(self, found: Mapping[Quantity, Sequence[Kept]]) -> None:
        self._found = {
            quantity: {one.point: one for one in points} for quantity, points in found.items()
        }

    def __contains__(self, quantity: Quantity) -> bool:
        return quantity in self._found

    def points(self, quantity: Quantity) -> list[Point]:
        """Return the points of a quantity."""
        return list(self._found[quantity])

    def numbers(self, quantity: Quantity, points: Sequence[Point], share: float = 1.0) -> Numbers:
        """Return a quantity at points."""
        start, found = time.process_time(), []
        for point in points:
            late = time.process_time() - start > LIMIT
            found.append(NOTHING if late else self.number(quantity, point))
        head, tail, exponent = map(np.array, zip(*found, strict=True))
        return Numbers(head, tail, exponent)

    def number(self, quantity: Quantity, point: Point) -> Exact:
        """Return a quantity at a point."""
        one = self._found.get(quantity, {}).get(point)
        return exact(quantity, point, SECONDS) if one is None else one.exact

    def map(
        self, function: Callable[..., Any], work: Sequence[tuple[Any, ...]], share: float = 1.0
    ) -> list[Any]:
        """Return results of a function in order."""
        return [function(*args) for args in work]

    def scales(self, quantity: Quantity, dtype: DType) -> Scale:
        """Return what is known of the sizes of a quantity around its zeros."""
        return {
            point: one.scale
            for point, one in self._found.get(quantity, {}).items()
            if one.scale is not None
        }

    def keep_scales(self, quantity: Quantity, dtype: DType, known: Scale) -> None:
        """Keep nothing: the files are written by the command."""


def read(folder: Path) -> KeptNumbers:
    """Return what is kept in a folder and still belongs to the table."""
    return KeptNumbers(dict(_read(folder)))


def _read(folder: Path) -> Iterator[tuple[Quantity, list[Kept]]]:
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            data = json.loads(line)
            quantity = Quantity((data["entry"], data["args"]), tuple(data["along"]))
            if data["code"] == _digest(quantity):
                yield (
                    quantity,
                    [
                        Kept(tuple(point), _number(text), scale)
                        for point, text, scale in zip(
                            data["points"], data["exact"], data["near"], strict=True
                        )
                    ],
                )


def write(folder: Path, found: Mapping[Quantity, Sequence[Kept]]) -> None:
    """Put points of quantities into the files of their families, in place of older ones."""
    measured: dict[str, set[str]] = {}
    for quantity in found:
        measured.setdefault(quantity.rule.family, set()).add(quantity.rule.name)
    for family, names in measured.items():
        path = folder / f"{family}.jsonl"
        before = path.read_text("utf-8").splitlines() if path.exists() else []
        rest = [line for line in before if json.loads(line)["entry"] not in names]
        new = [
            _line(quantity, points)
            for quantity, points in found.items()
            if quantity.rule.family == family
        ]
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in sorted(rest + new)), "utf-8")


def _line(quantity: Quantity, points: Iterable[Kept]) -> str:
    name, count = quantity.key
    columns = list(zip(*points, strict=True)) or [(), (), ()]
    return json.dumps(
        {
            "entry": name,
            "args": count,
            "along": quantity.along,
            "code": _digest(quantity),
            "points": columns[0],
            "exact": [_text(number) for number in columns[1]],
            "near": columns[2],
        }
    )


def _digest(quantity: Quantity) -> str:
    return hashlib.sha256(str(quantity.rule.meaning()).encode()).hexdigest()[:12]


def _text(number: Exact) -> str:
    with mpmath.workdps(DIGITS):
        whole = mpmath.mpf(number.head) + mpmath.mpf(number.tail)
        return str(mpmath.nstr(mpmath.ldexp(whole, number.exponent), SHOWN, strip_zeros=True))


def _number(text: str) -> Exact:
    with mpmath.workdps(DIGITS):
        return split(mpmath.mpf(text))
