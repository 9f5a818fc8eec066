"""The derivatives of loops and branches: loops and branches of the derivatives of their bodies.

The vjp of a scan is a scan backwards. What its body reads of the way there and does not depend
on cotangents is computed, and kept, by the scan forwards: a second one here, of the same
operands, which a pass makes one with the first (`passes.blocks`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.arguments import Selection
from autodiff.box import apply, raw
from autodiff.compiler.blocks import Block, Branch, Detached, Loop, Scan, type_of_operand
from autodiff.compiler.on_boxes import on_boxes
from autodiff.compiler.opaque import Opaque
from autodiff.compiler.operations import Broadcast, Reshape, Take, Transpose
from autodiff.compiler.program import Instruction, Operand, Program, Value
from autodiff.compiler.subprograms import Stage, staged, with_inputs
from autodiff.compiler.tracer import example_of
from autodiff.forward import push
from autodiff.reverse import Reverse
from autodiff.values import full

VIEWS = (Broadcast, Reshape, Take, Transpose)
"""Operations that are done again rather than kept: they look at memory in another way."""


class BlockRule(Opaque):
    """The rule of an operation that holds programs.

    Parameters
    ----------
    operation : Block
    """

    def __init__(self, operation: Block) -> None:
        super().__init__(self._run, f"autodiff.{operation.name}")
        self.operation = operation

    def _run(self, *args: Any) -> tuple[Any, ...]:
        found = self.operation(*args)
        return found if isinstance(found, tuple) else (found,)

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangents of the operands that are tracked."""
        operation = self.operation
        wanted = [i for i, source in enumerate(node.inputs) if source is not None]
        if isinstance(operation, Scan):
            found = _pull_scan(operation, wanted, grad.items, args)
        elif isinstance(operation, Branch):
            found = _pull_branch(operation, wanted, grad.items, args)
        else:
            raise TypeError(
                "a compiled autodiff.while_loop has no derivative in reverse mode: how many "
                "carries it would have to keep is not known. Use autodiff.scan with a fixed "
                "length (and np.where, to stop early), or forward mode, autodiff.jvp"
            )
        return [found.get(i) for i in range(len(node.inputs))]

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the changes of the results, None where there is none."""
        operation = self.operation
        given = {i: one for i, one in enumerate(tangents) if one is not None}
        if isinstance(operation, Scan):
            return _push_scan(operation, given, args)
        if isinstance(operation, Branch):
            return _push_branch(operation, given, args)
        assert isinstance(operation, Loop)
        return _push_loop(operation, given, args)


def _applied(operation: Block, args: Sequence[Any]) -> list[Any]:
    return list(apply(BlockRule(operation), list(args), {}))


def _is_real(operand: Operand) -> bool:
    return type_of_operand(operand).dtype.kind in "fc"


def _zeros(value: Value) -> Any:
    """Return zeros like a value."""
    if value.shape == () and (value.weak or value.dtype.char == "d"):
        return 0.0
    return np.zeros(value.shape, value.dtype)[()]


def _like(part: Any, value: Value) -> Any:
    """Return a cotangent or tangent, None for zero, as one of a value."""
    return _zeros(value) if part is None else full(part, value.shape)


def _dependents(program: Program, active: set[Value]) -> list[bool]:
    """Return which outputs change with the inputs `active`, as far as there are derivatives."""
    found = set(active)
    for each in program.instructions:
        followed = not isinstance(each.operation, Detached)
        if followed and any(value in found for value in each.values):
            found.update(one for one in each.results if one.dtype.kind in "fc")
    return [isinstance(one, Value) and one in found for one in program.outputs]


def _active(operation: Scan | Loop, tracked: set[int]) -> tuple[list[int], list[bool]]:
    """Return which carries change with the operands `tracked`, and which outputs do."""
    body, count = operation.body, operation.carries
    real = [_is_real(value) for value in body.inputs]
    active = {i for i in tracked if real[i]}
    while True:
        changing = _dependents(body, {body.inputs[i] for i in active})
        more = {i for i in range(count) if changing[i] and real[i]} - active
        if not more:
            return [i for i in range(count) if i in active], changing
        active |= more


def _chosen(program: Program, at: Sequence[int], outs: Sequence[int], whole: list[Any]) -> Any:
    """Return a program as a function of some inputs that gives some outputs."""

    def function(*given: Any) -> tuple[Any, ...]:
        args = list(whole)
        for i, value in zip(at, given, strict=True):
            args[i] = value
        found = on_boxes(program, args)
        return tuple(found[i] for i in outs)

    return function


def _pulled(
    program: Program, at: Sequence[int], outs: Sequence[int], whole: list[Any], grads: list[Any]
) -> list[Any]:
    """Return the cotangents of inputs of a program, for those of outputs."""
    function = _chosen(program, at, outs, whole)
    given = [whole[i] for i in at]
    run = Reverse(function, Selection(tuple(range(len(at)))), given, {}, warn=False)
    return run.leaf_cotangents(grads)


def _pushed(
    program: Program, at: Sequence[int], outs: Sequence[int], whole: list[Any], seeds: list[Any]
) -> list[Any]:
    """Return the changes of outputs of a program, for those of inputs."""
    function = _chosen(program, at, outs, whole)
    return push(function, list, [whole[i] for i in at], seeds).changes


def _examples(values: Sequence[Operand]) -> list[Any]:
    """Return ones that stand for cotangents or tangents of values."""
    found: list[Any] = []
    for value in map(type_of_operand, values):
        ones = np.ones(value.shape, value.dtype)
        found.append(ones.item() if value.weak else ones[()])
    return found


def _examples_of(args: Sequence[Any]) -> list[Any]:
    """Return what tracing knows of operands."""
    return [example_of(raw(arg)) for arg in args]


def _round(operation: Scan, args: Sequence[Any]) -> list[Any]:
    """Return what tracing knows of the operands of one round."""
    carries, items_end = operation.carries, operation.carries + operation.items
    found = _examples_of(args)
    for i in range(carries, items_end):
        value = operation.body.inputs[i]
        found[i] = found[i][0] if operation.length else np.zeros(value.shape, value.dtype)[()]
    return found


class _Parts:
    """Arguments of a function of many, taken in turn by their numbers."""

    def __init__(self, boxes: Sequence[Any]) -> None:
        self._rest = iter(boxes)

    def __call__(self, count: int) -> list[Any]:
        return [next(self._rest) for _ in range(count)]


def _pull_scan(
    operation: Scan, wanted: list[int], grads: Sequence[Any], args: Sequence[Any]
) -> dict[int, Any]:
    body, carries = operation.body, operation.carries
    items_end = carries + operation.items
    of_carries, changing = _active(operation, set(wanted))
    of_items = [i for i in wanted if carries <= i < items_end]
    of_rest = [i for i in wanted if i >= items_end and _is_real(body.inputs[i])]
    of_items = [i for i in of_items if _is_real(body.inputs[i])]
    of_ys = [i for i in range(carries, len(body.outputs)) if changing[i] and grads[i] is not None]
    outs = [*of_carries, *of_ys]
    at = [*of_carries, *of_items, *of_rest]

    def backward(boxes: list[Any]) -> list[Any]:
        take = _Parts(boxes)
        of_carry, sums, of_y = take(len(of_carries)), take(len(of_rest)), take(len(of_ys))
        whole = take(len(body.inputs))
        found = _pulled(body, at, outs, whole, [*of_carry, *of_y])
        split = len(of_carries), len(of_carries) + len(of_items)
        added = [total + one for total, one in zip(sums, found[split[1] :], strict=True)]
        return [*found[: split[0]], *added, *found[split[0] : split[1]]]

    values = [body.inputs[i] for i in (*of_carries, *of_rest)]
    cotangents = [*values, *(body.outputs[i] for i in of_ys)]
    stage = staged(backward, [*_examples(cotangents), *_round(operation, args)])
    split = _Split(operation, stage, len(cotangents))
    kept = split.kept(args)
    first = [
        *(_like(grads[i], body.inputs[i]) for i in of_carries),
        *(_zeros(body.inputs[i]) for i in of_rest),
    ]
    stacked = [
        full(grads[i], (operation.length, *type_of_operand(body.outputs[i]).shape)) for i in of_ys
    ]
    outs_back = split.back(first, stacked, kept, args)
    ends = len(of_carries), len(of_carries) + len(of_rest)
    found = dict(zip(of_rest, outs_back[ends[0] : ends[1]], strict=True))
    found |= dict(zip(of_items, outs_back[ends[1] :], strict=True))
    found |= {i: one for i, one in zip(of_carries, outs_back, strict=False) if i in wanted}
    return found


class _Split:
    """The body of a scan backwards, without what can be computed on the way there.

    Parameters
    ----------
    operation : Scan
        Forwards.
    stage : Stage
        Of the whole vjp of its body: it takes `cotangents` and then what the body takes.
    """

    def __init__(self, operation: Scan, stage: Stage, cotangents: int) -> None:
        from autodiff.compiler.passes import simplified  # they know blocks as well

        self.operation = operation
        self.program = program = simplified(stage.program)
        self.captured = stage.captured
        self.cotangents = program.inputs[:cotangents]
        count = len(operation.body.inputs)
        self.inputs = program.inputs[cotangents : cotangents + count]
        self.outside = program.inputs[cotangents + count :]
        self._divide()

    def _divide(self) -> None:
        """Find the values that are kept, and which instructions stay on the way back."""
        program, operation = self.program, self.operation
        items_end = operation.carries + operation.items
        still = {*self.inputs[items_end:], *self.outside, *program.constants}
        known = {*self.inputs, *still}
        makers: dict[Value, Instruction] = {}
        late = []
        for each in program.instructions:
            if all(value in known for value in each.values):
                known.update(each.results)
                if all(value in still for value in each.values):
                    still.update(each.results)
                makers.update(dict.fromkeys(each.results, each))
            else:
                late.append(each)
        again: set[int] = set()
        kept: dict[Value, None] = {}
        asked = [value for each in late for value in each.values if value in known]
        asked += [one for one in program.outputs if isinstance(one, Value) and one in known]
        while asked:
            value = asked.pop()
            maker = makers.get(value)
            if maker is None:
                if value in self.inputs[: operation.carries]:
                    kept[value] = None
            elif value in still or isinstance(maker.operation, VIEWS):
                if id(maker) not in again:
                    again.add(id(maker))
                    asked += list(maker.values)
            else:
                kept[value] = None
        self.residuals = list(kept)
        self.early = [each for each in program.instructions if each.results[0] in makers]
        late_ids = {id(each) for each in late} | again
        self.late = [each for each in program.instructions if id(each) in late_ids]

    def kept(self, args: Sequence[Any]) -> list[Any]:
        """Run the scan forwards; return what is kept of each round."""
        if not self.residuals:
            return []
        operation, body = self.operation, self.operation.body
        renamed = dict(zip(self.inputs, body.inputs, strict=True))

        def new(one: Operand) -> Operand:
            return renamed.get(one, one) if isinstance(one, Value) else one

        early = [
            Instruction(each.operation, tuple(map(new, each.operands)), each.results)
            for each in self.early
        ]
        program = Program(
            [*body.inputs, *self.outside],
            self.program.constants | body.constants,
            [*body.instructions, *early],
            [*body.outputs, *map(new, self.residuals)],
        )
        found = _applied(operation.with_programs(program), [*args, *self.captured])
        return found[len(body.outputs) :]

    def back(
        self, first: list[Any], stacked: list[Any], kept: list[Any], args: Sequence[Any]
    ) -> list[Any]:
        """Run the scan backwards."""
        operation, program = self.operation, self.program
        carries, items_end = operation.carries, operation.carries + operation.items
        items = self.inputs[carries:items_end]
        body = Program(
            [*self.cotangents, *self.residuals, *items, *self.inputs[items_end:], *self.outside],
            program.constants,
            self.late,
            program.outputs,
        )
        count = len(stacked) + len(kept) + operation.items
        scan = Scan(body, len(first), count, operation.length, not operation.reverse)
        given = [*first, *stacked, *kept, *args[carries:], *self.captured]
        return _applied(scan, given)


def _push_scan(operation: Scan, tangents: dict[int, Any], args: Sequence[Any]) -> tuple[Any, ...]:
    body, carries = operation.body, operation.carries
    items_end = carries + operation.items
    of_carries, changing = _active(operation, set(tangents))
    of_items = [i for i in tangents if carries <= i < items_end and _is_real(body.inputs[i])]
    of_rest = [i for i in tangents if i >= items_end and _is_real(body.inputs[i])]
    of_ys = [i for i in range(carries, len(body.outputs)) if changing[i]]
    at, outs = [*of_carries, *of_items, *of_rest], [*of_carries, *of_ys]
    total = len(body.inputs)

    def forward(boxes: list[Any]) -> list[Any]:
        take = _Parts(boxes)
        whole, of_carry = take(carries), take(len(of_carries))
        whole += take(operation.items)
        of_item = take(len(of_items))
        whole += take(total - items_end)
        seeds = [*of_carry, *of_item, *take(len(of_rest))]
        primal = on_boxes(body, whole)[:carries]
        found = _pushed(body, at, outs, whole, seeds)
        return [*primal, *found]

    inputs, known = body.inputs, _round(operation, args)
    order = [
        *known[:carries], *_examples([inputs[i] for i in of_carries]),
        *known[carries:items_end], *_examples([inputs[i] for i in of_items]),
        *known[items_end:], *_examples([inputs[i] for i in of_rest]),
    ]  # fmt: skip
    stage = staged(forward, order)
    length = operation.length
    given = [
        *args[:carries], *(_like(tangents.get(i), inputs[i]) for i in of_carries),
        *args[carries:items_end],
        *(full(tangents[i], (length, *inputs[i].shape)) for i in of_items),
        *args[items_end:], *(_like(tangents[i], inputs[i]) for i in of_rest),
    ]  # fmt: skip
    scan = Scan(
        stage.program,
        carries + len(of_carries),
        operation.items + len(of_items),
        length,
        operation.reverse,
    )
    found = _applied(scan, [*given, *stage.captured])[carries:]
    changes: list[Any] = [None] * len(body.outputs)
    for i, change in zip(outs, found, strict=True):
        changes[i] = change
    return tuple(changes)


def _both(
    operation: Branch,
    make: Callable[[Program], Any],
    values: Sequence[Operand],
    args: Sequence[Any],
) -> list[Any]:
    """Apply a branch of derivatives, which first take cotangents or tangents of `values`."""
    order = [*_examples(values), *_examples_of(args[1 + len(values) :])]
    stages = [staged(make(one), order) for one in operation.programs]
    captured = [one for stage in stages for one in stage.captured]
    extra = [stage.program.inputs[len(order) :] for stage in stages]
    first, second = (stage.program for stage in stages)
    unused = [[Value(one.shape, one.dtype, one.weak) for one in more] for more in extra]
    branch = Branch(
        with_inputs(first, [*first.inputs, *unused[1]]),
        with_inputs(second, [*second.inputs[: len(order)], *unused[0], *extra[1]]),
    )
    return _applied(branch, [*args, *captured])


def _pull_branch(
    operation: Branch, wanted: list[int], grads: Sequence[Any], args: Sequence[Any]
) -> dict[int, Any]:
    inputs = operation.on_true.inputs
    at = [i - 1 for i in wanted if i > 0 and _is_real(inputs[i - 1])]
    outs = [i for i, one in enumerate(operation.on_true.outputs)
            if grads[i] is not None and _is_real(one)]  # fmt: skip

    def make(program: Program) -> Any:
        def backward(boxes: list[Any]) -> list[Any]:
            take = _Parts(boxes)
            of_outs = take(len(outs))
            return _pulled(program, at, outs, take(len(inputs)), of_outs)

        return backward

    values = [operation.on_true.outputs[i] for i in outs]
    given = [_like(grads[i], type_of_operand(operation.on_true.outputs[i])) for i in outs]
    found = _both(operation, make, values, [args[0], *given, *args[1:]])
    return {i + 1: one for i, one in zip(at, found, strict=True)}


def _push_branch(
    operation: Branch, tangents: dict[int, Any], args: Sequence[Any]
) -> tuple[Any, ...]:
    inputs = operation.on_true.inputs
    at = [i - 1 for i in tangents if i > 0 and _is_real(inputs[i - 1])]
    active = [_dependents(one, {one.inputs[i] for i in at}) for one in operation.programs]
    outs = [i for i, either in enumerate(zip(*active, strict=True)) if any(either)]

    def make(program: Program) -> Any:
        def forward(boxes: list[Any]) -> list[Any]:
            take = _Parts(boxes)
            seeds = take(len(at))
            return _pushed(program, at, outs, take(len(inputs)), seeds)

        return forward

    values = [inputs[i] for i in at]
    given = [_like(tangents[i + 1], inputs[i]) for i in at]
    found = _both(operation, make, values, [args[0], *given, *args[1:]])
    changes: list[Any] = [None] * len(operation.on_true.outputs)
    for i, change in zip(outs, found, strict=True):
        changes[i] = change
    return tuple(changes)


def _push_loop(operation: Loop, tangents: dict[int, Any], args: Sequence[Any]) -> tuple[Any, ...]:
    body, carries = operation.body, operation.carries
    of_carries, _ = _active(operation, set(tangents))
    of_rest = [i for i in tangents if i >= carries and _is_real(body.inputs[i])]
    at = [*of_carries, *of_rest]
    inputs = body.inputs

    def forward(boxes: list[Any]) -> list[Any]:
        take = _Parts(boxes)
        whole, of_carry = take(carries), take(len(of_carries))
        whole += take(len(inputs) - carries)
        seeds = [*of_carry, *take(len(of_rest))]
        primal = on_boxes(body, whole)
        return [*primal, *_pushed(body, at, of_carries, whole, seeds)]

    changing = [inputs[i] for i in of_carries]
    known = _examples_of(args)
    order = [
        *known[:carries], *_examples(changing), *known[carries:],
        *_examples([inputs[i] for i in of_rest]),
    ]  # fmt: skip
    stage = staged(forward, order)
    asked = operation.keep_going
    new = [Value(one.shape, one.dtype, one.weak) for one in stage.program.inputs]
    wider = [
        *asked.inputs[:carries], *new[carries : carries + len(changing)],
        *asked.inputs[carries:], *new[len(inputs) + len(changing) :],
    ]  # fmt: skip
    loop = Loop(with_inputs(asked, wider), stage.program, carries + len(changing))
    given = [
        *args[:carries], *(_like(tangents.get(i), inputs[i]) for i in of_carries),
        *args[carries:], *(_like(tangents[i], inputs[i]) for i in of_rest),
    ]  # fmt: skip
    found = _applied(loop, [*given, *stage.captured])[carries:]
    changes: list[Any] = [None] * carries
    for i, change in zip(of_carries, found, strict=True):
        changes[i] = change
    return tuple(changes)
