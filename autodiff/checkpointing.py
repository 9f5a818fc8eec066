"""`checkpoint`: a function whose intermediate values are computed again instead of kept."""

from __future__ import annotations

import functools
from typing import Any

from autodiff.arguments import Function, Selection, name_of
from autodiff.box import Box
from autodiff.containers import flatten, is_container, parts_of, put_each_together
from autodiff.custom import custom_rule
from autodiff.forward import push
from autodiff.reverse import Reverse


def checkpoint(f: Function) -> Function:
    """Return `f`, which in reverse mode keeps its arguments only and runs again on the way back.

    Memory for what is inside `f` is needed one call at a time, for the price of a second run.

    Parameters
    ----------
    f : callable
        Takes anything, by position and by name, and gives a number, an array, or a container
        of them. What `f` is differentiated by has to be among its arguments, in containers if
        one likes: a tracked value that it only refers to is an error.

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
        taken = [parts_of(value) for value in (*args, *kwargs.values())]
        leaves = [leaf for found, _ in taken for leaf in found]
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Box)]
        if not places:
            return f(*args, **kwargs)
        tracked = [leaves[i] for i in places]
        unflatten: Any = None

        def of_tracked(*given: Any) -> Any:
            """Return what `f` gives; of a container its leaves in one row."""
            nonlocal unflatten
            filled = list(leaves)
            for i, value in zip(places, given, strict=True):
                filled[i] = value
            values = put_each_together(((kind, len(found)) for found, kind in taken), filled)
            named = dict(zip(kwargs, values[len(args) :], strict=True))
            out = f(*values[: len(args)], **named)
            if not is_container(out):
                return out
            vector, unflatten = flatten(out)
            return vector

        def pull(grad: Any, out: Any, *given: Any) -> Any:
            chosen = Selection(tuple(range(len(given))))
            return tuple(Reverse(of_tracked, chosen, given, {}, warn=False).pull([grad]))

        def along(tangents: Any, out: Any, *given: Any) -> Any:
            # An argument that does not change is a constant.
            changes = [None if type(t) is float and t == 0.0 else t for t in tangents]
            return push(of_tracked, list, given, changes).changes[0]

        of_tracked.__name__ = f"checkpoint of {name_of(f)}"
        out = custom_rule(of_tracked, vjp=pull, jvp=along)(*tracked)
        return unflatten(out) if unflatten else out

    return call
