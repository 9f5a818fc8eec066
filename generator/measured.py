"""What was measured of each entry, as ``python -m generator accuracy --write`` left it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.accuracy.report import figure


class Measured:
    """The measurements of all entries.

    Parameters
    ----------
    path : Path
        ``docs/accuracy.json``; nothing is known where it is missing.
    """

    def __init__(self, path: Path) -> None:
        self._found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}

    def sentence(self, name: str) -> str:
        """Return what was measured of the entry `name`, in words; empty if nothing."""
        quantities = self._found.get(name, {})
        firsts = sorted(of for of in quantities if of != "value" and "," not in of)
        doubles = {of: data["twins"].get("float64") for of, data in quantities.items()}
        parts = [
            f"{'value' if of == 'value' else f'in {of}'} {_error(doubles[of])}"
            for of in ("value", *firsts)
            if doubles.get(of)
        ]
        if not parts:
            return ""
        points = max(one["points"] for one in doubles.values() if one)
        text = f"on {points:,} points: {', '.join(parts)} (float64)"
        for title, twin, names in (
            ("second derivatives", "float64", [of for of in quantities if "," in of]),
            ("float32", "float32", ["value", *firsts]),
            ("C", "C", ["value", *firsts]),
        ):
            known = [quantities.get(of, {}).get("twins", {}).get(twin) for of in names]
            if any(known):
                text += f"; {title} {_error(_worst([one for one in known if one]))}"
        return text


def _error(one: Mapping[str, float]) -> str:
    """Return an error in words, and how many points are lost."""
    lost = int(one["lost"])
    points = "point" if lost == 1 else "points"
    return f"{figure(one['ulp'])} ulp" + (f" and {lost:,} {points} lost" if lost else "")


def _worst(many: list[Mapping[str, float]]) -> Mapping[str, float]:
    """Return the largest error, and the largest number of lost points."""
    return {key: max(one[key] for one in many) for key in ("ulp", "lost")}
