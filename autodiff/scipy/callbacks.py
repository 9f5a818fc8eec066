"""Functions of the user's that SciPy calls: their arguments and their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import Box, operand, raw
from autodiff.containers import is_container, parts_of, put_together
from autodiff.holding import HOLDERS
from autodiff.scipy.mirror import any_box

Function = Callable[..., Any]


class Args:
    """Extra arguments of a function, ``args=``, with the tracked values in them taken out.

    Parameters
    ----------
    args : tuple, or a single argument
        Its entries may be containers; what is not tracked stays as it is.

    Attributes
    ----------
    tracked : list of Box
        The tracked values among the leaves.
    plain : tuple
        The arguments with the plain values in their place.
    """

    def __init__(self, args: Any) -> None:
        args = args if isinstance(args, tuple) else (args,)
        taken = [([arg], None) if _is_whole(arg) else parts_of(arg) for arg in args]
        self._leaves = [[_opened(leaf) for leaf in leaves] for leaves, _ in taken]
        self._structures = [structure for _, structure in taken]
        flat = [leaf for leaves in self._leaves for leaf in leaves]
        self.tracked = [leaf for leaf in flat if isinstance(leaf, Box)]
        self.plain = self.filled([raw(box) for box in self.tracked])

    def filled(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the arguments with `values` in the place of the tracked ones."""
        left = iter(values)
        return tuple(
            put_together(
                structure, [next(left) if isinstance(leaf, Box) else leaf for leaf in leaves]
            )
            for leaves, structure in zip(self._leaves, self._structures, strict=True)
        )


def _opened(leaf: Any) -> Any:
    """Return the tracked value that an array holds; anything else as it is."""
    return operand(leaf) if type(leaf) in HOLDERS else leaf


def _is_whole(arg: Any) -> bool:
    """Return whether an argument needs not be taken apart to find tracked values."""
    if isinstance(arg, (list, tuple, dict)):
        return not any_box([arg])
    return not is_container(arg)


def on_plain_values(f: Function, name: str) -> Function:
    """Return `f` as SciPy calls it, with plain values.

    Raises
    ------
    TypeError
        By the function returned, if `f` gives a tracked value for plain arguments: it uses one
        that is not among them, whose derivative would be lost.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        result = f(*args, **kwargs)
        kind = type(result)
        if kind is float or kind is np.ndarray or not any_box([result]):
            return result
        if any_box(args):  # a solver that differentiates the function
            return result
        leaves, structure = parts_of(result)
        leaves = [_opened(leaf) for leaf in leaves]
        if any(isinstance(leaf, Box) and leaf.is_tracked for leaf in leaves):
            raise hidden(name)
        return put_together(structure, [raw(leaf) for leaf in leaves])

    return call


def hidden(name: str) -> TypeError:
    """Return the error of a function that uses a tracked value it was not given."""
    return TypeError(
        f"the function given to {name} uses a tracked value that is not among its arguments, "
        "whose derivative would be lost; pass it through args="
    )
