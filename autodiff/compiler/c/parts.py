"""Long rows of statements on numbers, cut into functions: a C compiler takes one for its own time.

A number that one function makes and another reads is an entry of an array; all others are
variables of the function.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

LONG = 1000
"""Statements on numbers from which a program is cut."""

_NUMBER = re.compile(r"\bs\d+\b")
_POINTER = re.compile(r"\b(?:input|constant|work|output|call)\d+\b")
_ASSIGNED = re.compile(r"^(s\d+) = ")


class Parts:
    """The steps of a program with its rows of statements as calls of functions.

    Parameters
    ----------
    pieces : sequence of (bool, list of str)
        For each step whether it is statements on numbers, and its lines.
    declarations : sequence of str
        Of the variables of the program, ``double s3 = 0;``.
    needed : sequence of str
        Lines after the steps.

    Attributes
    ----------
    functions : list of str
        Definitions.
    steps, declarations, after : list of str
        What is left for the main function; `after` is `needed` there.
    count : int
        Entries of the array.
    """

    def __init__(
        self,
        pieces: Sequence[tuple[bool, list[str]]],
        declarations: Sequence[str],
        needed: Sequence[str],
    ) -> None:
        used = Counter(
            name
            for lines in [*(lines for _, lines in pieces), list(needed)]
            for name in set(_NUMBER.findall("\n".join(lines)))
        )
        rows = {i for i, (row, _) in enumerate(pieces) if row}
        inside = {
            name
            for i in rows
            for line in pieces[i][1]
            if (found := _ASSIGNED.match(line)) and used[name := found[1]] == 1
        }
        outside = [name for name in used if name not in inside]
        self._place = {name: f"s[{i}]" for i, name in enumerate(outside)}
        self.count = len(outside)
        self._types = dict(_typed(line) for line in declarations if _typed(line)[0])
        kept = [line for line in declarations if _declared(line) not in used]
        starts = [self._moved(line) for line in declarations if _declared(line) in self._place]
        self.declarations = [*kept, f"double s[{max(self.count, 1)}];"]
        self.functions: list[str] = []
        self.steps = [line[line.index("s[") :] for line in starts]
        for row, lines in pieces:
            self.steps += [self._function(lines)] if row else list(map(self._moved, lines))
        self.after = list(map(self._moved, needed))

    def _moved(self, line: str) -> str:
        return _NUMBER.sub(lambda found: self._place.get(found[0], found[0]), line)

    def _function(self, lines: Sequence[str]) -> str:
        """Add a function of these statements; return its call."""
        name = f"part{len(self.functions)}"
        pointers = list(dict.fromkeys(_POINTER.findall("\n".join(lines))))
        listed = ", ".join(["double *restrict s", *(self._types[each] for each in pointers)])
        body = []
        for line in lines:
            found = _ASSIGNED.match(line)
            local = found is not None and found[1] not in self._place
            body.append(f"    {'const double ' if local else ''}{self._moved(line)}")
        text = "\n".join([f"static AD_APART void {name}({listed})", "{", *body, "}"])
        self.functions.append(text)
        return f"{name}({', '.join(['s', *pointers])});"


def can_be_cut(declarations: Sequence[str]) -> bool:
    """Return whether all numbers of a program are of the one type that the array has."""
    return all(
        _declared(line) for line in declarations if re.match(r"(?:const )?\w+ s\d+ = ", line)
    )


def _declared(line: str) -> str:
    """Return the number that a line declares."""
    found = re.match(r"(?:const )?double (s\d+) = ", line)
    return found[1] if found else ""


def _typed(line: str) -> tuple[str, str]:
    """Return the name and the parameter of a pointer or number that a line declares."""
    found = re.match(r"((?:const )?\w+ \*?(?:restrict )?(\w+?\d+))(?: = .*)?;", line)
    return (found[2], found[1]) if found else ("", "")
