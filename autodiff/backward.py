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
from autodiff.values import cast, shape_of

Track = Callable[[Any, Any], Any]


def walk_floats(root: Any, seed: float, careful: bool) -> list[tuple[Any, float]]:
    """Return each leaf `root` came from with its cotangent, where all are Python floats.

    A variable that is its own node comes from such variables only.
    """
    leaves = []
    waiting, newest = {root.index: (root, seed)}, [-root.index]
    while newest:
        node, grad = waiting.pop(-heappop(newest))
        if not node.inputs:
            leaves.append((node, grad))
            continue
        for source, partial in zip(node.inputs, node.partials):  # noqa: B905 -- a hot loop
            if source is None:
                continue
            part = careful_product(grad, partial) if careful else grad * partial
            index = source.index
            if index in waiting:
                waiting[index] = (source, waiting[index][1] + part)
            else:
                waiting[index] = (source, part)
                heappush(newest, -index)
    return leaves


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
    leaves = []
    nodes, cotangents, newest = {root.index: root}, {root.index: seed}, [-root.index]
    sums: set[int] = set()  # whose cotangents are arrays made here, free to be added to
    with np.errstate(all="ignore"):
        while newest:
            index = -heappop(newest)
            node, grad = nodes.pop(index), cotangents.pop(index)
            if not node.inputs:
                leaves.append((node, grad))
                continue
            for source, part in zip(node.inputs, _pull(node, grad, careful, track), strict=True):
                if source is None or part is None:
                    continue
                index = source.index
                if index not in cotangents:
                    nodes[index], cotangents[index] = source, part
                    heappush(newest, -index)
                elif index in sums and shape_of(part) == cotangents[index].shape:
                    cotangents[index] += part
                else:
                    cotangents[index] = total = cotangents[index] + part
                    if type(total) is np.ndarray:
                        sums.add(index)
    return leaves


def _pull(node: Any, grad: Any, careful: bool, track: Track | None) -> list[Any]:
    """Return the cotangents that `node` passes on, in the dtypes of its inputs."""
    args, out = node.args, node.out
    if track is None and type(node) is not Node:
        multiply = careful_product if careful else operator.mul
        return [multiply(grad, partial) for partial in node.partials]
    if track is not None:
        args = tuple(
            arg if source is None or arg is None else track(arg, source)
            for arg, source in zip(args, node.inputs, strict=True)
        )
        out = None if out is None else track(out, node)
    parts = node.primitive.pull(grad, node, out, args, careful)
    return [
        part if source is None or part is None else cast(part, source.dtype)
        for source, part in zip(node.inputs, parts, strict=True)
    ]
