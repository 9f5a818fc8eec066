"""Products of a column and a row as elementwise ones, which join the loops around them."""

from __future__ import annotations

from autodiff.compiler.operations import CarefulProduct, Kernel, Matmul, Operation
from autodiff.compiler.program import Instruction, Program, Value
from autodiff.elementwise import rule_named


def spread_outer(program: Program) -> Program:
    """Return the program with matrix products that sum nothing as products of entries."""
    multiply = rule_named("multiply")
    assert multiply is not None
    kept = []
    for each in program.instructions:
        operation: Operation = each.operation
        operands = each.operands
        if isinstance(operation, Matmul) and _is_outer(operands):
            if operation.careful == 1:
                operands = operands[::-1]
            careful = operation.careful is not None
            operation = CarefulProduct() if careful else Kernel(multiply)
        kept.append(Instruction(operation, operands, each.results))
    return program.with_instructions(kept)


def _is_outer(operands: tuple[object, ...]) -> bool:
    """Return whether two operands are a column and a row."""
    left, right = operands
    if not isinstance(left, Value) or not isinstance(right, Value):
        return False
    return len(left.shape) == len(right.shape) == 2 and left.shape[1] == right.shape[0] == 1
