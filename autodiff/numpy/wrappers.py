"""What a name of NumPy is in the mirror: NumPy's own, or made to take tracked values."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import Box, raw
from autodiff.numpy.buffer import IN_PLACE
from autodiff.numpy.joining import SEQUENCES, holds_tracked, joined, joined_items
from autodiff.registry import call_function

DISPATCHED = type(np.sum)
"""Of the functions that look for tracked arguments, but not inside lists."""

OF_ARRAYS = frozenset(
    {
        np.choose,
        np.column_stack,
        np.concatenate,
        np.dstack,
        np.hstack,
        np.lexsort,
        np.linalg.multi_dot,
        np.piecewise,
        np.select,
        np.stack,
        np.vstack,
    }
)
"""Functions that take a list of arrays, which may differ in shape."""

ABSTRACT = frozenset({np.integer, np.signedinteger, np.unsignedinteger, np.timedelta64})
"""Types of NumPy's integers that make none: what others are derived from, and times."""

NESTED = frozenset({np.block})
"""Functions that look into nested lists by themselves."""


class IntegerType(type):
    """Type of an integer type that takes tracked values too; otherwise it is NumPy's own."""

    own: type

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return NumPy's integer or, of an array, its entries as integers: plain values."""
        return cls.own(*(raw(joined(arg)) for arg in args), **kwargs)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.own)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, cls.own)

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is cls.own

    def __hash__(cls) -> int:
        return hash(cls.own)


def integer_type(own: type) -> Any:
    """Return a type that NumPy takes for its integer type `own`, and that takes tracked values."""
    return IntegerType(own.__name__, (own,), {"own": own, "__doc__": own.__doc__})


def of_lists(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function` for lists and tuples with tracked values too, in any argument."""
    join = joined_items if function in OF_ARRAYS else joined
    # NumPy does not look for tracked values in every argument, so the rule is called at once; a
    # buffer that is written into is asked first.
    boxes = () if function in IN_PLACE else Box

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        for arg in (*args, *kwargs.values()) if kwargs else args:
            if isinstance(arg, boxes) or (isinstance(arg, SEQUENCES) and holds_tracked(arg)):
                break
        else:
            return function(*args, **kwargs)
        given = [join(arg) if isinstance(arg, SEQUENCES) else arg for arg in args]
        kwargs = {key: join(arg) for key, arg in kwargs.items()}
        return call_function(function, given, kwargs)

    return call


def mirrored(own: Any) -> Any:
    """Return what stands in the mirror for NumPy's `own`."""
    if isinstance(own, type):
        concrete = issubclass(own, np.integer) and own not in ABSTRACT
        return integer_type(own) if concrete else own
    if type(own) is DISPATCHED and own not in NESTED:
        return of_lists(own)
    return own
