"""Calls of elementwise functions, with a short path for Python floats.

On floats the partials are computed when the operation is recorded, and the variable is its
own node: no method call is left for the walk back. Everything else takes the general path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff.elementwise import FLOAT_ERRORS, Elementwise, rule_of
from autodiff.levels import recording
from autodiff.registry import LOADERS
from autodiff.node import SELF, next_index
from autodiff.variable import Variable

Call = Callable[..., Any]
_CALL_OF: dict[Elementwise, Call] = {}
new = object.__new__


def call_of(rule: Elementwise) -> Call:
    """Return the function users call for `rule`: on floats, arrays and tracked values."""
    call = _CALL_OF.get(rule)
    if call is None:
        arity = len(rule.entry.args)
        make = {1: _unary, 2: _binary}.get(arity, _general)
        call = _CALL_OF[rule] = make(rule)
        call.__name__ = call.__qualname__ = rule.name
        call.__doc__ = rule.own.__doc__
    return call


def _load(function: Any) -> Call | None:
    rule = rule_of(function)
    return None if rule is None else call_of(rule)


LOADERS.append(_load)


def _unary(rule: Elementwise) -> Call:
    if not rule.on_floats:
        return _general(rule)
    both = rule.with_partials

    def call(x: Any) -> Any:
        if type(x) is Variable:
            value = x._value
            if type(value) is float and x.node is SELF and (recording.on or x.level):
                try:
                    out, partials = both(value)
                except FLOAT_ERRORS:
                    return rule(x)
                found = new(Variable)
                found._value = out
                found.level = x.level
                found.grad = None
                found.node = SELF
                found.index = next_index()
                found.inputs = (x,)
                found.partials = partials
                found.primitive = rule
                found.args = (value,)
                return found
        return rule(x)

    return call


def _binary(rule: Elementwise) -> Call:
    if not rule.on_floats:
        return _general(rule)
    both, scalar, (grad_x, grad_y) = rule.with_partials, rule.scalar, rule.scalar_grads

    def call(x: Any, y: Any) -> Any:
        first, second = type(x) is Variable, type(y) is Variable
        box = x if first else y
        if (first or second) and (recording.on or box.level):
            a, b = x._value if first else x, y._value if second else y
            try:
                if not (type(a) is float or type(a) is int) or not (type(b) is float or type(b) is int):
                    return rule(x, y)
                if first and second:
                    if x.node is not SELF or y.node is not SELF or x.level != y.level:
                        return rule(x, y)
                    inputs = (x, y)
                    out, partials = both(a, b)
                elif box.node is not SELF:
                    return rule(x, y)
                elif first:
                    inputs = (x, None)
                    out = float(scalar(a, b))
                    partials = (grad_x(1.0, out, a, b), 0.0)
                else:
                    inputs = (None, y)
                    out = float(scalar(a, b))
                    partials = (0.0, grad_y(1.0, out, a, b))
            except FLOAT_ERRORS:
                return rule(x, y)
            found = new(Variable)
            found._value = out
            found.level = box.level
            found.grad = None
            found.node = SELF
            found.index = next_index()
            found.inputs = inputs
            found.partials = partials
            found.primitive = rule
            found.args = (a, b)
            return found
        return rule(x, y)

    return call


def _general(rule: Elementwise) -> Call:
    def call(*args: Any) -> Any:
        return rule(*args)

    return call
