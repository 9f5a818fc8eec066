"""Exact numbers of many points, by several processes, kept on disk."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from types import TracebackType

import numpy as np

from generator.accuracy import cache
from generator.accuracy.quantities import Quantity
from generator.accuracy.reference import Exact, exact
from generator.accuracy.ulp import Numbers

PROCESSES = 2
# Points of one piece of work: small ones keep all processes busy.
PIECE = 50


class Workers:
    """Computes exact numbers; a context manager that owns the processes.

    Parameters
    ----------
    progress : callable
        Called with a name for each piece of work that is done.
    """

    def __init__(self, progress: Callable[[str], None] = lambda name: None) -> None:
        self._progress = progress
        self._pool = multiprocessing.get_context("fork").Pool(PROCESSES)
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

    def numbers(self, quantity: Quantity, points: Sequence[tuple[float, ...]]) -> Numbers:
        """Return a quantity at points, from the disk where it is known."""
        if quantity not in self._known:
            self._known[quantity] = cache.load(quantity)
        known = self._known[quantity]
        missing = [point for point in dict.fromkeys(points) if point not in known]
        if missing:
            pieces = [
                (quantity, missing[k :: -(-len(missing) // PIECE)])
                for k in range(-(-len(missing) // PIECE))
            ]
            for piece, found in self._pool.imap_unordered(_piece, pieces):
                known.update(zip(piece, found, strict=True))
                self._progress(f"{quantity.rule.name} {quantity.label}")
            cache.store(quantity, known)
        columns = zip(*(known[point] for point in points), strict=True)
        head, tail, exponent = map(np.array, columns)
        return Numbers(head, tail, exponent)


def _piece(
    work: tuple[Quantity, list[tuple[float, ...]]],
) -> tuple[list[tuple[float, ...]], list[Exact]]:
    quantity, points = work
    return points, [exact(quantity, point) for point in points]
