"""Calls of elementwise functions, with a short path for Python floats.

On floats the partials are computed when the operation is recorded, and the variable is its
own node: no method call is left for the walk back. Everything else takes the general path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.elementwise import (
    Elementwise,
    reason_refused,
    rule_answering,
    rule_named,
    rules_of_outputs,
)
from autodiff.levels import ACTIVE, recording
from autodiff.node import SELF, next_index, source_of
from autodiff.registry import LOADERS, refuse
from autodiff.values import ARITHMETIC_ERRORS, FLOAT
from autodiff.variable import Variable, record

Call = Callable[..., Any]
_CALL_OF: dict[Elementwise, Call] = {}
new = object.__new__
CONSTANTS = frozenset({float, int, np.ndarray})


def call_of(rule: Elementwise) -> Call:
    """Return the function users call for `rule`: on floats, arrays and tracked values."""
    call = _CALL_OF.get(rule)
    if call is None:
        arity = len(rule.entry.args)
        make = _general if rule.selective else {1: _unary, 2: _binary}.get(arity, _general)
        call = _CALL_OF[rule] = make(rule)
        call.__name__ = call.__qualname__ = rule.name
        call.__doc__ = rule.own.__doc__
    return call


def function_named(name: str) -> Call:
    """Return the function users call for the entry or alias `name`.

    Raises
    ------
    KeyError
        If no table has it.
    """
    rule = rule_named(name)
    if rule is None:
        raise KeyError(name)
    return call_of(rule)


def _load(function: Any) -> Call | None:
    rule = rule_answering(function)
    if rule is not None:
        return call_of(rule)
    outputs = rules_of_outputs(function)
    if outputs is not None:
        return _several(tuple(map(call_of, outputs)))
    reason = reason_refused(function)
    if reason is not None:
        refuse(function, reason)
    return None


def _several(calls: tuple[Call, ...]) -> Call:
    """Return the function of several outputs, each computed by a call of its own."""

    def call(*args: Any) -> Any:
        return tuple(each(*args) for each in calls)

    return call


LOADERS.append(_load)


# The result of floats is built where it is needed: one more call is a tenth of an operation.


def _unary(rule: Elementwise) -> Call:
    function, both, strict = rule.function, rule.with_partials or _no_twin, rule.strict

    def call(x: Any) -> Any:
        if type(x) is Variable and (x.level in ACTIVE if x.level else recording.short):
            value = x._value
            if type(value) is float and x.node is SELF:
                try:
                    out, partials = both(value)
                except ARITHMETIC_ERRORS:
                    return rule(x)
                found = new(Variable)
                found._value = out
                found.level = x.level
                found.grad = None
                found.node = SELF
                found.index = next_index()
                found.inputs = (x,)
                found.partials = partials
                found.rule = rule
                found.args = (value,)
                return found
            if (
                type(value) is np.ndarray
                and x.node is not None
                and not (strict and value.dtype.kind == "c")
            ):
                return record(function(value), rule, [value], [source_of(x)], 1, {}, x.level)
        return rule(x)

    return call


def _binary(rule: Elementwise) -> Call:
    both = rule.with_partials or _no_twin
    of_arrays = on_arrays(rule, rule.function)

    def call(x: Any, y: Any) -> Any:
        if type(x) is Variable:
            a = x._value
            if (
                type(a) is float
                and x.node is SELF
                and (x.level in ACTIVE if x.level else recording.short)
            ):
                if type(y) is Variable:
                    b = y._value
                    if type(b) is float and y.node is SELF and x.level == y.level:
                        try:
                            out, partials = both(a, b)
                        except ARITHMETIC_ERRORS:
                            return rule(x, y)
                        found = new(Variable)
                        found._value = out
                        found.level = x.level
                        found.grad = None
                        found.node = SELF
                        found.index = next_index()
                        found.inputs = (x, y)
                        found.partials = partials
                        found.rule = rule
                        found.args = (a, b)
                        return found
                elif type(y) is float or type(y) is int:
                    return _with_constant(rule, 0, x, (a, y))
        elif type(y) is Variable and (type(x) is float or type(x) is int):
            b = y._value
            if (
                type(b) is float
                and y.node is SELF
                and (y.level in ACTIVE if y.level else recording.short)
            ):
                return _with_constant(rule, 1, y, (x, b))
        return of_arrays(x, y)

    return call


def on_arrays(primitive: Any, function: Call) -> Call:
    """Return the call of a primitive of two arguments and no keywords, short for plain arrays."""
    strict = isinstance(primitive, Elementwise) and primitive.strict

    def call(x: Any, y: Any) -> Any:
        first, second = type(x) is Variable, type(y) is Variable
        if first:
            level, a, source = x.level, x._value, x if x.node is SELF else x.node
        else:
            level, a, source = None, x, None
        if second:
            b, other = y._value, y if y.node is SELF else y.node
            level = y.level if level is None or level == y.level else None
        else:
            b, other = y, None
        if type(a) is np.ndarray:
            simple = type(b) in CONSTANTS
        else:
            simple = type(b) is np.ndarray and type(a) in CONSTANTS
        if not simple:
            return primitive(x, y)
        if level is None:
            return primitive(x, y) if first or second else function(a, b)
        tracked = (source is not None) + 2 * (other is not None)
        if not tracked or not (level in ACTIVE if level else recording.short):
            return primitive(x, y)
        if strict and "c" in (getattr(a, "dtype", FLOAT).kind, getattr(b, "dtype", FLOAT).kind):
            return primitive(x, y)
        return record(function(a, b), primitive, [a, b], [source, other], tracked, {}, level)

    return call


def _with_constant(rule: Elementwise, index: int, box: Variable, args: tuple[Any, Any]) -> Any:
    """Apply `rule` to a variable that holds a float, argument `index`, and a constant.

    The partial of the constant is never computed: it may not exist.
    """
    try:
        out = float((rule.scalar or _no_twin)(*args))
        partial = (rule.scalar_grads[index] or _no_twin)(1.0, out, *args)
    except ARITHMETIC_ERRORS:
        return rule(box, args[1]) if index == 0 else rule(args[0], box)
    found = new(Variable)
    found._value = out
    found.level = box.level
    found.grad = None
    found.node = SELF
    found.index = next_index()
    found.inputs = (box, None) if index == 0 else (None, box)
    found.partials = (partial, 0.0) if index == 0 else (0.0, partial)
    found.rule = rule
    found.args = args
    return found


def _no_twin(*args: float) -> Any:
    """Stand for a scalar method `math` has no form of: the general path follows."""
    raise ValueError("no scalar form")


def _general(rule: Elementwise) -> Call:
    def call(*args: Any) -> Any:
        return rule(*args)

    return call
