"""Transforms inside a traced function: variables and duals whose derivatives are written down."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from autodiff.box import Box, raw
from autodiff.careful import PRODUCT, careful_product
from autodiff.compiler.following import Following, followed
from autodiff.compiler.opaque import Opaque
from autodiff.compiler.operations import Kernel
from autodiff.compiler.tracer import Recorder, Traced, Tracer, boxed, recorder_of
from autodiff.dual import Dual
from autodiff.elementwise import Elementwise
from autodiff.node import Node
from autodiff.primitives import Bilinear, Linear, Parts
from autodiff.several import JOIN, PICK
from autodiff.values import full, has_nan, unbroadcast
from autodiff.variable import Variable

FOLLOWED = frozenset({"np.max", "np.min", "np.var"})
"""Rules whose gradients are written down by what they are made of: finite where the cotangent is.

Those of others are one call each, which can go through everything again by the rule of zero."""


class TracedVariable(Following, Variable):
    """A variable of a transform that runs inside."""

    __slots__ = ()


class TracedDual(Following, Dual):
    """A dual number of a transform that runs inside; its products obey the rule of zero."""

    __slots__ = ()

    def pushed(
        self, primitive: Any, tangents: Sequence[Any], out: Any, args: Any, static: Any
    ) -> Any:
        """Return the change of what `primitive` gave; asks no number of a traced tangent."""
        known = isinstance(primitive, (Elementwise, Bilinear)) or primitive is PRODUCT
        if not known or not _is_traced((*tangents, *args)):
            return primitive.jvp(tangents, out, args, static)
        total = None
        for index, tangent in enumerate(tangents):
            if tangent is not None:
                if primitive is PRODUCT:
                    part = careful_product(tangent, (factor(*args), args[0])[index])
                elif isinstance(primitive, Bilinear):
                    part = _changed(primitive, index, tangent, args)
                else:
                    part = gradient(primitive, index, tangent, out, args)
                total = part if total is None else total + part
        return total


def _changed(rule: Bilinear, index: int, tangent: Any, args: Sequence[Any]) -> Any:
    """Return a bilinear function of a tangent in the place of one argument."""
    given = [tangent if i == index else arg for i, arg in enumerate(args)]
    recorder = recorder_of(_raws(given))
    if recorder is None or not _is_lowest(given):
        return rule(*given)
    with recorder.careful(tangent):
        return rule(*given)


class Watch:
    """What makes transforms inside take the classes above; see `autodiff.levels.recording`."""

    writes_down = True
    variable = TracedVariable
    dual = TracedDual
    followed = staticmethod(followed)

    def stop(self, plain: Any) -> Any:
        """Return a value that is a constant to all derivatives."""
        return plain.recorder.stopped(plain) if isinstance(plain, Traced) else plain

    def seen(self, out: Any, primitive: Any, args: Sequence[Any]) -> Any:
        """Return a recorded result in the class that follows functions."""
        if isinstance(out, tuple):
            return tuple(map(_watched, out))
        return _watched(out)

    def pull(self, node: Any, grad: Any) -> list[Any]:
        """Return what an operation passes on, under the rule of zero."""
        if type(node) is not Node:
            return [careful_product(grad, partial) for partial in node.partials]
        return self._pull(node, grad)

    def _pull(self, node: Any, grad: Any) -> list[Any]:
        rule, values = node.rule, (grad, node.out, *(node.args or ()))
        if not _is_traced((*values, *getattr(grad, "items", ()))):
            return list(rule.pull(grad, node, node.out, node.args, True))
        if isinstance(rule, Elementwise):
            return [
                None
                if source is None
                else unbroadcast(
                    gradient(rule, index, grad, node.out, node.args), node.shape, source.shape
                )
                for index, source in enumerate(node.inputs)
            ]
        if rule is PRODUCT:
            return _of_product(node, grad)
        if isinstance(rule, Linear) or rule in (PICK, JOIN) or isinstance(rule, Opaque):
            return list(rule.pull(grad, node, node.out, node.args, False))
        if not _is_lowest(values):
            return list(rule.pull(grad, node, node.out, node.args, False))
        recorder = recorder_of(_raws((*values, *getattr(grad, "items", ()))))
        assert recorder is not None
        if isinstance(rule, Bilinear):
            grad = full(grad, node.shape)
            if not isinstance(raw(grad), Traced):  # what becomes of a constant is followed as well
                grad = boxed(recorder.constant(np.asarray(grad)))
            with recorder.careful(grad):
                return list(rule.pull(grad, node, node.out, node.args, False))
        if rule.name in FOLLOWED:
            return list(rule.pull(grad, node, node.out, node.args, False))
        return _called(recorder, rule, node, grad)


def _raws(values: Sequence[Any]) -> list[Any]:
    """Return what is in boxes, also in tuples of them."""
    return [_raws(value) if isinstance(value, tuple) else raw(value) for value in values]


def _of_product(node: Any, grad: Any) -> list[Any]:
    """Return the cotangents of the factors of a careful product."""
    first, second = node.args
    factors = (factor(first, second), first)
    return [
        None
        if source is None
        else unbroadcast(careful_product(grad, other), node.shape, source.shape)
        for other, source in zip(factors, node.inputs, strict=True)
    ]


def factor(grad: Any, partial: Any) -> Any:
    """Return the derivative of a careful product in its cotangent: 0 where a NaN was removed."""
    if not _is_traced((partial,)) and np.all(np.isfinite(raw(partial))):
        return partial
    removed = (raw(grad) == 0.0) & np.isnan(raw(partial))
    return np.where(removed, 0.0, partial)


def _watched(out: Any) -> Any:
    if not isinstance(out, Variable):
        return out
    return TracedVariable.wrap(out._value, out.node, out.level)


def gradient(rule: Elementwise, index: int, grad: Any, out: Any, args: Sequence[Any]) -> Any:
    """Return the gradient of an elementwise function; of traced values as one operation."""
    if _is_lowest((grad, out, *args)) and not rule.of_complex:
        named = zip(("out", *rule.entry.args), (out, *args), strict=True)
        read = rule.reads[index]
        given = [raw(grad), *(raw(value) if name in read else None for name, value in named)]
        recorder = recorder_of([raw(value) for value in (grad, out, *args)])
        if recorder is None:
            return careful_product(grad, rule.partial(index, 1.0, out, args))
        return boxed(recorder.emit(Kernel(rule, index), *given))
    return careful_product(grad, rule.partial(index, 1.0, out, args))


def _called(recorder: Recorder, rule: Any, node: Any, grad: Any) -> list[Any]:
    """Write down the gradients of a rule as one call, which works on arrays."""
    several = isinstance(grad, Parts)
    parts = tuple(map(raw, grad.items)) if several else raw(full(grad, node.shape))
    sources = [
        None if source is None else SimpleNamespace(shape=source.shape, dtype=source.dtype)
        for source in node.inputs
    ]
    way = _Way(rule, node.static, node.shape, node.dtype, sources)
    out = node.out
    out = tuple(map(raw, out)) if isinstance(out, tuple) else raw(out)
    given = (parts, out, *map(raw, node.args))
    found = boxed(
        recorder.call(way, given, {"static": _raw_static(node.static)}, f"vjp of {rule.name}")
    )
    rest = iter(found if isinstance(found, tuple) else (found,))
    return [None if source is None else next(rest) for source in sources]


def _raw_static(static: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in static.items() if recorder_of(value) is not None}


class _Way:
    """The walk back through one operation, on plain arrays."""

    def __init__(self, rule: Any, static: Any, shape: Any, dtype: Any, sources: list[Any]) -> None:
        self.rule, self.static = rule, static
        self.shape, self.dtype, self.sources = shape, dtype, sources

    def __call__(self, grad: Any, out: Any, *args: Any, static: dict[str, Any]) -> Any:
        node = SimpleNamespace(
            static=self.static | static, shape=self.shape, dtype=self.dtype, inputs=self.sources
        )
        given = Parts(grad) if isinstance(grad, tuple) else grad
        found = self.rule.pull(given, node, out, list(args), False)
        tracked = any(isinstance(part, Box) for part in found)
        if not tracked and any(has_nan(part) for part in found if part is not None):
            found = self.rule.pull(given, node, out, list(args), True)
        parts = [
            full(0.0 if part is None else part, source.shape)
            for part, source in zip(found, self.sources, strict=True)
            if source is not None
        ]
        whole = parts if tracked else list(map(np.array, parts))
        return whole[0] if len(whole) == 1 else tuple(whole)


def _is_traced(values: Sequence[Any]) -> bool:
    return any(
        _is_traced(value) if isinstance(value, tuple) else isinstance(raw(value), Traced)
        for value in values
    )


def _is_lowest(values: Sequence[Any]) -> bool:
    """Return whether no value belongs to another transform inside."""
    return all(
        _is_lowest(value)
        if isinstance(value, tuple)
        else not isinstance(value, Box) or isinstance(value, Tracer)
        for value in values
    )
