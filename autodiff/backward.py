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

Pull = Callable[[Any, Any], list[Any]]


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
    root: Any, seed: Any, *, careful: bool = False, pull: Pull | None = None
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
    pull : callable, optional
        ``pull(node, grad)`` gives the cotangents of the inputs of a node, in the place of its
        rule: a walk that is recorded, or watched.
    """
    cotangents = {root: seed}
    newest = [(-root.index, root)] if root.inputs else []
    sums: set[Any] = set()  # whose cotangents are arrays made here, free to be added to
    while newest:
        node: Any = heappop(newest)[1]
        grad = cotangents.pop(node)
        recorded = type(node) is Node
        if pull is None and recorded:
            parts = node.rule.pull(grad, node, node.out, node.args, careful)
        elif pull is not None:
            parts = pull(node, grad)
        else:
            multiply = careful_product if careful else operator.mul
            parts = [multiply(grad, partial) for partial in node.partials]
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
                else:
                    sums.discard(source)
    return cotangents


def fits(part: Any, total: Any) -> bool:
    """Return whether `part` can be added to the array `total` in place."""
    return type(part) is float or (
        type(part) is np.ndarray and part.shape == total.shape and part.dtype == total.dtype
    )
