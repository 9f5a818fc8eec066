"""Exact numbers of many points, by several processes, kept on disk."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing.pool import AsyncResult
from types import TracebackType
from typing import Any, Protocol

import numpy as np

from generator.accuracy import cache
from generator.accuracy.floats import DType
from generator.accuracy.quantities import Quantity
from generator.accuracy.reference import NOTHING, Exact, Point, exact
from generator.accuracy.speed import prepare
from generator.accuracy.ulp import Numbers

PROCESSES = 2
# Points of one piece of work: small ones keep all processes busy.
PIECE = 25
# Seconds of work, of all processes together, that one quantity may cost in a run.
BUDGET = 12.0
# Seconds after which a number is given up for good; a search gives it up earlier.
PATIENCE = 1.0


class Source(Protocol):
    """Whoever knows exact numbers."""

    def numbers(self, quantity: Quantity, points: Sequence[Point], share: float = 1.0) -> Numbers:
        """Return a quantity at points; what is not known in a share of the time is NaN."""

    def number(self, quantity: Quantity, point: Point) -> Exact:
        """Return a quantity at a point."""

    def map(
        self, function: Callable[..., Any], work: Sequence[tuple[Any, ...]], share: float = 1.0
    ) -> list[Any]:
        """Return results of a function in order, maybe not all."""

    def scales(self, quantity: Quantity, dtype: DType) -> cache.Scale:
        """Return what is known of the sizes of a quantity around its zeros."""

    def keep_scales(self, quantity: Quantity, dtype: DType, known: cache.Scale) -> None:
        """Keep such sizes."""


class Workers:
    """Computes exact numbers; a context manager that owns the processes.

    Parameters
    ----------
    budget : float
        Seconds of work that the numbers of one quantity may cost.
    fresh : bool
        Forget the numbers on disk.

    Attributes
    ----------
    spent : float
        Seconds of work so far.
    """

    def __init__(self, budget: float = BUDGET, fresh: bool = False) -> None:
        self._budget, self._fresh = budget, fresh
        self.spent = 0.0
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

    def numbers(self, quantity: Quantity, points: Sequence[Point], share: float = 1.0) -> Numbers:
        """Return a quantity at points, from the disk where it is known.

        What cannot be found in a share of the time is NaN; the next run goes on with it.
        """
        known = self._loaded(quantity)
        missing = [point for point in dict.fromkeys(points) if point not in known]
        if missing:
            random.Random(0).shuffle(missing)
            pieces = [missing[k : k + PIECE] for k in range(0, len(missing), PIECE)]
            limit = share * self._budget / PROCESSES
            work = [(quantity, piece, limit) for piece in pieces]
            for found in self.map(_piece, work, share):
                known.update(found)
            if known:
                cache.store(quantity, known)
        columns = zip(*(known.get(point, NOTHING) for point in points), strict=True)
        head, tail, exponent = map(np.array, columns)
        return Numbers(head, tail, exponent)

    def number(self, quantity: Quantity, point: Point) -> Exact:
        """Return a quantity at a point."""
        self.numbers(quantity, [point])
        return self._loaded(quantity).get(point, NOTHING)

    def _loaded(self, quantity: Quantity) -> cache.Known:
        if quantity not in self._known:
            self._known[quantity] = {} if self._fresh else cache.load(quantity)
        return self._known[quantity]

    def map(
        self, function: Callable[..., Any], work: Sequence[tuple[Any, ...]], share: float = 1.0
    ) -> list[Any]:
        """Return results of a function in order; fewer than asked for when the time is over."""
        found: list[Any] = []
        waiting, left = deque(work), share * self._budget
        running: deque[AsyncResult[Any]] = deque()
        while waiting or running:
            # Two for each process: none waits, and few are lost when the time is over.
            while waiting and left > 0 and len(running) < 2 * PROCESSES:
                running.append(self._pool.apply_async(_timed, (function, waiting.popleft())))
            if not running:
                break
            result, spent = running.popleft().get()
            found.append(result)
            left -= spent
            self.spent += spent
        return found

    def scales(self, quantity: Quantity, dtype: DType) -> cache.Scale:
        """Return what is known of the sizes of a quantity around its zeros, from the disk."""
        return cache.load_scales(quantity, dtype)

    def keep_scales(self, quantity: Quantity, dtype: DType, known: cache.Scale) -> None:
        """Keep such sizes on disk."""
        cache.store_scales(quantity, dtype, known)


def _timed(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, float]:
    start = time.process_time()
    return function(*args), time.process_time() - start


def _piece(quantity: Quantity, points: list[Point], limit: float) -> dict[Point, Exact]:
    """Return the numbers of some points, as many as are found in a limit of time."""
    start, found = time.process_time(), {}
    for point in points:
        number = exact(quantity, point, min(PATIENCE, 2 * limit))
        if number is not NOTHING or 2 * limit >= PATIENCE:
            found[point] = number
        if time.process_time() - start > limit:
            break
    return found
