"""Which points lie next to an irrational zero, where the size around it is the measure."""

from __future__ import annotations

import numpy as np

from generator.accuracy.floats import DType
from generator.accuracy.quantities import Quantity
from generator.accuracy.reference import Point
from generator.accuracy.searches import scale_at_zero
from generator.accuracy.ulp import Array, Near
from generator.accuracy.work import Source

# Errors above are looked at again.
OFFENDING = 2.0
# Points of one look, and of all of them.
BATCH, MOST = 40, 800
# Share of the time of a quantity that one look may take, and how many there may be of new points.
LOOKING, LOOKS = 4.0, 10


class Scales:
    """The sizes of one quantity around its zeros.

    Parameters
    ----------
    quantity : Quantity
        What is measured.
    dtype : dtype
        Whose floats may be zeros.
    source : Source
        Who looks for them.
    """

    def __init__(self, quantity: Quantity, dtype: DType, source: Source) -> None:
        self._quantity, self._dtype, self._source = quantity, dtype, source
        self._looks = 0
        self._known = source.scales(quantity, dtype)

    def near(self, points: list[Point], error: Array, lost: Array) -> Near:
        """Return which offending points are next to a zero.

        All lost points are looked at, and the largest errors until one of them stays, or until
        the time is over.
        """
        scale, near = np.zeros(len(points), np.int64), np.zeros(len(points), bool)
        size = np.where(np.isfinite(error) & (error > OFFENDING), error, 0.0)
        order = [int(k) for k in np.lexsort((-size, ~lost)) if size[k]][:MOST]
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            in_time = self._look([points[k] for k in batch])
            for k in batch:
                found = self._known.get(points[k])
                if found is not None:
                    scale[k], near[k] = found, True
            if not in_time or (not lost[batch[-1]] and not near[batch].all()):
                break
        return Near(near, scale)

    def _look(self, points: list[Point]) -> bool:
        """Look at points, and return whether there was time for all of them."""
        new = [point for point in points if point not in self._known]
        if not new:
            return True
        work = [(self._quantity, point, self._dtype) for point in new]
        found = self._source.map(scale_at_zero, work, LOOKING)
        self._looks += 1
        self._known.update(zip(new, found, strict=False))
        self._source.keep_scales(self._quantity, self._dtype, self._known)
        return len(found) == len(new) and self._looks < LOOKS
