"""`Node`: one recorded operation.

A node holds its place in the order of creation, its inputs, and only those of the arguments
and the output that its gradient methods read.
"""

from __future__ import annotations

import itertools
from typing import Any

next_index = itertools.count().__next__


class _Self:
    __slots__ = ()

    def __repr__(self) -> str:
        return "SELF"


SELF = _Self()
"""The node of a variable that is its own; itself there would be a cycle, never freed at once."""


class Node:
    """One recorded operation; on floats the resulting variable may be its own node instead.

    Attributes
    ----------
    index : int
        Place in the order of creation.
    inputs : list of Node, Variable or None
        Where each argument came from; None for a constant.
    rule : Primitive
        What was applied.
    args : list
        The arguments its gradient methods read; None in the place of the others.
    out : array or None
        The output, if a method reads it.
    static : dict
        Keyword arguments that are not differentiated.
    shape, dtype
        Of the output.
    floats : bool
        The output is a Python float.
    """

    __slots__ = ("args", "dtype", "floats", "index", "inputs", "out", "rule", "shape", "static")


def source_of(variable: Any) -> Any:
    """Return the node a variable came from: itself if it is its own, None without a history."""
    return variable if variable.node is SELF else variable.node
