"""The walk back: cotangents from an output to the variables it came from.

The newest node first, which the order of creation makes a topological order; an explicit
heap, no recursion; nodes are only read, so walks can be repeated, nested, and run in threads.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

import numpy as np

from autodiff.careful import careful_product
from autodiff.node import Node
from autodiff.values import cast

Track = Callable[[Any, Any], Any]


def walk_floats(root: Any, seed: float, careful: bool) -> list[tuple[Any, float]]:
    """Return each leaf `root` came from with its cotangent, where all are Python floats.

    A variable that is its own node comes from such variables only.
    """
    leaves: dict[int, tuple[Any, float]] = {}
    waiting, newest = {root.index: (root, seed)}, [-root.index]
    if not root.inputs:
        return [(root, seed)]
    while newest:
        node, grad = waiting.pop(-heappop(newest))
        for source, partial in zip(node.inputs, node.partials):  # noqa: B905 -- a hot loop
            if source is None:
                continue
            part = careful_product(grad, partial) if careful else grad * partial
            index = source.index
            if source.inputs:
                if index in waiting:
                    waiting[index] = source, waiting[index][1] + part
                else:
                    waiting[index] = source, part
                    heappush(newest, -index)
            elif index in leaves:
                leaves[index] = source, leaves[index][1] + part
            else:
                leaves[index] = source, part
    return list(leaves.values())


def walk_back(
    root: Any, seed: Any, *, careful: bool = False, track: Track | None = None
) -> list[tuple[Any, Any]]:
    """Return each leaf `root` came from with its cotangent, newest node first.

    Nodes are only read, so walks can be repeated and nested.

    Parameters
    ----------
    root : Node or Variable that is its own node
        Where to start.
    seed : number or array
        Cotangent of `root`.
    careful : bool
        Zero times anything is zero (see `autodiff.careful`).
    track : callable, optional
        ``track(value, node)`` gives a variable for a value and its history; if given, the
        gradient methods work on such variables, so that the walk is recorded.
    """
    if not root.inputs:
        return [(root, seed)]
    leaves: dict[int, tuple[Any, Any]] = {}
    waiting, newest = {root.index: (root, seed)}, [-root.index]
    sums: set[int] = set()  # whose cotangents are arrays made here, free to be added to
    while newest:
        node, grad = waiting.pop(-heappop(newest))
        if track is None and type(node) is Node:
            parts = node.primitive.pull(grad, node, node.out, node.args, careful)
        else:
            parts = _pull(node, grad, careful, track)
        for i, source in enumerate(node.inputs):
            if source is None or (part := parts[i]) is None:
                continue
            index = source.index
            if source.inputs:
                found = waiting
                if type(part) is not np.ndarray or part.dtype is not source.dtype:
                    part = cast(part, source.dtype)
                if index not in found:
                    heappush(newest, -index)
            else:
                found = leaves
            if index not in found:
                found[index] = source, part
            elif index in sums and fits(part, found[index][1]):
                np.add(found[index][1], part, out=found[index][1])
            else:
                total = found[index][1] + part
                found[index] = source, total
                if type(total) is np.ndarray:
                    sums.add(index)
    return list(leaves.values())


def fits(part: Any, total: Any) -> bool:
    """Return whether `part` can be added to the array `total` in place."""
    return type(part) is float or (
        type(part) is np.ndarray and part.shape == total.shape and part.dtype == total.dtype
    )


def _pull(node: Any, grad: Any, careful: bool, track: Track | None) -> list[Any]:
    """Return the cotangents that an operation on floats, or one to be recorded, passes on."""
    if track is None:
        multiply = careful_product if careful else operator.mul
        return [multiply(grad, partial) for partial in node.partials]
    args = [
        arg if source is None or arg is None else track(arg, source)
        for arg, source in zip(node.args, node.inputs, strict=True)
    ]
    primitive = node.primitive
    out = None if node.out is None else track(node.out, node)
    parts: list[Any] = primitive.pull(grad, node, out, args, careful)
    return parts
