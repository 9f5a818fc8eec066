"""What the manifest says of each entry."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping

import sympy

from diffrules.entry import Rule, not_differentiable, real_only
from diffrules.guards import out
from generator.layout import WIDTH, statement
from generator.methods import answers, gradient_name, is_zero, reads
from generator.modules import Module


def entry_lines(rule: Rule, scalar: Module) -> list[str]:
    """Return one entry of the manifest as lines."""
    parts = [
        _quoted(rule.name),
        _quoted(rule.family),
        _tuple(map(_quoted, map(str, rule.args))),
    ]
    parts.append(_tuple(_grad(rule, arg, scalar) for arg in rule.args))
    if answers(rule):
        parts.append("answers=" + _tuple(map(_quoted, answers(rule))))
    if rule.aliases:
        parts.append("aliases=" + _tuple(map(_quoted, rule.aliases)))
    if rule.name not in scalar:
        parts.append("scalar=False")
    if rule.complex is not None:
        parts.append('complex="real only"' if rule.complex is real_only else 'complex="own"')
    lines = statement("", f"Entry({', '.join(parts)})", tail=",")
    if len(lines) > len(("Entry(", "all parts", "),")):
        lines[-2] += ","
    return lines


def refused_lines(refused: Mapping[str, str]) -> list[str]:
    """Return the functions without an entry, and the reasons, as lines of a dictionary."""
    lines = []
    for function, reason in sorted(refused.items()):
        line = f"    {_quoted(function)}: {_quoted(reason)},"
        if len(line) > WIDTH:
            parts = textwrap.wrap(reason, WIDTH - 14, drop_whitespace=False)
            inner = "\n".join(f"        {_quoted(part)}" for part in parts)
            line = f"    {_quoted(function)}: (\n{inner}\n    ),"
        lines.append(line)
    return lines


def _grad(rule: Rule, arg: sympy.Symbol, scalar: Module) -> str:
    written = rule.partials[arg]
    if isinstance(written, not_differentiable):
        return f"Grad((), scalar=False, reason={_quoted(written.reason)})"
    if is_zero(rule, arg):
        return "Grad((), zero=True)"
    return f"Grad({', '.join(_facts(rule, arg, scalar))})"


def _facts(rule: Rule, arg: sympy.Symbol, scalar: Module) -> Iterator[str]:
    yield _tuple(map(_quoted, reads(rule, arg)))
    if gradient_name(rule, arg) not in scalar:
        yield "scalar=False"
    written = rule.partials[arg]
    if written in (out, *rule.args):
        yield f"same={_quoted(str(written))}"
    if arg in rule.own_complex:
        yield f"complex_reads={_tuple(map(_quoted, reads(rule, arg, of_complex=True)))}"


def _tuple(parts: Iterable[str]) -> str:
    listed = list(parts)
    return f"({listed[0]},)" if len(listed) == 1 else f"({', '.join(listed)})"


def _quoted(text: str) -> str:
    return json.dumps(text)
