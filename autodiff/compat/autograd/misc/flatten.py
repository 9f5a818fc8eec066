"""`flatten`, and functions of a vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff.containers import flatten

__all__ = ["flatten", "flatten_func"]


def flatten_func(f: Callable[..., Any], example: Any) -> tuple[Callable[..., Any], Any, Any]:
    """Return `f` as a function from vector to vector, the inverse of flatten, and the vector.

    Parameters
    ----------
    f : callable
        Its first argument is a container like `example`, and it gives one too.
    example : number, array, or container
    """
    vector, unflatten = flatten(example)

    def of_vector(given: Any, *args: Any, **kwargs: Any) -> Any:
        return flatten(f(unflatten(given), *args, **kwargs))[0]

    return of_vector, unflatten, vector
