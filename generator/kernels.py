"""The functions of ``kernels.h``: values and partials in C99, double and float."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from diffrules.entry import Rule
from generator.callees import Callees
from generator.errors import Unsupported
from generator.layout import WIDTH, paragraph, statement
from generator.methods import Body, forward, gradient, gradient_name, has_gradient, is_zero
from generator.printers import Code, CPrinter, FormulaPrinter, Uses


@dataclass(frozen=True)
class Kernel:
    """One function in one precision.

    Attributes
    ----------
    signature : str
        ``static inline double ad_hypot(double x, double y)``.
    lines : tuple of str
        Its statements, indented.
    remark : str
        The formula; empty for the single precision twin.
    """

    signature: str
    lines: tuple[str, ...]
    remark: str


class Kernels:
    """All functions of the header.

    Parameters
    ----------
    callees : Callees
        The table.
    rules : sequence of Rule
        Entries to write.
    progress : callable
        Called with the name of each entry when it is done.

    Attributes
    ----------
    functions : list of Kernel
        In the order of the table.
    prototypes : list of str
        Signatures of values that are called before they are defined.
    missing : list of str
        What is left out, ``digamma: scipy.special.digamma``.
    needs_ours : bool
        Functions of the project's own header are called.
    """

    def __init__(
        self,
        callees: Callees,
        rules: Sequence[Rule],
        progress: Callable[[str], None] = lambda name: None,
    ) -> None:
        self._callees = callees
        self._formulas = FormulaPrinter(callees)
        self._uses = Uses()
        self.functions: list[Kernel] = []
        self.missing: list[str] = []
        for rule in rules:
            self._add(rule)
            progress(rule.name)
        own = [rule for rule in self._uses.rules if rule in rules]
        self.needs_ours = len(own) < len(self._uses.rules) or bool(self._uses.libraries)
        self.prototypes = [
            _signature(f"ad_{rule.name}", map(str, rule.args), single)
            for rule in sorted(own, key=lambda rule: rule.name)
            for single in (False, True)
        ]

    def _add(self, rule: Rule) -> None:
        args = tuple(map(str, rule.args))
        text = f"{rule.name}({', '.join(args)}) = {self._formulas.code(rule.value)}"
        self._both(f"ad_{rule.name}", args, text, partial(forward, rule))
        for arg in filter(lambda arg: has_gradient(rule, arg), rule.args):
            make: Callable[[CPrinter], Body] = partial(gradient, rule, arg)
            if is_zero(rule, arg):
                make = _zero
            self._both(
                f"ad_{gradient_name(rule, arg)}",
                ("grad", "out", *args),
                f"d {rule.name} / d {arg}",
                make,
            )

    def _both(
        self, name: str, parameters: Sequence[str], text: str, make: Callable[[CPrinter], Body]
    ) -> None:
        """Add a function in double and in float, or note why it is left out."""
        found = []
        for single in (False, True):
            uses = Uses()
            try:
                body = make(CPrinter(self._callees, uses, single))
            except Unsupported as reason:
                self.missing.append(paragraph(f"{name}: {reason}", indent=5))
                return
            self._uses.merge(uses)
            found.append(
                Kernel(
                    _signature(name, parameters, single),
                    _statements(body, parameters, single),
                    "" if single else paragraph(text, indent=3),
                )
            )
        self.functions += found


def _zero(printer: CPrinter) -> Body:
    return Body(Code(printer.number(0.0)))


def _kind(single: bool) -> str:
    return "float" if single else "double"


def _signature(name: str, parameters: Iterable[str], single: bool) -> str:
    kind = _kind(single)
    listed = ", ".join(f"{kind} {parameter}" for parameter in parameters)
    line = f"static inline {kind} {name}{'f' if single else ''}({listed})"
    if len(line) < WIDTH - 1:
        return line
    # A type stays with its name: textwrap breaks no line at a space of this kind.
    kept = listed.replace(f"{kind} ", f"{kind}\xa0")
    lines = "\n    ".join(textwrap.wrap(kept, WIDTH - len("    ) {"))).replace("\xa0", " ")
    return line.replace(listed, f"\n    {lines}")


def _statements(body: Body, parameters: Sequence[str], single: bool) -> tuple[str, ...]:
    code = " ".join([*(let.code for let in body.lets), body.result])
    words = set(re.findall(r"\w+", code))
    unread = " ".join(f"(void){name};" for name in parameters if name not in words)
    lines = [f"    {unread}"] if unread else []
    for let in body.lets:
        remark = f" /* {let.remark} */" if let.remark else ""
        lines += statement(f"const {_kind(single)} {let.name} =", let.code, tail=f";{remark}")
    return (*lines, *statement("return", body.result, tail=";"))
