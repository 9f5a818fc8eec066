"""Loops and branches in C: the steps of the programs inside, with memory of their own.

Carries stay where the result of the loop is; what a round makes is copied there at its end, or
written there at once where nothing else reads the old one. Entries that a round reads or
stacks are pointers that move.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autodiff.compiler.blocks import Block, Branch, Loop, Scan
from autodiff.compiler.c.expressions import c_type, is_careful, is_supported, number
from autodiff.compiler.c.places import (
    Buffer,
    Place,
    Scalar,
    View,
    assign_offsets,
    whole,
)
from autodiff.compiler.program import Instruction, Program, Value


@dataclass(eq=False)
class Advance:
    """What ends a round, or a branch: numbers and arrays move to where they stay.

    Attributes
    ----------
    numbers : list of (Scalar, Place or number)
    arrays : list of (View, View)
        Where to, and from where.
    """

    numbers: list[tuple[Scalar, Any]] = field(default_factory=list)
    arrays: list[tuple[View, View]] = field(default_factory=list)


@dataclass(eq=False)
class Rounds:
    """A loop or a branch.

    Attributes
    ----------
    instruction : Instruction
    insides : list of Schedule
        Of the programs in the operation.
    scratch : Buffer or None
        Memory of what lives inside.
    starts : list of (Scalar, Place or number)
        Carries that are numbers, and where they start.
    moving : list of (Buffer, View)
        Pointers to one entry along the first axis of an array.
    pred : Place or number
        Of a branch.
    """

    instruction: Instruction
    insides: list[Any] = field(default_factory=list)
    scratch: Buffer | None = None
    starts: list[tuple[Scalar, Any]] = field(default_factory=list)
    moving: list[tuple[Buffer, View]] = field(default_factory=list)
    pred: Any = None


def has_form(each: Instruction) -> bool:
    """Return whether a loop or branch has a form in C."""
    operation = each.operation
    if not isinstance(operation, Block) or any(one.constants for one in operation.programs):
        return False
    ends = [value for one in operation.programs for value in (*one.inputs, *one.outputs)]
    values = [*each.values, *each.results, *(one for one in ends if isinstance(one, Value))]
    return all(map(is_supported, values))


def add_rounds(schedule: Any, each: Instruction) -> None:
    """Add a loop or a branch to the steps of a schedule."""
    operation = each.operation
    step = Rounds(each)
    if isinstance(operation, Branch):
        _branch(schedule, step, operation)
    else:
        assert isinstance(operation, (Scan, Loop))
        _loop(schedule, step, operation)
    size = max(assign_offsets(inside.work) for inside in step.insides)
    if size:
        step.scratch = Buffer(np.dtype("B"), size, "work", schedule.next_number("work"), used=True)
        schedule.kinds["work"].append(step.scratch)
    schedule.steps.append(step)
    number = len(schedule.steps) - 1
    if step.scratch is not None:
        schedule.ready[step.scratch] = number
    for result in each.results:
        place = schedule.places[result]
        schedule.ready[place.name if isinstance(place, Scalar) else place.buffer] = number


def _result(schedule: Any, value: Value) -> Place:
    """Make the place of a result."""
    if value.shape == ():
        place: Place = Scalar(schedule.new_scalar(), value.dtype)
    else:
        buffer = schedule.buffer(value)
        buffer.used = True
        place = whole(buffer, value.shape)
    schedule.places[value] = place
    return place


def _inside(schedule: Any, program: Program, given: list[Any]) -> Any:
    """Return the schedule of a program inside, whose inputs are at these places."""
    return type(schedule)(program, schedule, dict(zip(program.inputs, given, strict=True)))


def _given(schedule: Any, operands: Any) -> list[Any]:
    """Return where operands are, numbers written into the program too."""
    found = []
    for operand in operands:
        place = schedule.in_memory(operand)
        found.append(place if isinstance(place, (View, Scalar)) else schedule.as_place(operand))
    return found


def _branch(schedule: Any, step: Rounds, operation: Branch) -> None:
    each = step.instruction
    step.pred = schedule.in_memory(each.operands[0])
    given = _given(schedule, each.operands[1:])
    places = [_result(schedule, result) for result in each.results]
    for program in operation.programs:
        inside = _inside(schedule, program, given)
        end = Advance()
        for operand, place in zip(program.outputs, places, strict=True):
            if isinstance(place, Scalar):
                end.numbers.append((place, inside.in_memory(operand)))
            else:
                inside.store(operand, place)
        _finish(inside, end)
        step.insides.append(inside)


def _loop(schedule: Any, step: Rounds, operation: Scan | Loop) -> None:
    each, count = step.instruction, operation.carries
    body = operation.body
    carries = []
    for operand, result in zip(each.operands[:count], each.results, strict=False):
        place = _result(schedule, result)
        carries.append(place)
        if isinstance(place, Scalar):
            step.starts.append((place, schedule.in_memory(operand)))
        else:
            schedule.ready[place.buffer] = schedule.store(operand, place)
    items: list[Place] = []
    rest = each.operands[count:]
    if isinstance(operation, Scan):
        rest = each.operands[count + operation.items :]
        for operand in each.operands[count : count + operation.items]:
            view = schedule.in_memory(operand)
            if not isinstance(view, View):
                view = schedule.spread(operand)
            items.append(_entry(schedule, step, view))
    given = [*carries, *items, *_given(schedule, rest)]
    if isinstance(operation, Loop):
        asked = _inside(schedule, operation.keep_going, given)
        (found,) = operation.keep_going.outputs
        step.pred = asked.in_memory(found)
        _finish(asked, Advance())
        step.insides.append(asked)
    inside = _inside(schedule, body, given)
    for operand, result in zip(body.outputs[count:], each.results[count:], strict=True):
        out = _result(schedule, result)
        assert isinstance(out, View)
        inside.store(operand, _entry(schedule, step, out, inside))
    _advance(inside, body, carries)
    step.insides.append(inside)


def _entry(schedule: Any, step: Rounds, view: View, inside: Any = None) -> Any:
    """Return one entry of a view along its first axis: a pointer that moves, or a number."""
    shape = view.shape[1:]
    strides = view.strides[1:]
    # The buffer counts what the pointer sees; it is memory of nobody.
    buffer = Buffer(view.buffer.dtype, 0, "entry", schedule.next_number("entry"), used=True)
    step.moving.append((buffer, view))
    if inside is not None:
        inside.ready[buffer] = -1
    elif shape == ():
        return Scalar(f"{buffer.name}[0]", buffer.dtype)
    return View(buffer, shape, strides)


def _advance(inside: Any, body: Program, carries: list[Any]) -> None:
    """End a round: give the next carries to the places of the carries."""
    end = Advance()
    own: set[Buffer] = set()
    for operand, place in zip(body.outputs, carries, strict=False):
        if isinstance(place, Scalar):
            end.numbers.append((place, inside.in_memory(operand)))
            continue
        found = inside.places.get(operand) if isinstance(operand, Value) else None
        if (
            isinstance(found, View)
            and found.buffer in inside.kinds["work"]
            and found == whole_or_none(found)
            and found.buffer not in own
        ):
            found.buffer.used = True
        else:
            buffer = Buffer(place.buffer.dtype, place.buffer.size, "work",
                            inside.next_number("work"), used=True)  # fmt: skip
            inside.kinds["work"].append(buffer)
            found = whole(buffer, place.shape)
            inside.ready[buffer] = inside.store(operand, found)
        own.add(found.buffer)
        end.arrays.append((place, found))
    _write_at_once(inside, end)
    _finish(inside, end)


def whole_or_none(view: View) -> View | None:
    """Return a view as all of its buffer in C order, None if it is not."""
    size = 1
    for one in view.shape:
        size *= one
    return whole(view.buffer, view.shape) if size == view.buffer.size else None


def _write_at_once(inside: Any, end: Advance) -> None:
    """Write next carries over the old ones where only the loop that makes them reads those."""
    inputs = dict(zip([id(to.buffer) for to, _ in end.arrays], end.arrays, strict=True))
    for to, found in list(inputs.values()):
        numbers = [n for n, step in enumerate(inside.steps) if to.buffer in inside.touched(step)]
        writers = [n for n, step in enumerate(inside.steps) if found.buffer in inside.touched(step)]
        if len(writers) != 1 or not (numbers == writers or not numbers):
            continue
        nest = inside.steps[writers[0]]
        if not hasattr(nest, "items") or nest.shape != to.shape:
            continue
        if any(map(is_careful, nest.items)):
            continue  # a loop that may run again, under the rule of zero, reads the old one again
        # Each entry is read before it is written, so only other entries must not be read here.
        places = [inside.places.get(one) for one in _read_in(nest)]
        plain = all(
            place == to or place.buffer is not to.buffer
            for place in places
            if isinstance(place, View)
        )
        sinks = [sink for sink in nest.sinks if getattr(sink, "view", None) is not None]
        stores = [sink for sink in sinks if sink.view == found and hasattr(sink, "operand")]
        if plain and len(stores) == 1:
            stores[0].view = to
            end.arrays.remove((to, found))


def _read_in(nest: Any) -> list[Value]:
    """Return what the loops of a nest read or make: the operands of its items and sinks."""
    found = [one for item in nest.items for one in item.values]
    for sink in nest.sinks:
        if hasattr(sink, "instruction"):
            found += sink.instruction.values
        elif isinstance(getattr(sink, "operand", None), Value):
            found.append(sink.operand)
    return found


def _finish(inside: Any, end: Advance) -> None:
    if end.numbers or end.arrays:
        inside.steps.append(end)
    inside.liveness()


def touched_by_rounds(step: Rounds | Advance) -> list[Buffer]:
    """Return the memory that a loop, a branch, or the end of a round reads or writes."""
    if isinstance(step, Advance):
        found = [view.buffer for pair in step.arrays for view in pair]
        given = [place for _, place in step.numbers]
        return found + [place.buffer for place in given if isinstance(place, View)]
    found = [view.buffer for _, view in step.moving]
    found += [] if step.scratch is None else [step.scratch]
    moving = {buffer for buffer, _ in step.moving}
    for inside in step.insides:
        own = set(inside.kinds["work"]) | set(inside.kinds["call"])
        for each in inside.steps:
            found += [one for one in inside.touched(each) if one not in own and one not in moving]
    places = step.insides[0].parent.places
    results = [places[result] for result in step.instruction.results]
    return found + [place.buffer for place in results if isinstance(place, View)]


def rounds_text(step: Rounds, source: Any, depth: int) -> list[str]:
    """Return the statements of a loop or a branch.

    Parameters
    ----------
    step : Rounds
    source : Source
        Writes the steps inside.
    depth : int
        In how many loops this one is.
    """
    operation = step.instruction.operation
    lines = [f"/* {operation.name} */", "{"]
    lines += [f"    {target.name} = {_number(place, target)};" for target, place in step.starts]
    if step.scratch is not None:
        for inside in step.insides:
            for buffer in inside.work:
                kind = c_type(buffer.dtype)
                at = f"({step.scratch.name} + {buffer.offset})"
                lines.append(f"    {kind} *const {buffer.name} = ({kind} *){at};")
    texts = [source.lines_of(inside, depth + 1) for inside in step.insides]
    if isinstance(operation, Branch):
        lines.append(f"    if ({_number(step.pred, None)}) {{")
        lines += ["        " + line for line in texts[0]]
        lines.append("    } else {")
        lines += ["        " + line for line in texts[1]]
    elif isinstance(operation, Loop):
        lines.append("    for (;;) {")
        lines += ["        " + line for line in texts[0]]
        lines.append(f"        if (!({_number(step.pred, None)}))")
        lines.append("            break;")
        lines += ["        " + line for line in texts[1]]
    else:
        assert isinstance(operation, Scan)
        index, count = f"n{depth}", operation.length
        head = f"npy_intp {index} = 0; {index} < {count}; {index}++"
        if operation.reverse:
            head = f"npy_intp {index} = {count - 1}; {index} >= 0; {index}--"
        lines.append(f"    for ({head}) {{")
        for buffer, view in step.moving:
            made = view.buffer.name, view.offset, index, view.strides[0]
            lines.append(
                f"        {c_type(buffer.dtype)} *const {buffer.name} = "
                f"({c_type(buffer.dtype)} *){made[0]} + {made[1]} + {made[2]}*{made[3]};"
            )
        lines += ["        " + line for line in texts[0]]
    return [*lines, "    }", "}"]


def advance_text(step: Advance) -> list[str]:
    """Return the statements that end a round."""
    lines = []
    if len(step.numbers) == 1:
        ((target, place),) = step.numbers
        lines.append(f"{target.name} = {_number(place, target)};")
    else:
        for target, place in step.numbers:
            kind = c_type(target.dtype)
            lines.append(f"const {kind} next_{target.name} = {_number(place, target)};")
        lines += [f"{target.name} = next_{target.name};" for target, _ in step.numbers]
    for to, found in step.arrays:
        size = to.buffer.nbytes
        lines.append(f"memcpy({to.buffer.name}, {found.buffer.name}, {size});")
    return lines


def _number(place: Any, like: Scalar | None) -> str:
    """Return the expression of a number: a variable of C, or one written into the program."""
    if isinstance(place, Scalar):
        return place.name
    assert not isinstance(place, View)
    return number(place, np.asarray(place).dtype if like is None else like.dtype)
