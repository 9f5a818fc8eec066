"""`trace`: from a function and the arguments of one call to a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from autodiff.arguments import name_of
from autodiff.box import Box, operand, raw
from autodiff.compiler.inside import Watch
from autodiff.compiler.program import Program
from autodiff.compiler.tracer import Recorder, Traced, example_of
from autodiff.containers import parts_of, put_together
from autodiff.holding import HOLDERS
from autodiff.levels import recording, transform

NUMBERS = (float, int, complex, np.ndarray, np.generic, Box, Traced)


@dataclass(frozen=True)
class Result:
    """What a traced function gave.

    Attributes
    ----------
    structure
        Of the container; None if there is none.
    leaves : tuple
        For each leaf the number of an output of the program and its kind, or None and what it is.
    """

    structure: Any
    leaves: tuple[tuple[int | None, Any], ...]

    def filled(self, outputs: Sequence[Any]) -> Any:
        """Return the result with these outputs of the program."""
        leaves = [other if at is None else outputs[at] for at, other in self.leaves]
        return leaves[0] if self.structure is None else put_together(self.structure, leaves)

    @property
    def kinds(self) -> tuple[str, ...]:
        """What each output of the program is: ``array``, ``scalar``, or ``number``."""
        return tuple(kind for at, kind in self.leaves if at is not None)


@contextmanager
def recording_program() -> Iterator[Recorder]:
    """Enter a run that is written down."""
    before = (recording.on, recording.short, recording.watch)
    recording.on, recording.short, recording.watch = True, False, Watch()
    try:
        with transform() as level, np.errstate(all="ignore"):
            yield Recorder(level)
    finally:
        recording.on, recording.short, recording.watch = before


def trace(
    f: Callable[..., Any], examples: Sequence[Any], call: Callable[[Sequence[Any]], Any]
) -> tuple[Program, Result]:
    """Return the program of a function, and what its outputs are put together to.

    Parameters
    ----------
    f : callable
        For messages.
    examples : sequence of numbers and arrays
        The inputs; their values are used to find shapes and dtypes only.
    call : callable
        Calls the function with other leaves in the place of the examples.

    Raises
    ------
    TracingError
        If the function asks for the number of a traced value.
    """
    with recording_program() as recorder:
        inputs = [recorder.input(example) for example in examples]
        try:
            out = call(inputs)
        except Exception as error:
            error.add_note(f"while autodiff.compile traced {name_of(f)}")
            raise
        leaves, structure = parts_of(out)
        numbers = bool(examples) and all(type(each) in (float, int, bool) for each in examples)
        found = [_output(recorder, leaf, numbers) for leaf in leaves]
    return recorder.program, Result(structure, tuple(found))


def _output(recorder: Recorder, leaf: Any, numbers: bool) -> tuple[int | None, Any]:
    leaf = raw(operand(leaf)) if type(leaf) in HOLDERS else raw(leaf)
    if not isinstance(leaf, (Traced, *NUMBERS)) or _is_unusual(leaf):
        return None, leaf
    outputs = recorder.program.outputs
    outputs.append(recorder.operand(leaf))
    return len(outputs) - 1, _kind(example_of(leaf), numbers)


def _is_unusual(leaf: Any) -> bool:
    """Return whether a result is a Python number that no program holds."""
    if isinstance(leaf, int):
        return not -(2**63) <= leaf < 2**63
    return type(leaf) is complex


def _kind(example: Any, numbers: bool) -> str:
    """Return what an output is: an ``array``, a ``scalar`` of NumPy, or a ``number`` of Python.

    Where all arguments are Python numbers, numbers in the result are such.
    """
    if isinstance(example, np.ndarray) and not (numbers and example.shape == ()):
        return "array"
    return "scalar" if isinstance(example, np.generic) and not numbers else "number"
