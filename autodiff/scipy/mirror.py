"""Which of two functions answers: SciPy's own for plain arguments, ours for tracked ones."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autodiff.box import Box

Call = Callable[..., Any]


def holds_box(value: Any) -> bool:
    """Return whether `value` is a tracked value, or a list, tuple or dict with one inside."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_box, value))
    if isinstance(value, dict):
        return any(map(holds_box, value.values()))
    return isinstance(value, Box)


def differentiable(original: Call) -> Callable[[Call], Call]:
    """Make the decorated function what tracked values call; plain ones call `original`.

    Parameters
    ----------
    original : callable
        The function of SciPy; the decorated one takes its arguments.
    """

    def decorate(followed: Call) -> Call:
        @functools.wraps(followed)
        def call(*args: Any, **kwargs: Any) -> Any:
            return (followed if holds_box(args) or holds_box(kwargs) else original)(*args, **kwargs)

        return call

    return decorate


def refused(original: Call, reason: str) -> Call:
    """Return `original` for plain arguments; tracked ones are refused with `reason`."""
    name = f"{original.__module__.partition('._')[0]}.{original.__name__}"

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            f"{name} of tracked values has no rule: {reason}. If no derivative is wanted, take "
            "`autodiff.stop_gradient(v)`"
        )

    refuse.__name__ = refuse.__qualname__ = original.__name__
    refuse.__doc__ = f"`{name}`, of plain values only: {reason}."
    return differentiable(original)(refuse)
