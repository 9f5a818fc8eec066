"""The rule of a function whose derivatives a client gave: containers taken apart and put back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from autodiff.arguments import name_of
from autodiff.box import Box, operand, raw
from autodiff.containers import parts_of, put_together
from autodiff.custom import call_method
from autodiff.primitives import Parts, Primitive
from autodiff.values import dtype_of, full, shape_of

Function = Callable[..., Any]


def missing(what: str, f: Function, argnum: int) -> NotImplementedError:
    """Return the error that says how to give a derivative."""
    return NotImplementedError(
        f"{name_of(f)} has no {what} for argument {argnum}; give one with "
        f"def{what}({name_of(f)}, ..., argnums=...)"
    )


NESTED = (list, tuple, dict)


class Span(NamedTuple):
    """One tracked argument.

    Attributes
    ----------
    number : int
        Of the argument.
    structure
        Of the argument; None if it is no container.
    leaves : slice
        Which of the leaves of the call are its own.
    """

    number: int
    structure: Any
    leaves: slice


class Call:
    """One call of a primitive: what is not tracked, and where what is tracked goes.

    Attributes
    ----------
    spans : list of Span
        Arguments that are tracked, or containers of tracked values.
    leaves : list
        Of these arguments.
    structure
        Of the result; None if it is no container.
    pulls : dict
        What the makers gave for the nodes of this call.
    """

    def __init__(self, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        self.args, self.kwargs = args, kwargs
        self.leaves: list[Any] = []
        self.spans: list[Span] = []
        for number, arg in enumerate(args):
            if holds_box(arg):
                leaves, structure = parts_of(arg) if isinstance(arg, NESTED) else ([arg], None)
                start = len(self.leaves)
                self.leaves += map(operand, leaves)
                self.spans.append(Span(number, structure, slice(start, len(self.leaves))))
        self.structure: Any = None
        self.pulls: dict[int, Function] = {}

    def filled(self, leaves: Sequence[Any]) -> list[Any]:
        """Return the arguments with `leaves` in the place of the tracked values."""
        given = list(self.args)
        for span in self.spans:
            given[span.number] = put_together(span.structure, leaves[span.leaves])
        return given

    def result(self, outs: Any) -> Any:
        """Return the outputs in the structure of the result."""
        return outs if self.structure is None else put_together(self.structure, outs)


class ClientRule(Primitive):
    """The rule that `primitive` makes.

    Attributes
    ----------
    maker, push : callable or None
        What `defvjp_argnums` and `defjvp_argnums` gave.
    """

    maker: Function | None = None
    push: Function | None = None

    def __init__(self, f: Function) -> None:
        super().__init__(name_of(f), self.evaluate)
        self.f = f

    def call(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Return what the function gives, recorded if an argument is tracked."""
        for key, value in kwargs.items():
            if holds_box(value):
                raise TypeError(f"{self.name} got a tracked {key}=; pass it by position")
        if not any(map(holds_box, args)):
            return self.f(*args, **kwargs)
        call = Call(args, kwargs)
        return call.result(self(*call.leaves, call=call))

    def evaluate(self, *leaves: Any, call: Call) -> Any:
        """Return what the function gives of plain values; of a container a tuple of its leaves."""
        outs, call.structure = parts_of(self.f(*call.filled(leaves), **call.kwargs))
        if any(isinstance(out, Box) for out in outs):
            raise TypeError(
                f"{self.name} gave a tracked value: it uses one that is not among its arguments, "
                "whose derivative would be lost; pass it as an argument by position"
            )
        outs = list(map(_own, outs))
        return outs[0] if call.structure is None else tuple(outs)

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return what the client's vjps give, each in the shape of its argument."""
        call, sources = node.static["call"], node.inputs
        grads = list(grad.items) if type(grad) is Parts else [grad]
        if careful and not any(part is not None and np.any(raw(part)) for part in grads):
            return [None] * len(sources)
        if type(grad) is Parts:
            grads = _filled(grads, out)
        else:
            part = full(grad, node.shape)
            grads = [part.copy() if isinstance(part, np.ndarray) else part]
        spans = [span for span in call.spans if any(map(_is_given, sources[span.leaves]))]
        pull = self._pull_of(call, [span.number for span in spans], node, out, args)
        found = pull(call.result(grads if call.structure is not None else grads[0]))
        parts: list[Any] = [None] * len(sources)
        for span, part in zip(spans, found, strict=True):
            if part is not None:
                leaves = [part] if span.structure is None else parts_of(part)[0]
                parts[span.leaves] = [
                    None if source is None else self._fitted(leaf, source.shape, span.number)
                    for leaf, source in zip(leaves, sources[span.leaves], strict=True)
                ]
        return parts

    def _pull_of(self, call: Call, numbers: list[int], node: Any, out: Any, args: Any) -> Function:
        """Return what the maker gives; the same again, unless the walk is recorded."""
        recorded = args is not node.args
        if not recorded and node.index in call.pulls:
            return call.pulls[node.index]
        if self.maker is None:
            raise missing("vjp", self.f, numbers[0])
        given = (tuple(numbers), call.result(out), call.filled(args), call.kwargs)
        pull: Function = call_method(self.maker, given, {})
        if not recorded:
            call.pulls[node.index] = pull
        return pull

    def _fitted(self, part: Any, shape: tuple[int, ...], number: int) -> Any:
        """Return a cotangent in the `shape` of argument `number`; one that broadcasts to it may."""
        given = shape_of(part) if not isinstance(part, (list, tuple)) else np.shape(part)
        if part is None or given == shape:
            return part
        if np.prod(given) == 1 and np.prod(shape) == 1:
            return np.reshape(part, shape)
        if given == () or np.broadcast_shapes(given, shape) == shape:
            return np.broadcast_to(part, shape)
        raise ValueError(
            f"the vjp of {self.name} gave shape {given} for argument {number}, whose shape is "
            f"{shape}; sum it over the broadcast axes (unbroadcast of numpy.numpy_vjps)"
        )

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return what the client's jvps give."""
        call = static["call"]
        numbers, changes = [], []
        for span in call.spans:
            if any(map(_is_given, tangents[span.leaves])):
                numbers.append(span.number)
                rows = _filled(tangents[span.leaves], args[span.leaves])
                changes.append(put_together(span.structure, rows))
        if self.push is None:
            raise missing("jvp", self.f, numbers[0])
        given = (tuple(numbers), tuple(changes), call.result(out), call.filled(args), call.kwargs)
        found = call_method(self.push, given, {})
        if call.structure is None:
            return 0.0 if found is None else found
        return tuple([None] * len(out) if found is None else parts_of(found)[0])


def holds_box(value: Any) -> bool:
    """Return whether `value` is tracked, or a container with something tracked in it."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_box, value))
    if isinstance(value, dict):
        return any(map(holds_box, value.values()))
    return isinstance(operand(value), Box)


def _is_given(value: Any) -> bool:
    return value is not None


def _filled(changes: Sequence[Any], like: Sequence[Any]) -> list[Any]:
    """Return changes of the leaves `like`, zeros for None."""
    return [
        np.zeros(shape_of(leaf), dtype_of(leaf)) if change is None else change
        for change, leaf in zip(changes, like, strict=True)
    ]


def _own(out: Any) -> Any:
    """Return a result as the engine records it: floats, and arrays nobody else holds."""
    if isinstance(out, int) and not isinstance(out, bool):
        return float(out)
    if isinstance(out, np.ndarray):
        return out.astype(float) if out.dtype.kind in "iu" else out.copy()
    return out
