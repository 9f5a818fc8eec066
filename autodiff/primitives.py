"""Rules of functions of arrays, each declared once by what it is, for both modes.

======================  ==============================================================
`Linear`                its jvp is the function itself; it needs only its transpose
`Bilinear`              linear in each of two arguments; it needs two transposes
`Primitive`             the others: a vjp and a jvp
======================  ==============================================================

Methods have the argument order of the generated ones, ``(grad, out, *args, **static)``. Of
what they do not read they get None, or something that knows the shape only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from autodiff.box import apply
from autodiff.careful import careful_bilinear
from autodiff.registry import CALLS, function_name
from autodiff.values import full, shape_of

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

    def __repr__(self) -> str:
        return f"<rule of {self.name}>"

    def __call__(self, *args: Any, **static: Any) -> Any:
        """Apply the function to plain or tracked `args`."""
        return apply(self, args, static)

    def is_zero(self, index: int) -> bool:
        """Return whether argument `index` has derivative 0 everywhere.

        Raises
        ------
        TypeError
            If it has no derivative at all, an order or an index.
        """
        return False

    def kept(self, tracked: tuple[bool, ...]) -> tuple[bool, tuple[bool, ...]]:
        """Return whether to keep the output, and each argument, for the `tracked` arguments."""
        return self.reads_out, (self.reads_args,) * len(tracked)

    def vjp(self, index: int, grad: Any, node: Any, out: Any, args: Any) -> Any:
        """Return the cotangent of argument `index`.

        Parameters
        ----------
        index : int
            Which argument.
        grad : number or array
            Cotangent of the output; its shape broadcasts to that of the output.
        node : Node
            What was recorded: shapes, inputs, keywords.
        out, args
            The node's, or tracked values in their place.
        """
        return self.vjps[index](full(grad, node.shape), out, *args, **node.static)

    careful_vjp = vjp

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangent of each argument that has an input node, None for the others."""
        method = self.careful_vjp if careful else self.vjp
        return [
            None if source is None else method(index, grad, node, out, args)
            for index, source in enumerate(node.inputs)
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

    def __init__(self, name: str, forward: Method, transpose: Method, *, joint: bool = False) -> None:
        super().__init__(name, forward, reads="")
        self.transpose = transpose
        self.joint = joint

    def vjp(self, index: int, grad: Any, node: Any, out: Any, args: Any) -> Any:
        """Return the transpose applied to `grad`."""
        grad = full(grad, node.shape)
        if self.joint:
            return self.transpose(grad, index, **node.static)
        return self.transpose(grad, node.inputs[index], **node.static)

    careful_vjp = vjp

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the function of the tangents."""
        given = (
            np.zeros(shape_of(arg), getattr(arg, "dtype", float)) if tangent is None else tangent
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

    def kept(self, tracked: tuple[bool, ...]) -> tuple[bool, tuple[bool, ...]]:
        """Keep each argument for the other one."""
        return False, (tracked[1], tracked[0])

    def vjp(self, index: int, grad: Any, node: Any, out: Any, args: Any) -> Any:
        """Return the transpose in one argument applied to `grad` and the other argument."""
        grad = full(grad, node.shape)
        return self.transposes[index](grad, args[1 - index], node.inputs[index])

    def careful_vjp(self, index: int, grad: Any, node: Any, out: Any, args: Any) -> Any:
        """Return the same under the rule of zero."""
        transpose, x = self.transposes[index], node.inputs[index]
        return careful_bilinear(
            lambda g, other: transpose(g, other, x), full(grad, node.shape), args[1 - index]
        )

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


def implements(*functions: Any) -> Callable[[Method], Method]:
    """Make the decorated function what tracked values call instead of NumPy's `functions`.

    Its signature is NumPy's, without the keywords that have no meaning for tracked values;
    a call with one of those says which are accepted.
    """

    def decorate(method: Method) -> Method:
        for function in functions:
            CALLS[function] = _guarded(method, function)
        return method

    return decorate


def _guarded(method: Method, function: Any) -> Method:
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return method(*args, **kwargs)
        except TypeError as error:
            if method.__name__ + "()" in str(error) and "argument" in str(error):
                raise TypeError(_accepted(method, function, kwargs)) from error
            raise

    return call


def _accepted(method: Method, function: Any, kwargs: dict[str, Any]) -> str:
    import inspect

    known = inspect.signature(method).parameters
    wrong = [f"{key}=" for key in kwargs if key not in known]
    name = function_name(function if not isinstance(function, tuple) else function[0])
    return (
        f"{name} of tracked values does not take {', '.join(wrong) or 'these arguments'}; it "
        f"takes {', '.join(map(str, known.values()))}"
    )


@lru_cache(maxsize=None)
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
