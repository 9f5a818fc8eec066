"""`draw`: a picture of the graph that a variable remembers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from autodiff.containers import parts_of, paths_of
from autodiff.dual import Dual
from autodiff.graphs import Graph, graph_of
from autodiff.node import source_of
from autodiff.variable import Variable

LIMIT = 200
"""How many operations and leaves are drawn if nothing else is said."""

# Fill and border of each kind of part; a result has the border of the last line.
_COLOURS = {
    "leaf": ("#dbeafe", "#1d4ed8"),
    "mention": ("#ffffff", "#1d4ed8"),
    "operation": ("#ffffff", "#6b7280"),
    "more": ("#fef3c7", "#b45309"),
    "result": ("#dcfce7", "#15803d"),
}
_STYLES = {"leaf": "filled,rounded", "mention": "filled,rounded,dashed"}
_TEXT = "#111827"
# Mermaid has entities of its own, and would take HTML's apart.
_ENTITIES = str.maketrans({"#": "#35;", "&": "#amp;", "<": "#lt;", ">": "#gt;", '"': "#quot;"})


class Drawing:
    """A picture of a recorded graph; notebooks show it.

    Attributes
    ----------
    dot : str
        The graph in the language of graphviz.
    mermaid : str
        The graph in the language of Mermaid, which GitHub and JupyterLab draw.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    @cached_property
    def dot(self) -> str:
        """The graph in the language of graphviz."""
        lines = [
            "digraph {",
            '  graph [bgcolor="transparent", ranksep=0.3, nodesep=0.25]',
            f'  node [fontname="Helvetica,sans-serif", fontsize=11, fontcolor="{_TEXT}", '
            'style="filled", margin="0.12,0.06", height=0.3]',
            '  edge [color="#6b7280", fontcolor="#6b7280", fontname="Helvetica,sans-serif", '
            "fontsize=9, arrowsize=0.6]",
        ]
        for number, part in enumerate(self._graph.parts):
            fill, border = _COLOURS["result" if part.result else part.kind]
            style = _STYLES.get(part.kind, "filled")
            lines.append(
                f"  n{number} [label={_quoted(part.lines)}, shape=box, style={_quoted([style])}, "
                f'fillcolor="{fill}", color="{border}", penwidth={2 if part.result else 1}]'
            )
        for tail, head, label in self._graph.arrows:
            named = f" [label={_quoted([label])}]" if label else ""
            lines.append(f"  n{tail} -> n{head}{named}")
        return "\n".join([*lines, "}"]) + "\n"

    @cached_property
    def mermaid(self) -> str:
        """The graph in the language of Mermaid."""
        lines = ["flowchart TD"]
        for number, part in enumerate(self._graph.parts):
            kind = "result" if part.result else part.kind
            left, right = ("([", "])") if part.kind in _STYLES else ("[", "]")
            lines.append(f'  n{number}{left}"{_escaped(part.lines)}"{right}:::{kind}')
        for tail, head, label in self._graph.arrows:
            named = f'|"{_escaped([label])}"|' if label else ""
            lines.append(f"  n{tail} -->{named} n{head}")
        for kind, (fill, border) in _COLOURS.items():
            width = ",stroke-width:2px" if kind == "result" else ""
            lines.append(f"  classDef {kind} fill:{fill},stroke:{border},color:{_TEXT}{width}")
        return "\n".join(lines) + "\n"

    @property
    def svg(self) -> str:
        """The picture as SVG, by graphviz.

        Raises
        ------
        RuntimeError
            If the program ``dot`` of graphviz is not installed, or fails.
        """
        return self._render("svg").decode()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture into a file, in the format that its suffix names.

        Parameters
        ----------
        path : str or path
            ``.svg``, ``.png`` and ``.pdf`` are drawn by graphviz; ``.dot`` (``.gv``) and
            ``.mmd`` (``.mermaid``) are the texts; ``.md`` is a page of Markdown with the
            Mermaid text.

        Raises
        ------
        ValueError
            If the suffix is none of these.
        RuntimeError
            If graphviz is needed and not installed.
        """
        path = Path(path)
        suffix = path.suffix.lower()
        writers: dict[str, Callable[[], str | bytes]] = {
            ".dot": lambda: self.dot,
            ".gv": lambda: self.dot,
            ".md": lambda: _fenced(self.mermaid),
            ".mermaid": lambda: self.mermaid,
            ".mmd": lambda: self.mermaid,
            ".pdf": lambda: self._render("pdf"),
            ".png": lambda: self._render("png"),
            ".svg": lambda: self._render("svg"),
        }
        if suffix not in writers:
            raise ValueError(
                f"no format for the suffix {path.suffix!r} of {str(path)!r}; one of "
                f"{', '.join(writers)}"
            )
        content = writers[suffix]()
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def _render(self, kind: str) -> bytes:
        program = shutil.which("dot")
        if program is None:
            raise RuntimeError(
                f"drawing {kind} needs the program `dot` of graphviz, which is not installed "
                "(apt-get install graphviz, brew install graphviz, or graphviz.org); without it "
                "take .mermaid or .dot, or save(path) with the suffix .md, .mmd or .dot"
            )
        run = subprocess.run([program, f"-T{kind}"], input=self.dot.encode(), capture_output=True)
        if run.returncode:
            raise RuntimeError(f"dot failed: {run.stderr.decode(errors='replace').strip()}")
        return run.stdout

    def __repr__(self) -> str:
        graph = self._graph
        operations, leaves = graph.count("operation"), graph.count("leaf")
        more = f", {graph.left_out:,} more not drawn" if graph.left_out else ""
        return (
            f"<drawing of {operations} operation{'' if operations == 1 else 's'} and {leaves} "
            f"lea{'f' if leaves == 1 else 'ves'}{more}: .svg, .mermaid, .dot, .save(path)>"
        )

    def _repr_svg_(self) -> str | None:
        """Return the picture for notebooks; None without graphviz."""
        return self.svg if shutil.which("dot") else None

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Return what a notebook may show: SVG, or Mermaid without graphviz."""
        bundle = {"text/plain": repr(self)}
        svg = self._repr_svg_()
        if svg is not None:
            return {**bundle, "image/svg+xml": svg}
        return {
            **bundle,
            "text/vnd.mermaid": self.mermaid,
            "text/markdown": _fenced(self.mermaid),
        }


