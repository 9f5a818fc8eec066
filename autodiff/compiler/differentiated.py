"""A compiled function of tracked values: its derivatives are compiled functions too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autodiff.arguments import name_of
from autodiff.box import Box, apply
from autodiff.compiler.signature import Arguments, Signature, rebuilt
from autodiff.containers import parts_of, put_together
from autodiff.primitives import Several
from autodiff.products import jvp, vjp
from autodiff.values import dtype_of, full, shape_of


def applied(compiled: Any, given: Arguments) -> Any:
    """Return what a compiled function gives, followed by the transforms of its arguments."""
    key = (given.signature, tuple(given.counts))
    rule = compiled._rules.get(key)
    if rule is None:
        rule = compiled._rules[key] = CompiledRule(compiled, given.signature, given.counts)
    rest = Rest()
    outs = apply(rule, given.values, {"rest": rest})
    return put_together(rest.structure, rest.merged(outs))


@dataclass(eq=False)
class Rest:
    """What one call gives besides real and complex numbers; threads share the rule, not this.

    Attributes
    ----------
    structure
        Of the result.
    others : list
        For each of its leaves the leaf in a tuple, None if it is such a number.
    """

    structure: Any = None
    others: list[Any] = field(default_factory=list)

    def merged(self, outs: Sequence[Any]) -> list[Any]:
        """Return all leaves of the result: these outputs, and those that are no such numbers."""
        found = iter(outs)
        return [next(found) if other is None else other[0] for other in self.others]


class CompiledRule(Several):
    """The rule of a compiled function for arguments of one structure.

    Its arguments are the leaves of the arguments, its outputs those leaves of the result that are
    real or complex numbers.
    """

    def __init__(self, compiled: Any, signature: Signature, counts: Sequence[int]) -> None:
        super().__init__(name_of(compiled), self._run)
        self._compiled = compiled
        self._signature = signature
        self._counts = counts
        self._derivatives: dict[Any, Any] = {}

    def _run(self, *leaves: Any, rest: Rest) -> tuple[Any, ...]:
        outs, rest.structure = parts_of(self._call(self._compiled, leaves))
        rest.others = [None if _is_real(out) else (out,) for out in outs]
        return tuple(out for out in outs if _is_real(out))

    def _call(self, function: Any, leaves: Sequence[Any]) -> Any:
        args, kwargs = rebuilt(self._signature, self._counts, leaves)
        return function(*args, **kwargs)

    def _floats(self, *leaves: Any) -> tuple[Any, ...]:
        """Return the outputs as the function itself computes them, to be differentiated."""
        outs, _ = parts_of(self._call(self._compiled.__wrapped__, leaves))
        return tuple(out for out in outs if _is_real(out))

    def _of_some(self, wanted: tuple[int, ...], leaves: Sequence[Any]) -> Any:
        def some(*chosen: Any) -> tuple[Any, ...]:
            whole = list(leaves)
            for at, value in zip(wanted, chosen, strict=True):
                whole[at] = value
            return self._floats(*whole)

        return some

    def _derivative(self, kind: str, wanted: tuple[int, ...]) -> Any:
        found = self._derivatives.get((kind, wanted))
        if found is None:

            def backward(grads: Sequence[Any], leaves: Sequence[Any]) -> Any:
                some = self._of_some(wanted, leaves)
                return vjp(some, *(leaves[at] for at in wanted))[1](tuple(grads))

            def forward(tangents: Sequence[Any], leaves: Sequence[Any]) -> Any:
                some = self._of_some(wanted, leaves)
                return jvp(some, tuple(leaves[at] for at in wanted), tuple(tangents))[1]

            function = backward if kind == "backward" else forward
            function.__name__ = f"{kind}_of_{self.name}"
            found = self._derivatives[kind, wanted] = self._compiled.same(function)
        return found

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangents of the leaves that are tracked, by a compiled function."""
        wanted = tuple(at for at, source in enumerate(node.inputs) if source is not None)
        grads = tuple(
            _like(0.0 if part is None else part, one)
            for part, one in zip(grad.items, out, strict=True)
        )
        found = iter(self._derivative("backward", wanted)(grads, tuple(args)))
        return [None if source is None else next(found) for source in node.inputs]

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the changes of the outputs, by a compiled function."""
        wanted = tuple(at for at, tangent in enumerate(tangents) if tangent is not None)
        given = tuple(_like(tangents[at], args[at]) for at in wanted)
        return tuple(self._derivative("forward", wanted)(given, tuple(args)))


def _is_real(out: Any) -> bool:
    number = isinstance(out, (float, complex, np.ndarray, np.generic, Box))
    return number and dtype_of(out).kind in "fc"


def _like(part: Any, value: Any) -> Any:
    """Return a cotangent or tangent with the shape, dtype and kind of `value`."""
    if shape_of(value) == ():
        if isinstance(part, Box):
            return part
        return value.dtype.type(part) if isinstance(value, np.generic) else float(part)
    whole = full(part, shape_of(value))
    return whole if isinstance(whole, Box) else np.asarray(whole, dtype_of(value))
