"""The functions of one family in Python, ready for the templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

import sympy

from diffrules.entry import Rule
from generator.callees import Callees
from generator.docstrings import Docstring, Words
from generator.errors import GeneratorError, Unsupported
from generator.layout import WIDTH, statement
from generator.methods import (
    Body,
    forward,
    gradient,
    gradient_name,
    has_gradient,
    is_overridable,
    is_zero,
    partials_name,
    reads,
    with_partials,
)
from generator.printers import BroadcastedPrinter, Code, ScalarPrinter, Shared, Uses

BACKENDS: dict[str, type[Shared]] = {"scalar": ScalarPrinter, "broadcasted": BroadcastedPrinter}
ZERO = {"scalar": Code("0.0"), "broadcasted": Code("np.zeros_like(grad)")}
TYPE = {"scalar": "float", "broadcasted": "Any"}


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
    of_complex : bool
        It is the gradient method for complex arguments.
    """

    name: str
    signature: str
    lines: tuple[str, ...]
    doc: Docstring
    overridable: bool = False
    is_gradient: bool = False
    of_complex: bool = False


@dataclass
class Module:
    """The functions of one family on one backend, and what they need from outside."""

    family: str
    backend: str
    functions: list[Function] = field(default_factory=list)
    uses: Uses = field(default_factory=Uses)

    def __contains__(self, name: str) -> bool:
        return any(function.name == name for function in self.functions)


class Modules:
    """Makes the modules of one backend.

    Parameters
    ----------
    backend : str
        ``scalar`` or ``broadcasted``.
    callees : Callees
        The table.
    words : Words
        Fills docstrings.
    progress : callable
        Called with the name of each entry when it is done.
    """

    def __init__(
        self,
        backend: str,
        callees: Callees,
        words: Words,
        progress: Callable[[str], None] = lambda name: None,
    ) -> None:
        self.backend = backend
        self.callees = callees
        self.words = words
        self.progress = progress
        self._printer = BACKENDS[backend]

    def module(self, family: str, rules: Iterable[Rule]) -> Module:
        """Return the functions of one family."""
        module = Module(family, self.backend)
        for rule in rules:
            for function, uses in self._functions(rule):
                module.functions.append(function)
                module.uses.merge(uses)
            self.progress(rule.name)
        return module

    def _functions(self, rule: Rule) -> Iterator[tuple[Function, Uses]]:
        kind = TYPE[self.backend]
        kinds = {
            str(arg): "int" if kind == "float" and rule.domain.is_whole(arg) else kind
            for arg in rule.args
        }
        uses = Uses()
        body = self._body(rule, partial(forward, rule), uses)
        has_forward = body is not None
        if body is not None:
            decorated = self.backend == "broadcasted" and is_overridable(rule, self.callees)
            if decorated:
                uses.libraries["overridable"] = None
            yield (
                Function(
                    rule.name,
                    _signature(rule.name, kinds, kind),
                    _statements(body),
                    self.words.value(rule),
                    overridable=decorated,
                ),
                uses,
            )
        for arg in filter(lambda arg: has_gradient(rule, arg), rule.args):
            uses = Uses()
            if is_zero(rule, arg):
                body = Body(ZERO[self.backend])
            else:
                body = self._body(rule, partial(gradient, rule, arg), uses)
            if body is not None:
                name = gradient_name(rule, arg)
                given = {"out": kind, **kinds}
                if kind == "float":
                    read = reads(rule, arg)
                    given = {n: k if n in read else f"{k} | None" for n, k in given.items()}
                yield (
                    Function(
                        name,
                        _signature(name, {"grad": kind, **given}, kind),
                        _statements(body),
                        self.words.gradient(rule, arg, has_forward),
                        is_gradient=True,
                    ),
                    uses,
                )
            if self.backend == "broadcasted" and arg in rule.own_complex:
                yield self._gradient_of_complex(rule, arg)
        if self.backend == "scalar" and all(has_gradient(rule, arg) for arg in rule.args):
            uses = Uses()
            body = self._body(rule, partial(with_partials, rule), uses)
            if body is not None:
                name = partials_name(rule)
                pair = f"tuple[float, tuple[{', '.join(['float'] * len(rule.args))}]]"
                yield (
                    Function(
                        name,
                        _signature(name, kinds, pair),
                        _statements(body),
                        self.words.both(rule),
                    ),
                    uses,
                )

    def _gradient_of_complex(self, rule: Rule, arg: sympy.Symbol) -> tuple[Function, Uses]:
        uses = Uses()
        body = self._body(rule, partial(gradient, rule, arg, of_complex=True), uses)
        assert body is not None  # the arrays have every form
        name = gradient_name(rule, arg, of_complex=True)
        given = dict.fromkeys(("grad", "out", *map(str, rule.args)), "Any")
        doc = self.words.gradient(rule, arg, has_forward=True, of_complex=True)
        signature = _signature(name, given, "Any")
        lines = _statements(body)
        return Function(name, signature, lines, doc, is_gradient=True, of_complex=True), uses

    def _body(self, rule: Rule, make: Callable[[Shared], Body], uses: Uses) -> Body | None:
        """Return a body; None if there is no scalar form."""
        try:
            body = make(self._printer(self.callees, uses))
        except Unsupported as missing:
            if self.backend == "scalar":
                return None
            raise GeneratorError(f"{rule.title}: no NumPy form ({missing}); give numpy=") from None
        except GeneratorError as error:
            raise GeneratorError(f"{rule.title}: {error}") from None
        local = {*map(str, rule.args), *map(str, rule.let)}
        hidden = local & {called.name for called in uses.rules}
        if hidden:
            raise GeneratorError(
                f"{rule.title}: the symbol {hidden.pop()!r} hides the "
                "function of that name, which it calls; rename the symbol"
            )
        return body


def _signature(name: str, parameters: Mapping[str, str], kind: str) -> str:
    listed = ", ".join(f"{parameter}: {type_}" for parameter, type_ in parameters.items())
    line = f"def {name}({listed}) -> {kind}:"
    if len(line) <= WIDTH:
        return line
    if len(listed) + 4 > WIDTH:
        listed = listed.replace(", ", ",\n    ") + ","
    return f"def {name}(\n    {listed}\n) -> {kind}:"


def _statements(body: Body) -> tuple[str, ...]:
    lines: list[str] = []
    for let in body.lets:
        lines += statement(
            f"{let.name} =", let.code, tail=f"  # {let.remark}" if let.remark else ""
        )
    return (*lines, *statement("return", body.result))
