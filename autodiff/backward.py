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


def walk_floats(root: Any, seed: float, careful: bool) -> dict[Any, float]:
    """Return the cotangent of each leaf `root` came from, where all are Python floats.

    A variable that is its own node comes from such variables only.
    """
    cotangents = {root: seed}
    newest = [(-root.index, root)] if root.inputs else []
    while newest:
        node = heappop(newest)[1]
        grad = cotangents.pop(node)
        for source, partial in zip(node.inputs, node.partials):  # noqa: B905 -- a hot loop
            if source is None:
                continue
            part = careful_product(grad, partial) if careful else grad * partial
            if source in cotangents:
                cotangents[source] += part
                continue
            cotangents[source] = part
            if source.inputs:
                heappush(newest, (-source.index, source))
    return cotangents


def walk_back(
    root: Any, seed: Any, *, careful: bool = False, track: Track | None = None
) -> dict[Any, Any]:
    """Return the cotangent of each leaf `root` came from, newest node first.

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
    cotangents = {root: seed}
    newest = [(-root.index, root)] if root.inputs else []
    sums: set[Any] = set()  # whose cotangents are arrays made here, free to be added to
    while newest:
        node: Any = heappop(newest)[1]
        grad = cotangents.pop(node)
        is_node = type(node) is Node
        if is_node and track is None:
            parts = node.rule.pull(grad, node, node.out, node.args, careful)
        else:
            parts = _pull(node, grad, careful, track)
        for source, part in zip(node.inputs, parts):  # noqa: B905 -- a hot loop
            if source is None or part is None:
                continue
            if type(part) is not np.ndarray or part.dtype is not source.dtype:
                part = cast(part, source.dtype)
            if source not in cotangents:
                cotangents[source] = part
                if source.inputs:
                    heappush(newest, (-source.index, source))
            elif source in sums and fits(part, cotangents[source]):
                np.add(cotangents[source], part, out=cotangents[source])
            else:
                cotangents[source] = total = cotangents[source] + part
                if type(total) is np.ndarray:
                    sums.add(source)
    return cotangents


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
    primitive = node.rule
    out = getattr(node, "out", None) if type(node) is Node else node._value
    out = None if out is None else track(out, node)
    parts: list[Any] = primitive.pull(grad, node, out, args, careful)
    return parts
