"""The entries of one run, and what their package is called."""

from __future__ import annotations

import importlib
import re
import sys
from dataclasses import dataclass

from diffrules.entry import RULES, Rule
from generator.errors import GeneratorError

OURS = "generated"
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

    @property
    def folder(self) -> str:
        """Where the entries are, for the banner of files that come from all of them."""
        whole = all(rule.module == self.source for rule in self.rules)
        return self.source.replace(".", "/") + (".py" if whole else "/")

    @property
    def guard(self) -> str:
        """The name that keeps the C header from being read twice."""
        name = "" if self.is_ours else "_" + self.source.replace(".", "_").upper()
        return f"AD_KERNELS{name}_H"

    def subject(self, family: str) -> str:
        """Return what a family is about, from the docstring of the module of its entries."""
        first = (sys.modules[self._module(family)].__doc__ or "").strip().partition("\n")[0]
        found = re.match(r"Rules of (?:the )?([^,.:;]+)", first)
        return found[1] if found else family

    def path(self, family: str) -> str:
        """Return the file that holds the entries of a family."""
        return self._module(family).replace(".", "/") + ".py"

    def _module(self, family: str) -> str:
        return next(rule.module for rule in self.rules if rule.family == family)


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
