"""Rules of functions of arrays, each declared once by what it is, for both modes.

======================  ==============================================================
`Linear`                its jvp is the function itself; it needs only its transpose
`Bilinear`              linear in each of two arguments; it needs two transposes
`Primitive`             the others: a vjp and a jvp
`Several`               a function with several outputs: the same, on tuples
======================  ==============================================================

Methods have the argument order of the generated ones, ``(grad, out, *args, **static)``. Of
what they do not read they get None, or something that knows the shape only.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import apply, raw
from autodiff.careful import careful_bilinear
from autodiff.registry import CALLS
from autodiff.values import dtype_of, full, shape_of

Method = Callable[..., Any]


class Primitive:
    """A function with its derivatives.

    Parameters
    ----------
    name : str
        As users write it; for messages.
    forward : callable
        ``forward(*args, **static)`` on plain arrays (and on boxes of lower levels, if it
        calls functions that have rules).
    vjps : sequence of callable
        One per argument, ``vjp(grad, out, *args, **static)``: the cotangent of that argument,
        in its shape.
    jvps : sequence of callable
        One per argument, ``jvp(tangent, out, *args, **static)``: the change of ``out``.
    reads : str
        Words that say what the vjps read: ``"out"``, ``"args"``; others are dropped early.
    """

    selective = False
    """Whether `followed` has to be asked: some arguments have no derivative, or only 0."""

    def __init__(
        self,
        name: str,
        forward: Method,
        vjps: Sequence[Method] = (),
        jvps: Sequence[Method] = (),
        reads: str = "out args",
    ) -> None:
        self.name = name
        self.forward = forward
        self.vjps = tuple(vjps)
        self.jvps = tuple(jvps)
        self.reads_out = "out" in reads.split()
        self.reads_args = "args" in reads.split()
        self.plans: dict[int, tuple[bool, Sequence[int]]] = {}

    def __repr__(self) -> str:
        return f"<rule of {self.name}>"

    def __call__(self, *args: Any, **static: Any) -> Any:
        """Apply the function to plain or tracked `args`."""
        return apply(self, args, static)

    def followed(self, index: int) -> bool:
        """Return whether a derivative flows through argument `index`; some primitives ask.

        Raises
        ------
        TypeError
            If the argument has no derivative at all, an order or an index.
        """
        return True

    def plan(self, tracked: int, count: int) -> tuple[bool, Sequence[int]]:
        """Return whether a node keeps the output, and which arguments it drops.

        Parameters
        ----------
        tracked : int
            Bit i is set if argument i has an input node.
        count : int
            How many arguments there are.
        """
        self.plans[tracked] = found = self.make_plan(tracked, count)
        return found

    def make_plan(self, tracked: int, count: int) -> tuple[bool, Sequence[int]]:
        """Make what `plan` remembers; `tracked` tells `count`, or nothing depends on it."""
        return self.reads_out, () if self.reads_args else range(count)

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangent of each argument that has an input node, None for the others.

        Parameters
        ----------
        grad : number or array
            Cotangent of the output; its shape broadcasts to that of the output.
        node : Node
            What was recorded: shapes, inputs, keywords.
        out, args
            The node's, or tracked values in their place.
        careful : bool
            Products obey the rule of zero (`autodiff.careful`).
        """
        if careful and not np.any(raw(grad)):
            return [None] * len(node.inputs)
        grad = full(grad, node.shape)
        return [
            None if source is None else vjp(grad, out, *args, **node.static)
            for vjp, source in zip(self.vjps, node.inputs, strict=True)
        ]

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the tangent of the output; a tangent that is None is zero."""
        total = None
        for method, tangent in zip(self.jvps, tangents, strict=True):
            if tangent is not None:
                part = method(tangent, out, *args, **static)
                total = part if total is None else total + part
        return total


class Linear(Primitive):
    """A function linear in all its arguments together.

    Parameters
    ----------
    transpose : callable
        ``transpose(grad, x, **static)`` of one argument, which reads of `x` only the shape;
        with `joint`, ``transpose(grad, index, **static)``.
    joint : bool
        The function takes several arguments.
    """

    def __init__(
        self, name: str, forward: Method, transpose: Method, *, joint: bool = False
    ) -> None:
        super().__init__(name, forward, reads="")
        self.transpose = transpose
        self.joint = joint

    def plan(self, tracked: int, count: int) -> tuple[bool, Sequence[int]]:
        """Drop everything; for any number of arguments, so nothing is remembered."""
        return False, range(count)

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the transpose applied to `grad`."""
        grad = full(grad, node.shape)
        if not self.joint:
            return [self.transpose(grad, node.inputs[0], **node.static)]
        return [
            None if source is None else self.transpose(grad, index, **node.static)
            for index, source in enumerate(node.inputs)
        ]

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the function of the tangents."""
        given = (
            np.zeros(shape_of(arg), dtype_of(arg)) if tangent is None else tangent
            for arg, tangent in zip(args, tangents, strict=True)
        )
        return self(*given, **static)


class Bilinear(Primitive):
    """A function of two arguments, linear in each.

    Parameters
    ----------
    transposes : pair of callable
        ``transpose(grad, other, x)``: the cotangent of one argument from the other argument;
        of the argument itself, `x`, it reads only the shape. Bilinear in the first two.
    """

    def __init__(self, name: str, forward: Method, transposes: tuple[Method, Method]) -> None:
        super().__init__(name, forward)
        self.transposes = transposes

    def make_plan(self, tracked: int, count: int) -> tuple[bool, Sequence[int]]:
        """Keep each argument for the other one."""
        return False, [i for i in (0, 1) if not tracked >> (1 - i) & 1]

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the transposes applied to `grad` and the other argument."""
        grad = full(grad, node.shape)
        left, right = node.inputs
        first, second = self.transposes
        if careful:
            first = functools.partial(_careful, first)
            second = functools.partial(_careful, second)
        return [
            None if left is None else first(grad, args[1], left),
            None if right is None else second(grad, args[0], right),
        ]

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the sum of the function of each tangent with the other argument."""
        x, y = args
        tx, ty = tangents
        parts = []
        if tx is not None:
            parts.append(careful_bilinear(self, tx, y))
        if ty is not None:
            parts.append(careful_bilinear(lambda t, other: self(other, t), ty, x))
        return parts[0] if len(parts) == 1 else parts[0] + parts[1]


class Parts:
    """Cotangents of several outputs, None where nothing depends on an output."""

    __slots__ = ("items",)
    dtype = None
    shape = None

    def __init__(self, items: tuple[Any, ...]) -> None:
        self.items = items

    def __add__(self, other: Parts) -> Parts:
        return Parts(
            tuple(
                b if a is None else a if b is None else a + b
                for a, b in zip(self.items, other.items, strict=True)
            )
        )


class Several(Primitive):
    """A function with several outputs, a tuple.

    Parameters
    ----------
    name, forward
        As of `Primitive`; ``forward`` gives a tuple of arrays.
    vjps : sequence of callable
        One per argument, ``vjp(grads, outs, *args, **static)``; a grad is None where nothing
        depends on that output.
    jvps : sequence of callable
        One per argument, ``jvp(tangent, outs, *args, **static)``: the changes of the outputs,
        a tuple, None where an output does not change.
    """

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangent of each argument from those of the outputs."""
        parts = grad.items
        if all(part is None or (careful and not np.any(raw(part))) for part in parts):
            return [None] * len(node.inputs)
        return [
            None if source is None else vjp(parts, out, *args, **node.static)
            for vjp, source in zip(self.vjps, node.inputs, strict=True)
        ]

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the tangents of the outputs; a tangent that is None is zero."""
        total: Any = Parts((None,) * len(out))
        for method, tangent in zip(self.jvps, tangents, strict=True):
            if tangent is not None:
                total = total + Parts(tuple(method(tangent, out, *args, **static)))
        return total.items


def _careful(transpose: Method, grad: Any, other: Any, x: Any) -> Any:
    return careful_bilinear(lambda g, o: transpose(g, o, x), grad, other)


def implements(*functions: Any, doc: str | None = None) -> Callable[[Method], Method]:
    """Make the decorated function what tracked values call instead of NumPy's `functions`.

    Its signature is NumPy's, without the keywords that have no meaning for tracked values;
    a call with one of those says which are accepted. A function made by another function is
    given its name and its `doc` here.
    """

    def decorate(method: Method) -> Method:
        if doc is not None:
            method.__name__ = method.__qualname__ = functions[0].__name__
            method.__doc__ = doc
        for function in functions:
            CALLS[function] = method
        return method

    return decorate


@functools.cache
def normal_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return `axis` (int, tuple or None for all) as a tuple of numbers from 0.

    Raises
    ------
    numpy.exceptions.AxisError
        If there is no such axis.
    """
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, tuple) else (axis,)
    for one in axes:
        if not -ndim <= one < ndim:
            raise np.exceptions.AxisError(one, ndim)
    return tuple(one % ndim for one in axes)
