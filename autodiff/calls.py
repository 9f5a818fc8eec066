"""Calls of elementwise functions, with a short path for Python floats.

On floats the partials are computed when the operation is recorded, and the variable is its
own node: no method call is left for the walk back. Everything else takes the general path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.elementwise import FLOAT_ERRORS, Elementwise, rule_of
from autodiff.levels import recording
from autodiff.registry import LOADERS
from autodiff.node import SELF, next_index
from autodiff.variable import Variable, record

Call = Callable[..., Any]
_CALL_OF: dict[Elementwise, Call] = {}
new = object.__new__
PLAIN = frozenset({float, int, np.ndarray})
NO_KEYWORDS: dict[str, Any] = {}


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
    if rule.selective:
        return _general(rule)
    function, both = rule.function, rule.with_partials

    def call(x: Any) -> Any:
        if type(x) is Variable and x.node is not None and (recording.on or x.level):
            value = x._value
            if type(value) is np.ndarray:
                source = x if x.node is SELF else x.node
                return record(function(value), rule, [value], [source], 1, NO_KEYWORDS, x.level)
            if type(value) is float and x.node is SELF and both is not None:
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
    if rule.selective:
        return _general(rule)
    function, both = rule.function, rule.with_partials
    scalar, (grad_x, grad_y) = rule.scalar, rule.scalar_grads

    def call(x: Any, y: Any) -> Any:
        first = type(x) is Variable and x.node is not None
        second = type(y) is Variable and y.node is not None
        box = x if first else y
        if not (first or second) or not (recording.on or box.level):
            return rule(x, y)
        a, b = x._value if first else x, y._value if second else y
        if first and second and x.level != y.level:
            return rule(x, y)
        if type(a) in PLAIN and type(b) in PLAIN:
            if type(a) is np.ndarray or type(b) is np.ndarray:
                inputs = [
                    (x if x.node is SELF else x.node) if first else None,
                    (y if y.node is SELF else y.node) if second else None,
                ]
                tracked = first + 2 * second
                out = function(a, b)
                return record(out, rule, [a, b], inputs, tracked, NO_KEYWORDS, box.level)
            if both is not None and box.node is SELF:
                try:
                    if first and second:
                        if y.node is not SELF:
                            return rule(x, y)
                        out, partials = both(a, b)
                        inputs = (x, y)
                    elif first:
                        out = float(scalar(a, b))
                        partials = (grad_x(1.0, out, a, b), 0.0)
                        inputs = (x, None)
                    else:
                        out = float(scalar(a, b))
                        partials = (0.0, grad_y(1.0, out, a, b))
                        inputs = (None, y)
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
