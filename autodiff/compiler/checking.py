"""`check`: what holds of every program, between all passes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autodiff.compiler.program import Instruction, Operand, Program, Value

_CHEAP = 1 << 16
"""Bytes up to which an operation is run to see what it gives."""


class InvalidProgramError(AssertionError):
    """A program breaks a rule that all programs keep."""


def check(program: Program) -> Program:
    """Return the program if it keeps the rules of programs.

    Every value is assigned once, before it is read; outputs are assigned; a constant is what its
    value says; operands are values, Python numbers or None; and a result has the shape and dtype
    that its operation gives of ones, where that is cheap to see.

    Raises
    ------
    InvalidProgramError
        With the text of the instruction that breaks a rule.
    """
    known: set[Value] = set()
    _assign(known, program.inputs, "an input")
    _assign(known, program.constants, "a constant")
    for value, array in program.constants.items():
        if (value.shape, value.dtype) != (np.shape(array), np.result_type(array)):
            raise InvalidProgramError(f"a constant of type {value.type} holds {array!r}")
    for each in program.instructions:
        name = each.operation.name
        _read(known, each.operands, name)
        _assign(known, each.results, name)
        _compare_types(each)
    _read(known, program.outputs, "the result")
    return program


def _assign(known: set[Value], values: Iterable[Value], what: str) -> None:
    for value in values:
        if value in known:
            raise InvalidProgramError(f"{what} assigns a value that is assigned already")
        known.add(value)


def _read(known: set[Value], operands: Iterable[Operand], what: str) -> None:
    for operand in operands:
        if isinstance(operand, Value):
            if operand not in known:
                raise InvalidProgramError(f"{what} reads a value that is not assigned before")
        elif operand is not None and type(operand) not in (float, int, bool, complex):
            raise InvalidProgramError(f"{what} reads {operand!r}, which is no value and no number")


def _compare_types(each: Instruction) -> None:
    """Raise an error if an operation gives of ones what its results are not."""
    size = sum(value.nbytes for value in (*each.values, *each.results))
    if each.operation.key is None or size > _CHEAP:
        return
    with np.errstate(all="ignore"):
        found = each.operation.example(*map(_ones, each.operands))
    outs = found if isinstance(found, (tuple, list)) else (found,)
    wanted = [(value.shape, value.dtype) for value in each.results]
    types = [(np.shape(out), np.result_type(out)) for out in outs]
    if types != wanted:
        raise InvalidProgramError(f"{each.operation.name} gives {types}, not {wanted}")


def _ones(operand: Operand) -> Any:
    if not isinstance(operand, Value):
        return operand
    array = np.ones(operand.shape, operand.dtype)
    return array.item() if operand.weak else array
