"""The reference pages under ``docs/rules``: the table for people, one page a family."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import sympy

from diffrules.domains import shown
from diffrules.entry import REFUSED, Rule, not_differentiable, real_only
from diffrules.guards import out
from generator.callees import callees_named
from generator.docstrings import lost, place
from generator.measured import Measured
from generator.methods import has_gradient, needed
from generator.package import environment
from generator.plots import is_drawn
from generator.printers.latex import latex
from generator.tables import Table
from generator.write import BANNER

LIBRARIES = {"np": "np", "special": "scipy.special"}


@dataclass(frozen=True)
class Formula:
    """One line of mathematics: what it is, and LaTeX or a reason."""

    title: str
    latex: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Section:
    """What a page says of one entry."""

    rule: Rule
    signature: str
    names: str
    formulas: tuple[Formula, ...]
    facts: tuple[tuple[str, str], ...]
    plot: str


class Pages:
    """Renders the pages of a table.

    Parameters
    ----------
    table : Table
        The entries.
    measured : Measured
        What was measured of them.
    """

    def __init__(self, table: Table, measured: Measured) -> None:
        self._table = table
        self._record = measured
        self._environment = environment()

    def render(self) -> dict[str, str]:
        """Return the text of every page, by its path inside the folder."""
        public = {
            family: [rule for rule in rules if rule.is_public]
            for family, rules in self._table.families.items()
        }
        pages = {
            f"{family}.md": self._text(
                "page_family.md.jinja",
                title=_title(self._table.subject(family)),
                source=self._table.path(family),
                sections=list(map(self._section, public[family])),
                private=[self._section(rule) for rule in rules if rule not in public[family]],
            )
            for family, rules in self._table.families.items()
        }
        index = [
            (family, _title(self._table.subject(family)), rules) for family, rules in public.items()
        ]
        pages["README.md"] = self._text("page_index.md.jinja", families=index, anchor=anchor)
        pages["scipy.md"] = self._text("page_scipy.md.jinja", lines=scipy_lines(self._table))
        return pages

    def _text(self, template: str, **names: object) -> str:
        banner = f"<!-- {BANNER}{self._table.command}`; do not edit. -->"
        text = self._environment.get_template(template).render(banner=banner, **names)
        return text.rstrip("\n") + "\n"

    def _section(self, rule: Rule) -> Section:
        listed = ", ".join(map(str, rule.args))
        return Section(
            rule=rule,
            signature=f"{rule.name}({listed})",
            names=", ".join(f"`{name}`" for name in (*rule.aliases, *_answered(rule))),
            formulas=tuple(_formulas(rule)),
            facts=(*_facts(rule), *self._measured(rule)),
            plot=f"plots/{rule.name}.svg" if is_drawn(rule) else "",
        )

    def _measured(self, rule: Rule) -> Iterator[tuple[str, str]]:
        if rule.bounds:
            words = {out: "of the value"}
            each = [
                f"{bound:g} ulp {words.get(of, f'in {of}')}" for of, bound in rule.bounds.items()
            ]
            yield "bound", ", ".join(each)
        elif rule.ulp is not None:
            yield "bound", f"{rule.ulp:g} ulp"
        measured = self._record.sentence(rule.name)
        if measured:
            yield "measured", measured


def _title(subject: str) -> str:
    return subject[:1].upper() + subject[1:]


def anchor(rule: Rule) -> str:
    """Return the link to the section of an entry."""
    listed = "-".join(map(str, rule.args)).lower()
    return f"{rule.family}.md#{rule.name.lower()}{listed}"


def _answered(rule: Rule) -> list[str]:
    """Return the NumPy and SciPy functions an entry answers for, as users write them."""
    known = (name.partition(".") for name in callees_named(rule))
    return [f"{LIBRARIES[library]}.{name}" for library, _, name in known if library in LIBRARIES]


def _formulas(rule: Rule) -> Iterator[Formula]:
    call = latex(rule(*rule.args))
    named = type(rule.value).__name__ == rule.name and rule.value.args == rule.args
    yield Formula("value", call if named else f"{call} = {latex(rule.value)}")
    lets: dict[sympy.Symbol, sympy.Expr] = {}
    for arg in rule.args:
        partial = rule.partials[arg]
        if isinstance(partial, not_differentiable):
            yield Formula(f"no partial in {arg}", reason=partial.reason)
            continue
        lets |= dict(needed(rule, arg)[1])
        left = rf"\frac{{\partial}}{{\partial {latex(arg)}}}"
        yield Formula(f"partial in {arg}", f"{left} = {latex(needed(rule, arg)[0])}")
        if arg in rule.own_complex:
            own, terms = needed(rule, arg, of_complex=True)
            lets |= dict(terms)
            yield Formula(f"partial in {arg} of complex numbers", f"{left} = {latex(own)}")
    for name in rule.let:
        if name in lets:
            yield Formula("with", f"{latex(name)} = {latex(lets[name])}")


def _facts(rule: Rule) -> Iterator[tuple[str, str]]:
    yield "domain", str(rule.domain)
    if rule.complex is real_only:
        yield "complex", "for real arguments only"
    for spot in rule.at:
        partials = ", ".join(f"{shown(value)} in {arg}" for arg, value in spot.partials.items())
        yield f"at {place(spot)}", f"{partials}: {spot.reason}"
    if rule.note:
        yield "why", rule.note
    if rule.off:
        yield "value", f"{lost(rule)}."
    if rule.reference:
        yield "reference", re.sub(r"(https?://\S+)", r"<\1>", rule.reference)


def scipy_lines(table: Table) -> list[tuple[str, ...]]:
    """Return what is differentiable of each ufunc of ``scipy.special``: name, entry, arguments."""
    found: dict[str, list[tuple[str, str]]] = {}
    for rule in table.rules:
        for dotted in callees_named(rule):
            library, _, name = dotted.partition(".")
            if library == "special":
                function = name.partition("[")[0]
                output = f"output {name[:-1].partition('[')[2]}: " if "[" in name else ""
                link = f"[`{rule.name}`]({anchor(rule)})"
                found.setdefault(function, []).append((link, output + _arguments(rule)))
    for dotted, reason in REFUSED.items():
        library, _, name = dotted.partition(".")
        if library == "special":
            found.setdefault(name, []).append(("", f"refused: {reason}"))
    return [
        (name, *("<br>".join(dict.fromkeys(words)) for words in zip(*parts, strict=True)))
        for name, parts in sorted(found.items())
    ]


def _arguments(rule: Rule) -> str:
    followed = [f"`{arg}`" for arg in rule.args if has_gradient(rule, arg)]
    parts = [f"in {', '.join(followed)}" if followed else "in no argument"]
    reasons: dict[str, list[str]] = {}
    for arg in rule.args:
        partial = rule.partials[arg]
        if isinstance(partial, not_differentiable):
            reasons.setdefault(partial.reason, []).append(f"`{arg}`")
    parts += [f"not in {', '.join(args)} ({reason})" for reason, args in reasons.items()]
    return "; ".join(parts)
