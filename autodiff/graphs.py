"""A recorded graph as parts and arrows in words, for pictures of it and for `repr`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.elementwise import Elementwise
from autodiff.node import Node, source_of
from autodiff.several import PICK
from autodiff.values import FLOAT

SMALL = 6
"""Up to so many entries an array is written out."""

_SYMMETRIC = frozenset({"add", "multiply", "maximum", "minimum", "hypot", "logaddexp"})
_INTERNAL = frozenset({"after", "before", "ends", "indices", "new_shape"})
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LONGEST = 40
# What more operations use has one arrow, and is mentioned beside the others: so many long arrows
# cross everything, and graphviz needs minutes for them.
_MANY = 8


@dataclass
class Part:
    """One box of a picture.

    Attributes
    ----------
    kind : {"leaf", "operation", "mention", "more"}
    lines : list of str
        What stands in it.
    result : bool
        It is what was asked for.
    """

    kind: str
    lines: list[str]
    result: bool = False


@dataclass
class Graph:
    """What `graph_of` gives.

    Attributes
    ----------
    parts : list of Part
        In the order of creation; what was left out comes first.
    arrows : list of (int, int, str)
        From which part to which, and which argument of it that is.
    left_out : int
        How many operations and leaves are not in it.
    """

    parts: list[Part] = field(default_factory=list)
    arrows: list[tuple[int, int, str]] = field(default_factory=list)
    left_out: int = 0

    def count(self, kind: str) -> int:
        """Return how many parts are of a kind."""
        return sum(part.kind == kind for part in self.parts)


def graph_of(roots: Sequence[tuple[str, Any]], names: Mapping[int, str], limit: int) -> Graph:
    """Return the graph that leads to some variables, its newest part if it is too large.

    Parameters
    ----------
    roots : sequence of (str, Variable)
        Variables with a history, and what to call them.
    names : dict
        What to call other variables, by the `id` of their source.
    limit : int
        How many operations and leaves it has at most.
    """
    found, left_out = _reachable({source_of(variable) for _, variable in roots}, limit)
    graph = Graph(left_out=left_out)
    if left_out:
        graph.parts.append(Part("more", [f"{left_out:,} more, not drawn", f"limit={limit}"]))
    places: dict[Any, int] = {}
    uses = Counter(origin for source in found for _, origin in _arguments(source))
    mentions: dict[Any, str] = {}
    for source in sorted(found, key=lambda source: source.index):
        places[source] = len(graph.parts)
        graph.parts.append(_part(source, names.get(id(source), "")))
        cut = False
        for label, origin in _arguments(source):
            tail = places.get(origin)
            if tail is None:
                cut = True
            elif origin in mentions:
                graph.arrows.append((len(graph.parts), places[source], label))
                graph.parts.append(Part("mention", [mentions[origin]]))
            else:
                graph.arrows.append((tail, places[source], label))
                if uses[origin] > _MANY:
                    name = names.get(id(origin), "") or f"{graph.parts[tail].kind} {len(mentions)}"
                    mentions[origin] = name
                    if name not in graph.parts[tail].lines:
                        graph.parts[tail].lines.insert(0, name)
        if cut:
            graph.arrows.append((0, places[source], ""))
    for name, variable in roots:
        part = graph.parts[places[source_of(variable)]]
        if name and name not in part.lines:
            part.lines.insert(0, name)
        if not part.result and part.kind == "operation":
            part.lines += _value_lines(variable, part.lines)
        part.result = True
    return graph


def _reachable(roots: set[Any], limit: int) -> tuple[set[Any], int]:
    """Return the newest sources that lead to `roots`, with their leaves, and how many more are."""
    known, shown = set(roots), set(roots)
    newest = sorted((-source.index, source) for source in roots)
    while newest:
        source = heappop(newest)[1]
        if len(shown) < limit:
            shown.add(source)
        for origin in source.inputs:
            if origin is None or origin in known:
                continue
            known.add(origin)
            if origin.inputs:
                heappush(newest, (-origin.index, origin))
            elif source in shown and len(shown) < limit:
                shown.add(origin)
    return shown, len(known) - len(shown)


def _part(source: Any, name: str) -> Part:
    lines = [name] if name else []
    if not source.inputs:
        lines += [kind_of(source), *_value_lines(source, lines)]
        if source.grad is not None:
            lines.append(f"grad {short(source.grad)}")
        return Part("leaf", lines)
    lines += [call_text(source), _shape_of(source)]
    if type(source) is not Node:
        lines += _value_lines(source, lines)
    return Part("operation", lines)


def _shape_of(source: Any) -> str:
    """Return shape and dtype of what an operation gave."""
    if source.dtype is None:
        return f"{len(source.out)} outputs" if source.out else "several outputs"
    return kind_of(source)


def kind_of(value: Any) -> str:
    """Return shape and dtype of an array, box or node; of a Python float ``float``.

    >>> kind_of(np.zeros((2, 3))), kind_of(1.0)
    ('(2, 3) float64', 'float')
    """
    shape = getattr(value, "shape", ())
    plain = value if type(value) is Node else raw(value)
    if not shape and (type(plain) in (float, complex) or getattr(plain, "floats", False)):
        return "complex" if type(plain) is complex else "float"
    return f"{shape} {getattr(value, 'dtype', FLOAT)}" if shape else str(value.dtype)


def _value_lines(variable: Any, lines: Sequence[str]) -> list[str]:
    """Return the value of a variable if it is small and not among `lines` yet."""
    if np.size(raw(variable)) > SMALL:
        return []
    text = short(variable)
    return [] if text in lines else [text]


def call_text(source: Any) -> str:
    """Return the call that made a variable, with what is constant in it: ``power(x, 2)``."""
    rule, static = source.rule, dict(source.static)
    if rule is PICK:
        return f"output {static['index']} of {static['count']}"
    if "index" in static:
        index = _index_text(static.pop("index"))
        return f"{rule.name} [{index}]"
    args: list[str] = []
    if any(origin is None for origin in source.inputs):
        args += [
            label if origin is not None else _constant(source.args[i])
            for i, (label, origin) in enumerate(_labelled(source))
        ]
    args += [
        f"{key}={short(value)}"
        for key, value in static.items()
        if value is not None and value is not False and key not in _INTERNAL
    ]
    return f"{rule.name}({', '.join(args)})" if args else str(rule.name)


def _labelled(source: Any) -> Iterator[tuple[str, Any]]:
    """Yield a name for each argument of an operation, and where it came from."""
    rule = source.rule
    words = rule.entry.args if isinstance(rule, Elementwise) else None
    for i, origin in enumerate(source.inputs):
        yield (words[i] if words else _LETTERS[i] if i < len(_LETTERS) else str(i + 1)), origin


def _arguments(source: Any) -> Iterator[tuple[str, Any]]:
    """Yield where the tracked arguments came from, named where one needs to know which is which."""
    if not source.inputs:
        return
    tracked = sum(origin is not None for origin in source.inputs)
    plain = tracked < 2 or source.rule.name in _SYMMETRIC
    for label, origin in _labelled(source):
        if origin is not None:
            yield ("" if plain else label), origin


def _constant(value: Any) -> str:
    return "constant" if value is None else short(value)


def short(value: Any) -> str:
    """Return a value in a few words: a number, a small array, or what kind of array it is.

    >>> short(0.1 + 0.2), short(np.array([1.0, 2.0])), short(np.zeros((50, 2)))
    ('0.3', '[1., 2.]', '(50, 2) float64')
    """
    plain = raw(value)
    if isinstance(plain, (bool, int, str, np.bool_, np.integer)):
        return str(plain)
    if isinstance(plain, (float, np.floating)):
        return f"{plain:.6g}"
    if isinstance(plain, (complex, np.complexfloating)):
        return f"{plain:.6g}"
    if isinstance(plain, np.ndarray):
        if plain.size > SMALL:
            return kind_of(plain)
        text = np.array2string(plain, separator=", ", precision=4, max_line_width=10_000)
        return text.replace("\n", "")
    text = " ".join(str(plain).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _index_text(index: Any) -> str:
    """Return an index as it is written between brackets.

    >>> _index_text((0, slice(None, -1), ...))
    '0, :-1, ...'
    """
    if isinstance(index, tuple):
        return ", ".join(map(_index_text, index)) or "()"
    if isinstance(index, slice):
        ends = ["" if end is None else str(end) for end in (index.start, index.stop)]
        return ":".join(ends) + ("" if index.step is None else f":{index.step}")
    if index is Ellipsis:
        return "..."
    return "None" if index is None else short(index)
