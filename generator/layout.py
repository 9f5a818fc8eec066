"""Line breaks: no generated line is longer than 100 columns."""

from __future__ import annotations

import re
import textwrap

WIDTH = 100
OPEN, CLOSE = "([{", ")]}"
# From the loosest binding to the tightest; each is broken in front.
BREAKS = (
    re.compile(r" (?=(?:if|else) )| (?=[?:] )"),
    re.compile(r" (?=(?:or|\|\|) )"),
    re.compile(r" (?=(?:and|&&) )"),
    re.compile(r" (?=[|] )"),
    re.compile(r" (?=[&] )"),
    re.compile(r" (?=[-+] )"),
    re.compile(r" (?=[*/] )"),
)


def statement(head: str, expression: str, indent: int = 4, tail: str = "") -> list[str]:
    """Return ``head expression tail`` as lines, broken inside parentheses where too long.

    >>> statement("return", "a + b")
    ['    return a + b']
    """
    pad = " " * indent
    head = f"{pad}{head} " if head else pad
    line = f"{head}{expression}{tail}"
    if len(line) <= WIDTH:
        return [line]
    call = _as_call(expression)
    if call is None:
        return [f"{head}(", *_lines(expression, indent + 4), f"{pad}){tail}"]
    name, content = call
    return [f"{head}{name}(", *_arguments(content, indent + 4), f"{pad}){tail}"]


def _lines(text: str, indent: int) -> list[str]:
    """Return an expression, or a list of them, as lines."""
    if len(_split_commas(text)) > 1:
        return _arguments(text, indent)
    return _broken(text, indent)


def _broken(text: str, indent: int) -> list[str]:
    """Return one expression, broken in front of its loosest operators where too long."""
    pad = " " * indent
    if len(pad + text) <= WIDTH:
        return [pad + text]
    for pattern in BREAKS:
        parts = _split(text, pattern)
        if len(parts) > 1:
            return [line for part in parts for line in _operand(part, indent)]
    return _operand(text, indent)


def _operand(text: str, indent: int) -> list[str]:
    """Return one operand, its operator in front, broken inside its last parenthesis."""
    pad = " " * indent
    if len(pad + text) <= WIDTH:
        return [pad + text]
    opened = _last_group(text)
    if opened is None:
        return [pad + text]
    start, stop = opened
    inner = text[start + 1 : stop]
    return [pad + text[: start + 1], *_lines(inner, indent + 4), pad + text[stop:]]


def _arguments(content: str, indent: int) -> list[str]:
    """Return a list in one line, or one line for each part."""
    if indent + len(content) <= WIDTH:
        return [" " * indent + content]
    *parts, last = _split_commas(content)
    parts = [f"{part}," for part in parts]
    return [line for part in [*parts, last] if part for line in _broken(part, indent)]


def _depths(text: str) -> list[int]:
    depth, depths = 0, []
    for char in text:
        if char in CLOSE:
            depth -= 1
        depths.append(depth)
        if char in OPEN:
            depth += 1
    return depths


def _split(text: str, pattern: re.Pattern[str]) -> list[str]:
    depths = _depths(text)
    cuts = [m.start() for m in pattern.finditer(text) if m.start() and depths[m.start()] == 0]
    starts, stops = [0, *(cut + 1 for cut in cuts)], [*cuts, len(text)]
    return [text[a:b] for a, b in zip(starts, stops, strict=True)]


def _split_commas(text: str) -> list[str]:
    """Return the parts of a list; the last one is empty after a trailing comma."""
    depths = _depths(text)
    cuts = [i for i, char in enumerate(text) if char == "," and depths[i] == 0]
    starts, stops = [0, *(cut + 2 for cut in cuts)], [*cuts, len(text)]
    return [text[a:b] for a, b in zip(starts, stops, strict=True)]


def _last_group(text: str) -> tuple[int, int] | None:
    """Return where the longest outermost parenthesis opens and closes."""
    depths, groups, start = _depths(text), [], None
    for i, char in enumerate(text):
        if char in OPEN and depths[i] == 0:
            start = i
        elif char in CLOSE and depths[i] == 0 and start is not None:
            groups.append((start, i))
    return max(groups, key=lambda group: group[1] - group[0], default=None)


def _as_call(text: str) -> tuple[str, str] | None:
    """Return name and content if the text is one call and nothing else."""
    match = re.match(r"[\w.]*\(", text)
    if match is None or not text.endswith(")"):
        return None
    depths = _depths(text)
    if any(depth == 0 for depth in depths[match.end() : -1]):
        return None
    return text[: match.end() - 1], text[match.end() : -1]


def paragraph(text: str, indent: int = 4) -> str:
    """Return prose filled to the width, indented after the first line.

    >>> paragraph("a short text")
    'a short text'
    """
    filled = textwrap.wrap(text, WIDTH - indent, break_long_words=False, break_on_hyphens=False)
    return ("\n" + " " * indent).join(filled)
