"""`primitive` and the functions that give it derivatives, as autograd's clients write them.

Derivatives are made in two steps: a maker is called with the result and the arguments, and
gives the function of the cotangent.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

import numpy as np

from autodiff.arguments import name_of
from autodiff.box import Box, operand, raw
from autodiff.callsite import user_frame
from autodiff.containers import parts_of, put_together
from autodiff.custom import call_method
from autodiff.primitives import Parts, Primitive
from autodiff.rules.plain import plain
from autodiff.values import dtype_of, full, shape_of

Function = Callable[..., Any]


def primitive(f: Function) -> Function:
    """Return `f` as one operation, whose derivatives are given by `defvjp` and `defjvp`.

    Parameters
    ----------
    f : callable
        Takes anything by position, and gives a number, an array, or a container of them. It
        sees plain values. Keyword arguments are constants.

    Returns
    -------
    callable
        Takes what `f` takes, plain or tracked. A derivative that was not given is a
        NotImplementedError when it is needed.

    Examples
    --------
    >>> from autodiff.compat.autograd import grad
    >>> @primitive
    ... def cube(x):
    ...     return x**3
    >>> defvjp(cube, lambda ans, x: lambda g: g * 3 * x**2)
    >>> grad(cube)(2.0)
    12.0
    """
    rule = ClientRule(f)

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        return rule.call(args, kwargs)

    call.fun = f  # type: ignore[attr-defined]
    call.rule = rule  # type: ignore[attr-defined]
    return call


def notrace_primitive(f: Function) -> Function:
    """Return `f` for functions without a derivative: it sees, and gives, plain values."""

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        return f(*map(plain, args), **{key: plain(value) for key, value in kwargs.items()})

    return call


def defvjp(f: Function, *makers: Function | None, argnums: Iterable[int] | None = None) -> None:
    """Give the primitive `f` a vjp for each argument.

    Parameters
    ----------
    f : callable
        A primitive.
    *makers : callable or None
        ``maker(ans, *args, **kwargs)`` gives the function from the cotangent of the result to
        that of the argument, in its shape. None: the derivative is 0.
    argnums : iterable of int, optional
        Which arguments they belong to; 0, 1, ... if not given.
    """
    by_number = dict(zip(count() if argnums is None else argnums, makers, strict=False))

    def maker(argnum: int, ans: Any, args: Any, kwargs: Any) -> Function:
        if argnum not in by_number:
            raise _missing("vjp", f, argnum)
        own = by_number[argnum]
        return (lambda grad: None) if own is None else own(ans, *args, **kwargs)

    defvjp_argnum(f, maker)


def defvjp_argnum(f: Function, maker: Function) -> None:
    """Give `f` one maker ``maker(argnum, ans, args, kwargs)`` of the vjps of all arguments."""

    def of_several(argnums: Sequence[int], ans: Any, args: Any, kwargs: Any) -> Function:
        pulls = [maker(argnum, ans, args, kwargs) for argnum in argnums]
        return lambda grad: tuple(pull(grad) for pull in pulls)

    defvjp_argnums(f, of_several)


def defvjp_argnums(f: Function, maker: Function) -> None:
    """Give `f` one maker ``maker(argnums, ans, args, kwargs)``; its function gives a tuple."""
    rule_of(f).maker = maker


def defjvp(
    f: Function, *methods: Function | str | None, argnums: Iterable[int] | None = None
) -> None:
    """Give the primitive `f` a jvp for each argument.

    Parameters
    ----------
    f : callable
        A primitive.
    *methods : callable, "same" or None
        ``method(tangent, ans, *args, **kwargs)`` gives the change of the result. "same": `f` is
        linear in the argument. None: the derivative is 0.
    argnums : iterable of int, optional
        Which arguments they belong to; 0, 1, ... if not given.
    """
    by_number = dict(zip(count() if argnums is None else argnums, methods, strict=False))

    def push(argnum: int, tangent: Any, ans: Any, args: Any, kwargs: Any) -> Any:
        if argnum not in by_number:
            raise _missing("jvp", f, argnum)
        method = by_number[argnum]
        if method == "same":
            return f(*args[:argnum], tangent, *args[argnum + 1 :], **kwargs)
        return method(tangent, ans, *args, **kwargs) if callable(method) else None

    defjvp_argnum(f, push)


def defjvp_argnum(f: Function, method: Function) -> None:
    """Give `f` one method ``method(argnum, tangent, ans, args, kwargs)`` for all arguments."""

    def push(argnums: Sequence[int], tangents: Any, ans: Any, args: Any, kwargs: Any) -> Any:
        parts = [
            method(argnum, tangent, ans, args, kwargs)
            for argnum, tangent in zip(argnums, tangents, strict=True)
        ]
        columns = [parts_of(part)[0] for part in parts if part is not None]
        structure = next((parts_of(part)[1] for part in parts if part is not None), None)
        sums = [sum(column[1:], column[0]) for column in zip(*columns, strict=True)]
        return put_together(structure, sums) if columns else None

    defjvp_argnums(f, push)


def defjvp_argnums(f: Function, method: Function) -> None:
    """Give `f` one method ``method(argnums, tangents, ans, args, kwargs)`` of the whole change."""
    rule_of(f).push = method


def def_linear(f: Function) -> None:
    """Say that the primitive `f` is linear in each argument by itself; that gives its jvp."""
    defjvp(f, *["same"] * _MANY)


_MANY = 64
"""More arguments than a function has."""


def rule_of(f: Function) -> ClientRule:
    """Return the rule of a primitive; of another function, with a warning, one that nobody uses.

    Giving derivatives to such a function has no effect in autograd either.
    """
    rule = getattr(f, "rule", None)
    if isinstance(rule, ClientRule):
        return rule
    warnings.warn(
        f"{name_of(f)} is no primitive, derivatives given to it have no effect; make one with "
        f"primitive({name_of(f)}) and call that",
        UserWarning,
        stacklevel=user_frame()[1],
    )
    return ClientRule(f)


def _missing(what: str, f: Function, argnum: int) -> NotImplementedError:
    return NotImplementedError(
        f"{name_of(f)} has no {what} for argument {argnum}; give one with "
        f"def{what}({name_of(f)}, ..., argnums=...)"
    )


NESTED = (list, tuple, dict)


class Call:
    """One call of a primitive: what is not tracked, and where what is tracked goes.

    Attributes
    ----------
    numbers : list of int
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
        self.numbers = [i for i, arg in enumerate(args) if holds_box(arg)]
        self.leaves: list[Any] = []
        self.spans: list[tuple[Any, int, int]] = []
        for number in self.numbers:
            arg = args[number]
            leaves, structure = parts_of(arg) if isinstance(arg, NESTED) else ([arg], None)
            start = len(self.leaves)
            self.leaves += map(operand, leaves)
            self.spans.append((structure, start, len(self.leaves)))
        self.structure: Any = None
        self.pulls: dict[int, Any] = {}

    def filled(self, leaves: Sequence[Any]) -> list[Any]:
        """Return the arguments with `leaves` in the place of the tracked values."""
        given = list(self.args)
        for number, value in zip(self.numbers, self.grouped(leaves), strict=True):
            given[number] = value
        return given

    def grouped(self, leaves: Sequence[Any]) -> list[Any]:
        """Return one thing for each leaf as one for each tracked argument."""
        return [put_together(structure, leaves[start:end]) for structure, start, end in self.spans]

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
            grads = [
                np.zeros(shape_of(one), dtype_of(one)) if part is None else part
                for part, one in zip(grads, out, strict=True)
            ]
        else:
            part = full(grad, node.shape)
            grads = [part.copy() if isinstance(part, np.ndarray) else part]
        spans = [
            (number, span)
            for number, span in zip(call.numbers, call.spans, strict=True)
            if any(source is not None for source in sources[span[1] : span[2]])
        ]
        # What the maker gave serves again, unless the walk is recorded.
        pull = call.pulls.get(node.index) if args is node.args else None
        if pull is None:
            if self.maker is None:
                raise _missing("vjp", self.f, spans[0][0])
            numbers = tuple(number for number, _ in spans)
            given = (call.result(out), call.filled(args), call.kwargs)
            pull = call_method(self.maker, (numbers, *given), {})
            if args is node.args:
                call.pulls[node.index] = pull
        parts: list[Any] = [None] * len(sources)
        found = pull(call.result(grads if call.structure is not None else grads[0]))
        for (number, (structure, start, end)), part in zip(spans, found, strict=True):
            if part is None:
                continue
            parts[start:end] = [part] if structure is None else parts_of(part)[0]
            for index in range(start, end):
                if sources[index] is not None:
                    parts[index] = self._fitted(parts[index], sources[index].shape, number)
        return parts

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
        for number, (structure, start, end) in zip(call.numbers, call.spans, strict=True):
            given = tangents[start:end]
            if all(one is None for one in given):
                continue
            rows = [
                np.zeros(shape_of(arg), dtype_of(arg)) if one is None else one
                for one, arg in zip(given, args[start:end], strict=True)
            ]
            numbers.append(number)
            changes.append(put_together(structure, rows))
        if self.push is None:
            raise _missing("jvp", self.f, numbers[0])
        ans = call.result(out)
        given = (tuple(numbers), tuple(changes), ans, call.filled(args), call.kwargs)
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


def _own(out: Any) -> Any:
    """Return a result as the engine records it: floats, and arrays nobody else holds."""
    if isinstance(out, int) and not isinstance(out, bool):
        return float(out)
    if isinstance(out, np.ndarray):
        return out.astype(float) if out.dtype.kind in "iu" else out.copy()
    return out
