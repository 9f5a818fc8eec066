"""One run of a function in forward mode: tangents of its arguments pushed to its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff.arguments import Function, name_of
from autodiff.dual import Dual
from autodiff.levels import recording, transform
from autodiff.results import as_given, leaves_of, warn_independent
from autodiff.values import finish


def push(
    f: Function,
    arguments: Callable[[list[Any]], Sequence[Any]],
    values: Sequence[Any],
    seeds: Sequence[Any],
    *,
    warn: bool = True,
) -> tuple[list[Any], list[Any], Any]:
    """Return the leaves of what `f` gives, their changes, and the structure.

    Parameters
    ----------
    f : callable
    arguments : callable
        Gives the arguments of `f` from their leaves.
    values, seeds : sequences
        The leaves and their changes; one without a change, None, is a constant.
    warn : bool
        Whether a result that depends on no leaf is worth a warning.
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
    if warn and independent:
        warn_independent(name_of(f), level)
    return found, changes, structure
