"""Sums of arrays that are zero but in a few places, as one array put together once.

They come from reading numbers out of an array one by one: the gradient of each is zero but in its
place, and the sum of all of them would be as many additions of whole arrays.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autodiff.compiler.operations import Assemble, Kernel, Part, Put, Take
from autodiff.compiler.program import Instruction, Operand, Program, Value


@dataclass
class _Pending:
    """An array that is zero but in some places."""

    shape: tuple[int, ...]
    parts: list[tuple[Part, ...]] = field(default_factory=list)
    operands: list[Operand] = field(default_factory=list)
    taken: Any = None


def assemble(program: Program) -> Program:
    """Return the program with sums of `Put` in different places as one `Assemble` each.

    The sum of -0 and the zeros of the others is 0, so each entry has 0 added to it once.
    """
    readers = Counter(value for each in program.instructions for value in each.values)
    readers.update(one for one in program.outputs if isinstance(one, Value))
    pending: dict[Value, tuple[_Pending, Instruction]] = {}
    kept: list[Instruction] = []

    def settle(value: Value) -> None:
        waiting = pending.pop(value, None)
        if waiting is not None:
            whole, put = waiting
            kept.append(put if len(whole.parts) == 1 else _instruction(whole, value))

    for each in program.instructions:
        operation, result = each.operation, each.results[0]
        if isinstance(operation, Put) and readers[result] == 1:
            for value in each.values:
                settle(value)
            pending[result] = _Pending(operation.shape, [operation.parts], [each.operands[0]]), each
            continue
        sides = [pending.get(one) for one in each.operands if isinstance(one, Value)]
        if _is_sum(operation) and len(sides) == 2 and all(sides):
            merged = _merged(*(side[0] for side in sides if side))
            if merged is not None:
                for value in each.values:
                    pending.pop(value, None)
                pending[result] = merged, each
                if readers[result] != 1:
                    settle(result)
                continue
        for value in each.values:
            settle(value)
        kept.append(each)
    for one in program.outputs:
        if isinstance(one, Value):
            settle(one)
    return program.with_instructions(kept)


def _is_sum(operation: Any) -> bool:
    return isinstance(operation, Kernel) and operation.index is None and operation.name == "add"


def _merged(first: _Pending, second: _Pending) -> _Pending | None:
    """Return two arrays as one, if no place is in both."""
    if first.shape != second.shape:
        return None
    for one in (first, second):
        if one.taken is None:
            one.taken = np.zeros(one.shape, bool)
            one.taken[Take(one.parts[0]).index] = True
    if len(first.parts) < len(second.parts):
        first, second = second, first
    for parts in second.parts:
        index = Take(parts).index
        if np.any(first.taken[index]):
            return None
    for parts in second.parts:
        first.taken[Take(parts).index] = True
    first.parts += second.parts
    first.operands += second.operands
    return first


def _instruction(whole: _Pending, result: Value) -> Instruction:
    operation = Assemble(tuple(whole.parts), whole.shape, bool(whole.taken.all()))
    return Instruction(operation, tuple(whole.operands), (result,))
