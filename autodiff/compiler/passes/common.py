"""Compute equal things once."""

from __future__ import annotations

from typing import Any

from autodiff.compiler.program import Instruction, Operand, Program, Value


def share_common(program: Program) -> Program:
    """Return the program with instructions that repeat an earlier one replaced by its results.

    Constants that are one array, or equal small ones, are one.
    """
    renamed: dict[Value, Operand] = _equal_constants(program)
    seen: dict[Any, tuple[Value, ...]] = {}
    kept = []
    for each in program.instructions:
        operands = tuple(_now(operand, renamed) for operand in each.operands)
        key = each.operation.key and (each.operation.key, tuple(map(_identity, operands)))
        if key is None or key not in seen:
            if key is not None:
                seen[key] = each.results
            kept.append(Instruction(each.operation, operands, each.results))
        else:
            renamed.update(zip(each.results, seen[key], strict=True))
    return Program(program.inputs, program.constants, kept, program.outputs).replaced(renamed)


def _now(operand: Operand, renamed: dict[Value, Operand]) -> Operand:
    return renamed.get(operand, operand) if isinstance(operand, Value) else operand


def _identity(operand: Operand) -> Any:
    """Return what is equal for equal operands: 0.0, -0.0, 0 and False are four numbers."""
    return operand if isinstance(operand, Value) else (type(operand), repr(operand))


_SMALL = 1 << 12


def _equal_constants(program: Program) -> dict[Value, Operand]:
    seen: dict[Any, Value] = {}
    renamed: dict[Value, Operand] = {}
    for value, array in program.constants.items():
        if value.nbytes <= _SMALL and value.dtype.kind in "biufc":
            key = (value.shape, value.dtype, value.weak, array.tobytes())
            first = seen.setdefault(key, value)
            if first is not value:
                renamed[value] = first
    return renamed
