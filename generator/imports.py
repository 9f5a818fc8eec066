"""The import statements of a generated module."""

from __future__ import annotations

from collections.abc import Mapping

from generator.errors import GeneratorError
from generator.layout import WIDTH
from generator.modules import Module
from generator.tables import OURS, Table


def import_lines(
    module: Module, table: Table, together: frozenset[str]
) -> tuple[list[str], list[str]]:
    """Return the imports at the top of a module, and those at its end.

    Parameters
    ----------
    module : Module
        The module that imports.
    table : Table
        Entries of the same package.
    together : frozenset of str
        Families that need this one and that this one needs; imported at the end, when the
        functions they need exist.

    Raises
    ------
    GeneratorError
        If an entry of a third table is called.
    """
    early: dict[str, list[str]] = {}
    late: dict[str, list[str]] = {}
    for rule in module.uses.rules:
        if rule in table.rules:
            if rule.family != module.family:
                place = late if rule.family in together else early
                place.setdefault(_sibling(module, table, rule.family), []).append(rule.name)
        elif rule.module.startswith("diffrules."):
            early.setdefault(f"{OURS}.{module.backend}.{rule.family}", []).append(rule.name)
        else:
            raise GeneratorError(
                f"an entry of {module.family} calls {rule.name} of {rule.place}, which is neither "
                f"in {table.source} nor in diffrules; put the two into one module"
            )
    libraries = set(module.uses.libraries)
    if "support" in libraries:
        early[OURS] = ["support"]
    if libraries - {"support"}:
        early[f"{OURS}.support"] = sorted(libraries - {"support"})
    return _lines(early), _lines(late)


def _sibling(module: Module, table: Table, family: str) -> str:
    return f"{OURS}.{module.backend}.{family}" if table.is_ours else f".{family}"


def _lines(names: Mapping[str, list[str]]) -> list[str]:
    lines = []
    for module in sorted(names, key=lambda module: (module.startswith("."), module)):
        listed = sorted(names[module], key=lambda name: (name.lower(), name))
        line = f"from {module} import {', '.join(listed)}"
        if len(line) > WIDTH:
            line = f"from {module} import (\n" + "".join(f"    {n},\n" for n in listed) + ")"
        lines.append(line)
    return lines


def cycles(families: Mapping[str, Module]) -> dict[str, frozenset[str]]:
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
