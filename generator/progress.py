"""A progress bar for a terminal; silent elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TextIO

WIDTH = 30


class Progress:
    """Shows how many of a number of steps are done.

    Parameters
    ----------
    total : int
        Number of steps.
    stream : text stream, optional
        Standard error if not given; nothing is shown if it is not a terminal.
    """

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._shown = self._stream.isatty()
        self._total, self._done = total, 0

    def __enter__(self) -> Progress:
        return self

    def step(self, name: str) -> None:
        """Count one step and show its name."""
        self._done += 1
        if self._shown:
            filled = WIDTH * self._done // self._total
            bar = "#" * filled + "." * (WIDTH - filled)
            self._stream.write(f"\r\x1b[K[{bar}] {self._done}/{self._total} {name}")
            self._stream.flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
