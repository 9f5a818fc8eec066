"""A file without the helpers and imports that nothing in it uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def pruned(source: str) -> str:
    r"""Return `source` without private definitions and imports that are out of reach.

    >>> print(pruned("import math\n\n\ndef _half(x):\n    return x / 2\n\n\nONE = 1\n"))
    ONE = 1
    <BLANKLINE>
    """
    lines = source.splitlines(keepends=True)
    tree = ast.parse(source)
    owners = {name: node for node in tree.body for name in _defines(node)}
    used: set[ast.stmt] = set()
    waiting = [node for node in tree.body if not _is_removable(node)]
    for node in waiting:
        if node not in used:
            used.add(node)
            waiting += [owners[name] for name in _names(node) if name in owners]
    for node in reversed(tree.body):
        if node not in used:
            start, stop = _span(node, lines)
            del lines[start:stop]
    return "".join(lines)


def _defines(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _is_removable(node: ast.stmt) -> bool:
    names = list(_defines(node))
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return False
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return True
    return bool(names) and all(name.startswith("_") and not name.endswith("__") for name in names)


def _names(node: ast.stmt) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def _span(node: ast.stmt, lines: list[str]) -> tuple[int, int]:
    """Return the lines of a statement, its decorators and comments, and the empty ones after."""
    decorators = getattr(node, "decorator_list", [])
    start = min([node.lineno, *(part.lineno for part in decorators)]) - 1
    while start and lines[start - 1].startswith("#"):
        start -= 1
    stop = node.end_lineno or node.lineno
    while stop < len(lines) and not lines[stop].strip():
        stop += 1
    return start, stop
