"""Levels of transforms, and whether level 0 records.

Each transform takes the next number when it is entered; variables made by the user are at
level 0. An inner transform starts later, so its level is higher, in every thread.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

next_level = itertools.count(1).__next__

ACTIVE: set[int] = set()
"""Levels of the transforms that are running; a value of any other is a constant."""


@contextmanager
def transform() -> Iterator[int]:
    """Enter a transform: give it the next level, active while its function runs."""
    level = next_level()
    ACTIVE.add(level)
    try:
        yield level
    finally:
        ACTIVE.discard(level)


class _Recording(threading.local):
    """Whether operations on variables made by the user are recorded, per thread."""

    on = True
    # Whether short ways of recording may be taken: recording is on, and nobody watches.
    short = True
    # What `detect_anomaly` sees operations with.
    watch: Any = None


recording = _Recording()


class no_grad:  # noqa: N801 -- reads as a statement: with no_grad():
    """Stop recording operations on variables made by the user.

    A context manager, and a decorator of functions and generator functions. It acts in its
    own thread, is undone by exceptions, and does not touch transforms: ``grad(f)`` inside it
    works. Results inside are variables without a graph.

    Examples
    --------
    >>> import autodiff as ad
    >>> w = ad.Variable(2.0)
    >>> with ad.no_grad():
    ...     w -= 0.5
    >>> w
    Variable(1.5)
    """

    def __new__(cls, function: Any = None) -> Any:
        """Return a context, or the decorated `function` for ``@no_grad`` without parentheses."""
        found = super().__new__(cls)
        found._before = []
        return found if function is None else found(function)

    _before: list[tuple[bool, bool, Any]]

    def __enter__(self) -> None:
        self._before.append((recording.on, recording.short, recording.watch))
        recording.on, recording.short, recording.watch = False, False, None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        recording.on, recording.short, recording.watch = self._before.pop()

    def __call__(self, function: F) -> F:
        """Return `function` with recording stopped while its body runs."""
        if inspect.isgeneratorfunction(function):
            return cast(F, generator_within(function, no_grad))

        @functools.wraps(function)
        def paused(*args: Any, **kwargs: Any) -> Any:
            with no_grad():
                return function(*args, **kwargs)

        return cast(F, paused)


def generator_within(
    function: Callable[..., Generator[Any, Any, Any]], context: Callable[[], Any]
) -> Any:
    """Enter a context while the body of a generator runs, not while it waits at a yield."""

    @functools.wraps(function)
    def within(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        with context():
            generator = function(*args, **kwargs)
        resume, given = generator.send, None
        while True:
            try:
                with context():
                    produced = resume(given)
            except StopIteration as stop:
                return stop.value
            try:
                resume, given = generator.send, (yield produced)
            except GeneratorExit:
                with context():
                    generator.close()
                raise
            except BaseException as error:
                resume, given = generator.throw, error

    return within
