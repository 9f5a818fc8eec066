"""Loops and branches in a traced function: their functions become programs inside the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff import control
from autodiff.arguments import name_of
from autodiff.box import apply, operand, raw
from autodiff.compiler.block_rules import BlockRule
from autodiff.compiler.blocks import Branch, Loop, Scan
from autodiff.compiler.program import Program, Value
from autodiff.compiler.refusals import TracingError
from autodiff.compiler.subprograms import Stage, staged, with_inputs
from autodiff.compiler.tracer import Traced
from autodiff.containers import parts_of, put_together

_TRIES = 4
"""How often a carry may take another dtype until it keeps it."""


def is_traced(value: Any) -> bool:
    """Return whether a value is known only when the program runs."""
    return isinstance(raw(value), Traced)


def _as_data(leaf: Any) -> Any:
    """Return a leaf as a program holds it: whole numbers and conditions as those of NumPy."""
    leaf = operand(leaf)
    if control.is_weak(leaf) and (kind := control.type_of(leaf)[1]).kind in "biu":
        return control.converted(leaf, kind)
    return leaf


def _example(leaf: Any) -> Any:
    plain = raw(leaf)
    return plain.example if isinstance(plain, Traced) else plain


def _stage(
    call: Callable[[list[Any]], list[Any]], examples: Sequence[Any], given: Sequence[Any]
) -> Stage | None:
    """Return the program of a function, or None if nothing is traced that it is given or uses.

    A function that asks for numbers, of which none is traced as far as one can see, is a
    function of plain values: it runs as it is.
    """
    known = not any(map(is_traced, given))
    try:
        stage = staged(call, examples)
    except TracingError:
        if known:
            return None
        raise
    return None if known and not any(map(is_traced, stage.captured)) else stage


def scan(
    f: Any, init: Any, xs: tuple[list[Any], Any], length: int, reverse: bool
) -> tuple[Any, Any] | None:
    """Write a loop down; None if nothing of it is traced."""
    arrays, of_xs = xs
    leaves, structure = control.parts_of_optional(init)
    items = [
        _example(array)[0] if length else np.zeros(np.shape(array)[1:], array.dtype)[()]
        for array in arrays
    ]
    of_y: Any = None

    def call(boxes: list[Any]) -> tuple[list[Any], list[Any]]:
        nonlocal of_y
        x = control.put_optional(of_xs, boxes[len(leaves) :])
        carry, y = control.pair(f(control.put_optional(structure, boxes[: len(leaves)]), x), f)
        ys, of_y = control.parts_of_optional(y)
        return carry, [control.checked_y(each, f) for each in ys]

    what = f"the function {name_of(f)} of scan"
    found = _with_carry(call, leaves, structure, items, arrays, what)
    if found is None:
        return None
    leaves, stage = found
    operation = Scan(stage.program, len(leaves), len(arrays), length, reverse)
    outs = _applied(operation, [*leaves, *arrays, *stage.captured])
    carry = control.put_optional(structure, outs[: len(leaves)])
    return carry, control.put_optional(of_y, outs[len(leaves) :])


def _with_carry(
    call: Any,
    init: list[Any],
    structure: Any,
    items: Sequence[Any],
    given: Sequence[Any],
    what: str,
) -> tuple[list[Any], Stage] | None:
    """Return the first carry in the dtypes that it keeps, and the program of one round."""
    for leaf in init:
        if not _is_data(leaf):
            raise TypeError(
                f"{what} gets a {type(raw(leaf)).__name__} in its carry, which is made of numbers "
                "and arrays; let it refer to other things from outside"
            )
    weak = [control.is_weak(leaf) for leaf in init]
    leaves = [_as_data(leaf) for leaf in init]
    for _ in range(_TRIES):
        wanted: list[Any] = []

        def checked(boxes: list[Any], before: Any = leaves, wanted: Any = wanted) -> list[Any]:
            carry, rest = call(boxes)
            found = [_as_data(leaf) for leaf in control.same_carry(
                before, structure, carry, what, weak)]  # fmt: skip
            wanted[:] = [_promoted(new, old) for new, old in zip(found, before, strict=True)]
            return [*found, *rest]

        stage = _stage(checked, [*map(_example, leaves), *items], [*leaves, *given])
        if stage is None:
            return None
        if not any(wanted):
            return leaves, stage
        leaves = [
            leaf if dtype is None else control.converted(leaf, dtype)
            for leaf, dtype in zip(leaves, wanted, strict=True)
        ]
    raise TypeError(f"{what} gives another dtype in each round; convert its carry with .astype")


def _promoted(new: Any, old: Any) -> Any:
    """Return the dtype that a Python number has to take to be like the next carry, or None."""
    dtype = control.type_of(new)[1]
    if control.type_of(old)[1] != dtype or (control.is_weak(old) and not control.is_weak(new)):
        return dtype
    return None


def _applied(operation: Any, args: Sequence[Any]) -> list[Any]:
    found = apply(BlockRule(operation), list(args), {})
    return list(found)


def cond(pred: Any, on_true: Any, on_false: Any, operands: Sequence[Any]) -> Any:
    """Write a branch down."""
    taken = [parts_of(each) for each in operands]
    leaves = [leaf for found, _ in taken for leaf in found]
    data = [i for i, leaf in enumerate(leaves) if _is_data(leaf)]
    given = [_as_data(leaves[i]) for i in data]
    forms: list[Any] = []

    def stage_of(f: Any) -> Stage:
        def call(boxes: list[Any]) -> list[Any]:
            whole = list(leaves)
            for i, box in zip(data, boxes, strict=True):
                whole[i] = box
            rest = iter(whole)
            args = [put_together(kind, [next(rest) for _ in found]) for found, kind in taken]
            outs, structure = control.parts_of_optional(f(*args))
            forms.append(structure)
            return [_as_data(_checked(out, f)) for out in outs]

        return staged(call, [_example(one) for one in given])

    first, second = stage_of(on_true), stage_of(on_false)
    if forms[0] != forms[1]:
        raise TypeError(
            f"the functions of cond give different structures, {name_of(on_true)} "
            f"{control.shown(forms[0])} and {name_of(on_false)} {control.shown(forms[1])}; both "
            "have to give the same"
        )
    programs, captured = _alike((first, second), len(given))
    for program in programs:
        _unify(program, programs, on_true, on_false)
    outs = _applied(Branch(programs[0], programs[1]), [pred, *given, *captured])
    return control.put_optional(forms[0], outs)


def _is_data(leaf: Any) -> bool:
    plain = raw(operand(leaf))
    kind = getattr(getattr(plain, "dtype", None), "kind", "")
    return isinstance(plain, (int, float, complex)) or (kind != "" and kind in "biufc")


def _checked(out: Any, f: Any) -> Any:
    if not _is_data(out):
        raise TypeError(
            f"{name_of(f)} gave a {type(raw(out)).__name__} to cond; its functions give numbers, "
            "arrays, and containers of them"
        )
    return operand(out)


def _unify(program: Program, programs: Sequence[Program], on_true: Any, on_false: Any) -> None:
    """Check that both programs give the same types; a Python number takes the other's."""
    from autodiff.compiler.blocks import type_of_operand
    from autodiff.compiler.operations import Cast
    from autodiff.compiler.program import Instruction

    (other,) = [one for one in programs if one is not program]
    for i, (out, theirs) in enumerate(zip(program.outputs, other.outputs, strict=True)):
        own, wanted = type_of_operand(out), type_of_operand(theirs)
        if own.shape == wanted.shape and own.dtype == wanted.dtype and own.weak == wanted.weak:
            continue
        fits = own.weak and np.can_cast(
            np.result_type(own.dtype.type(0).item(), wanted.dtype), wanted.dtype
        )
        if own.shape == wanted.shape and fits and not wanted.weak:
            result = Value(own.shape, wanted.dtype)
            program.instructions.append(Instruction(Cast(wanted.dtype), (out,), (result,)))
            program.outputs[i] = result
        elif own.shape != wanted.shape or not wanted.weak:
            raise TypeError(
                f"the functions of cond give different types, {name_of(on_true)} "
                f"{type_of_operand(programs[0].outputs[i]).type} and {name_of(on_false)} "
                f"{type_of_operand(programs[1].outputs[i]).type}; both have to give the same: "
                "np.broadcast_to, .astype"
            )


