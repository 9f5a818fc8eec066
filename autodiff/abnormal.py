"""Infinite and NaN entries: where they are first, and how messages tell of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.box import raw

SHOWN = 3
"""Entries that a message names."""


def entries_at(value: Any, where: Any) -> str:
    """Return the entries of an argument where something happened, in words."""
    if value is None or np.shape(value) != np.shape(where):
        return ""
    entries = np.asarray(value)[where].ravel() if np.ndim(value) else np.ravel(value)
    named = ", ".join(repr(entry.item()) for entry in entries[:SHOWN])
    return f", at {named}" + (", ..." if entries.size > SHOWN else "")


def is_numeric(value: Any) -> bool:
    """Return whether `value` holds a number or an array, not None or a rule's own object."""
    return isinstance(raw(value), (float, complex, np.ndarray, np.generic))


def is_first(out: Any, args: Sequence[Any]) -> bool:
    """Return whether `out` has infinities or NaN where no argument has any, or the first NaN."""
    if np.all(np.isfinite(out)):
        return False
    bad = [raw(arg) for arg in args if not is_finite(arg)]
    return not bad or bool(np.any(np.isnan(out)) and not any(np.any(np.isnan(arg)) for arg in bad))


def is_finite(value: Any) -> bool:
    """Return whether `value` holds no infinity and no NaN; what has no numbers holds none."""
    plain = raw(value)
    if isinstance(plain, np.ndarray) and plain.dtype.kind not in "fc":
        return True
    return not is_numeric(plain) or bool(np.all(np.isfinite(plain)))


def how_bad(value: Any) -> str:
    """Return how many entries are infinite or NaN, in words."""
    infinite, nan = int(np.sum(np.isinf(value))), int(np.sum(np.isnan(value)))
    if np.ndim(value) == 0:
        return "NaN" if nan else "infinite"
    parts = [f"infinite in {infinite}"] * bool(infinite) + [f"NaN in {nan}"] * bool(nan)
    return f"{' and '.join(parts)} of {np.size(value)} entries"


def shown(value: Any) -> str:
    """Return a value as messages show it: of a large array the ends, in one line."""
    plain = raw(value)
    if isinstance(plain, np.ndarray):
        return np.array2string(plain, threshold=6, edgeitems=3, precision=6).replace("\n", "")
    return repr(plain)
