"""Our helpers of arrays in the words of an engine: what it understands, and how it is said.

The code of a helper stays as it is, but for the names of functions. So only those can be said
that compute every element in the same way: a choice is a ``where``, and no part of an array is
assigned to.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from diffrules.entry import RULES
from generator.layout import WIDTH
from generator.targets.pieces import Piece, meant, pieces
from generator.targets.words import words

BUILTINS = frozenset({"abs", "enumerate", "map", "max", "min", "range", "sum", "zip"})
METHODS = frozenset({"astype"})


@dataclass(frozen=True)
class Dialect:
    """How helpers of NumPy are written for an engine.

    Attributes
    ----------
    library : str
        What stands for ``np`` in functions.
    names : frozenset of str or None
        The functions and constants it has; None where it is NumPy itself, and all can be said.
    special : dict
        What stands for ``special.<name>``.
    written : dict
        What stands for pieces that the template has.
    words : dict
        Other words: ``np.float64``, or a method.
    """

    library: str = "np"
    names: frozenset[str] | None = None
    special: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    def called(self, module: str, name: str) -> str:
        """Return what a piece is called in a bundle."""
        if name in self.written:
            return self.written[name]
        if sum(name == other for _, other in pieces()) > 1:
            name = f"{module.upper() if name.isupper() else module}_{name}"
        taken = any(f"_{name}" == rule.name for rule in RULES.values())
        return f"_raw_{name}" if taken or f"_{name}" in TEMPLATE else f"_{name}"


# Names that templates have for themselves.
TEMPLATE = frozenset(
    words("""
    _choose _constant _define _defjvp _like _no_derivative _product _times _unbroadcast _zero
    """)
)


def complaint(piece: Piece, dialect: Dialect) -> str:
    """Return why a piece cannot be said in a dialect; empty if it can."""
    if dialect.names is None or not isinstance(piece.node, ast.FunctionDef):
        return ""
    return next(_complaints(piece, dialect, dialect.names), "")


def _complaints(piece: Piece, dialect: Dialect, names: frozenset[str]) -> Iterator[str]:
    assert isinstance(piece.node, ast.FunctionDef)
    whole = f"our helper {piece.name}"
    if piece.node.decorator_list:
        yield f"{whole} is decorated"
    static = set(_static(piece.node))
    for part in _spoken_parts(piece.node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            name = f"{part.value.id}.{part.attr}"
            if part.value.id == "special" and part.attr not in dialect.special:
                yield f"{whole} needs scipy.{name}"
            unknown = part.value.id == "np" and part.attr not in names | {"errstate", "polynomial"}
            if unknown and name not in dialect.words:
                yield f"{whole} needs {name}"
        if isinstance(part, ast.Subscript) and not _is_plain(part, static):
            yield f"{whole} takes parts of arrays"
        if isinstance(part, (ast.If, ast.IfExp, ast.While)) and not (
            _is_known(part.test, static) or _is_shortcut(part)
        ):
            yield f"{whole} branches on numbers"
        if isinstance(part, ast.Call):
            function = part.func
            if isinstance(function, ast.Attribute) and not _is_library(function):
                if function.attr not in METHODS:
                    yield f"{whole} calls the method {function.attr}"
            elif isinstance(function, ast.Name) and function.id in {"float", "int"}:
                yield from (
                    ()
                    if _is_known(part.args[0], static)
                    else (f"{whole} takes a number out of an array",)
                )


def named(piece: Piece, dialect: Dialect) -> Iterator[str]:
    """Yield the names that a piece reads, as it is said in a dialect."""
    parts: Iterable[ast.AST] = ast.walk(piece.node)
    if dialect.names is not None and isinstance(piece.node, ast.FunctionDef):
        parts = (*ast.walk(piece.node.args), *_spoken_parts(piece.node))
        parts = (*parts, *ast.walk(piece.node.returns)) if piece.node.returns else parts
    yield from (part.id for part in parts if isinstance(part, ast.Name))


def _is_of_complex(part: ast.AST) -> bool:
    """Return whether a statement is for complex numbers, which no engine here is asked about."""
    return isinstance(part, ast.If) and ast.unparse(part.test).startswith("is_complex(")


def _is_shortcut(part: ast.AST) -> bool:
    """Return whether a statement is done only if it changes some element: it always may be."""
    if not isinstance(part, ast.If) or part.orelse:
        return False
    return re.fullmatch(r"not .*\.all\(\)|(?!not ).*\.any\(\)", ast.unparse(part.test)) is not None


def _spoken_parts(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a body that are said: not the tests of shortcuts, nor complex numbers."""
    waiting: list[ast.AST] = list(function.body)
    for node in waiting:
        if _is_of_complex(node):
            continue
        yield node
        children = list(ast.iter_child_nodes(node))
        if _is_shortcut(node):
            children = [child for child in children if isinstance(child, ast.stmt)]
        waiting += children