def draw(
    value: Any, *, names: Mapping[str, Any] | None = None, limit: int | None = LIMIT
) -> Drawing:
    """Return a picture of the graph that `value` remembers.

    Operations have their function, what is constant in the call, shape and dtype; leaves their
    name, value if it is small, and gradient if there is one. What is used several times is drawn
    once; if many operations use it, it is named beside all but the first.

    Parameters
    ----------
    value : Variable, or container of them
        Results of operations on variables.
    names : dict, optional
        What to call variables, ``{"w": w}``; a variable, or a container of them, each.
        ``names=locals()`` names all there are.
    limit : int, optional
        How many operations and leaves are drawn, the newest ones; None: all.

    Returns
    -------
    Drawing
        Notebooks show it; ``.svg``, ``.dot`` and ``.mermaid`` are texts, ``.save(path)`` writes
        a file.

    Raises
    ------
    TypeError
        If there is no Variable in `value`.
    ValueError
        If nothing was recorded for one, or `limit` is not positive.

    Examples
    --------
    >>> import numpy as np
    >>> import autodiff as ad
    >>> w = ad.Variable([1.0, 2.0])
    >>> picture = ad.draw(np.sum(w * w), names={"w": w})
    >>> picture
    <drawing of 2 operations and 1 leaf: .svg, .mermaid, .dot, .save(path)>
    >>> print(picture.mermaid.partition("  classDef")[0])
    flowchart TD
      n0(["w<br/>(2,) float64<br/>[1., 2.]"]):::leaf
      n1["multiply<br/>(2,) float64"]:::operation
      n2["np.sum<br/>float64<br/>5"]:::result
      n0 --> n1
      n0 --> n1
      n1 --> n2
    <BLANKLINE>
    """
    if limit is not None and limit < 1:
        raise ValueError(f"limit={limit} draws nothing; give a positive number, or None for all")
    leaves, structure = parts_of(value)
    roots = [
        (path, leaf)
        for path, leaf in zip(paths_of(structure), leaves, strict=True)
        if isinstance(leaf, Variable)
    ]
    if not roots:
        raise TypeError(_nothing_in(value, leaves))
    for path, leaf in roots:
        if leaf.node is None:
            raise ValueError(
                f"the value{path} has no recorded graph: it was made under no_grad, by detach(), "
                "or from constants only. Draw what was computed from variables outside no_grad"
            )
    everything = 2**63 if limit is None else limit
    return Drawing(graph_of(roots, _by_source(names or {}), everything))


def _nothing_in(value: Any, leaves: list[Any]) -> str:
    """Return why there is nothing to draw, and what to draw instead."""
    if callable(value):
        name = getattr(value, "__name__", "f")
        return (
            f"draw takes the result of a function and not {name} itself: call it with variables, "
            f"draw({name}(Variable(x)))"
        )
    if any(isinstance(leaf, Dual) for leaf in leaves):
        return (
            "forward mode records no graph, a Dual carries its derivative along; draw the result "
            "of the same function of a Variable"
        )
    return (
        f"draw takes a Variable or a container of them, but got a {type(value).__name__} without "
        "any; its graph is recorded when it is computed from a Variable, outside np.asarray, "
        "float() and .value"
    )


def _by_source(names: Mapping[str, Any]) -> dict[int, str]:
    """Return the name of each variable in `names`, by the `id` of what its operations point to."""
    found: dict[int, str] = {}
    for name, value in names.items():
        if name.startswith("_") or not isinstance(value, (Variable, list, tuple, dict)):
            continue
        leaves, structure = parts_of(value)
        for path, leaf in zip(paths_of(structure), leaves, strict=True):
            if isinstance(leaf, Variable) and leaf.node is not None:
                found.setdefault(id(source_of(leaf)), name + path)
    return found


def _quoted(lines: list[str]) -> str:
    r"""Return lines as one string of graphviz.

    >>> print(_quoted(['say "x"', "and y"]))
    "say \"x\"\nand y"
    """
    texts = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(texts) + '"'


def _escaped(lines: list[str]) -> str:
    """Return lines as one text of Mermaid, whose labels are HTML between quotes.

    >>> _escaped(["a < b", "'#1'"])
    "a #lt; b<br/>'#35;1'"
    """
    return "<br/>".join(line.translate(_ENTITIES) for line in lines)


def _fenced(mermaid: str) -> str:
    return f"```mermaid\n{mermaid}```\n"
