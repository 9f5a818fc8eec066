"""Drop operations that give what they are given.

Only identities that hold for every number of IEEE 754, signed zeros, infinities and NaN
included: ``x * 1``, ``x / 1``, ``x - 0``, ``-(-x)``, a partial that is 1 or the argument
itself, a shape or dtype that a value already has. Not ``x + 0``, which changes -0.
"""

from __future__ import annotations

import math

from autodiff.compiler.operations import (
    Broadcast,
    CarefulProduct,
    Cast,
    Join,
    Kernel,
    Reshape,
)
from autodiff.compiler.passes.finite import partial_of
from autodiff.compiler.program import Instruction, Operand, Program, Value


def drop_identities(program: Program) -> Program:
    """Return the program without instructions whose result is one of their operands."""
    renamed: dict[Value, Operand] = {}
    made: dict[Value, Instruction] = {}
    kept = []
    for each in program.instructions:
        operands = tuple(
            renamed.get(one, one) if isinstance(one, Value) else one for one in each.operands
        )
        each = _rewritten(Instruction(each.operation, operands, each.results), made)
        found = _same(each, made)
        if found is not None and _is_like(found, each.results[0]):
            renamed[each.results[0]] = found
        else:
            kept.append(each)
            made.update(dict.fromkeys(each.results, each))
    return program.with_instructions(kept).replaced(renamed)


def _is_like(operand: Operand, result: Value) -> bool:
    """Return whether an operand has the type of the result it would replace."""
    if not isinstance(operand, Value):
        return result.weak and type(operand) is float and result.dtype.kind == "f"
    return (operand.shape, operand.dtype, operand.weak) == (result.shape, result.dtype, result.weak)


def _is_number(operand: Operand, number: float) -> bool:
    if not isinstance(operand, (int, float)):
        return False
    return bool(operand == number) and math.copysign(1.0, operand) == math.copysign(1.0, number)


def _same(each: Instruction, made: dict[Value, Instruction]) -> Operand | None:
    """Return the operand that the result of an instruction is equal to."""
    operation, operands = each.operation, each.operands
    if isinstance(operation, CarefulProduct):
        first, second = operands
        return first if _is_number(second, 1.0) else second if _is_number(first, 1.0) else None
    if type(operation) in (Reshape, Broadcast, Cast):
        return operands[0]
    if isinstance(operation, Join) and len(operands) == 1:
        return operands[0]
    if not isinstance(operation, Kernel):
        return None
    if operation.index is not None:
        return _same_gradient(operation, operands)
    match operation.name:
        case "multiply":
            first, second = operands
            return first if _is_number(second, 1.0) else second if _is_number(first, 1.0) else None
        case "divide" if _is_number(operands[1], 1.0):
            return operands[0]
        case "subtract" if _is_number(operands[1], 0.0):
            return operands[0]
        case "positive":
            return operands[0]
        case "negative":
            source = made.get(operands[0]) if isinstance(operands[0], Value) else None
            if source is not None and source.operation == operation:
                return source.operands[0]
    return None


def _same_gradient(operation: Kernel, operands: tuple[Operand, ...]) -> Operand | None:
    """Return what a gradient is: its cotangent if the partial is 1, the partial of cotangent 1."""
    assert operation.index is not None
    grad, partial = operands[0], partial_of(operation, operands)
    if _constant_partial(operation) == 1.0:
        return grad
    return partial if _is_number(grad, 1.0) else grad if _is_number(partial, 1.0) else None


def _constant_partial(operation: Kernel) -> float | None:
    """Return the partial if it reads nothing, so that it is one number."""
    assert operation.index is not None
    if operation.rule.reads[operation.index]:
        return None
    count = len(operation.rule.entry.args)
    return float(operation.rule.partial(operation.index, 1.0, None, [None] * count))


def _rewritten(each: Instruction, made: dict[Value, Instruction]) -> Instruction:
    """Return an instruction on an older operand where two reshapes follow each other."""
    operand = each.operands[0] if each.operands else None
    # A reshape that is a constant to derivatives is of a class of its own, and stays.
    if type(each.operation) is not Reshape or not isinstance(operand, Value):
        return each
    source = made.get(operand)
    if source is None or type(source.operation) is not Reshape:
        return each
    return Instruction(each.operation, source.operands, each.results)
