"""`Flat`: the entries of a tracked value in C order, as ``ndarray.flat`` offers them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff import in_place


class Flat:
    """What ``v.flat`` is: ``v.flat[i]``, ``v.flat[i] = w``, and an iterator.

    Parameters
    ----------
    base : Box
    """

    def __init__(self, base: Any) -> None:
        self.base = base

    def __len__(self) -> int:
        size: int = self.base.size
        return size

    def __iter__(self) -> Iterator[Any]:
        return iter(np.ravel(self.base))

    def __getitem__(self, index: Any) -> Any:
        return np.ravel(self.base)[index]

    def __setitem__(self, index: Any, new: Any) -> None:
        places = np.atleast_1d(np.arange(len(self))[index])
        in_place.set_flat_items(self.base, places, new)

    def copy(self) -> Any:
        """Return the entries in one row."""
        return np.ravel(self.base).copy()
