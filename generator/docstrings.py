"""What the docstrings say of an entry: the words the templates put in place."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy

from diffrules.domains import shown
from diffrules.entry import Point, Rule, real_only
from generator.callees import Callees
from generator.examples import MOST, Example, digits, example, example_of_complex
from generator.layout import WIDTH, paragraph
from generator.methods import gradient_name, needed, partials_name, reads
from generator.printers import FormulaPrinter


@dataclass(frozen=True)
class Input:
    """Neighbouring arguments of one kind, as one line of the parameters.

    Attributes
    ----------
    names, kind : str
        ``x, y`` and ``arrays``.
    """

    names: str
    kind: str


@dataclass(frozen=True)
class Docstring:
    """Parts of one docstring.

    Attributes
    ----------
    summary, more : str
        First line, and the formula if it does not fit there.
    inputs : tuple of Input
        The arguments.
    several : bool
        There is more than one.
    arg : str
        The argument a gradient method is for; else empty.
    notes : tuple of str
        Paragraphs.
    reference : str
        Empty if the entry gives none.
    code : tuple of str
        Statements of the doctest.
    result : str
        What it prints.
    raw : bool
        There is a backslash in it.
    """

    summary: str
    more: str
    inputs: tuple[Input, ...]
    several: bool
    arg: str
    notes: tuple[str, ...]
    reference: str
    code: tuple[str, ...]
    result: str
    raw: bool


class Words:
    """Fills docstrings from entries.

    Parameters
    ----------
    callees : Callees
        The table.
    """

    def __init__(self, callees: Callees) -> None:
        self._formulas = FormulaPrinter(callees)
        self._values: dict[Rule, Docstring] = {}
        self._partials: dict[tuple[Rule, sympy.Symbol, bool], str] = {}

    def value(self, rule: Rule) -> Docstring:
        """Return the parts for the forward function."""
        if rule not in self._values:
            self._values[rule] = self._value(rule)
        return self._values[rule]

    def _value(self, rule: Rule) -> Docstring:
        there = example(rule)
        notes = [f"Value and derivatives are finite for {rule.domain}."]
        notes += [
            f"At {place(spot)} the value is {shown(spot.value)}."
            for spot in rule.at
            if spot.value is not None
        ]
        if rule.complex is real_only:
            notes.append("For real arguments only.")
        if rule.ulp is not None:
            notes.append(f"Measured error of the derivatives: at most {_bounds(rule)} ulp.")
        if rule.off:
            notes.append(f"{lost(rule)}.")
        if rule.aliases:
            notes.append(f"Also called {', '.join(rule.aliases)}.")
        return self._parts(
            rule,
            ("Return the value", self.formula(rule.value)),
            "",
            notes,
            ((_printed((f"{rule.name}({there.arguments})", digits(rule))),), there.value),
        )

    def gradient(
        self, rule: Rule, arg: sympy.Symbol, has_forward: bool, of_complex: bool = False
    ) -> Docstring:
        """Return the parts for the gradient method of one argument.

        Parameters
        ----------
        rule, arg
            The entry and its argument.
        has_forward : bool
            The module has the forward function too; else the doctest shows its value.
        of_complex : bool
            The method is the one for complex arguments.
        """
        shown: Example = (example_of_complex if of_complex else example)(rule)
        forward = f"{rule.name}({shown.arguments})" if has_forward else repr(shown.exact)
        read = reads(rule, arg, of_complex)
        forward = forward if "out" in read else "None"
        notes = _singular(rule, arg)
        if rule.note:
            notes.append(sentence(rule))
        notes.append(_reads(read))
        code: tuple[str, ...] = ()
        call = f"{gradient_name(rule, arg, of_complex)}(1.0, {{}}, {shown.arguments})"
        if len(_printed((call.format(forward), MOST))) > WIDTH - len("    >>> "):
            code, forward = (f"out = {forward}",), "out"
        of = f"``{rule.name}({', '.join(map(str, rule.args))})``"
        kind = " for complex arguments" if of_complex else ""
        return self._parts(
            rule,
            (
                f"Gradient of {of} with respect to ``{arg}``{kind}",
                self._partial(rule, arg, of_complex),
            ),
            str(arg),
            notes,
            (
                (*code, _printed((call.format(forward), MOST))),
                shown.partials[rule.args.index(arg)] or "",
            ),
        )

    def both(self, rule: Rule) -> Docstring:
        """Return the parts for the function that gives the value and all partials."""
        shown = example(rule)
        partials = [f"partial_{arg}" for arg in rule.args]
        listed = f"({', '.join(partials)}{',' if len(partials) == 1 else ''})"
        of = f"``{rule.name}({', '.join(map(str, rule.args))})``"
        summary = f"Return ``(out, {listed})`` of {of}"
        if len(summary) > WIDTH - len('    """."""'):
            summary = f"Return the value and all partials of {of}"
        return self._parts(
            rule,
            (summary, ""),
            "",
            [],
            (
                (
                    f"out, {listed} = {partials_name(rule)}({shown.arguments})",
                    _printed(("out", digits(rule)), *((name, MOST) for name in partials)),
                ),
                " ".join(filter(None, (shown.value, *shown.partials))),
            ),
        )

    def formula(self, expression: sympy.Basic) -> str:
        """Return an expression as people type it."""
        return str(self._formulas.code(expression))

    def _partial(self, rule: Rule, arg: sympy.Symbol, of_complex: bool) -> str:
        key = rule, arg, of_complex
        if key not in self._partials:
            partial, terms = needed(*key)
            text = self._formulas.times_grad(partial)
            self._partials[key] = self._formulas.with_terms(text, terms)
        return self._partials[key]

    @staticmethod
    def _parts(
        rule: Rule,
        summary: tuple[str, str],
        arg: str,
        notes: Sequence[str],
        example: tuple[tuple[str, ...], str],
    ) -> Docstring:
        words, formula = summary
        line, more = f"{words}: ``{formula}``." if formula else f"{words}.", ""
        if len(line) > WIDTH - len('    """'):
            line, more = f"{words}.", paragraph(f"``{formula}``")
        return Docstring(
            summary=line,
            more=more,
            inputs=tuple(_inputs(rule)),
            several=len(rule.args) > 1,
            arg=arg,
            notes=tuple(paragraph(note) for note in notes),
            reference=paragraph(rule.reference),
            code=example[0],
            result=example[1],
            raw="\\" in rule.note + rule.reference + line + more,
        )


