"""Where the values of a program live: in variables of C, or in memory, seen with strides."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autodiff.compiler.operations import Part


@dataclass(eq=False)
class Buffer:
    """A piece of memory.

    Attributes
    ----------
    dtype : dtype
    size : int
        Number of entries.
    kind : str
        ``input``, ``constant``, ``output``, ``work``, or ``call``: what a Python function gave.
    index : int
        Which of its kind.
    first, last : int
        Steps between which it holds something.
    used : bool
        Something reads it.
    """

    dtype: np.dtype[Any]
    size: int
    kind: str = "work"
    index: int = 0
    first: int = 0
    last: int = -1
    used: bool = False
    offset: int = 0

    @property
    def nbytes(self) -> int:
        """Number of bytes."""
        return self.size * self.dtype.itemsize

    @property
    def name(self) -> str:
        """Name of the pointer in C."""
        return f"{self.kind}{self.index}"


@dataclass(frozen=True)
class View:
    """An array in memory: strides and offset count entries."""

    buffer: Buffer
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0

    @property
    def is_contiguous(self) -> bool:
        """Whether the entries follow each other in C order."""
        wanted = contiguous(self.shape)
        return all(
            have == want or size == 1
            for have, want, size in zip(self.strides, wanted, self.shape, strict=True)
        )

    def transposed(self, axes: tuple[int, ...]) -> View:
        """Return the view with its axes in another order."""
        shape = tuple(self.shape[axis] for axis in axes)
        strides = tuple(self.strides[axis] for axis in axes)
        return View(self.buffer, shape, strides, self.offset)

    def taken(self, parts: tuple[Part, ...]) -> View:
        """Return the view of regular places."""
        offset = self.offset
        shape, strides = [], []
        for (start, length, step), stride in zip(parts, self.strides, strict=True):
            offset += start * stride
            if length is not None:
                shape.append(length)
                strides.append(step * stride)
        return View(self.buffer, tuple(shape), tuple(strides), offset)

    def broadcast(self, shape: tuple[int, ...]) -> View:
        """Return the view with the same entries along new or longer axes."""
        lead = len(shape) - len(self.shape)
        strides = tuple(
            0 if own == 1 else stride for own, stride in zip(self.shape, self.strides, strict=True)
        )
        return View(self.buffer, shape, (0,) * lead + strides, self.offset)

    def reshaped(self, shape: tuple[int, ...]) -> View | None:
        """Return the view in another shape; None if its entries do not lie for that."""
        if self.is_contiguous:
            return View(self.buffer, shape, contiguous(shape), self.offset)
        kept = [(n, s) for n, s in zip(self.shape, self.strides, strict=True) if n != 1]
        if [n for n in shape if n != 1] != [n for n, _ in kept]:
            return None
        rest = iter(kept)
        strides = tuple(0 if n == 1 else next(rest)[1] for n in shape)
        return View(self.buffer, shape, strides, self.offset)


@dataclass(frozen=True)
class Scalar:
    """One number, the same everywhere in its shape, in a variable of C."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...] = field(default=())


Place = View | Scalar


def contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of an array whose entries follow each other in C order."""
    sizes = itertools.accumulate(reversed(shape[1:]), lambda a, b: a * b, initial=1)
    return tuple(sizes)[::-1] if shape else ()


def whole(buffer: Buffer, shape: tuple[int, ...]) -> View:
    """Return a buffer as an array of `shape`."""
    assert buffer.size == math.prod(shape)
    return View(buffer, shape, contiguous(shape))


def assign_offsets(buffers: list[Buffer], align: int = 64) -> int:
    """Give buffers places in one workspace, those that are never needed together the same.

    Returns
    -------
    int
        Bytes of the workspace.
    """
    placed: list[Buffer] = []
    for buffer in sorted(buffers, key=lambda one: -one.nbytes):
        beside = sorted(
            (
                other
                for other in placed
                if other.first <= buffer.last and buffer.first <= other.last
            ),
            key=lambda other: other.offset,
        )
        at = 0
        for other in beside:
            if at + buffer.nbytes <= other.offset:
                break
            at = max(at, -(-(other.offset + other.nbytes) // align) * align)
        buffer.offset = at
        placed.append(buffer)
    return max((buffer.offset + buffer.nbytes for buffer in placed), default=0)
