"""`Buffer`: an array made by `zeros` and its kind, which takes tracked values.

NumPy's arrays cannot hold a history. A buffer is an array until a tracked value is assigned to
a part of it; from then on it holds the tracked result of the assignment, and everything that
is done with it is done with that. Its own memory is NaN then: code that reads it directly
cannot lose a derivative in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from autodiff.box import Box, operand
from autodiff.holding import HOLDERS
from autodiff.numpy.joining import joined
from autodiff.registry import CALLS

IN_PLACE = frozenset({np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask})
"""Functions that change their first argument."""


class Buffer(np.ndarray):
    """An ndarray of floats or complex numbers that takes tracked values by item assignment.

    Attributes
    ----------
    held : Box or None
        What the array is, once a tracked value was assigned.
    """

    held: Any = None

    def contents(self) -> Any:
        """Return the tracked value, or the memory as an ordinary array."""
        held = self.held
        if held is not None:
            value = operand(held)
            if isinstance(value, Box):
                return value
            # The transform it belonged to has finished: a constant from now on.
            self.held = None
            self.view(np.ndarray)[...] = value
        return self.view(np.ndarray)

    def __getitem__(self, index: Any) -> Any:
        return self.contents()[index]

    def __setitem__(self, index: Any, new: Any) -> None:
        new, now = joined(new), self.contents()
        if isinstance(new, Box) or isinstance(now, Box):
            self.hold(CALLS["setitem"](now, index, new))
        else:
            now[index] = new

    def hold(self, value: Any) -> None:
        """Become the tracked `value`, or a plain one of the same shape."""
        memory = self.view(np.ndarray)
        if isinstance(value, Box):
            self.held = value
            memory.fill(np.nan)
        else:
            self.held = None
            memory[...] = value

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        call, given = getattr(ufunc, method), opened(inputs)
        out = kwargs.pop("out", None)
        kwargs = {key: opened(value) for key, value in kwargs.items()}
        if method == "at" and inputs[0] is self:
            return call(self._changeable(given[1:]), *given[1:])
        if out is None:
            return call(*given, **kwargs)
        if any(isinstance(value, Box) for value in (*given, *kwargs.values(), *opened(out))):
            found = call(*given, **kwargs)
            for target, value in zip(out, found if len(out) > 1 else (found,), strict=True):
                target[...] = value
        else:
            call(*given, out=opened(out), **kwargs)
        return out if len(out) > 1 else out[0]

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Any:
        out = kwargs.get("out")
        given = opened(args)
        kwargs = {key: opened(value) for key, value in kwargs.items() if key != "out"}
        if function in IN_PLACE and args and args[0] is self:
            rest = (*given[1:], *kwargs.values())
            return function(self._changeable(rest), *given[1:], **kwargs)
        if out is None:
            return function(*given, **kwargs)
        out[...] = function(*given, **kwargs)
        return out

    def _changeable(self, others: Iterable[Any]) -> Any:
        """Return the contents for a function that changes them by what `others` hold.

        Where something is tracked it is a new box, at the highest level there is.
        """
        now = self.contents()
        boxes = [other for other in map(joined, others) if isinstance(other, Box)]
        if boxes:
            top: Any = max(boxes, key=lambda box: box.level)
            # Nothing is assigned: the same entries, tracked at that level.
            self.hold(CALLS["setitem"](now, np.zeros(self.shape, bool), np.sum(top)))
        elif isinstance(now, Box):
            self.hold(np.positive(now))
        return self.contents()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.contents())

    def __repr__(self) -> str:
        return repr(self.contents())

    def __str__(self) -> str:
        return str(self.contents())

    def __format__(self, spec: str) -> str:
        return format(self.contents(), spec)

    def __bool__(self) -> bool:
        return bool(self.contents())

    def __float__(self) -> float:
        return float(self.contents())

    def __int__(self) -> int:
        return int(self.contents())

    def __complex__(self) -> complex:
        return complex(self.contents())

    def __deepcopy__(self, memo: Any = None) -> Any:
        return self.copy()

    def __copy__(self) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        return self.contents().__reduce__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.contents().__reduce_ex__(protocol)

    def copy(self, order: Any = "C") -> Any:
        """Return a buffer of its own with the same contents."""
        now = self.contents()
        found = np.empty(self.shape, self.dtype, order=order).view(Buffer)
        found.hold(np.positive(now) if isinstance(now, Box) else now)
        return found


def opened(value: Any) -> Any:
    """Return `value` with the contents in the place of buffers, in lists and tuples too."""
    if type(value) is Buffer:
        return value.contents()
    if type(value) is tuple or type(value) is list:
        return type(value)(map(opened, value))
    return value


def _redirected(name: str) -> Callable[..., Any]:
    def method(self: Buffer, *args: Any, **kwargs: Any) -> Any:
        return getattr(self.contents(), name)(*args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = getattr(np.ndarray, name).__doc__
    return method


def _assigned(function: Callable[..., Any]) -> Callable[..., None]:
    """Return the method in place of a `function` that gives a changed copy."""

    def method(self: Buffer, *args: Any, **kwargs: Any) -> None:
        self[...] = function(self.contents(), *args, **kwargs)

    return method


def _attribute(name: str) -> property:
    return property(lambda self: getattr(self.contents(), name))


_ABOUT_MEMORY = {"resize", "setfield", "setflags", "view"}
_IN_PLACE_METHODS: dict[str, Any] = {
    "fill": _assigned(lambda now, value: joined(value)),
    "partition": _assigned(np.partition),
    "put": lambda self, *args, **kwargs: np.put(self, *map(joined, args), **kwargs),
    "sort": _assigned(np.sort),
}

for _name in set(dir(np.ndarray)) - set(vars(Buffer)) - _ABOUT_MEMORY:
    if not _name.startswith("_") and callable(getattr(np.ndarray, _name)):
        setattr(Buffer, _name, _redirected(_name))
for _name, _method in _IN_PLACE_METHODS.items():
    setattr(Buffer, _name, _method)
for _name in ("T", "mT", "real", "imag", "flat"):
    setattr(Buffer, _name, _attribute(_name))

HOLDERS[Buffer] = Buffer.contents