def _printed(*expressions: tuple[str, int]) -> str:
    """Return the statement that prints numbers, with so many digits, as `Example` gives them."""
    shown = " ".join(f"{{{expression}:.{count}g}}" for expression, count in expressions)
    return f'print(f"{shown}")'


def _inputs(rule: Rule) -> Iterator[Input]:
    for whole, group in itertools.groupby(rule.args, lambda arg: rule.domain.is_whole(arg)):
        names = list(map(str, group))
        kind = "int" if whole else "array" if len(names) == 1 else "arrays"
        yield Input(", ".join(names), kind)


def _singular(rule: Rule, arg: sympy.Symbol) -> list[str]:
    return [
        f"At {place(spot)} it is {shown(spot.partials[arg])}: {spot.reason}." for spot in rule.at
    ]


def place(spot: Point) -> str:
    """Return where a singular point is: ``x = 0, y = inf``."""
    return ", ".join(f"{arg} = {shown(value)}" for arg, value in spot.where.items())


def _bounds(rule: Rule) -> str:
    """Return the bounds of an entry: ``4``, or ``8 in a, 16 in x``."""
    if not rule.bounds:
        return f"{rule.ulp:g}"
    return ", ".join(f"{bound:g} in {arg}" for arg, bound in rule.bounds.items())


def lost(rule: Rule) -> str:
    """Return what is said of an entry whose values a library computes with few digits."""
    called = rule.numpy[0] if isinstance(rule.numpy, tuple) else rule.numpy
    whose = "NumPy" if called.startswith("np.") else "SciPy"
    size = f"{rule.off:.0e}".replace("e-0", "e-")
    return f"{whose}'s own values are off by up to {size} of their size"


def _reads(reads: Sequence[str]) -> str:
    if not reads:
        return "It reads neither ``out`` nor an argument; all may be None."
    *first, last = (f"``{name}``" for name in reads)
    names = f"{', '.join(first)} and {last}" if first else last
    return f"It reads {names}; the others may be None."


def sentence(rule: Rule) -> str:
    """Return the note as a sentence; a name at its start is left as it is."""
    text = rule.note if rule.note.endswith(".") else f"{rule.note}."
    first = text.split()[0]
    is_name = first in {"out", "grad", *map(str, rule.args), *map(str, rule.let)}
    return text if is_name or not first.isalpha() else text[0].upper() + text[1:]
