"""From a walk back to finished gradients: seeds, the careful second walk, ``.grad``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.backward import walk_back, walk_floats
from autodiff.box import Box, raw
from autodiff.levels import recording
from autodiff.node import SELF, Node, source_of
from autodiff.values import cast, dtype_of, finish, has_nan, is_complex, leaf_value, shape_of

Track = Callable[[Any, Any], Any]


def cotangents(root: Any, seed: Any, *, track: Track | None = None) -> dict[Any, Any]:
    """Return the unfinished cotangent of each leaf `root` came from.

    Plain products first; only if a NaN came out, everything is done again under the rule of
    zero (`autodiff.careful`), which the regular case so never pays for.
    """
    if root.node is not SELF or track is not None or type(seed) is not float:
        return _of_arrays(source_of(root), seed, track)
    found = walk_floats(root, seed, False)
    for grad in found.values():
        if grad != grad:
            return walk_floats(root, seed, True)
    return found


@np.errstate(all="ignore")
def _of_arrays(node: Any, seed: Any, track: Track | None) -> dict[Any, Any]:
    if track is not None:
        found = walk_back(node, seed, pull=functools.partial(_recorded, track, False))
    elif recording.watch is not None:
        return walk_back(node, seed, pull=recording.watch.pull)
    else:
        found = walk_back(node, seed)
    for grad in found.values():
        if has_nan(grad if type(grad) is np.ndarray else raw(grad)):
            pull = track and functools.partial(_recorded, track, True)
            return walk_back(node, seed, careful=True, pull=pull)
    return found


def _recorded(track: Track, careful: bool, node: Any, grad: Any) -> list[Any]:
    """Return the cotangents an operation passes on, as variables: the walk is recorded.

    ``track(value, node)`` gives a variable for a value and its history; the gradient methods
    work on such variables.
    """
    args = [
        arg if source is None or arg is None else track(arg, source)
        for arg, source in zip(node.args, node.inputs, strict=True)
    ]
    recorded = type(node) is Node
    out = node.out if recorded else node._value
    out = None if out is None else track(out, node)
    parts: list[Any] = node.rule.pull(grad, node, out, args, careful)
    return parts


def check_seed(seed: Any, value: Any, name: str, of: str = "the output") -> Any:
    """Return the cotangent or tangent `seed` of `value`, a number or array of exactly its shape.

    Parameters
    ----------
    name, of : str
        What the seed and the value are, for messages.

    Raises
    ------
    ValueError
        If the shapes differ, also where one would broadcast to the other.
    TypeError
        If `seed` is not made of numbers, or is complex where `value` is real.
    """
    if not isinstance(seed, Box):
        try:
            seed = leaf_value(seed, copy=False)
        except TypeError as error:
            raise TypeError(f"{name} must be numbers like {of}: {error}") from None
    if shape_of(seed) != shape_of(value):
        raise ValueError(
            f"{name} has shape {shape_of(seed)}, {of} has shape {shape_of(value)}; "
            "they must be equal, nothing is broadcast"
        )
    if is_complex(seed) and not is_complex(value):
        raise TypeError(f"{name} is complex, {of} is real; take its real part")
    return cast(seed, dtype_of(value)) if shape_of(seed) == () else seed


def unit_seed(value: Any) -> Any:
    """Return the seed 1 of a single number.

    Raises
    ------
    ValueError
        If `value` is an array of another size than 1.
    TypeError
        If it is complex.
    """
    shape = shape_of(value)
    if is_complex(value):
        raise TypeError(
            "backward() starts from a real number, but this value is complex; take np.real or "
            "np.abs of it, or pass grad="
        )
    if shape == ():
        return 1.0
    if np.prod(shape) == 1:
        return np.ones(shape, raw(value).dtype)
    raise ValueError(
        f"backward() starts from a single number, but this value has shape {shape}; reduce it, "
        f"np.sum(v), or pass grad= of shape {shape}"
    )


def accumulate(root: Any, grad: Any, create_graph: bool) -> None:
    """Add the gradient of `root` to ``.grad`` of its leaves; see `Variable.backward`."""
    if root.level or root.node is None:
        raise TypeError(_INSIDE if root.level else _NO_HISTORY)
    value = root._value
    if type(value) is float and root.node is SELF and grad is None and not create_graph:
        for leaf, part in cotangents(root, 1.0).items():
            leaf.grad = part if leaf.grad is None else leaf.grad + part
        return
    seed = unit_seed(value) if grad is None else check_seed(grad, value, "grad")
    found = cotangents(root, seed, track=root.wrap if create_graph else None)
    while found:
        leaf, cotangent = found.popitem()
        cotangent = finish(cotangent, leaf._value)
        if create_graph and not isinstance(cotangent, Box):
            cotangent = root.wrap(cotangent, None)
        leaf.grad = cotangent if leaf.grad is None else leaf.grad + cotangent


_INSIDE = (
    "backward() is for variables made by the user; inside grad, vjp or jacobian return the value "
    "instead"
)
_NO_HISTORY = (
    "backward() on a value without history: it was made under no_grad, by detach(), from "
    "constants only, or through functions whose derivative is 0 everywhere"
)
