"""What one argument of a program has to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Leaf:
    """What one argument of a program has to be: the part of its signature.

    Attributes
    ----------
    kind : str
        ``float``, ``int``, ``bool``, ``complex``, ``scalar`` (of NumPy) or ``array``.
    dtype : dtype
    shape : tuple of int
    """

    kind: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @classmethod
    def of(cls, leaf: Any) -> Leaf:
        """Return the signature of a number or array."""
        if isinstance(leaf, np.ndarray):
            return cls("array", leaf.dtype, leaf.shape)
        if isinstance(leaf, np.generic):
            return cls("scalar", leaf.dtype, ())
        return cls(type(leaf).__name__, np.asarray(leaf).dtype, ())
