"""Which of two functions answers: SciPy's own for plain arguments, ours for tracked ones."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from autodiff.box import Box, operand
from autodiff.holding import HOLDERS
from autodiff.levels import recording
from autodiff.numpy.joining import joined

Call = Callable[..., Any]


def any_box(values: Iterable[Any]) -> bool:
    """Return whether one of `values` is tracked, or holds a tracked value: a list, a dict."""
    return any(
        isinstance(value, Box)
        or (isinstance(value, (list, tuple)) and any_box(value))
        or (isinstance(value, dict) and any_box(value.values()))
        or (type(value) in HOLDERS and isinstance(operand(value), Box))
        for value in values
    )


def gathered(value: Any) -> Any:
    """Return `value` as functions take it: a list, with tracked values or not, is an array."""
    return operand(joined(value))


def mirrors(original: Call) -> Callable[[Call], Call]:
    """Make the decorated function what tracked values call; plain ones call `original`.

    It gets a list with tracked values as one tracked array.

    Parameters
    ----------
    original : callable
        The function of SciPy; the decorated one takes its arguments.
    """

    def decorate(followed: Call) -> Call:
        @functools.wraps(followed)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not any_box(args) and not any_box(kwargs.values()):
                return original(*args, **kwargs)
            return one_call(call, followed_joined, args, kwargs)

        def followed_joined(*args: Any, **kwargs: Any) -> Any:
            return followed(*map(joined, args), **{key: joined(kwargs[key]) for key in kwargs})

        return call

    return decorate


def one_call(whole: Call, followed: Call, args: Any, kwargs: Any) -> Any:
    """Return ``followed(*args, **kwargs)``.

    While a program is traced it is a call of `whole` in it if `followed` asks for numbers.
    """
    traced = getattr(recording.watch, "followed", None)
    if traced is None:
        return followed(*args, **kwargs)
    return traced(whole, args, kwargs, lambda kwargs: followed(*args, **kwargs))


def in_one_call(method: Call) -> Call:
    """Return a method that is one call in a traced program if it asks for numbers."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        bound = functools.partial(method, self)
        functools.update_wrapper(bound, method)
        return one_call(bound, bound, args, kwargs)

    return call


def refused(original: Call, reason: str, name: str = "") -> Call:
    """Return `original` for plain arguments; with tracked ones a TypeError says `reason`."""
    name = name or f"{original.__module__.partition('._')[0]}.{original.__name__}"

    @mirrors(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{name} of tracked values has no derivative: {reason}")

    call.__name__ = call.__qualname__ = original.__name__
    call.__doc__ = f"``{name}``, of plain values only: {reason}."
    return call
