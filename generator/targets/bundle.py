"""Our helpers of arrays, written out in a file that imports nothing of ours."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from generator.targets.dialect import Dialect, complaint, named, spoken
from generator.targets.pieces import home, meant, pieces, sources


def bundle(names: Iterable[str], dialect: Dialect) -> tuple[list[str], str]:
    """Return the imports, and the code, of helpers and of all that they need.

    Parameters
    ----------
    names : iterable of str
        Names of functions ``support.<name>``.
    dialect : Dialect
        What they are written in.
    """
    needed = dict.fromkeys(key for name in names for key in closure(name, dialect))
    found = list({p.node: p for key, p in pieces().items() if key in needed}.values())
    read = {word for piece in found for word in named(piece, dialect)}
    code = "\n\n".join(spoken(piece, dialect) for piece in found)
    return list(_imports({piece.module for piece in found}, read)), code


def lacking(name: str, dialect: Dialect) -> str:
    """Return why a helper cannot be written in a dialect; empty if it can."""
    for key in closure(name, dialect):
        wrong = complaint(pieces()[key], dialect)
        if wrong:
            return wrong
    return ""


def closure(name: str, dialect: Dialect) -> list[tuple[str, str]]:
    """Return the pieces of a helper, without those that the template has."""
    found = [(home(name), name)]
    for key in found:
        for word in named(pieces()[key], dialect):
            other = meant(key[0], word)
            if other and other not in found and other[1] not in dialect.written:
                found.append(other)
    return found


def _imports(modules: Iterable[str], read: set[str]) -> Iterator[str]:
    """Yield the imports of the standard library that the names `read` are from, sorted."""
    plain: set[str] = set()
    names: dict[str, set[str]] = {}
    for module in modules:
        for node in sources()[module][1].body:
            if isinstance(node, ast.Import):
                plain |= {alias.name for alias in node.names if alias.name in read}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found = {alias.name for alias in node.names} & read
                if found:
                    names.setdefault(node.module or "", set()).update(found)
    # Templates use these two; what is not used in the end is taken out.
    yield from (f"import {name}" for name in sorted((plain - {"numpy"}) | {"functools", "math"}))
    for source, found in sorted(names.items()):
        yield f"from {source} import {', '.join(sorted(found))}"
