"""What became of a program, in words: its loops, its memory, its work, its calls of Python."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from autodiff.compiler.c.places import Buffer, assign_offsets
from autodiff.compiler.c.rounds import Rounds
from autodiff.compiler.c.schedule import Fill, Fold, Nest, Product, PythonCall, Schedule, Store
from autodiff.compiler.program import Program


def explained(built: Any) -> str:
    """Return a program as text with what was made of it.

    Parameters
    ----------
    built : Built
    """
    program: Program = built.program
    lines = [
        f"arguments {built.signature}: {len(program.instructions)} operations, "
        f"{built.backend} backend, {built.seconds:.2f} s to compile"
    ]
    if built.reason:
        lines.append(f"not in C: {built.reason}")
    lines += ["", str(program), ""]
    return "\n".join([*lines, *_steps(program)]) if built.backend == "c" else "\n".join(lines)


def _steps(program: Program) -> Iterator[str]:
    schedule = Schedule(program)
    program = schedule.program
    yield from _lines(schedule, "")
    moved = sum(buffer.nbytes for step in schedule.steps for buffer in set(schedule.touched(step)))
    before = sum(value.nbytes for each in program.instructions for value in each.results)
    yield ""
    yield (
        f"memory: {before} bytes of values, {assign_offsets(schedule.work)} of workspace after "
        f"fusion and reuse, {_bytes(schedule.kinds['output'])} of outputs"
    )
    yield f"work: about {_work(schedule)} operations on numbers, {moved} bytes read or written"


def _lines(schedule: Schedule, prefix: str) -> Iterator[str]:
    """Yield a line for each step; those inside of a loop have its number before theirs."""
    names = schedule.program.names()
    for number, step in enumerate(schedule.steps, 1):
        at = f"{prefix}{number}."
        if isinstance(step, Nest):
            yield f"{at} {_nest(step, names)}"
        elif isinstance(step, Fill):
            yield f"{at} zeros, {step.buffer.nbytes} bytes"
        elif isinstance(step, Product):
            left, right = step.left.shape, step.right.shape
            yield f"{at} product of {_shape(left)} and {_shape(right)}"
        elif isinstance(step, PythonCall):
            operation = step.instruction.operation
            yield f"{at} call of Python: {operation.name}, for which there is no form in C"
        elif isinstance(step, Rounds):
            operation = step.instruction.operation
            yield f"{at} {getattr(operation, 'title', operation.name)}"
            for i, inside in enumerate(step.insides):
                part = f"{at}{'abc'[i]}." if len(step.insides) > 1 else at
                yield from _lines(inside, part)


def _work(schedule: Schedule) -> int:
    """Return about how many operations on numbers the steps of a schedule are."""
    total = 0
    for step in schedule.steps:
        if isinstance(step, Nest):
            folds = sum(isinstance(sink, Fold) for sink in step.sinks)
            total += math.prod(step.shape) * (len(step.items) + folds)
        elif isinstance(step, Product):
            left, right = step.left.shape, step.right.shape
            total += 2 * math.prod(left) * (right[-1] if len(right) > 1 else 1)
        elif isinstance(step, Rounds):
            rounds = getattr(step.instruction.operation, "length", 1)
            total += rounds * sum(map(_work, step.insides))
    return total


def _nest(nest: Nest, names: dict[Any, str]) -> str:
    what = ", ".join(item.operation.name for item in nest.items) or "copy"
    folds = [sink for sink in nest.sinks if isinstance(sink, Fold)]
    stores = [sink for sink in nest.sinks if isinstance(sink, Store)]
    ends = [f"{fold.instruction.operation.name} -> {names[fold.instruction.results[0]]}"
            for fold in folds]  # fmt: skip
    if stores:
        ends.append(f"{len(stores)} array{'s' if len(stores) > 1 else ''} written")
    where = f"loop over {_shape(nest.shape)}" if nest.shape else "numbers"
    return f"{where}: {what}{'; ' if ends else ''}{', '.join(ends)}"


def _shape(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "one number"


def _bytes(buffers: list[Buffer]) -> int:
    return sum(buffer.nbytes for buffer in buffers)
