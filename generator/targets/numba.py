"""Numba: scalar functions, from the forms that entries and helpers have in C."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from diffrules.entry import Rule
from generator.callees import Callee, Form
from generator.errors import Unsupported
from generator.printers import Code, ScalarPrinter
from generator.targets.c_expressions import FUNCTIONS, python_name
from generator.targets.c_functions import DECORATOR, translated
from generator.targets.printer import Target

PREFIX = "ad_support_"


class NumbaPrinter(Target, ScalarPrinter):
    """Print scalar code of `math`, and of NumPy where `math` lacks a function."""

    title = "Numba"

    def form(self, rule: Rule) -> Form:
        """Return what computes `rule` in C, by its name in Python."""
        try:
            found = self.callees.c_form(rule)
        except Unsupported as missing:
            raise Unsupported(f"it needs {str(missing).partition(',')[0]}") from None
        if not isinstance(found, Callee):
            return found
        if found.library == "support":
            self._note(found.name)
            return Callee(python_name(PREFIX + found.name))
        if found.name not in FUNCTIONS:
            raise Unsupported(f"Numba has no {found.name}")
        return Callee(FUNCTIONS[found.name])

    def _note(self, name: str) -> None:
        """Note that a helper is called, and the entries that it calls."""
        for called in closure(PREFIX + name):
            if called.startswith(PREFIX):
                self.uses.libraries[called.removeprefix(PREFIX)] = None
                helper = translated().get(called)
                reason = helper.reason if helper else "it is not written in C"
                if reason:
                    raise Unsupported(f"our helper {called.removeprefix(PREFIX)}: {reason}")
            else:
                self.uses.rules[self.callees.named(called.removeprefix("ad_"))] = None

    def call(self, callee: Callee, args: Sequence[str]) -> Code:
        """Return a call of a function of `math`, NumPy, or of this file."""
        return Code(callee.call(args))

    @classmethod
    def bundle(cls, names: Iterable[str]) -> tuple[list[str], str]:
        """Return the code of helpers, translated from C."""
        found = dict.fromkeys(PREFIX + name for name in names)
        return [], "\n\n\n".join(
            "\n".join((*helper.remark, DECORATOR, *helper.lines))
            for name, helper in translated().items()
            if name in found
        )


def closure(name: str) -> list[str]:
    """Return a helper and all functions of ours that it calls, by their names in C."""
    found = [name]
    for each in found:
        if each in translated():
            found += [called for called in translated()[each].calls if called not in found]
    return found
