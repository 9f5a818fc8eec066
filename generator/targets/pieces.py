"""Our helpers of arrays, taken apart into functions and constants."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter

from generator import support
from generator.package import environment

PACKAGE = "__init__"
# Every template has it under this name.
GIVEN = "special"


@dataclass(frozen=True)
class Piece:
    """A function or constant of a module of helpers.

    Attributes
    ----------
    module, name : str
        Where it is.
    node : ast.stmt
        Its statement.
    lines : tuple of str
        The lines of it, with comments and decorators above.
    start : int
        Number of the first of them.
    """

    module: str
    name: str
    node: ast.stmt
    lines: tuple[str, ...]
    start: int


def home(name: str) -> str:
    """Return the module of a function ``support.<name>``.

    >>> home("polygamma")
    'gammas'
    """
    return next(module for module, names in support.helpers().items() if name in names)


def meant(module: str, name: str) -> tuple[str, str] | None:
    """Return which piece a name in a module means; None for anything else."""
    if (module, name) in pieces():
        return module, name
    found = _imported(module).get(name)
    return None if found is None or (found, name) not in pieces() else (found, name)


@cache
def sources() -> dict[str, tuple[str, ast.Module]]:
    """Return text and tree of each module of helpers."""
    found = {}
    for name in (PACKAGE, *support.modules()):
        template = environment().get_template(f"support/{name}{support.PYTHON}")
        text = template.render(banner="", helpers=support.helpers())
        found[name] = text, ast.parse(text)
    return found


@cache
def _imported(module: str) -> dict[str, str]:
    """Return the names that a module has from others of its package, and from which."""
    return {
        alias.name: node.module or PACKAGE
        for node in sources()[module][1].body
        if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
    }


@cache
def pieces() -> dict[tuple[str, str], Piece]:
    """Return all pieces; each comes after those that it needs when it is defined."""
    graph = {module: set(_imported(module).values()) for module in sources()}
    found = {}
    for module in TopologicalSorter(graph).static_order():
        text, tree = sources()[module]
        lines = text.splitlines()
        for node in tree.body:
            for name in _defined(node):
                if name != GIVEN:
                    decorators = getattr(node, "decorator_list", [])
                    start = min([node.lineno, *(part.lineno for part in decorators)])
                    while lines[start - 2].startswith("#"):
                        start -= 1
                    part = tuple(lines[start - 1 : node.end_lineno])
                    found[module, name] = Piece(module, name, node, part, start)
    return found


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))
