"""The outputs of a function with several: one node for the call, and one that picks each.

The node of the call has the tuple of outputs as its ``out``; its cotangent is a `Parts`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff.node import Node, next_index
from autodiff.primitives import Parts, Primitive
from autodiff.values import dtype_of, full, shape_of


class _Pick(Primitive):
    """The rule of one output of a call with several."""

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangent of all outputs: that of one, nothing for the others."""
        index, count = node.static["index"], node.static["count"]
        # The methods of `Several` read arrays; a number everywhere is written out.
        grad = full(grad, node.shape)
        return [Parts(tuple(grad if i == index else None for i in range(count)))]


PICK = _Pick("one output of several", lambda outs, *, index, count: outs[index], reads="")


def pick(wrap: Callable[[Any, Any], Any], outs: tuple[Any, ...], node: Any) -> tuple[Any, ...]:
    """Return the outputs of the call `node`, those with a derivative as ``wrap(out, its node)``."""
    return tuple(
        wrap(out, node and _picked(out, node, i, len(outs))) if dtype_of(out).kind in "fc" else out
        for i, out in enumerate(outs)
    )


def _picked(out: Any, source: Any, index: int, count: int) -> Any:
    node: Any = Node()
    node.index = next_index()
    node.inputs = [source]
    node.rule = PICK
    node.static = {"index": index, "count": count}
    node.args = [None]
    node.out = None
    node.floats = type(out) is float
    node.shape, node.dtype = shape_of(out), dtype_of(out)
    return node


class _Join(Primitive):
    """The rule of a result with several leaves, from which one walk back starts."""

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangent of each leaf."""
        return list(grad.items)


JOIN = _Join("several results", lambda *outs: outs, reads="")


def joint(sources: list[Any], seeds: Sequence[Any]) -> tuple[Any, Parts]:
    """Return a node that all `sources` lead to, and its cotangent: their `seeds`."""
    node: Any = Node()
    node.index, node.inputs = next_index(), sources
    node.rule, node.static, node.args = JOIN, {}, [None] * len(sources)
    node.out, node.floats, node.shape, node.dtype = None, False, None, None
    return node, Parts(tuple(seeds))
