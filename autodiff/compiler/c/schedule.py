"""From instructions to steps: loop nests that do much at once, matrix products, calls.

An instruction joins a step that runs over the same entries if what it reads is there, so that
chains of elementwise functions, the broadcasts into them and the sums and joins out of them are
one loop. Transposes, reshapes and slices are ways to look at memory and no step at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autodiff.compiler.c.again import computed_again
from autodiff.compiler.c.expressions import is_elementwise, is_supported
from autodiff.compiler.c.places import Buffer, Place, Scalar, View, contiguous, whole
from autodiff.compiler.c.rounds import (
    Advance,
    Rounds,
    add_rounds,
    has_form,
    touched_by_rounds,
)
from autodiff.compiler.operations import (
    Assemble,
    Broadcast,
    Join,
    Matmul,
    Put,
    Reduce,
    Reshape,
    Take,
    Transpose,
)
from autodiff.compiler.program import Instruction, Operand, Program, Value


@dataclass(eq=False)
class Store:
    """Entries written to memory; with `zero`, 0 is added to them, so that none is -0."""

    operand: Operand
    view: View
    zero: bool = False


@dataclass(eq=False)
class Load:
    """One number read from memory into a variable of C."""

    view: View
    scalar: Scalar


@dataclass(eq=False)
class Fold:
    """Entries reduced over axes of the loops: into memory, or into a variable if over all."""

    instruction: Instruction
    view: View | None
    result: Place


@dataclass(eq=False)
class Nest:
    """Loops over the entries of one shape.

    Attributes
    ----------
    shape : tuple of int
    items : list of Instruction
        Elementwise ones, whose results are variables of C in the loop.
    sinks : list of Store, Load and Fold
    """

    shape: tuple[int, ...]
    items: list[Instruction] = field(default_factory=list)
    sinks: list[Store | Load | Fold] = field(default_factory=list)


@dataclass(eq=False)
class Fill:
    """Memory set to zero."""

    buffer: Buffer


@dataclass(eq=False)
class Product:
    """A matrix product into memory."""

    instruction: Instruction
    left: View
    right: View
    out: View


@dataclass(eq=False)
class PythonCall:
    """A call of an operation of Python, on arrays made of memory."""

    instruction: Instruction
    operands: list[Place | Operand]
    results: list[Place]


FORMS = (Assemble, Broadcast, Join, Matmul, Put, Reduce, Reshape, Take, Transpose)
"""Operations that are no elementwise ones."""

Step = Nest | Fill | Product | PythonCall | Rounds | Advance

_LIMIT = 200
"""Instructions in one nest; more do not fit into registers, and compile slowly."""

_WINDOW = 64
"""How many of the last steps are looked at for a nest that an instruction can join."""


class Schedule:
    """The steps of a program, and where its values live.

    Parameters
    ----------
    program : Program
    parent : Schedule, optional
        That of the program it is inside of.
    given : dict of Value to Place, optional
        Where its inputs are there; its outputs are then left to the caller.

    Attributes
    ----------
    steps : list of Step
    places : dict of Value to Place
    inputs, outputs, constants, calls, work : list of Buffer
        Memory by kind; the outputs of a program are copied to by the last steps.
    output_places : list of Place or number
    """

    def __init__(
        self,
        program: Program,
        parent: Schedule | None = None,
        given: dict[Value, Place] | None = None,
    ) -> None:
        self.program = program
        self.parent = parent
        self.steps: list[Step] = []
        self.places: dict[Value, Place] = {}
        self.home: dict[Value, int] = {}  # the nest in which a value is a variable of C
        self.ready: dict[Buffer | str, int] = {}  # the last step that writes it
        self.kinds: dict[str, list[Buffer]] = {
            kind: [] for kind in ("input", "output", "constant", "call", "work")
        }
        # Names are those of one function in C, so programs inside count on.
        self.numbers: dict[str, int] = {} if parent is None else parent.numbers
        self.literals: dict[str, tuple[Any, Any]] = {} if parent is None else parent.literals
        self._again = computed_again(program)
        self._waiting: dict[Value, Instruction] = {}
        self._copies: dict[tuple[int, Value], Value] = {}
        for value, place in (given or {}).items():
            self.places[value] = place
            self.ready[place.name if isinstance(place, Scalar) else place.buffer] = -1
        for number, value in enumerate(() if parent else program.inputs):
            self.places[value] = self._given(value, "input", number)
        for number, value in enumerate(program.constants):
            self.places[value] = self._given(value, "constant", number)
        for each in program.instructions:
            self._add(each)
        self.output_places: list[Any] = []
        if parent is None:
            self.output_places = [self._output(one) for one in program.outputs]
            self.liveness()

    def _given(self, value: Value, kind: str, number: int) -> Place:
        if value.shape == ():
            name = f"{kind}{number}"
            self.ready[name] = -1
            return Scalar(name, value.dtype)
        buffer = Buffer(value.dtype, value.size, kind, number, used=True)
        self.kinds[kind].append(buffer)
        self.ready[buffer] = -1
        return whole(buffer, value.shape)

    def buffer(self, value: Value, kind: str = "work") -> Buffer:
        """Return new memory for a value."""
        buffer = Buffer(value.dtype, value.size, kind, self.next_number(kind))
        self.kinds[kind].append(buffer)
        return buffer

    @property
    def all_steps(self) -> Iterator[Step]:
        """Yield the steps, and those inside of them, in their order."""
        for step in self.steps:
            yield step
            if isinstance(step, Rounds):
                for inside in step.insides:
                    yield from inside.all_steps

    @property
    def all_schedules(self) -> Iterator[Schedule]:
        """Yield this one, and those inside."""
        yield self
        for step in self.steps:
            if isinstance(step, Rounds):
                for inside in step.insides:
                    yield from inside.all_schedules

    def _add(self, each: Instruction) -> None:
        operation = each.operation
        if each.results[0] in self._again and is_elementwise(each):
            self._settle(each.operands)
            self._waiting[each.results[0]] = each
            return
        supported = all(map(is_supported, (*each.values, *each.results)))
        if isinstance(operation, FORMS) or not is_elementwise(each):
            self._settle(each.operands)
        if supported and isinstance(operation, (Reshape, Transpose, Broadcast, Take)):
            self._look(each)
        elif supported and isinstance(operation, Put):
            self._put(each)
        elif supported and isinstance(operation, Assemble) and self._assembles(each):
            self._assemble(each)
        elif supported and isinstance(operation, Join):
            self._join(each)
        elif supported and isinstance(operation, Reduce) and self._folds(each):
            self._fold(each)
        elif supported and isinstance(operation, Matmul) and _multiplies(each):
            self._product(each)
        elif is_elementwise(each):
            self._element(each)
        elif has_form(each):
            add_rounds(self, each)
        else:
            self._call(each)

    def _settle(self, operands: Iterable[Operand]) -> None:
        """Give results that loops would compute for themselves a loop of their own."""
        for operand in operands:
            maker = self._waiting.pop(operand, None) if isinstance(operand, Value) else None
            if maker is not None:
                self._element(maker)

    def _copy(self, nest: Nest, number: int, value: Value) -> Value:
        """Return the copy of a result that a nest computes for itself."""
        found = self._copies.get((id(nest), value))
        if found is None:
            maker = self._waiting[value]
            found = self._copies[id(nest), value] = Value(value.shape, value.dtype, value.weak)
            for operand in maker.operands:
                self._read(operand, number, value.shape)
            nest.items.append(Instruction(maker.operation, maker.operands, (found,)))
            self._made(found, number, nest)
        return found

    def after(self, operand: Operand, nest: int | None = None) -> int:
        """Return the first step that can read an operand; `nest` itself if it is made there."""
        if not isinstance(operand, Value):
            return 0
        home = self.home.get(operand)
        if home is not None:
            return home if home == nest else home + 1
        place = self.places[operand]
        return self.ready[place.name if isinstance(place, Scalar) else place.buffer] + 1

    def _same_nest(self, operand: Operand, shape: tuple[int, ...]) -> int | None:
        """Return the nest over `shape` in which an operand is made, if it is."""
        home = self.home.get(operand) if isinstance(operand, Value) else None
        return home if home is not None and operand.shape == shape else None

    def _nest_for(self, operands: tuple[Operand, ...], shape: tuple[int, ...]) -> int:
        """Return the number of a nest over `shape` that can read the operands, maybe a new one."""
        first = 0
        for operand in operands:
            own = self._same_nest(operand, shape)
            first = max(first, self.after(operand, own))
        makers = {self._same_nest(operand, shape) for operand in operands}
        count = len(self.steps)
        near = range(count - 1, max(first, count - _WINDOW) - 1, -1)
        here = sorted((number for number in makers if number is not None), reverse=True)
        for number in here or list(near):
            if number >= first and self._takes(number, shape):
                return number
        for number in reversed(near):
            if self._takes(number, shape):
                return number
        self.steps.append(Nest(shape))
        return count

    def _takes(self, number: int, shape: tuple[int, ...]) -> bool:
        """Return whether a step is a nest over `shape` that has room."""
        step = self.steps[number]
        return isinstance(step, Nest) and step.shape == shape and len(step.items) < _LIMIT

    def _read(self, operand: Operand, nest: int, shape: tuple[int, ...]) -> None:
        """Note that a nest reads an operand: from memory, unless it is made there."""
        if isinstance(operand, Value) and self._same_nest(operand, shape) != nest:
            self.in_memory(operand)

    def in_memory(self, operand: Operand) -> Place | Operand:
        """Return where an operand is, after making sure that it is written there."""
        if not isinstance(operand, Value):
            return operand
        place = self.places[operand]
        if isinstance(place, View):
            place.buffer.used = True
        return place

    def _element(self, each: Instruction) -> None:
        (result,) = each.results
        self._settle(one for one in each.values if one.shape != result.shape)
        waiting = [one for one in each.values if one in self._waiting]
        needed = [one for one in each.operands if one not in waiting]
        needed += [one for value in waiting for one in self._waiting[value].operands]
        number = self._nest_for(tuple(needed), result.shape)
        nest = self.steps[number]
        assert isinstance(nest, Nest)
        copies = {value: self._copy(nest, number, value) for value in waiting}
        operands = tuple(
            copies.get(one, one) if isinstance(one, Value) else one for one in each.operands
        )
        for operand in operands:
            self._read(operand, number, result.shape)
        nest.items.append(Instruction(each.operation, operands, each.results))
        self._made(result, number, nest)

    def _made(self, result: Value, number: int, nest: Nest) -> None:
        """Give a value made in a nest its variable of C, and memory if anything asks for it."""
        self.home[result] = number
        if result.shape == ():
            name = self.new_scalar()
            self.places[result] = Scalar(name, result.dtype)
            self.ready[name] = number
        else:
            buffer = self.buffer(result)
            self.ready[buffer] = number
            view = whole(buffer, result.shape)
            self.places[result] = view
            nest.sinks.append(Store(result, view))

    def next_number(self, kind: str) -> int:
        """Return the next number for a name."""
        self.numbers[kind] = self.numbers.get(kind, -1) + 1
        return self.numbers[kind]

    def new_scalar(self) -> str:
        """Return the name of a new variable of C."""
        return f"s{self.next_number('scalar')}"

    def _look(self, each: Instruction) -> None:
        """Look at memory in another way; copy it where there is none."""
        operand, (result,) = each.operands[0], each.results
        place = self.as_place(operand)
        operation = each.operation
        found: Place | None
        if isinstance(place, Scalar):
            found = Scalar(place.name, place.dtype, result.shape)
        elif isinstance(operation, Transpose):
            found = place.transposed(operation.axes)
        elif isinstance(operation, Take):
            found = place.taken(operation.parts)
        elif isinstance(operation, Broadcast):
            found = place.broadcast(operation.shape)
        else:
            assert isinstance(operation, Reshape)
            found = place.reshaped(operation.shape)
            if found is None:
                found = self._copied(operand, place).reshaped(operation.shape)
        assert found is not None
        if isinstance(found, View):
            found.buffer.used = True
            if found.shape == ():
                found = self._loaded(result, found)
        self.places[result] = found

    def _loaded(self, result: Value, view: View) -> Scalar:
        """Read one number from memory: where it never changes when it is needed, else here."""
        if view.buffer.kind in ("input", "constant"):
            name = f"{view.buffer.name}[{view.offset}]"
            self.ready[name] = -1
            return Scalar(name, result.dtype)
        scalar = Scalar(self.new_scalar(), result.dtype)
        number = self._step_after(self.ready[view.buffer] + 1, ())
        nest = self.steps[number]
        assert isinstance(nest, Nest)
        nest.sinks.append(Load(view, scalar))
        self.ready[scalar.name] = number
        return scalar

    def _step_after(self, first: int, shape: tuple[int, ...]) -> int:
        for number in range(first, len(self.steps)):
            step = self.steps[number]
            if isinstance(step, Nest) and step.shape == shape and not step.items:
                return number
        self.steps.append(Nest(shape))
        return len(self.steps) - 1

    def as_place(self, operand: Operand) -> Place:
        """Return where an operand is; a number written into the program gets a variable."""
        if isinstance(operand, Value):
            return self.places[operand]
        name = self.new_scalar()
        self.ready[name] = -1
        dtype = np.asarray(operand).dtype
        self.literals[name] = (operand, dtype)
        return Scalar(name, dtype)

    def _copied(self, operand: Value, place: View) -> View:
        """Copy an operand to memory in C order."""
        buffer = self.buffer(operand)
        buffer.used = True
        view = whole(buffer, operand.shape)
        self.ready[buffer] = self.store(operand, view)
        return view

    def store(self, operand: Operand, view: View, first: int = 0, zero: bool = False) -> int:
        """Write an operand to a view of its shape, in a nest not before `first`; return which.

        With `zero`, 0 is added to it.
        """
        own = self._same_nest(operand, view.shape)
        if own is not None and own >= first:
            number = own
        else:
            number = max(first, self.after(operand))
            for late in range(number, len(self.steps)):
                step = self.steps[late]
                if isinstance(step, Nest) and step.shape == view.shape:
                    number = late
                    break
            else:
                self.steps.append(Nest(view.shape))
                number = len(self.steps) - 1
        self._read(operand, number, view.shape)
        view.buffer.used = True
        nest = self.steps[number]
        assert isinstance(nest, Nest)
        nest.sinks.append(Store(operand, view, zero))
        return number

    def _put(self, each: Instruction) -> None:
        operation, (result,) = each.operation, each.results
        assert isinstance(operation, Put)
        buffer = self.buffer(result)
        fill = Fill(buffer)
        operand = each.operands[0]
        view = whole(buffer, result.shape).taken(operation.parts)
        # A nest that runs already can write there if the zeros come before it.
        number = self.store(operand, view)
        self._before(number, fill)
        self.ready[buffer] = number + 1
        self.places[result] = whole(buffer, result.shape)

    def _before(self, number: int, step: Step) -> None:
        """Insert a step; those after it move on."""
        self.steps.insert(number, step)
        self.home = {value: at + (at >= number) for value, at in self.home.items()}
        self.ready = {key: at + (at >= number) for key, at in self.ready.items()}

    def _assembles(self, each: Instruction) -> bool:
        """Return whether all operands have the dtype of the result."""
        return all(value.dtype == each.results[0].dtype for value in each.values)

    def _assemble(self, each: Instruction) -> None:
        operation, (result,) = each.operation, each.results
        assert isinstance(operation, Assemble)
        buffer = self.buffer(result)
        out = whole(buffer, result.shape)
        first = 0
        if not operation.is_full:
            self.steps.append(Fill(buffer))
            first = len(self.steps)
        last = 0
        for parts, operand in zip(operation.places, each.operands, strict=True):
            last = max(last, self.store(operand, out.taken(parts), first, zero=True))
        self.ready[buffer] = last
        self.places[result] = out

    def _join(self, each: Instruction) -> None:
        operation, (result,) = each.operation, each.results
        assert isinstance(operation, Join)
        buffer = self.buffer(result)
        out = whole(buffer, result.shape)
        last, start = 0, 0
        for operand in each.operands:
            shape = operand.shape if isinstance(operand, Value) else np.shape(operand)
            parts = tuple(
                (start if axis == operation.axis else 0, size, 1) for axis, size in enumerate(shape)
            )
            last = max(last, self.store(operand, out.taken(parts)))
            start += shape[operation.axis]
        self.ready[buffer] = last
        self.places[result] = out

    def _folds(self, each: Instruction) -> bool:
        """Return whether a reduction has a form in C."""
        operation, (result,), operand = each.operation, each.results, each.operands[0]
        assert isinstance(operation, Reduce)
        if not isinstance(operand, Value) or operand.shape == ():
            return False
        if operand.dtype != result.dtype or (
            operand.size == 0 and operation.name in ("max", "min")
        ):
            return False
        if operation.name in ("all", "any"):
            return operand.dtype.kind == "b"
        return operand.dtype.char in "dflq"

    def _fold(self, each: Instruction) -> None:
        operation, (result,), operand = each.operation, each.results, each.operands[0]
        assert isinstance(operation, Reduce)
        shape = operand.shape
        number = self._nest_for((operand,), shape)
        self._read(operand, number, shape)
        nest = self.steps[number]
        assert isinstance(nest, Nest)
        kept = [size for axis, size in enumerate(shape) if axis not in operation.axes]
        if not kept:
            scalar = Scalar(self.new_scalar(), result.dtype, result.shape)
            self.ready[scalar.name] = number
            self.places[result] = scalar
            nest.sinks.append(Fold(each, None, scalar))
            return
        buffer = self.buffer(result)
        buffer.used = True
        self.ready[buffer] = number
        self.places[result] = whole(buffer, result.shape)
        rest = iter(contiguous(tuple(kept)))
        strides = tuple(0 if axis in operation.axes else next(rest) for axis in range(len(shape)))
        nest.sinks.append(Fold(each, View(buffer, shape, strides), self.places[result]))

    def _product(self, each: Instruction) -> None:
        (result,) = each.results
        places = []
        for operand in each.operands:
            place = self.in_memory(operand)
            if isinstance(place, Scalar):
                place = self.spread(operand)
            places.append(place)
        buffer = self.buffer(result)
        buffer.used = True
        left, right = places
        assert isinstance(left, View)
        assert isinstance(right, View)
        out = whole(buffer, result.shape)
        self.steps.append(Product(each, left, right, out))
        self.ready[buffer] = len(self.steps) - 1
        if result.shape == ():
            self.places[result] = self._loaded(result, out)
        else:
            self.places[result] = out

    def spread(self, operand: Value) -> View:
        """Write a number that is the same everywhere to memory."""
        buffer = self.buffer(operand)
        view = whole(buffer, operand.shape)
        self.ready[buffer] = self.store(operand, view)
        return view

    def _call(self, each: Instruction) -> None:
        operands: list[Any] = []
        for operand in each.operands:
            place = self.in_memory(operand)
            if isinstance(place, Scalar) and place.shape != ():
                place = self.spread(operand)
            operands.append(place)
        number = len(self.steps)
        results: list[Place] = []
        for result in each.results:
            if result.shape == () and is_supported(result):
                scalar = Scalar(self.new_scalar(), result.dtype)
                self.ready[scalar.name] = number
                self.places[result] = scalar
                results.append(scalar)
            else:
                buffer = self.buffer(result, "call")
                buffer.used = True
                self.ready[buffer] = number
                self.places[result] = whole(buffer, result.shape)
                results.append(self.places[result])
        self.steps.append(PythonCall(each, operands, results))

    def _output(self, operand: Operand) -> Any:
        """Return where an output is: a number, or a buffer of its own that it is written to."""
        if not isinstance(operand, Value):
            return operand
        place = self.places[operand]
        if isinstance(place, Scalar) and place.shape == ():
            return place
        if (
            isinstance(place, View)
            and place.buffer.kind == "work"
            and place.is_contiguous
            and place.buffer.size == operand.size
        ):
            self._become_output(place.buffer)
            return place
        buffer = Buffer(operand.dtype, operand.size, "output", len(self.kinds["output"]))
        self.kinds["output"].append(buffer)
        view = whole(buffer, operand.shape)
        self.ready[buffer] = self.store(operand, view)
        return view

    def _become_output(self, buffer: Buffer) -> None:
        buffer.kind, buffer.index, buffer.used = "output", len(self.kinds["output"]), True
        self.kinds["output"].append(buffer)

    def liveness(self) -> None:
        """Drop memory that nothing reads, and find between which steps the rest is needed."""
        for step in self.steps:
            if isinstance(step, Nest):
                step.sinks = [
                    sink for sink in step.sinks
                    if not isinstance(sink, Store) or sink.view.buffer.used
                ]  # fmt: skip
        own = {*self.kinds["work"], *self.kinds["call"]}
        for number, step in enumerate(self.steps):
            for buffer in self.touched(step):
                if self.parent is not None and buffer not in own:
                    continue
                if buffer.last < 0:
                    buffer.first = number
                buffer.last = number
        self.work = [
            buffer for buffer in self.kinds["work"] if buffer.kind == "work" and buffer.last >= 0
        ]

    def touched(self, step: Step) -> list[Buffer]:
        """Return the memory that a step reads or writes."""
        if isinstance(step, (Rounds, Advance)):
            return touched_by_rounds(step)
        if isinstance(step, Fill):
            return [step.buffer]
        if isinstance(step, Product):
            return [step.left.buffer, step.right.buffer, step.out.buffer]
        if isinstance(step, PythonCall):
            given = (*step.operands, *step.results)
            return [place.buffer for place in given if isinstance(place, View)]
        found = []
        made = {value for item in step.items for value in item.results}
        for item in step.items:
            found += [self.places[one] for one in item.values if one not in made]
        for sink in step.sinks:
            operand = sink.instruction.operands[0] if isinstance(sink, Fold) else None
            if isinstance(sink, Fold):
                found.append(sink.result)
            else:
                found.append(sink.view)
                operand = sink.operand if isinstance(sink, Store) else None
            if isinstance(operand, Value) and operand not in made:
                found.append(self.places[operand])
        return [place.buffer for place in found if isinstance(place, View)]


def _multiplies(each: Instruction) -> bool:
    """Return whether a product has a form in C: of floats, matrices and stacks of one shape."""
    (result,) = each.results
    kinds = {value.dtype for value in each.values} | {result.dtype}
    return len(kinds) == 1 and result.dtype.char in "df" and len(list(each.values)) == 2
