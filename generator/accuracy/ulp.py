"""Errors in units in the last place, and answers that are no answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
# Within so many units of the largest number, both it and infinity are right.
SLACK = 8.0
# Powers of two further apart are zero and infinity to each other.
APART = 4000


@dataclass(frozen=True)
class Format:
    """A floating-point format: bits of a number, and the exponents of the normal ones."""

    bits: int
    lowest: int
    highest: int


FORMATS = {
    np.dtype(np.float64): Format(53, -1021, 1024),
    np.dtype(np.float32): Format(24, -125, 128),
}


@dataclass(frozen=True)
class Numbers:
    """Exact numbers ``(head + tail) * 2**exponent``, 0.5 <= abs(head) < 1; NaN: unknown."""

    head: Array
    tail: Array
    exponent: Array

    def __len__(self) -> int:
        return len(self.head)

    @property
    def known(self) -> Array:
        """Where there is a number."""
        return ~np.isnan(self.head)

    def rounded(self) -> Array:
        """Return them as doubles."""
        with np.errstate(all="ignore"):
            return _shifted(self.head, self.exponent)

    def beyond(self, form: Format) -> Array:
        """Return by how many units they exceed the largest number of a format; negative below."""
        with np.errstate(all="ignore"):
            size = np.abs(self.head) + np.sign(self.head) * self.tail
            return _shifted(size, self.exponent - form.highest + form.bits) - (2.0**form.bits - 1)


@dataclass(frozen=True)
class Near:
    """Points next to an irrational zero, and the exponents of the size around it."""

    where: Array
    exponent: Array


def errors(computed: Array, exact: Numbers, dtype: Any, near: Near | None = None) -> Array:
    """Return the errors of `computed` in units in the last place of the exact numbers.

    Parameters
    ----------
    computed : array
        Numbers of `dtype`.
    exact : Numbers
        One for each.
    dtype : dtype
        float64 or float32.
    near : Near, optional
        Where the units belong to another size.
    """
    form = FORMATS[np.dtype(dtype)]
    computed = np.asarray(computed, np.float64)
    size = np.where(exact.head == 0, form.lowest, exact.exponent)
    if near is not None:
        size = np.where(near.where, np.maximum(size, near.exponent), size)
    unit = np.clip(size, form.lowest, form.highest) - form.bits
    with np.errstate(all="ignore"):
        # In units, by powers of two: nothing is rounded where the two numbers are close.
        head, tail = (_shifted(part, exact.exponent - unit) for part in (exact.head, exact.tail))
        found = np.abs((_shifted(computed, -unit) - head) - tail)
    infinite = np.isinf(computed) & (np.sign(computed) == np.sign(exact.head))
    found = np.where(infinite & (exact.beyond(form) > -SLACK), 0.0, found)
    found = np.where(np.isnan(found), np.inf, found)
    return np.where(exact.known, found, np.nan)


def catastrophic(
    computed: Array, exact: Numbers, dtype: Any, error: Array, near: Near | None = None
) -> Array:
    """Return where `computed` is no answer.

    Zero, infinite, NaN, of the wrong sign or without a correct digit where the exact number is
    ordinary; or ordinary where that is 0, infinite, or out of range.
    """
    form = FORMATS[np.dtype(dtype)]
    computed = np.asarray(computed, np.float64)
    beyond = exact.beyond(form)
    inside = exact.known & (exact.head != 0) & (beyond <= 0)
    ordinary = np.isfinite(computed) & (np.abs(computed) >= 2.0 ** (form.lowest - 1))
    vanishing = (exact.head == 0) | (exact.exponent < form.lowest - form.bits)
    size = np.abs(exact.head)
    if near is not None:
        size = np.where(near.where, 1.0, size)
        vanishing &= ~near.where
    with np.errstate(all="ignore"):
        without_digits = _shifted(error, np.full(len(error), -form.bits)) >= size
    matters = ordinary | (exact.exponent >= form.lowest) | ~np.isfinite(computed)
    bad: Array = inside & without_digits & matters
    bad |= ordinary & (vanishing | (beyond > SLACK))
    bad |= ~np.isfinite(computed) & (error == np.inf)
    bad &= exact.known
    return bad


def _shifted(number: Array, shift: Array) -> Array:
    """Return ``number * 2**shift``, without a step that leaves the range early."""
    mantissa, exponent = np.frexp(number)
    shift = np.clip(shift, -APART, APART)
    found: Array = np.ldexp(mantissa, (exponent + shift).astype(np.int64))
    return found
