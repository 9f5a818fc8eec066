"""The backend that writes straight-line NumPy: one line for each operation.

Arrays of values that nobody reads any more are written again (``out=``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.careful import PRODUCT, careful_product
from autodiff.compiler.blocks import Block
from autodiff.compiler.operations import (
    Assemble,
    CarefulProduct,
    Join,
    Kernel,
    Matmul,
    Operation,
    Put,
    Reduce,
    Ufunc,
)
from autodiff.compiler.passes.finite import needs_care, partial_of
from autodiff.compiler.program import Instruction, Operand, Program, Value
from autodiff.elementwise import Elementwise
from autodiff.values import has_nan

FRESH = (Assemble, CarefulProduct, Join, Matmul, Put, Reduce)
"""Operations whose result never shares memory with an operand, besides ufuncs."""


class Straight:
    """A program as a Python function.

    Parameters
    ----------
    program : Program
        Simplified.
    kinds : sequence of str
        What each output is: ``array``, ``scalar`` of NumPy, or ``number`` of Python. None: it is
        left as it is, and may share memory with others.

    Attributes
    ----------
    text : str
    """

    def __init__(self, program: Program, kinds: Sequence[str] | None = None) -> None:
        self._program = program
        self._names = program.names()
        self._functions: dict[str, Any] = {}
        self._spare: dict[tuple[Any, ...], list[str]] = {}
        self._last = self._last_uses()
        lines = [self._line(number, each) for number, each in enumerate(program.instructions)]
        inputs = ", ".join(self._names[value] for value in program.inputs)
        outputs = ", ".join(map(self._text, program.outputs))
        body = "\n        ".join(lines or ["pass"])
        self.text = (
            f"def program({inputs}):\n    with errstate(all='ignore'):\n        {body}\n"
            f"    return [{outputs}]\n"
        )
        self._kinds = kinds
        constants = {self._names[value]: array for value, array in program.constants.items()}
        space: dict[str, Any] = {"errstate": np.errstate, "inf": np.inf, "nan": np.nan}
        space |= {"infj": complex(0, np.inf), "nanj": complex(0, np.nan)}
        space |= {**self._functions, **constants}
        exec(compile(self.text, "<program>", "exec"), space)
        self._function_of_text: Callable[..., list[Any]] = space["program"]
        self._taken = frozenset(map(id, constants.values()))
        for name, function in self._functions.items():
            if isinstance(function, Block):
                for each in function.programs:
                    inside = Straight(each).text.replace("def program(", f"def in_{name}(", 1)
                    self.text += f"\n# {function.title}, which runs:\n{inside}"

    def run(self, *inputs: Any) -> list[Any]:
        """Return the outputs; each array is one of its own, which may be written to."""
        outs = self._function_of_text(*inputs)
        if self._kinds is None:
            return outs
        taken = {*map(id, inputs), *self._taken}
        found = []
        for out, kind in zip(outs, self._kinds, strict=True):
            if kind == "number":
                out = out.item() if isinstance(out, (np.ndarray, np.generic)) else out
            elif kind == "scalar":
                out = np.asarray(out)[()]
            elif type(out) is not np.ndarray or id(out) in taken or out.base is not None:
                out = np.array(out, order="C")
            taken.add(id(out))
            found.append(out)
        return found

    def _text(self, operand: Operand) -> str:
        return self._names[operand] if isinstance(operand, Value) else repr(operand)

    def _function(self, name: str, function: Any) -> str:
        """Return the name under which the program calls a function."""
        name = "".join(c if c.isalnum() else "_" for c in name)
        known, number = name, 1
        while self._functions.get(known, function) is not function:
            number += 1
            known = f"{name}_{number}"
        self._functions[known] = function
        return known

    def _last_uses(self) -> dict[Value, int]:
        """Return the last line that reads each value that owns its memory alone."""
        shared = {*self._program.inputs, *self._program.constants}
        shared |= {one for one in self._program.outputs if isinstance(one, Value)}
        last: dict[Value, int] = {}
        for number, each in enumerate(self._program.instructions):
            if _ufunc(each) is None and not isinstance(each.operation, FRESH):
                shared.update(each.values)
            for value in each.values:
                last[value] = number
            if _ufunc(each) is None:
                shared.update(each.results)
        return {value: at for value, at in last.items() if value not in shared}

    def _line(self, number: int, each: Instruction) -> str:
        left = ", ".join(self._names[value] for value in each.results)
        found = _ufunc(each)
        if found is not None:
            ufunc, operands = found
            given = [*map(self._text, operands), *self._out(number, each)]
            return f"{left} = {self._function(ufunc.__name__, ufunc)}({', '.join(given)})"
        function, operands = _form(each)
        given = list(map(self._text, operands))
        name = each.operation.name
        return f"{left} = {self._function(name, function)}({', '.join(given)})"

    def _out(self, number: int, each: Instruction) -> list[str]:
        """Return the argument that names a spare array, if there is one, and note new ones."""
        (result,) = each.results
        for value in set(each.values):
            if self._last.get(value) == number and value.shape != ():
                self._spare.setdefault((value.shape, value.dtype), []).append(self._names[value])
        spare = self._spare.get((result.shape, result.dtype))
        return [f"out={spare.pop()}"] if spare and result.shape != () else []


def _ufunc(each: Instruction) -> tuple[np.ufunc, Sequence[Operand]] | None:
    """Return the ufunc that an instruction on arrays is, and its operands."""
    operation = each.operation
    if each.results[0].shape == () or each.results[0].weak:
        return None
    if isinstance(operation, Ufunc):
        return operation.ufunc, each.operands
    if not isinstance(operation, Kernel):
        return None
    if operation.index is None:
        function = operation.rule.function
        return (function, each.operands) if isinstance(function, np.ufunc) else None
    partial = partial_of(operation, each.operands)
    if partial is not None and not needs_care(operation, each.operands):
        return np.multiply, (each.operands[0], partial)
    return None


def _form(each: Instruction) -> tuple[Callable[..., Any], Sequence[Operand]]:
    """Return a function that does what an instruction does, and its operands."""
    operation: Operation = each.operation
    if isinstance(operation, Reduce):
        return _reducing(operation), each.operands
    if isinstance(operation, CarefulProduct):
        return PRODUCT.forward, each.operands
    if not isinstance(operation, Kernel) or each.results[0].shape == ():
        return operation, each.operands
    rule, index = operation.rule, operation.index
    if index is None:
        return rule.function, each.operands
    if not needs_care(operation, each.operands):
        return rule.grads[index], each.operands
    partial = partial_of(operation, each.operands)
    if partial is not None:
        return PRODUCT.forward, (each.operands[0], partial)
    return _careful(rule, index), each.operands


def _reducing(operation: Reduce) -> Callable[[Any], Any]:
    reduce: Any = operation.ufunc.reduce
    axes, keepdims = operation.axes, operation.keepdims
    return lambda x: reduce(x, axis=axes, keepdims=keepdims)


def _careful(rule: Elementwise, index: int) -> Callable[..., Any]:
    """Return a gradient method under the rule of zero."""
    gradient = rule.grads[index]

    def careful(grad: Any, out: Any, *args: Any) -> Any:
        part = gradient(grad, out, *args)
        if not has_nan(part):
            return part
        return careful_product(grad, rule.partial(index, 1.0, out, args))

    return careful
