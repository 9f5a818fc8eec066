"""The line of the user's code that led to a call of ours."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import numpy as np

PACKAGES = tuple(
    f"{Path(home).resolve()}{os.sep}"
    for home in (Path(__file__).parent, Path(__file__).parents[1] / "generated", np.__path__[0])
)
"""Folders whose code is not the user's."""


class Place(NamedTuple):
    """A line of code."""

    file: str
    line: int
    code: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f", `{self.code}`" if self.code else "")


def user_frame() -> tuple[FrameType, int]:
    """Return the innermost frame that is neither ours nor NumPy's, and how far up it is."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGES):
        frame, depth = frame.f_back, depth + 1
    return frame, depth


def user_place() -> Place:
    """Return the line of the user's code that is being executed."""
    import linecache  # not with every `import autodiff`

    frame, _ = user_frame()
    file, line = frame.f_code.co_filename, frame.f_lineno
    return Place(file, line, linecache.getline(file, line, frame.f_globals).strip())
