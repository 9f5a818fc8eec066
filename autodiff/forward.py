"""One run of a function in forward mode: tangents of its arguments pushed to its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from autodiff.arguments import Function
from autodiff.dual import Dual
from autodiff.levels import recording, transform
from autodiff.results import as_given, leaves_of
from autodiff.values import finish


class Pushed(NamedTuple):
    """What `push` gives.

    Attributes
    ----------
    outs, changes : list
        The leaves of the result and their changes.
    structure
        Of the result; None if it is no container.
    independent : bool
        No leaf depends on any argument.
    level : int
        Number of the transform.
    """

    outs: list[Any]
    changes: list[Any]
    structure: Any
    independent: bool
    level: int


def push(
    f: Function,
    arguments: Callable[[list[Any]], Sequence[Any]],
    values: Sequence[Any],
    seeds: Sequence[Any],
) -> Pushed:
    """Return what `f` gives, and its changes.

    Parameters
    ----------
    f : callable
    arguments : callable
        Gives the arguments of `f` from their leaves.
    values, seeds : sequences
        The leaves and their changes; one without a change, None, is a constant.
    """
    kind = Dual if recording.watch is None else recording.watch.dual
    with transform() as level:
        boxes = [
            value if seed is None else kind(value, seed, level)
            for value, seed in zip(values, seeds, strict=True)
        ]
        outs, structure = leaves_of(f(*arguments(boxes)), f, level)
    found, changes = [], []
    independent = bool(boxes)
    for out in outs:
        value, change = out, 0.0
        if isinstance(out, Dual) and out.level == level:
            value, change, independent = out._value, out.tangent, False
        found.append(as_given(value, values))
        changes.append(as_given(finish(change, value), values))
    return Pushed(found, changes, structure, independent, level)
