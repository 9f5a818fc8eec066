"""The files of a generated package, from the entries of a table."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import jinja2
import sympy

from diffrules.entry import RULES, Rule, not_differentiable
from generator.callees import Callees
from generator.docstrings import Docstring, Words
from generator.errors import GeneratorError, Unsupported
from generator.layout import WIDTH, statement
from generator.methods import (
    Body,
    answers,
    forward,
    gradient,
    gradient_name,
    has_gradient,
    is_overridable,
    is_zero,
)
from generator.printers import BroadcastedPrinter, Code, ScalarPrinter, Shared, Uses

OURS = "generated"
BACKENDS: dict[str, type[Shared]] = {"scalar": ScalarPrinter, "broadcasted": BroadcastedPrinter}
COMMAND = "python -m generator"


@dataclass(frozen=True)
class Table:
    """Entries to generate, and what their package is called.

    Attributes
    ----------
    rules : tuple of Rule
        In the order of the table.
    source : str
        Module that holds them: ``diffrules``, or a module of the user.
    """

    rules: tuple[Rule, ...]
    source: str = "diffrules"

    @property
    def is_ours(self) -> bool:
        """Whether this is the table of the project and not a user's."""
        return self.source == "diffrules"

    @property
    def command(self) -> str:
        """The command that writes the package."""
        return COMMAND if self.is_ours else f"{COMMAND} --rules {self.source}"

    @property
    def families(self) -> dict[str, tuple[Rule, ...]]:
        """Entries by family, sorted by family."""
        found: dict[str, list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(rule.family, []).append(rule)
        return {family: tuple(found[family]) for family in sorted(found)}

    def path(self, family: str) -> str:
        """Return the file that holds the entries of a family."""
        module = next(rule.module for rule in self.rules if rule.family == family)
        return module.replace(".", "/") + ".py"


def our_table() -> Table:
    """Return the project's own table."""
    importlib.import_module("diffrules")
    return table_of("diffrules")


def table_of(module: str) -> Table:
    """Return the entries that `module`, or a module below it, defines.

    Raises
    ------
    GeneratorError
        If there are none, or two have one name.
    """
    rules = tuple(
        rule
        for rule in RULES.values()
        if rule.module == module or rule.module.startswith(f"{module}.")
    )
    if not rules:
        raise GeneratorError(
            f"{module} defines no rule; write at least one rule(...) in it "
            "(see diffrules/vocabulary.py for the words)"
        )
    seen: dict[str, Rule] = {}
    for rule in rules:
        other = seen.setdefault(rule.name, rule)
        if other is not rule:
            raise GeneratorError(
                f"{rule.name!r} is at {other.place} and at {rule.place}; generated code has one "
                "function per name: rename one of the two"
            )
    return Table(rules, module)


@dataclass(frozen=True)
class Function:
    """One function of a module, ready for the template.

    Attributes
    ----------
    name : str
        Its name.
    signature : str
        From ``def`` to the colon.
    lines : tuple of str
        The statements, indented.
    doc : Docstring
        Words for the docstring.
    overridable : bool
        It is decorated, because what it calls does not dispatch.
    is_gradient : bool
        It is a gradient method and not a value.
    """

    name: str
    signature: str
    lines: tuple[str, ...]
    doc: Docstring
    overridable: bool = False
    is_gradient: bool = False


@dataclass
class Module:
    """The functions of one family on one backend, and what they need from outside."""

    family: str
    backend: str
    functions: list[Function] = field(default_factory=list)
    uses: Uses = field(default_factory=Uses)

    def __contains__(self, name: str) -> bool:
        return any(function.name == name for function in self.functions)


class Package:
    """Renders all files of the package of one table.

    Parameters
    ----------
    table : Table
        The entries.
    progress : callable
        Called with the name of each entry when it is done.
    """

    def __init__(self, table: Table, progress: Callable[[str], None] = lambda name: None) -> None:
        self.table = table
        self.callees = Callees(RULES.values())
        self.words = Words(self.callees)
        self.progress = progress
        self._environment = environment()

    def render(self) -> dict[str, str]:
        """Return the text of every file, by its path inside the package."""
        modules = {backend: self.modules(backend) for backend in BACKENDS}
        files = {
            "py.typed": "",
            "__init__.py": self._text("package.py.jinja"),
            "manifest.py": self._text("manifest.py.jinja", entries=self._entries(modules)),
        }
        for backend, families in modules.items():
            files[f"{backend}/__init__.py"] = self._text("backend.py.jinja", backend=backend)
            for family, module in families.items():
                files[f"{backend}/{family}.py"] = self._module_text(
                    module, together=_cycles(families).get(family, frozenset())
                )
        if self.table.is_ours:
            files["support.py"] = self._text("support.py.jinja")
        return files

    def modules(self, backend: str) -> dict[str, Module]:
        """Return the functions of every family on a backend."""
        return {
            family: self._module(backend, family, rules)
            for family, rules in self.table.families.items()
        }

    def _text(self, template: str, source: str | None = None, **names: Any) -> str:
        source = source or self.table.source.replace(".", "/") + (
            "/" if self.table.is_ours else ".py"
        )
        text = self._environment.get_template(template).render(
            banner=(
                f"GENERATED by `{self.table.command}`; do not edit, the next run overwrites it.\n"
                f"Rules: {source}.  Template: generator/templates/{template}."
            ),
            table=self.table,
            **names,
        )
        return text.rstrip("\n") + "\n"

    def _module(self, backend: str, family: str, rules: Iterable[Rule]) -> Module:
        module = Module(family, backend)
        for rule in rules:
            for function, uses in self._functions(backend, rule):
                module.functions.append(function)
                module.uses.merge(uses)
            self.progress(rule.name)
        return module

    def _functions(self, backend: str, rule: Rule) -> Iterator[tuple[Function, Uses]]:
        kind = "float" if backend == "scalar" else "Any"
        args = tuple(map(str, rule.args))
        uses = Uses()
        body = self._body(backend, rule, lambda printer: forward(rule, printer), uses)
        if body is not None:
            decorated = backend == "broadcasted" and is_overridable(rule, self.callees)
            if decorated:
                uses.support["overridable"] = None
            yield (
                Function(
                    rule.name,
                    _signature(rule.name, args, kind),
                    _statements(body),
                    self.words.value(rule),
                    overridable=decorated,
                ),
                uses,
            )
        for arg in filter(lambda arg: has_gradient(rule, arg), rule.args):
            uses = Uses()
            if is_zero(rule, arg):
                body = Body(Code("0.0" if backend == "scalar" else "np.zeros_like(grad)"))
            else:
                body = self._body(
                    backend, rule, lambda printer, arg=arg: gradient(rule, arg, printer), uses
                )
            if body is not None:
                name = gradient_name(rule, arg)
                yield (
                    Function(
                        name,
                        _signature(name, ("grad", "out", *args), kind),
                        _statements(body),
                        self.words.gradient(rule, arg, body.reads),
                        is_gradient=True,
                    ),
                    uses,
                )

    def _body(
        self, backend: str, rule: Rule, make: Callable[[Shared], Body], uses: Uses
    ) -> Body | None:
        """Return a body; None if there is no scalar form."""
        try:
            return make(BACKENDS[backend](self.callees, uses))
        except Unsupported as missing:
            if backend == "scalar":
                return None
            raise GeneratorError(
                f"entry {rule.name!r} at {rule.place}: no NumPy form ({missing}); give numpy="
            ) from None
        except GeneratorError as error:
            raise GeneratorError(f"entry {rule.name!r} at {rule.place}: {error}") from None

    def _module_text(self, module: Module, together: frozenset[str]) -> str:
        code = "\n".join(line for function in module.functions for line in function.lines)
        imports, late = self._imports(module, together)
        return self._text(
            f"module_{module.backend}.py.jinja",
            source=self.table.path(module.family),
            subject=_subject(self.table, module.family),
            module=module,
            uses_math="math." in code,
            uses_np="np." in code,
            imports=imports,
            late=late,
        )

    def _imports(self, module: Module, together: frozenset[str]) -> tuple[list[str], list[str]]:
        early: dict[str, list[str]] = {}
        late: dict[str, list[str]] = {}
        for rule in module.uses.rules:
            if rule in self.table.rules:
                if rule.family != module.family:
                    where = late if rule.family in together else early
                    where.setdefault(self._sibling(module, rule), []).append(rule.name)
            elif rule.module.startswith("diffrules."):
                early.setdefault(f"{OURS}.{module.backend}.{rule.family}", []).append(rule.name)
            else:
                raise GeneratorError(
                    f"the entries of {module.family} call {rule.name} of {rule.place}, which is "
                    f"neither in {self.table.source} nor in diffrules; put them into one module"
                )
        if module.uses.support:
            early[f"{OURS}.support"] = list(module.uses.support)
        return _import_lines(early), _import_lines(late)

    def _sibling(self, module: Module, rule: Rule) -> str:
        return f"{OURS}.{module.backend}.{rule.family}" if self.table.is_ours else f".{rule.family}"

    def _entries(self, modules: dict[str, dict[str, Module]]) -> list[str]:
        return [
            "\n".join(self._entry(rule, modules["scalar"][rule.family]))
            for rule in sorted(self.table.rules, key=lambda rule: (rule.family, rule.line))
        ]

    def _entry(self, rule: Rule, scalar: Module) -> list[str]:
        parts = [
            _quoted(rule.name),
            _quoted(rule.family),
            _tuple(map(_quoted, map(str, rule.args))),
        ]
        parts.append(_tuple(self._grad(rule, arg, scalar) for arg in rule.args))
        if answers(rule):
            parts.append("answers=" + _tuple(map(_quoted, answers(rule))))
        if rule.aliases:
            parts.append("aliases=" + _tuple(map(_quoted, rule.aliases)))
        if rule.name not in scalar:
            parts.append("scalar=False")
        return statement("", f"Entry({', '.join(parts)})", tail=",")

    def _grad(self, rule: Rule, arg: sympy.Symbol, scalar: Module) -> str:
        partial = rule.partials[arg]
        if isinstance(partial, not_differentiable):
            return f"Grad((), scalar=False, reason={_quoted(partial.reason)})"
        name = gradient_name(rule, arg)
        if is_zero(rule, arg):
            return "Grad((), zero=True)"
        reads = gradient(rule, arg, BroadcastedPrinter(self.callees)).reads
        twin = "" if name in scalar else ", scalar=False"
        return f"Grad({_tuple(map(_quoted, reads))}{twin})"


def environment() -> jinja2.Environment:
    """Return the templates, strict about names, without HTML escapes."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("generator"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def _signature(name: str, parameters: Sequence[str], kind: str) -> str:
    listed = ", ".join(f"{parameter}: {kind}" for parameter in parameters)
    line = f"def {name}({listed}) -> {kind}:"
    return line if len(line) <= WIDTH else f"def {name}(\n    {listed}\n) -> {kind}:"


def _statements(body: Body) -> tuple[str, ...]:
    lines: list[str] = []
    for let in body.lets:
        lines += statement(
            f"{let.name} =", let.code, tail=f"  # {let.remark}" if let.remark else ""
        )
    return (*lines, *statement("return", body.result))


def _subject(table: Table, family: str) -> str:
    """Return what a family is about, from the docstring of the module of its entries."""
    module = next(rule.module for rule in table.rules if rule.family == family)
    first = (sys.modules[module].__doc__ or "").strip().partition("\n")[0].rstrip(".")
    _, found, subject = first.partition("Rules of ")
    return subject.removeprefix("the ") if found else family


def _import_lines(names: dict[str, list[str]]) -> list[str]:
    lines = []
    for module in sorted(names, key=lambda module: (module.startswith("."), module)):
        listed = sorted(names[module], key=lambda name: (name.lower(), name))
        line = f"from {module} import {', '.join(listed)}"
        if len(line) > WIDTH:
            line = f"from {module} import (\n" + "".join(f"    {n},\n" for n in listed) + ")"
        lines.append(line)
    return lines


def _cycles(families: dict[str, Module]) -> dict[str, frozenset[str]]:
    """Return for each family the others that need it, directly or not, and that it needs."""
    needs = {
        name: {rule.family for rule in module.uses.rules} & set(families)
        for name, module in families.items()
    }
    reach = {name: set(direct) for name, direct in needs.items()}
    for middle in families:
        for name in families:
            if middle in reach[name]:
                reach[name] |= reach[middle]
    return {
        name: frozenset(other for other in reach[name] if name in reach[other]) for name in families
    }


def _tuple(parts: Iterable[str]) -> str:
    listed = list(parts)
    return f"({listed[0]},)" if len(listed) == 1 else f"({', '.join(listed)})"


def _quoted(text: str) -> str:
    return json.dumps(text)
