"""`Program`: what a traced function computes, each value assigned once.

A program has inputs, constants, instructions in an order that can be run, and outputs. A value
knows its shape, its dtype, and whether it is a Python number, which takes the dtype of what it
meets, as in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autodiff.compiler.operations import Operation


@dataclass(eq=False, slots=True)
class Value:
    """One value.

    Attributes
    ----------
    shape : tuple of int
    dtype : dtype
    weak : bool
        A Python number: its dtype gives way to that of an array.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    weak: bool = False

    @classmethod
    def like(cls, example: Any) -> Value:
        """Return the value that `example`, a number or array, is one of."""
        array = np.asarray(example)
        return cls(array.shape, array.dtype, not isinstance(example, (np.ndarray, np.generic)))

    @property
    def size(self) -> int:
        """Number of entries."""
        size = 1
        for count in self.shape:
            size *= count
        return size

    @property
    def nbytes(self) -> int:
        """Number of bytes of all entries."""
        return self.size * self.dtype.itemsize

    @property
    def type(self) -> str:
        """Dtype and shape in words, ``float64[3, 2]``; ``float`` for a Python number."""
        if self.weak:
            return {"f": "float", "c": "complex", "b": "bool"}.get(self.dtype.kind, "int")
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]"


Operand = Any
"""A `Value`, a Python number written into the program, or None for what is not read."""


@dataclass(eq=False, slots=True)
class Instruction:
    """An operation, what it takes, and the values it makes."""

    operation: Operation
    operands: tuple[Operand, ...]
    results: tuple[Value, ...]

    @property
    def values(self) -> Iterator[Value]:
        """The operands that are values."""
        return (operand for operand in self.operands if isinstance(operand, Value))


@dataclass(eq=False)
class Program:
    """What a traced function computes.

    Attributes
    ----------
    inputs : list of Value
    constants : dict of Value to array
        Arrays that the function referred to.
    instructions : list of Instruction
    outputs : list of Operand
    """

    inputs: list[Value] = field(default_factory=list)
    constants: dict[Value, Any] = field(default_factory=dict)
    instructions: list[Instruction] = field(default_factory=list)
    outputs: list[Operand] = field(default_factory=list)

    def with_instructions(self, instructions: Sequence[Instruction]) -> Program:
        """Return this program with other instructions."""
        return Program(self.inputs, self.constants, list(instructions), self.outputs)

    def replaced(self, renamed: dict[Value, Operand]) -> Program:
        """Return this program with operands and outputs replaced by others."""

        def new(operand: Operand) -> Operand:
            while isinstance(operand, Value) and operand in renamed:
                operand = renamed[operand]
            return operand

        instructions = [
            Instruction(each.operation, tuple(map(new, each.operands)), each.results)
            for each in self.instructions
        ]
        return Program(self.inputs, self.constants, instructions, list(map(new, self.outputs)))

    def names(self) -> dict[Value, str]:
        """Return a short name of each value: ``a`` inputs, ``c`` constants, ``t`` results."""
        found = {value: f"a{i}" for i, value in enumerate(self.inputs)}
        found |= {value: f"c{i}" for i, value in enumerate(self.constants)}
        results = (value for each in self.instructions for value in each.results)
        return found | {value: f"t{i}" for i, value in enumerate(results)}

    def __call__(self, *args: Any) -> list[Any]:
        """Run the program one operation after the other; the reference for both backends."""
        known: dict[Value, Any] = dict(zip(self.inputs, args, strict=True)) | self.constants

        def get(operand: Operand) -> Any:
            return known[operand] if isinstance(operand, Value) else operand

        for each in self.instructions:
            out = each.operation(*map(get, each.operands))
            outs = (out,) if len(each.results) == 1 else out
            known.update(zip(each.results, outs, strict=True))
        return list(map(get, self.outputs))

    def __str__(self) -> str:
        names = self.names()

        def text(operand: Operand) -> str:
            return names[operand] if isinstance(operand, Value) else repr(operand)

        lines = [f"{names[value]}: {value.type}" for value in self.inputs]
        lines += [f"{names[value]}: {value.type} constant" for value in self.constants]
        for each in self.instructions:
            left = ", ".join(f"{names[value]}: {value.type}" for value in each.results)
            lines.append(f"{left} = {each.operation.text(list(map(text, each.operands)))}")
        lines.append(f"return {', '.join(map(text, self.outputs))}")
        return "\n".join(lines)


Pass = Callable[[Program], Program]