def _static(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the names of whole numbers: parameters said to be int, orders, counters."""
    for part in ast.walk(function):
        if isinstance(part, ast.arg) and isinstance(part.annotation, ast.Name):
            if part.annotation.id == "int":
                yield part.arg
        elif isinstance(part, ast.Assign):
            yield from _orders(part.targets[0], part.value)
        elif isinstance(part, (ast.For, ast.comprehension)):
            yield from _counters(part.target, part.iter)


def _counters(target: ast.expr, over: ast.expr) -> Iterator[str]:
    """Yield the name that counts in ``for k in range(n)`` and ``for k, x in enumerate(y)``."""
    name = over.func.id if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) else ""
    if name == "enumerate" and isinstance(target, ast.Tuple):
        target = target.elts[0]
    if name in {"range", "enumerate"} and isinstance(target, ast.Name):
        yield target.id


def _orders(target: ast.expr, value: ast.expr) -> Iterator[str]:
    """Yield the names that ``n = int(n)`` binds, also in a tuple."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        # One that is starred stands for several; what follows it has other numbers.
        for one, other in zip(target.elts, value.elts, strict=False):
            yield from _orders(one, other)
    elif isinstance(target, ast.Name) and ast.unparse(value).startswith("int("):
        yield target.id


def _is_plain(part: ast.Subscript, static: set[str]) -> bool:
    """Return whether a subscript is one of a tuple or list, or the ``[()]`` of a result."""
    if not isinstance(part.ctx, ast.Load):
        return False
    return isinstance(part.slice, ast.Constant) or ast.unparse(part.slice) in {"()", *static}


def _is_known(test: ast.expr, static: set[str]) -> bool:
    """Return whether an expression does not depend on the numbers in arrays."""
    of_dtype = {
        part.value.id
        for part in ast.walk(test)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
        if part.attr == "dtype"
    }
    allowed = static | of_dtype | {"np", "math"}
    return not any(
        isinstance(part, ast.Call) or (isinstance(part, ast.Name) and part.id not in allowed)
        for part in ast.walk(test)
    )


def _is_library(function: ast.Attribute) -> bool:
    root: ast.expr = function
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in {"np", "math", "special"}


def spoken(piece: Piece, dialect: Dialect) -> str:
    """Return the code of a piece in a dialect, without doctests."""
    lines, start = list(piece.lines), piece.start
    for number, column, old, new in sorted(_edits(piece, dialect), reverse=True):
        line = lines[number - start]
        assert line[column:].startswith(old), (piece.name, line, old)
        lines[number - start] = line[:column] + new + line[column + len(old) :]
    kept: list[str | None] = list(_without_doctest(piece, lines))
    if dialect.names is not None:
        # The outer ones last: lines that are taken out stay counted.
        for part in reversed(list(ast.walk(piece.node))):
            if isinstance(part, ast.With) or (isinstance(part, ast.If) and _is_shortcut(part)):
                _unwrap(part, kept, start)
            elif isinstance(part, ast.If) and _is_of_complex(part):
                first, last = part.lineno - start, (part.end_lineno or 0) - start + 1
                kept[first:last] = [None] * (last - first)
    return "\n".join(
        f"{line}  # noqa: E501" if len(line) > WIDTH else line
        for line in (*(line for line in kept if line is not None), "")
    )


def _edits(piece: Piece, dialect: Dialect) -> Iterator[tuple[int, int, str, str]]:
    """Yield line, column, old and new text of all words that are others in a dialect."""
    node = piece.node
    parameters = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    kept = {id(part.value) for part in ast.walk(node) if isinstance(part, ast.Attribute)
            if part.attr in {"polynomial", "errstate"}}  # fmt: skip
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            whole = f"{part.value.id}.{part.attr}"
            new = dialect.words.get(whole)
            if part.value.id == "special" and part.attr in dialect.special:
                new = dialect.special[part.attr]
            if isinstance(node, ast.FunctionDef) and new is not None:
                kept.add(id(part.value))
                yield part.lineno, part.col_offset, whole, new
        if isinstance(part, ast.Attribute) and part.attr in dialect.words:
            column = (part.end_col_offset or 0) - len(part.attr)
            yield part.end_lineno or 0, column, part.attr, dialect.words[part.attr]
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and id(part) not in kept:
            other = None if part.id in parameters else meant(piece.module, part.id)
            if other is not None:
                yield part.lineno, part.col_offset, part.id, dialect.called(*other)
            elif part.id == "np" and isinstance(node, ast.FunctionDef):
                yield part.lineno, part.col_offset, "np", dialect.library
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        head = "def " if isinstance(node, ast.FunctionDef) else "class "
        yield node.lineno, len(head), piece.name, dialect.called(piece.module, piece.name)


def _without_doctest(piece: Piece, lines: list[str]) -> list[str]:
    """Return the lines of a function without the examples at the end of its docstring."""
    node = piece.node
    if not isinstance(node, ast.FunctionDef) or ast.get_docstring(node) is None:
        return lines
    first = node.body[0].lineno - piece.start
    last = (node.body[0].end_lineno or 0) - piece.start
    shown = [k for k in range(first, last) if lines[k].lstrip().startswith(">>>")]
    if not shown:
        return lines
    kept = lines[first : shown[0]]
    while not kept[-1].strip():
        kept.pop()
    if len(kept) == 1:
        kept[0] += '"""'
    else:
        kept.append('    """')
    # As many lines as before, so that those below keep their numbers.
    return [*lines[:first], *kept, *[None] * (last + 1 - first - len(kept)), *lines[last + 1 :]]  # type: ignore[list-item]


def _unwrap(block: ast.With | ast.If, lines: list[str | None], start: int) -> None:
    """Take away ``with np.errstate(...):``, or the test, and indent what is in it less."""
    first, last = block.body[0].lineno - start, (block.end_lineno or 0) - start
    lines[block.lineno - start : first] = [None] * (first - (block.lineno - start))
    for k in range(first, last + 1):
        line = lines[k]
        lines[k] = line.removeprefix("    ") if line else line
