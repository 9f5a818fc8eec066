"""``--explain``: one entry in mathematics and in code."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator

import sympy

from diffrules.domains import shown
from diffrules.entry import Rule, not_differentiable, real_only
from generator.callees import Callees
from generator.docstrings import Words, lost, place
from generator.errors import GeneratorError
from generator.kernels import Kernels
from generator.layout import WIDTH, paragraph
from generator.methods import needed
from generator.modules import BACKENDS, Modules
from generator.tables import Table

GAP = 6


def explain(name: str, table: Table, callees: Callees, unicode: bool = True) -> str:
    """Return everything about one entry as text.

    Parameters
    ----------
    name : str
        Name or alias.
    table : Table
        Where to look.
    callees : Callees
        All entries.
    unicode : bool
        Draw formulas with Unicode characters.

    Raises
    ------
    GeneratorError
        If there is no such entry; near names are suggested.
    """
    rule = _find(name, table)
    parts = [*_mathematics(rule, unicode), *_words(rule), *_code(rule, callees)]
    return "\n".join(line.rstrip() for line in parts)


def _find(name: str, table: Table) -> Rule:
    names = {alias: rule for rule in table.rules for alias in (rule.name, *rule.aliases)}
    if name in names:
        return names[name]
    near = difflib.get_close_matches(name, names)
    hint = f"did you mean {' or '.join(near)}?" if near else "--list shows all names"
    raise GeneratorError(f"no rule {name!r} in {table.source}; {hint}")


def _mathematics(rule: Rule, unicode: bool) -> Iterator[str]:
    def drawn(expression: sympy.Basic) -> list[str]:
        text = sympy.pretty(expression, use_unicode=unicode, num_columns=1000)
        return str(text).splitlines()

    called = f"{rule.name}({', '.join(map(str, rule.args))})"
    aliases = f", also {', '.join(rule.aliases)}" if rule.aliases else ""
    yield f"{called}{aliases}: {rule.place}"
    yield from _titled("value", drawn(rule.value))
    lets: dict[sympy.Symbol, sympy.Expr] = {}
    for arg in rule.args:
        if not isinstance(rule.partials[arg], not_differentiable):
            lets |= dict(needed(rule, arg)[1])
        if arg in rule.own_complex:
            lets |= dict(needed(rule, arg, of_complex=True)[1])
    for symbol, term in rule.let.items():
        if symbol in lets:
            yield from _titled(f"with {symbol} =", drawn(term))
    for arg in rule.args:
        partial = rule.partials[arg]
        if isinstance(partial, not_differentiable):
            yield from _titled(f"no partial in {arg}", [partial.reason])
            continue
        own = _block(f"partial in {arg}", drawn(needed(rule, arg)[0]))
        theirs = _block("SymPy's own", drawn(rule.meaning().diff(arg)))
        yield ""
        yield from _beside(own, theirs)
        if arg in rule.own_complex:
            partial = needed(rule, arg, of_complex=True)[0]
            yield from _titled(f"partial in {arg} for complex arguments", drawn(partial))


def _words(rule: Rule) -> Iterator[str]:
    yield ""
    yield f"domain: {rule.domain}"
    if rule.complex is real_only:
        yield "for real arguments only"
    for spot in rule.at:
        partials = ", ".join(f"{arg}: {shown(value)}" for arg, value in spot.partials.items())
        yield f"at {place(spot)}: partials {partials} ({spot.reason})"
    if rule.note:
        yield f"note: {paragraph(rule.note, indent=6)}"
    if rule.off:
        yield f"value: {lost(rule)}"
    if rule.reference:
        yield f"reference: {rule.reference}"


def _code(rule: Rule, callees: Callees) -> Iterator[str]:
    for backend in BACKENDS:
        module = Modules(backend, callees, Words(callees)).module(rule.family, [rule])
        lines = [f.signature + "\n" + "\n".join(f.lines) for f in module.functions]
        yield from _titled(backend, "\n\n".join(lines).splitlines() or ["no form in this backend"])
    kernels = Kernels(callees, [rule])
    lines = [f"{f.signature} {{\n" + "\n".join(f.lines) + "\n}" for f in kernels.functions[::2]]
    lines += [f"left out: {missing}" for missing in kernels.missing]
    yield from _titled("C", "\n\n".join(lines).splitlines())


def _block(title: str, lines: list[str]) -> list[str]:
    return [title, *(f"    {line}" if line else "" for line in lines)]


def _titled(title: str, lines: list[str]) -> list[str]:
    return ["", *_block(title, lines)]


def _beside(left: list[str], right: list[str]) -> Iterator[str]:
    """Yield two blocks side by side, or one below the other where they are too wide."""
    width = max(map(len, left)) + GAP
    if width + max(map(len, right)) > WIDTH:
        yield from (*left, *right)
        return
    for a, b in itertools.zip_longest(left, right, fillvalue=""):
        yield f"{a:<{width}}{b}".rstrip()
