"""What was measured, kept in ``docs/accuracy.json`` and shown in ``docs/accuracy.md``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.accuracy.beside import NAMES as PEERS
from generator.accuracy.measure import Measured, Row
from generator.accuracy.report import TWINS, figure
from generator.package import environment
from generator.tables import COMMAND

TEMPLATE = "page_accuracy.md.jinja"
# An entry counts as precise if all its partials are within so many units, and no point is lost.
PRECISE = 8.0
Record = dict[str, dict[str, dict[str, Any]]]


def merged(before: Mapping[str, Any], rows: Iterable[Row], names: Sequence[str]) -> Record:
    """Return a record in which `rows` take the place of what was known of their entries.

    Peers that were not measured again stay. Entries that are not among `names` go.
    """
    found: Record = {}
    for row in rows:
        data: dict[str, Any] = {"bound": row.bound, "unknown": row.unknown, "kinks": row.kinks}
        data |= {"twins": _all(row.twins), "peers": _all(row.peers)}
        old = before.get(row.name, {}).get(row.of, {})
        data["peers"] = {**old.get("peers", {}), **data["peers"]}
        found.setdefault(row.name, {})[row.of] = data
    together = {**before, **found}
    return {name: together[name] for name in sorted(together) if name in names}


def _all(measured: Mapping[str, Measured]) -> dict[str, dict[str, float]]:
    return {
        name: {
            "points": one.points,
            "ulp": _rounded(one.ulp),
            "p999": _rounded(one.ulp_999),
            "lost": one.lost,
            "warnings": one.warnings,
        }
        for name, one in measured.items()
    }


def _rounded(number: float) -> float:
    """Return a number with two digits, so that another machine hardly changes the file."""
    return float(f"{number:.2g}")


def read(path: Path) -> Record:
    """Return the record in a file; empty if there is none."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def write(path: Path, record: Record) -> None:
    """Write a record, and the page beside it."""
    # Infinity is no JSON, but Python's module writes and reads it.
    text = json.dumps(record, indent=1, sort_keys=True) + "\n"
    path.write_text(text, "utf-8")
    path.with_suffix(".md").write_text(page(record), "utf-8")


def page(record: Record) -> str:
    """Return the page of a record."""
    lines = [
        (name, of, data) for name, quantities in record.items() for of, data in quantities.items()
    ]
    first = [line for line in lines if line[1] != "value" and "," not in line[1]]
    return (
        environment()
        .get_template(TEMPLATE)
        .render(
            command=f"{COMMAND} accuracy",
            precise=PRECISE,
            summary=_summary(record),
            partials=[_cells(*line, (*TWINS, *PEERS)) for line in first],
            values=[_cells(*line, (*TWINS, *PEERS)) for line in lines if line[1] == "value"],
            seconds=[_cells(*line, ("float64",)) for line in lines if "," in line[1]],
            columns=(*TWINS, *PEERS),
        )
    )


def _summary(record: Record) -> list[tuple[str, int, int]]:
    """Return for us and each peer how many entries are precise, and how many there are."""
    found = []
    for who in ("float64", *PEERS):
        known = precise = 0
        for name, quantities in record.items():
            partials = [
                {**data["twins"], **data["peers"]}.get(who)
                for of, data in quantities.items()
                if of != "value" and "," not in of
            ]
            if name.startswith("_") or not any(partials):
                continue
            known += 1
            precise += all(
                one is not None and one["ulp"] <= PRECISE and not one["lost"] for one in partials
            )
        found.append(("ours" if who == "float64" else who, precise, known))
    return found


def _cells(name: str, of: str, data: Mapping[str, Any], columns: Sequence[str]) -> list[str]:
    measured = {**data["twins"], **data["peers"]}
    bound = "" if data["bound"] is None else f"{data['bound']:g}"
    points = f"{measured['float64']['points']:g}" if "float64" in measured else ""
    return [f"`{name}`", of, points, bound, *(_cell(measured.get(column)) for column in columns)]


def _cell(one: Mapping[str, float] | None) -> str:
    if one is None:
        return "-"
    return figure(one["ulp"]) + (f" ({one['lost']:g})" if one["lost"] else "")
