"""What is done to loops and branches: their programs are simplified, joined, and trimmed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff.compiler.blocks import Block, Branch, Loop, Scan
from autodiff.compiler.passes.common import share_common
from autodiff.compiler.program import Instruction, Operand, Program, Value


def simplify_inside(program: Program, simplified: Callable[[Program], Program]) -> Program:
    """Return the program with simplified programs inside, whose constants become operands."""
    constants = dict(program.constants)
    kept = []
    for each in program.instructions:
        operation = each.operation
        if isinstance(operation, Block):
            each, operation = _with_equal_operands_once(each, operation)
            programs = [simplified(one) for one in operation.programs]
            extra = [value for one in programs for value in one.constants]
            for one in programs:
                constants |= one.constants
            wider = [_taking(one, extra) for one in programs]
            operation = operation.with_programs(*wider)
            each = Instruction(operation, (*each.operands, *extra), each.results)
        kept.append(each)
    return Program(program.inputs, constants, kept, program.outputs)


def _with_equal_operands_once(each: Instruction, operation: Block) -> tuple[Instruction, Block]:
    """Return a loop or branch whose programs read an operand that is given twice at one input."""
    lead = 0  # operands before the inputs of the programs
    kinds = [range(len(each.operands))]
    if isinstance(operation, Branch):
        lead, kinds = 1, [range(1, len(each.operands))]
    elif isinstance(operation, Scan):
        end = operation.carries + operation.items
        kinds = [range(operation.carries, end), range(end, len(each.operands))]
    elif isinstance(operation, Loop):
        kinds = [range(operation.carries, len(each.operands))]
    inputs = operation.programs[0].inputs

    def equal(i: int, j: int) -> bool:
        one, other = inputs[i - lead], inputs[j - lead]
        alike = (one.shape, one.dtype, one.weak) == (other.shape, other.dtype, other.weak)
        return alike and _same(each.operands[i], each.operands[j])

    same: dict[int, int] = {}
    for places in kinds:
        for j in places:
            first = next(i for i in places if equal(i, j))
            if first != j:
                same[j - lead] = first - lead
    if not same:
        return each, operation
    programs = [
        one.replaced({one.inputs[j]: one.inputs[i] for j, i in same.items()})
        for one in operation.programs
    ]
    operation = operation.with_programs(*programs)
    return Instruction(operation, each.operands, each.results), operation


def _taking(program: Program, extra: Sequence[Value]) -> Program:
    """Return a program that takes constants, its own and those of others, as inputs."""
    added = [one if one in program.constants else Value(one.shape, one.dtype, one.weak)
             for one in extra]  # fmt: skip
    return Program([*program.inputs, *added], {}, program.instructions, program.outputs)


def join_scans(program: Program) -> Program:
    """Return the program with one loop where two of the same length have the same carries.

    The scan that keeps what its derivative reads, and the one of values and tangents, do what
    the scan of the values alone does, and more.
    """
    instructions = list(program.instructions)
    renamed: dict[Value, Operand] = {}
    at = 0
    while at < len(instructions):
        scans = [i for i, each in enumerate(instructions) if isinstance(each.operation, Scan)]
        if at not in scans:
            at = next((i for i in scans if i > at), len(instructions))
            continue
        for other in scans[scans.index(at) + 1 :]:
            found = _joined(instructions, at, other)
            if found is not None:
                instructions, names = found
                renamed |= names
                instructions = _with_names(instructions, names)
                break
        else:
            at += 1
    found_program = Program(program.inputs, program.constants, instructions, program.outputs)
    return found_program.replaced(renamed)


def _with_names(
    instructions: Sequence[Instruction], names: dict[Value, Operand]
) -> list[Instruction]:
    def new(one: Operand) -> Operand:
        return names.get(one, one) if isinstance(one, Value) else one

    return [
        Instruction(each.operation, tuple(map(new, each.operands)), each.results)
        for each in instructions
    ]


def _same(one: Operand, other: Operand) -> bool:
    if isinstance(one, Value) or isinstance(other, Value):
        return one is other
    return (type(one), repr(one)) == (type(other), repr(other))


def fresh(program: Program) -> Program:
    """Return the program with values of its own."""
    new: dict[Value, Value] = {}

    def of(one: Operand) -> Any:
        if not isinstance(one, Value):
            return one
        if one not in new:
            new[one] = Value(one.shape, one.dtype, one.weak)
        return new[one]

    return Program(
        [of(one) for one in program.inputs],
        {of(one): array for one, array in program.constants.items()},
        [
            Instruction(each.operation, tuple(map(of, each.operands)), tuple(map(of, each.results)))
            for each in program.instructions
        ],
        [of(one) for one in program.outputs],
    )


def _joined(
    instructions: list[Instruction], first: int, second: int
) -> tuple[list[Instruction], dict[Value, Operand]] | None:
    """Return the instructions with two scans in one, and new names of results; None if not one."""
    one, two = instructions[first], instructions[second]
    a, b = one.operation, two.operation
    if not (isinstance(a, Scan) and isinstance(b, Scan)):
        return None
    if (a.length, a.reverse) != (b.length, b.reverse):
        return None
    matched = [
        k for k in range(min(a.carries, b.carries)) if _same(one.operands[k], two.operands[k])
    ]
    if not matched or len(matched) < min(a.carries, b.carries):
        return None
    waiting, later = set(one.results), []
    between = []
    for each in instructions[first + 1 : second]:
        if any(value in waiting for value in each.values):
            waiting.update(each.results)
            later.append(each)
        else:
            between.append(each)
    if any(value in waiting for value in two.values):
        return None
    found = _one_body(a, b, one.operands, two.operands, matched)
    if found is None:
        return None
    operation, operands = found
    extra = [k for k in range(b.carries) if k not in matched]
    results = (
        *one.results[: a.carries], *(two.results[k] for k in extra),
        *one.results[a.carries :], *two.results[b.carries :],
    )  # fmt: skip
    joined = Instruction(operation, operands, results)
    names = {two.results[k]: one.results[k] for k in matched}
    whole = [*instructions[:first], *between, joined, *later, *instructions[second + 1 :]]
    return whole, names


def _one_body(
    a: Scan, b: Scan, first: Sequence[Operand], second: Sequence[Operand], matched: list[int]
) -> tuple[Scan, tuple[Operand, ...]] | None:
    own, other = a.body, fresh(b.body)
    names: dict[Value, Operand] = {other.inputs[k]: own.inputs[k] for k in matched}
    ends = (a.carries, a.carries + a.items), (b.carries, b.carries + b.items)
    new: list[list[int]] = [[k for k in range(b.carries) if k not in matched], [], []]
    places = [range(a.carries), range(*ends[0]), range(ends[0][1], len(first))]
    theirs = [range(0), range(*ends[1]), range(ends[1][1], len(second))]
    for kind in (1, 2):
        for j in theirs[kind]:
            known = next((i for i in places[kind] if _same(first[i], second[j])), None)
            if known is None:
                new[kind].append(j)
            else:
                names[other.inputs[j]] = own.inputs[known]
    inputs: list[Value] = []
    operands: list[Operand] = []
    for kind in range(3):
        inputs += [own.inputs[i] for i in places[kind]] + [other.inputs[j] for j in new[kind]]
        operands += [first[i] for i in places[kind]] + [second[j] for j in new[kind]]
    other = other.replaced(names)
    outputs = [
        *own.outputs[: a.carries], *(other.outputs[k] for k in new[0]),
        *own.outputs[a.carries :], *other.outputs[b.carries :],
    ]  # fmt: skip
    checked = [other.outputs[k] for k in matched]
    instructions = [*own.instructions, *other.instructions]
    body = share_common(Program(inputs, {}, instructions, [*outputs, *checked]))
    again = body.outputs[len(outputs) :]
    if not all(_same(body.outputs[k], one) for k, one in zip(matched, again, strict=True)):
        return None
    body.outputs = body.outputs[: len(outputs)]
    carries, items = a.carries + len(new[0]), a.items + len(new[1])
    return Scan(body, carries, items, a.length, a.reverse), tuple(operands)


def trim_blocks(program: Program) -> Program:
    """Return the program without results of loops and branches, and operands, nobody reads."""
    needed = {output for output in program.outputs if isinstance(output, Value)}
    renamed: dict[Value, Operand] = {}
    kept = []
    for each in reversed(program.instructions):
        if not needed.intersection(each.results):
            continue
        if isinstance(each.operation, Block):
            found = _trimmed(each, needed, renamed)
            if found is None:
                needed.update(one for one in renamed.values() if isinstance(one, Value))
                continue
            each = found
        needed.update(each.values)
        needed.update(one for one in renamed.values() if isinstance(one, Value))
        kept.append(each)
    constants = {value: array for value, array in program.constants.items() if value in needed}
    return Program(program.inputs, constants, kept[::-1], program.outputs).replaced(renamed)


def _trimmed(
    each: Instruction, needed: set[Value], renamed: dict[Value, Operand]
) -> Instruction | None:
    operation = each.operation
    if isinstance(operation, Scan):
        return _trimmed_scan(operation, each, needed, renamed)
    if isinstance(operation, Branch):
        at = [i for i, result in enumerate(each.results) if result in needed]
        programs = [_giving(one, at) for one in operation.programs]
        read = set[int]().union(*map(_read, programs))
        inputs = sorted(read)
        operation = Branch(*(_only(one, inputs) for one in programs))
        operands = (each.operands[0], *(each.operands[i + 1] for i in inputs))
        return Instruction(operation, operands, tuple(each.results[i] for i in at))
    assert isinstance(operation, Loop)
    return _trimmed_loop(operation, each, needed)


def _giving(program: Program, at: Sequence[int]) -> Program:
    """Return a program that gives some of its outputs."""
    outputs = [program.outputs[i] for i in at]
    return trim_blocks(Program(program.inputs, program.constants, program.instructions, outputs))


def _only(program: Program, at: Sequence[int]) -> Program:
    """Return a program that takes some of its inputs."""
    inputs = [program.inputs[i] for i in at]
    return Program(inputs, program.constants, program.instructions, program.outputs)


def _read(program: Program) -> set[int]:
    """Return the inputs that a trimmed program reads."""
    used = {value for each in program.instructions for value in each.values}
    used |= {one for one in program.outputs if isinstance(one, Value)}
    return {i for i, value in enumerate(program.inputs) if value in used}


def _trimmed_scan(
    operation: Scan, each: Instruction, needed: set[Value], renamed: dict[Value, Operand]
) -> Instruction | None:
    body, count = operation.body, operation.carries
    ys = [i for i in range(count, len(each.results)) if each.results[i] in needed]
    still = [k for k in range(count) if body.outputs[k] is body.inputs[k]]
    for k in still:
        renamed[each.results[k]] = each.operands[k]
    alive = {k for k in range(count) if each.results[k] in needed and k not in still}
    if not alive and not ys:
        return None
    while True:
        program = _giving(body, [*sorted(alive), *ys])
        read = _read(program)
        more = {k for k in read if k < count and k not in still} - alive
        if not more:
            break
        alive |= more
    carries = sorted(alive)
    items = [i for i in range(count, count + operation.items) if i in read]
    rest = [i for i in range(count + operation.items, len(body.inputs)) if i in read]
    rest += [k for k in still if k in read]
    inputs = [*carries, *items, *rest]
    scan = Scan(
        _only(program, inputs), len(carries), len(items), operation.length, operation.reverse
    )
    operands = tuple(each.operands[i] for i in inputs)
    return Instruction(scan, operands, tuple(each.results[i] for i in (*carries, *ys)))


def _trimmed_loop(operation: Loop, each: Instruction, needed: set[Value]) -> Instruction:
    body, count = operation.body, operation.carries
    asked = trim_blocks(operation.keep_going)
    of_condition = _read(asked)
    alive = {k for k in range(count) if each.results[k] in needed or k in of_condition}
    while True:
        program = _giving(body, sorted(alive))
        read = _read(program)
        more = {k for k in read if k < count} - alive
        if not more:
            break
        alive |= more
    carries = sorted(alive)
    rest = [i for i in range(count, len(body.inputs)) if i in read | of_condition]
    inputs = [*carries, *rest]
    loop = Loop(_only(asked, inputs), _only(program, inputs), len(carries))
    operands = tuple(each.operands[i] for i in inputs)
    return Instruction(loop, operands, tuple(each.results[k] for k in carries))
