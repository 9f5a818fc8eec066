"""`Node`: one recorded operation.

A node holds its place in the order of creation, its inputs, and only those of the arguments
and the output that its gradient methods read.
"""

from __future__ import annotations

import itertools

import numpy as np

next_index = itertools.count().__next__

FLOAT = np.dtype(float)
"""dtype of a Python float."""


class _Self:
    __slots__ = ()

    def __repr__(self) -> str:
        return "SELF"


SELF = _Self()
"""In the place of the node of a variable that is its own."""


class Node:
    """One recorded operation on arrays.

    Attributes
    ----------
    index : int
        Place in the order of creation.
    inputs : list of (Node, Variable or None)
        Where each argument came from; None for a constant.
    primitive : Primitive
        The rule that was applied.
    args : list
        The arguments its gradient methods read; None in the place of the others.
    out : array or None
        The output, if a method reads it.
    static : dict
        Keyword arguments that are not differentiated.
    shape, dtype
        Of the output.
    of_float : bool
        The output is a Python float.
    """

    __slots__ = (
        "args",
        "dtype",
        "index",
        "inputs",
        "of_float",
        "out",
        "primitive",
        "shape",
        "static",
    )
