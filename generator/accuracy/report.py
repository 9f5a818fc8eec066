"""What was measured, as a table for a terminal and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from generator.accuracy.measure import Measured, Row

TWINS = ("float64", "scalar", "float32", "C", "C float")
# Compiled code may call vector functions, which are off by so much more.
COMPILED = 4.0
# Errors up to here are no news.
UNSHOWN = 1.0
HEAD = f"{'entry':22} {'of':9} {'points':>6} {'none':>5}" + "".join(
    f" {name:>14}" for name in (*TWINS, "p99.9")
)
TAIL = f" {'warn':>5} {'bound':>6}"


def faults(row: Row) -> list[str]:
    """Return what of a row breaks its bound; nothing where there is none."""
    if row.bound is None:
        return []
    found = []
    for name, measured in row.twins.items():
        bound = row.bound + (COMPILED if name.startswith("C") else 0.0)
        if measured.lost:
            found.append(f"{name}: {measured.lost} catastrophic points")
        if measured.ulp > bound:
            found.append(f"{name}: {figure(measured.ulp)} ulp, allowed are {bound:g}")
        if measured.warnings:
            found.append(f"{name}: warnings at {measured.warnings} points")
    return found


def lines(row: Row, verbose: bool = False) -> Iterator[str]:
    """Yield one row of the table; with `verbose` also its worst points."""
    main = row.twins.get("float64") or next(iter(row.twins.values()))
    cells = "".join(f" {cell(row.twins.get(name)):>14}" for name in TWINS)
    warn = sum(measured.warnings for measured in row.twins.values())
    bound = "" if row.bound is None else f"{row.bound:g}"
    text = f"{row.name:22} {row.of:9} {main.points:6} {row.unknown or '':>5}{cells}"
    text += f" {figure(main.ulp_999):>14} {warn or '':>5} {bound:>6}"
    if row.peers:
        text += "  " + ", ".join(f"{name} {cell(one)}" for name, one in row.peers.items())
    yield text + ("  <-- above the bound" if faults(row) else "")
    if verbose:
        yield from (f"    {fault}" for fault in faults(row))
        for name, measured in row.twins.items():
            yield from _details(name, measured)


def _details(name: str, measured: Measured) -> Iterator[str]:
    if measured.scaled:
        yield f"    {name}: {measured.scaled} points by the size around an irrational zero"
    if measured.fallbacks:
        yield f"    {name}: raises at {measured.fallbacks} points; the broadcasted one answers"
    for sample in measured.samples:
        if sample.ulp <= UNSHOWN:
            continue
        point = ", ".join(f"{number!r}" for number in sample.point)
        yield (
            f"    {name}: at {point}: {sample.computed!r}, exact {sample.exact!r}, "
            f"{figure(sample.ulp)} ulp"
        )


def cell(measured: Measured | None) -> str:
    """Return the largest error, and in brackets how many points are lost."""
    if measured is None:
        return "-"
    return figure(measured.ulp) + (f" ({measured.lost})" if measured.lost else "")


def figure(number: float) -> str:
    """Return a number of units with two digits.

    >>> figure(0.5), figure(12.3), figure(123.0), figure(4.56e15)
    ('0.5', '12', '120', '4.6e+15')
    """
    text = f"{number:.2g}"
    return text if "e" not in text or abs(number) >= 1000 else f"{float(text):g}"


def as_data(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return rows for ``--json``."""
    return [{**asdict(row), "faults": faults(row)} for row in rows]
