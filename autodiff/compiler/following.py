"""What all boxes inside a traced function do with a function of NumPy."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.compiler.refusals import ShapeError, TracingError
from autodiff.methods import ArrayMethods


class Following(ArrayMethods):
    """A box whose functions become calls of Python where they cannot be followed."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        plain = raw(index)
        if hasattr(plain, "recorder") and plain.dtype.kind in "iu":
            return np.take(self, index, 0)
        return super().__getitem__(index)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function in CHOICES:
            return CHOICES[function](*args, **kwargs)
        follow: Any = super().__array_function__
        return followed(function, args, kwargs, functools.partial(follow, function, types, args))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        follow: Any = super().__array_ufunc__
        if method == "__call__":
            return follow(ufunc, method, *inputs, **kwargs)
        named = functools.partial(follow, ufunc, method, *inputs, **kwargs)
        return followed(getattr(ufunc, method), inputs, kwargs, lambda kwargs: named())


def followed(function: Any, args: Any, kwargs: Any, follow: Callable[[Any], Any]) -> Any:
    """Return ``follow(kwargs)``; a call of `function` in the program if it asks for numbers."""
    from autodiff.compiler.opaque import called  # it needs the boxes that are made here

    try:
        return follow(kwargs)
    except ShapeError:
        raise
    except TracingError:
        return called(function, args, kwargs)


def _select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0.0) -> Any:
    """Choose by the first condition that holds."""
    found = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        found = np.where(condition, choice, found)
    return found


def _piecewise(x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
    """Choose the function by the last condition that holds; all of them are computed."""
    conditions = list(condlist) if isinstance(condlist, (list, tuple)) else [condlist]
    values = [each(x, *args, **kwargs) if callable(each) else each for each in funclist]
    found: Any = values.pop() if len(values) > len(conditions) else 0.0
    for condition, value in zip(conditions, values, strict=True):
        found = np.where(condition, value, found)
    return np.broadcast_to(found, np.shape(x))


CHOICES: dict[Any, Callable[..., Any]] = {np.select: _select, np.piecewise: _piecewise}
