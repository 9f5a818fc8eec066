"""Exact numbers of many points, by several processes, kept on disk."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing.pool import AsyncResult
from types import TracebackType
from typing import Any

import numpy as np

from generator.accuracy import cache
from generator.accuracy.quantities import Quantity
from generator.accuracy.reference import NOTHING, Exact, exact
from generator.accuracy.speed import prepare
from generator.accuracy.ulp import Numbers

PROCESSES = 2
# Points of one piece of work: small ones keep all processes busy.
PIECE = 25
# Seconds of work, of all processes together, that one quantity may cost in a run.
BUDGET = 20.0
Point = tuple[float, ...]


class Workers:
    """Computes exact numbers; a context manager that owns the processes.

    Parameters
    ----------
    progress : callable
        Called with a name for each quantity that is done.
    """

    def __init__(self, progress: Callable[[str], None] = lambda name: None) -> None:
        self._progress = progress
        self._pool = multiprocessing.get_context("fork").Pool(PROCESSES, prepare)
        self._known: dict[Quantity, cache.Known] = {}

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.terminate()
        self._pool.join()

    def numbers(
        self, quantity: Quantity, points: Sequence[Point], seconds: float = BUDGET
    ) -> Numbers:
        """Return a quantity at points, from the disk where it is known.

        What cannot be found in `seconds` of work is NaN; the next run goes on with it.
        """
        if quantity not in self._known:
            self._known[quantity] = cache.load(quantity)
        known = self._known[quantity]
        missing = [point for point in dict.fromkeys(points) if point not in known]
        if missing:
            random.Random(0).shuffle(missing)
            known.update(self._found(quantity, missing, seconds))
            cache.store(quantity, known)
        self._progress(f"{quantity.rule.name} {quantity.label}")
        columns = zip(*(known.get(point, NOTHING) for point in points), strict=True)
        head, tail, exponent = map(np.array, columns)
        return Numbers(head, tail, exponent)

    def _found(self, quantity: Quantity, points: list[Point], seconds: float) -> cache.Known:
        pieces = [points[k : k + PIECE] for k in range(0, len(points), PIECE)]
        found: cache.Known = {}
        running: deque[AsyncResult[Any]] = deque()
        while pieces or running:
            # Two for each process: none waits, and few are lost when the time is over.
            while pieces and seconds > 0 and len(running) < 2 * PROCESSES:
                running.append(self._pool.apply_async(_piece, (quantity, pieces.pop(0))))
            if not running:
                break
            numbers, spent = running.popleft().get()
            found.update(numbers)
            seconds -= spent
        return found


def _piece(quantity: Quantity, points: list[Point]) -> tuple[dict[Point, Exact], float]:
    start = time.process_time()
    found = {point: exact(quantity, point) for point in points}
    return found, time.process_time() - start
