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
    names = program.names()
    flops, moved = 0, 0
    for number, step in enumerate(schedule.steps, 1):
        if isinstance(step, Nest):
            size = math.prod(step.shape)
            flops += size * (len(step.items) + sum(isinstance(s, Fold) for s in step.sinks))
            yield f"{number}. {_nest(step, names)}"
        elif isinstance(step, Fill):
            yield f"{number}. zeros, {step.buffer.nbytes} bytes"
        elif isinstance(step, Product):
            left, right = step.left.shape, step.right.shape
            flops += 2 * math.prod(left) * (right[-1] if len(right) > 1 else 1)
            yield f"{number}. product of {_shape(left)} and {_shape(right)}"
        elif isinstance(step, PythonCall):
            operation = step.instruction.operation
            yield f"{number}. call of Python: {operation.name}, for which there is no form in C"
        elif isinstance(step, Rounds):
            inside = sum(len(each.steps) for each in step.insides)
            operation = step.instruction.operation
            title = getattr(operation, "title", operation.name)
            yield f"{number}. {title}, {inside} steps inside"
        moved += sum(buffer.nbytes for buffer in set(schedule.touched(step)))
    before = sum(value.nbytes for each in program.instructions for value in each.results)
    yield ""
    yield (
        f"memory: {before} bytes of values, {assign_offsets(schedule.work)} of workspace after "
        f"fusion and reuse, {_bytes(schedule.kinds['output'])} of outputs"
    )
    yield f"work: about {flops} operations on numbers, {moved} bytes read or written"


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
