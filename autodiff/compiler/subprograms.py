"""Programs inside programs: what they use from outside becomes their inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autodiff.box import Box, operand, raw
from autodiff.compiler.blocks import Detached
from autodiff.compiler.program import Program, Value
from autodiff.compiler.tracer import Recorder, Traced, Tracer, same_bits
from autodiff.levels import transform


class SubRecorder(Recorder):
    """Writes down a function whose arguments are values of a program inside.

    Attributes
    ----------
    captured : list
        What the function uses from outside: boxes, traced values and arrays, each of which is
        an input of the program, after those of the function.
    """

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.captured: list[Any] = []
        self._known: dict[int, Traced] = {}

    def taken(self, given: Any) -> Any:
        """Return an argument of an operation as a value of this program."""
        if isinstance(given, Tracer):
            given = given._value
        if isinstance(given, Traced) and given.recorder is self:
            return given
        return self.capture(given) if isinstance(given, (Box, Traced)) else given

    def capture(self, given: Any) -> Traced:
        """Return something from outside as a value of this program."""
        found = self._known.get(id(given))
        if found is None:
            plain = raw(given)
            self.check(plain)
            value = Value.like(plain.example if isinstance(plain, Traced) else plain)
            found = Traced(self, value, plain.example if isinstance(plain, Traced) else plain)
            self.program.inputs.append(value)
            self.captured.append(given)
            self._known[id(given)] = found
        return found

    def constant(self, array: Any) -> Traced:
        """Return an array from outside, as it is now, as a value of this program."""
        known = self._known.get(id(array))
        if known is not None and same_bits(known.example, array):
            return known
        copy = np.array(array) if isinstance(array, np.ndarray) else array
        self._originals.append(array)
        found = self.capture(copy)
        self._known[id(array)] = found
        return found

    def stopped(self, given: Traced) -> Traced:
        """Return a value through which no derivative of the program flows."""
        found: Traced = self.emit(Detached(given.shape), given)
        return found

    def outer(self, given: Traced) -> Any:
        """Return what stands in the program for a traced value of another one."""
        return self.capture(given).value


@dataclass(frozen=True)
class Stage:
    """The program of a function, and what it uses from outside."""

    program: Program
    captured: list[Any]


def staged(call: Callable[[list[Any]], Iterable[Any]], examples: Sequence[Any]) -> Stage:
    """Return the program of a function from a list of leaves to a list of leaves."""
    with transform() as level, np.errstate(all="ignore"):
        recorder = SubRecorder(level)
        outs = call([recorder.input(example) for example in examples])
        for out in outs:
            leaf = recorder.taken(_own(out, level))
            recorder.program.outputs.append(recorder.operand(leaf))
    # Inputs of the function come first, whenever they were made.
    return Stage(recorder.program, recorder.captured)


def _own(out: Any, level: int) -> Any:
    out = operand(out)
    while isinstance(out, Box) and out.level > level:
        out = out._value
    return out


def with_inputs(program: Program, inputs: Sequence[Value]) -> Program:
    """Return a program with other inputs, its own among them."""
    return Program(list(inputs), program.constants, program.instructions, program.outputs)
