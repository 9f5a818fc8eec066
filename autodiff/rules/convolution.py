"""Convolution and correlation of vectors."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autodiff.box import operand
from autodiff.primitives import Bilinear, implements
from autodiff.rules.complex import conjugate
from autodiff.values import shape_of


def _of_full(grad: Any, other: Any, x: Any) -> Any:
    """Return the cotangent of `x` in a full convolution; of `x` nothing is read."""
    return np.convolve(grad, other[::-1], "valid")


def _of_longer(grad: Any, short: Any, long: Any) -> Any:
    """Return the cotangent of the longer one where only whole overlaps are kept."""
    return np.convolve(grad, short[::-1], "full")


def _of_shorter(grad: Any, long: Any, short: Any) -> Any:
    return np.convolve(long, grad[::-1], "valid")[::-1]


# The second is no longer than the first.
full_rule = Bilinear("np.convolve", partial(np.convolve, mode="full"), (_of_full, _of_full))
valid_rule = Bilinear("np.convolve", partial(np.convolve, mode="valid"), (_of_longer, _of_shorter))


@implements(np.convolve)
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    """Convolution of two vectors."""
    a, v = (one if shape_of(one) else np.reshape(one, (1,)) for one in (operand(a), operand(v)))
    mode = _mode(mode)
    if len(a) < len(v):
        a, v = v, a
    if mode == "valid":
        return valid_rule(a, v)
    full = full_rule(a, v)
    return full if mode == "full" else _part(full, (len(v) - 1) // 2, len(a))


@implements(np.correlate)
def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    """Cross-correlation of two vectors; the second is conjugated."""
    a, v, mode = operand(a), operand(v), _mode(mode)
    if not shape_of(a) or not shape_of(v):
        raise ValueError("np.correlate needs sequences, not single numbers")
    reversed_v = conjugate(v)[::-1]
    if mode == "same" and len(a) < len(v):
        # NumPy takes the middle as seen from the other end if it exchanged the two.
        return _part(convolve(a, reversed_v), len(a) // 2, len(v))
    return convolve(a, reversed_v, mode)


def _mode(mode: Any) -> str:
    modes = ("valid", "same", "full")
    if mode in (0, 1, 2):
        return modes[mode]
    if mode not in modes:
        raise ValueError(f"the mode of a convolution is 'full', 'same' or 'valid', not {mode!r}")
    return str(mode)


def _part(full: Any, start: int, size: int) -> Any:
    return full[start : start + size]
