"""The file of one engine: every entry that can be written there, and what is left out."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

import sympy

from diffrules.domains import shown
from diffrules.entry import RULES, Rule, not_differentiable
from generator.callees import Callees
from generator.docstrings import place, sentence
from generator.layout import WIDTH, paragraph, statement
from generator.methods import Body, gradient_name, needed
from generator.package import environment
from generator.printers import FormulaPrinter
from generator.tables import COMMAND, Table
from generator.targets.autograd import AutogradPrinter
from generator.targets.jax import JaxPrinter
from generator.targets.numba import NumbaPrinter
from generator.targets.printer import Target
from generator.targets.prune import pruned
from generator.targets.selection import Draft, select
from generator.targets.torch import TorchPrinter
from generator.write import BANNER

TARGETS: dict[str, type[Target]] = {
    "jax": JaxPrinter,
    "torch": TorchPrinter,
    "autograd": AutogradPrinter,
    "numba": NumbaPrinter,
}


@dataclass(frozen=True)
class Gradient:
    """The derivative of a function in one argument, ready for the template.

    Attributes
    ----------
    arg, name : str
        The argument, and the name of the function that multiplies a cotangent by it.
    lines : tuple of str
        Its statements; empty where the derivative is 0 everywhere, or where there is none.
    reason : str
        Why there is none; else empty.
    doc : tuple of str
        Lines of its docstring.
    """

    arg: str
    name: str
    lines: tuple[str, ...]
    reason: str
    doc: tuple[str, ...]

    def given(self, function: str, indent: int) -> str:
        """Return what stands for this gradient in a list of those of `function`."""
        if not self.reason:
            return self.name if self.lines else "None"
        call = f'_no_derivative("{function}", "{self.arg}", "{self.reason}")'
        if len(call) + indent < WIDTH:
            return call
        pad = "\n" + " " * (indent + 4)
        words = textwrap.wrap(self.reason, WIDTH - indent - 8, drop_whitespace=False)
        parts = pad.join(f'"{part}"' for part in words)
        return f'_no_derivative({pad}"{function}",{pad}"{self.arg}",{pad}{parts},{pad[:-4]})'


@dataclass(frozen=True)
class Function:
    """One entry, ready for the template.

    Attributes
    ----------
    name, args, static, aliases
        Of the entry; `static` are leading arguments that are Python numbers.
    lines : tuple of str
        The statements that compute the value.
    doc : tuple of str
        Lines of the docstring.
    gradients : tuple of Gradient
        One per argument.
    """

    name: str
    args: tuple[str, ...]
    static: tuple[str, ...]
    aliases: tuple[str, ...]
    lines: tuple[str, ...]
    doc: tuple[str, ...]
    gradients: tuple[Gradient, ...]

    @property
    def arrays(self) -> tuple[str, ...]:
        """The arguments that are arrays."""
        return self.args[len(self.static) :]

    @property
    def rule(self) -> str:
        """The name of a class for this function; those of private ones cannot be the same."""
        words = "".join(word.capitalize() for word in self.name.split("_"))
        return f"_Helper{words}" if self.name.startswith("_") else f"_{words}"

    def listed(self, head: str, *first: str, indent: int = 0) -> str:
        """Return ``head(`` with `first` and the gradients, in lines that are not too long."""
        parts = [*first, *(made.given(self.name, indent + 4) for made in self.gradients)]
        comma = "," if len(parts) == 1 and head.endswith("= ") else ""
        line = f"{head}({', '.join(parts)}{comma})"
        if len(line) + indent <= WIDTH:
            return line
        pad = " " * indent
        return f"{head}(\n" + "".join(f"{pad}    {part},\n" for part in parts) + f"{pad})"


@dataclass(frozen=True)
class File:
    """A rendered file.

    Attributes
    ----------
    text : str
        Its content.
    held, asked : int
        How many entries of the table it holds, and how many the table has.
    """

    text: str
    held: int
    asked: int


def render(table: Table, target: str) -> File:
    """Return the file of one engine.

    Parameters
    ----------
    table : Table
        The entries.
    target : str
        A key of `TARGETS`.
    """
    callees = Callees(RULES.values())
    engine = TARGETS[target]
    selection = select(table.rules, engine, callees)
    words = FormulaPrinter(callees)
    functions = [_function(draft, words, engine) for draft in selection.drafts]
    command = f"{COMMAND} --target {target}"
    command += "" if table.is_ours else f" --rules {table.source}"
    calls = [name for draft in selection.drafts for name in draft.helpers]
    imports, helpers = engine.bundle(calls)
    text = (
        environment()
        .get_template(f"target_{target}.py.jinja")
        .render(
            banner=f"{BANNER}{command}`; do not edit.",
            functions=functions,
            names=sorted(_public(functions), key=_natural),
            missing=list(_missing(selection.missing)),
            held=len(table.rules) - len(selection.missing),
            asked=len(table.rules),
            imports=imports,
            support=helpers,
        )
    )
    return File(
        pruned(text).rstrip("\n") + "\n",
        len(table.rules) - len(selection.missing),
        len(table.rules),
    )


def _public(functions: list[Function]) -> Iterator[str]:
    for function in functions:
        for name in (function.name, *function.aliases):
            if not name.startswith("_"):
                yield name


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a key by which log2 comes before log10, as linters sort ``__all__``."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def _missing(missing: dict[Rule, str]) -> Iterator[str]:
    """Yield the reasons, each with the entries it holds for."""
    found: dict[str, list[str]] = {}
    for rule, reason in missing.items():
        found.setdefault(reason, []).append(rule.name)
    for reason, names in found.items():
        yield paragraph(f"{', '.join(names)}: {reason}.", indent=2)


def _function(draft: Draft, words: FormulaPrinter, engine: type[Target]) -> Function:
    rule = draft.rule
    return Function(
        name=rule.name,
        args=tuple(map(str, rule.args)),
        static=tuple(map(str, draft.static)),
        aliases=rule.aliases,
        lines=_statements(draft.value, engine.indent),
        doc=tuple(_value_doc(rule, words)),
        gradients=tuple(
            Gradient(
                arg=str(arg),
                name=gradient_name(rule, arg),
                lines=_statements(made) if isinstance(made, Body) else (),
                reason=made if isinstance(made, str) else "",
                doc=tuple(_gradient_doc(rule, arg, words)) if isinstance(made, Body) else (),
            )
            for arg, made in draft.gradients.items()
            if arg not in draft.static
        ),
    )


def _statements(body: Body, indent: int = 4) -> tuple[str, ...]:
    lines: list[str] = []
    for let in body.lets:
        remark = f"  # {let.remark}" if let.remark else ""
        lines += statement(f"{let.name} =", let.code, indent, remark)
    return (*lines, *statement("return", body.result, indent))


def _value_doc(rule: Rule, words: FormulaPrinter) -> Iterator[str]:
    yield from _summary("Return ", str(words.code(rule.value)))
    if rule.note:
        yield ""
        yield from _filled(sentence(rule))
    for arg, partial in rule.partials.items():
        if isinstance(partial, not_differentiable):
            yield ""
            yield from _filled(f"No derivative in ``{arg}``: {partial.reason}.")


def _gradient_doc(rule: Rule, arg: sympy.Symbol, words: FormulaPrinter) -> Iterator[str]:
    partial, terms = needed(rule, arg)
    text = words.with_terms(words.times_grad(partial), terms)
    yield from _summary("Return ", text)
    if rule.at:
        yield ""
        for spot in rule.at:
            found = shown(spot.partials[arg])
            line = f"At {place(spot)} the partial is {found}: {spot.reason}."
            yield from _filled(line)


def _summary(words: str, formula: str) -> Iterator[str]:
    line = f"{words}``{formula}``."
    if len(line) <= WIDTH - len('    r"""'):
        yield line
        return
    yield "Return the value of a formula."
    yield ""
    yield from _filled(f"``{formula}``")


def _filled(text: str) -> list[str]:
    return [line.strip() for line in paragraph(text).splitlines()]
