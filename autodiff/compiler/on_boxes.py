"""A program run on boxes: each operation is followed by the transforms of what it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.box import Box, apply, operand, raw
from autodiff.careful import PRODUCT
from autodiff.compiler.inside import gradient
from autodiff.compiler.opaque import called
from autodiff.compiler.operations import (
    Broadcast,
    Call,
    CarefulProduct,
    Cast,
    Join,
    Kernel,
    Matmul,
    Operation,
    Put,
    Reduce,
    Reshape,
    Take,
    Transpose,
    filled,
)
from autodiff.compiler.program import Instruction, Operand, Program, Value
from autodiff.compiler.tracer import Traced, Tracer, boxed, recorder_of
from autodiff.registry import CALLS
from autodiff.rules.indexing import scatter_rule
from autodiff.values import dtype_of, shape_of

_REDUCED: dict[Any, Any] = {
    np.add: np.sum,
    np.multiply: np.prod,
    np.maximum: np.max,
    np.minimum: np.min,
}


def on_boxes(program: Program, args: Sequence[Any]) -> list[Any]:
    """Return what a program gives of numbers, arrays and boxes."""
    known: dict[Value, Any] = dict(zip(program.inputs, args, strict=True)) | program.constants

    def get(one: Operand) -> Any:
        return known[one] if isinstance(one, Value) else one

    for each in program.instructions:
        out = _followed(each, [get(one) for one in each.operands])
        outs = (out,) if len(each.results) == 1 else out
        known.update(zip(each.results, outs, strict=True))
    return list(map(get, program.outputs))


def _followed(each: Instruction, args: list[Any]) -> Any:
    operation = each.operation
    args = [operand(arg) if isinstance(arg, (Box, Traced)) else arg for arg in args]
    boxes = [arg for arg in args if isinstance(arg, Box)]
    if not boxes:
        return operation(*args)
    rule = _rule_of(operation)
    followed = all(isinstance(arg, Tracer) for arg in boxes)
    if not followed and rule is None:  # conditions and whole numbers
        args, followed = [raw(arg) for arg in args], True
    if followed:
        given = [raw(arg) for arg in args]
        recorder = recorder_of(given)
        return operation(*given) if recorder is None else boxed(recorder.emit(operation, *given))
    found = rule(operation, args)
    if len(each.results) > 1:
        return found
    if isinstance(found, (tuple, list)):
        (found,) = found
    (result,) = each.results
    return found if shape_of(found) == result.shape else np.broadcast_to(found, result.shape)


def _rule_of(operation: Operation) -> Any:
    """Return how an operation is applied to tracked values; None if it has no derivative."""
    written = getattr(operation, "programs", None)
    if written is not None:
        return _block
    return _RULES.get(type(operation))


def _block(operation: Any, args: list[Any]) -> Any:
    from autodiff.compiler.block_rules import BlockRule  # which runs programs on boxes

    return apply(BlockRule(operation), args, {})


def _kernel(operation: Kernel, args: list[Any]) -> Any:
    if operation.index is None:
        return operation.rule(*args)
    grad, out, *rest = args
    return gradient(operation.rule, operation.index, grad, out, rest)


def _cast(operation: Cast, args: list[Any]) -> Any:
    (x,) = args
    if operation.dtype.kind in "fc" and dtype_of(x).kind in "fc":
        return x.astype(operation.dtype)
    given = raw(x)
    recorder = recorder_of(given)
    return operation(given) if recorder is None else boxed(recorder.emit(operation, given))


def _reduce(operation: Reduce, args: list[Any]) -> Any:
    function = _REDUCED[operation.ufunc]
    return function(args[0], axis=operation.axes, keepdims=operation.keepdims)


def _call(operation: Call, args: list[Any]) -> Any:
    given, named = filled(operation.args, args), filled(operation.kwargs, args)
    if operation.rule is not None:
        return apply(operation.rule, given, named)
    original = getattr(operation.function, "__wrapped__", operation.function)
    if original in CALLS or isinstance(getattr(original, "__self__", None), np.ufunc):
        return original(*given, **named)
    return called(operation.function, given, named)


_RULES: dict[type, Any] = {
    Kernel: _kernel,
    CarefulProduct: lambda operation, args: apply(PRODUCT, args, {}),
    Cast: _cast,
    Reduce: _reduce,
    Reshape: lambda operation, args: np.reshape(args[0], operation.shape),
    Transpose: lambda operation, args: np.transpose(args[0], operation.axes),
    Broadcast: lambda operation, args: np.broadcast_to(args[0], operation.shape),
    Take: lambda operation, args: args[0][operation.index],
    Put: lambda operation, args: scatter_rule(
        args[0], index=Take(operation.parts).index, shape=operation.shape
    ),
    Join: lambda operation, args: np.concatenate(args, operation.axis),
    Matmul: lambda operation, args: np.matmul(*args),
    Call: _call,
}