def _alike(stages: Sequence[Stage], count: int) -> tuple[list[Program], list[Any]]:
    """Return programs that all take the first `count` inputs and what any of them captured."""
    captured: list[Any] = []
    for stage in stages:
        captured += [one for one in stage.captured if not any(one is known for known in captured)]
    programs = []
    for stage in stages:
        own = dict(zip(map(id, stage.captured), stage.program.inputs[count:], strict=True))
        rest = [own[id(one)] if id(one) in own else Value.like(_example(one)) for one in captured]
        programs.append(with_inputs(stage.program, [*stage.program.inputs[:count], *rest]))
    return programs, captured


def while_loop(keep_going: Any, body: Any, init: Any) -> tuple[Any] | None:
    """Write a loop down; None if nothing of it is traced."""
    leaves, structure = control.parts_of_optional(init)

    def call(boxes: list[Any]) -> tuple[Any, list[Any]]:
        return body(control.put_optional(structure, boxes)), []

    def condition(boxes: list[Any]) -> list[Any]:
        found = operand(keep_going(control.put_optional(structure, boxes)))
        if np.shape(found) != ():
            control.holds(_example(found), keep_going)
        return [found]

    found = _with_carry(call, leaves, structure, [], [], f"body {name_of(body)} of while_loop")
    if found is None and not any(map(is_traced, leaves)):
        stage = _stage(condition, [_example(_as_data(leaf)) for leaf in leaves], leaves)
        if stage is not None:
            raise TracingError(
                f"the condition {name_of(keep_going)} of while_loop is traced, its carry is not; "
                "put what it depends on into init"
            )
    if found is None:
        return None
    leaves, stage = found
    asked = staged(condition, [*map(_example, leaves)])
    programs, captured = _alike((asked, stage), len(leaves))
    outs = _applied(Loop(programs[0], programs[1], len(leaves)), [*leaves, *captured])
    return (control.put_optional(structure, outs),)
