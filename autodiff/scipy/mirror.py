"""Which of two functions answers: SciPy's own for plain arguments, ours for tracked ones."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from autodiff.box import Box

Call = Callable[..., Any]


def any_box(values: Iterable[Any]) -> bool:
    """Return whether one of `values` is tracked, or a list, tuple or dict with a tracked value."""
    return any(
        isinstance(value, Box)
        or (isinstance(value, (list, tuple)) and any_box(value))
        or (isinstance(value, dict) and any_box(value.values()))
        for value in values
    )


def mirrors(original: Call) -> Callable[[Call], Call]:
    """Make the decorated function what tracked values call; plain ones call `original`.

    Parameters
    ----------
    original : callable
        The function of SciPy; the decorated one takes its arguments.
    """

    def decorate(followed: Call) -> Call:
        @functools.wraps(followed)
        def call(*args: Any, **kwargs: Any) -> Any:
            tracked = any_box(args) or any_box(kwargs.values())
            return (followed if tracked else original)(*args, **kwargs)

        return call

    return decorate


def refused(original: Call, reason: str, name: str = "") -> Call:
    """Return `original` for plain arguments; with tracked ones a TypeError says `reason`."""
    name = name or f"{original.__module__.partition('._')[0]}.{original.__name__}"

    @mirrors(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{name} of tracked values has no derivative: {reason}")

    call.__name__ = call.__qualname__ = original.__name__
    call.__doc__ = f"``{name}``, of plain values only: {reason}."
    return call
