"""Plain products in the place of careful ones where no factor can be infinite or NaN."""

from __future__ import annotations

import math
from collections.abc import Sequence

from autodiff.compiler.operations import CarefulProduct, Kernel, Operation
from autodiff.compiler.program import Instruction, Operand, Program, Value
from autodiff.elementwise import rule_named

FINITE_PARTIALS = frozenset(["add", "subtract", "negative", "positive", "where"])
"""Entries whose gradients take the cotangent as it is, or leave it out, whatever the arguments."""


def drop_care(program: Program) -> Program:
    """Return the program with plain products where one factor is a finite number, not 0."""
    multiply = rule_named("multiply")
    assert multiply is not None
    kept = []
    for each in program.instructions:
        operation: Operation = each.operation
        if isinstance(operation, CarefulProduct) and any(map(_is_harmless, each.operands)):
            operation = Kernel(multiply)
        kept.append(Instruction(operation, each.operands, each.results))
    return program.with_instructions(kept)


def _is_harmless(operand: Operand) -> bool:
    """Return whether an operand is a finite number written into the program, and not 0."""
    if isinstance(operand, Value) or operand is None:
        return False
    return math.isfinite(operand) and operand != 0


def needs_care(operation: Kernel, operands: Sequence[Operand]) -> bool:
    """Return whether the partial of a gradient can be infinite where its product is 0."""
    if operation.index is None or _is_harmless(operands[0]):
        return False
    if _is_harmless(partial_of(operation, operands)):
        return False
    return operation.name.rsplit("_grad_")[0] not in FINITE_PARTIALS


def partial_of(operation: Kernel, operands: Sequence[Operand]) -> Operand:
    """Return the operand that is the partial of a gradient; None where it is computed."""
    assert operation.index is not None
    same = operation.rule.same[operation.index]
    if same is None:
        return None
    _, out, *args = operands
    return out if same < 0 else args[same]
