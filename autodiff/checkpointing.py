"""`checkpoint`: a function whose intermediate values are computed again instead of kept."""

from __future__ import annotations

import functools
from typing import Any

from autodiff.arguments import Function
from autodiff.containers import parts_of, put_together
from autodiff.custom import custom_rule
from autodiff.transforms import jvp, vjp


def checkpoint(f: Function) -> Function:
    """Return `f`, which in reverse mode keeps its arguments only and runs again on the way back.

    Memory for what is inside `f` is needed one call at a time, for the price of a second run.

    Parameters
    ----------
    f : callable
        Takes numbers, arrays and containers of them by position, and gives one number or
        array. Keyword arguments are constants. What `f` is differentiated by has to be among
        its arguments: a tracked value that it only refers to is an error.

    Examples
    --------
    >>> import numpy as np
    >>> import autodiff as ad
    >>> step = checkpoint(lambda x: np.sin(np.exp(x)))
    >>> ad.grad(step)(0.0) == ad.grad(lambda x: np.sin(np.exp(x)))(0.0)
    True
    """

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = parts_of(args)

        def of_leaves(*given: Any) -> Any:
            return f(*put_together(structure, given), **kwargs)

        def pull(grad: Any, out: Any, *given: Any) -> Any:
            return vjp(of_leaves, *given)[1](grad)

        def push(tangents: Any, out: Any, *given: Any) -> Any:
            return jvp(of_leaves, given, tangents)[1]

        of_leaves.__name__ = f"checkpoint of {getattr(f, '__name__', repr(f))}"
        return custom_rule(of_leaves, vjp=pull, jvp=push)(*leaves)

    return call
