"""What is computed again where it is read, instead of being written to a large array.

The difference of two vectors, each with each, is read from two small arrays at no cost.
"""

from __future__ import annotations

from collections import Counter

from autodiff.compiler.operations import Kernel
from autodiff.compiler.program import Instruction, Program, Value

CHEAP = frozenset({"add", "subtract", "multiply", "negative", "square"})

SMALLER = 8
"""How many times smaller than the result the operands have to be."""

FROM = 4096
"""Entries from which a result is large."""


def computed_again(program: Program) -> set[Value]:
    """Return the results that loops compute for themselves, each time they are read."""
    readers = Counter(value for each in program.instructions for value in set(each.values))
    kept = {one for one in program.outputs if isinstance(one, Value)}
    return {
        each.results[0]
        for each in program.instructions
        if _is_cheap(each) and readers[each.results[0]] > 1 and each.results[0] not in kept
    }


def _is_cheap(each: Instruction) -> bool:
    """Return whether an instruction costs less than reading its result from memory."""
    operation, result = each.operation, each.results[0]
    if not isinstance(operation, Kernel) or operation.index is not None:
        return False
    size = sum(value.size for value in each.values)
    return operation.name in CHEAP and result.size > FROM and size * SMALLER <= result.size
