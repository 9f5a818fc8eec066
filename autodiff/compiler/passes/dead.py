"""Drop what no output depends on."""

from __future__ import annotations

from autodiff.compiler.program import Program, Value


def drop_dead(program: Program) -> Program:
    """Return the program without instructions and constants that no output depends on."""
    needed = {output for output in program.outputs if isinstance(output, Value)}
    kept = []
    for each in reversed(program.instructions):
        if needed.intersection(each.results):
            needed.update(each.values)
            kept.append(each)
    constants = {value: array for value, array in program.constants.items() if value in needed}
    return Program(program.inputs, constants, kept[::-1], program.outputs)
