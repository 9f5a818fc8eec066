"""RuntimeWarnings of the broadcasted methods, point by point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from generator.accuracy.ulp import Array


def warned(call: Callable[[Array], Any], count: int, allowed: Array) -> Array:
    """Return at which points a call warns, of an invalid value, a division or an overflow.

    Parameters
    ----------
    call : callable
        Computes the points of an array of indices.
    count : int
        Number of points.
    allowed : array of bool
        Where the exact result is out of range, so that an overflow is no fault.
    """
    found = np.zeros(count, bool)
    # An overflow among those that may is no reason to look at them one by one.
    waiting = [np.flatnonzero(allowed), np.flatnonzero(~allowed)]
    while waiting:
        part = waiting.pop()
        if not len(part):
            continue
        kinds: set[str] = set()

        def note(kind: str, flag: int, kinds: set[str] = kinds) -> None:
            kinds.add(kind)

        with np.errstate(all="ignore", divide="call", over="call", invalid="call", call=note):
            call(part)
        faults = kinds - {"overflow"} if allowed[part].all() else kinds
        if faults and len(part) == 1:
            found[part] = True
        elif faults:
            waiting += np.array_split(part, 2)
    return found
