"""What was measured of each entry, as ``python -m generator accuracy --write`` left it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


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
        return ""
