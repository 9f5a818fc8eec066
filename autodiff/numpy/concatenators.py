"""``r_[...]`` and ``c_[...]`` of tracked values."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import operand
from autodiff.numpy.joining import is_tracked, joined
from autodiff.values import shape_of


class Concatenator:
    """NumPy's ``r_`` or ``c_``; with tracked values inside, its result is tracked.

    Parameters
    ----------
    own : object
        NumPy's.
    axis, ndmin, first : int
        Along which axis the parts are joined, how many axes they have at least, and where
        those of a part with fewer axes go.
    """

    def __init__(self, own: Any, axis: int, ndmin: int, first: int) -> None:
        self.own = own
        self.rule = (axis, ndmin, first)
        self.__doc__ = own.__doc__

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        if not any(is_tracked(part) for part in parts):
            return self.own[key]
        axis, ndmin, first = self.rule
        if isinstance(parts[0], str):
            axis, ndmin, first = _directive(parts[0], self.rule)
            parts = parts[1:]
        return np.concatenate([_raised(part, ndmin, first) for part in parts], axis)

    def __len__(self) -> int:
        return 0


def _directive(text: str, rule: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return axis, number of axes, and place of the first from a string such as ``'-1,2,0'``."""
    try:
        given = tuple(int(word) for word in text.split(","))
    except ValueError:
        raise TypeError(
            f"np.r_[{text!r}, ...] makes a matrix, which has its own arithmetic; leave it out"
        ) from None
    axis, ndmin, first = (*given, *rule[len(given) :])
    return axis, ndmin, first


def _raised(part: Any, ndmin: int, first: int) -> Any:
    """Return a part as an array of at least `ndmin` axes, its own from number `first` on."""
    value = np.r_[part] if isinstance(part, slice) else operand(joined(part))
    shape = shape_of(value)
    if not shape:
        return np.reshape(value, (1,) * max(ndmin, 1))
    missing = ndmin - len(shape)
    if missing <= 0:
        return value
    before = missing if first == -1 else min(first % ndmin if first < 0 else first, missing)
    return np.reshape(value, (1,) * before + shape + (1,) * (missing - before))


r_ = Concatenator(np.r_, 0, 1, -1)
c_ = Concatenator(np.c_, -1, 2, 0)
