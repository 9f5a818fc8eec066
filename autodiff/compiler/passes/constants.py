"""Compute what depends on no input while compiling."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.compiler.program import Operand, Program, Value

LARGEST = 1 << 20
"""Bytes; a larger constant is computed in each run instead of being kept."""


def fold_constants(program: Program) -> Program:
    """Return the program with instructions on numbers and constants replaced by what they give.

    Python functions that are called are left: they may give something else each time.
    """
    known: dict[Value, Any] = dict(program.constants)
    numbers: dict[Value, Operand] = {}
    kept = []
    for each in program.instructions:
        fixed = all(operand in known or operand in numbers for operand in each.values)
        small = all(result.nbytes <= LARGEST for result in each.results)
        if not (fixed and small) or each.operation.key is None:
            kept.append(each)
            continue

        def get(operand: Operand) -> Any:
            if isinstance(operand, Value):
                return known[operand] if operand in known else numbers[operand]
            return operand

        out = each.operation(*map(get, each.operands))
        outs = (out,) if len(each.results) == 1 else out
        for value, found in zip(each.results, outs, strict=True):
            if isinstance(found, (np.ndarray, np.generic)):
                known[value] = found
            else:
                numbers[value] = found
    return Program(program.inputs, known, kept, program.outputs).replaced(numbers)
