"""Which entries can be written for an engine, and why the others cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import sympy

from diffrules.entry import Rule, not_differentiable
from generator.callees import Callees
from generator.errors import GeneratorError, Unsupported
from generator.methods import Body, forward, gradient, is_zero
from generator.printers import Uses
from generator.targets.printer import ArrayTarget, Target


@dataclass
class Draft:
    """One entry, printed for an engine.

    Attributes
    ----------
    rule : Rule
        The entry.
    value : Body
        What its function returns.
    gradients : dict
        By argument: a body, None where the derivative is 0, or the reason why there is none.
    static : tuple of sympy.Symbol
        Leading arguments that are Python numbers: the orders of private entries.
    uses : Uses
        What the code calls.
    """

    rule: Rule
    value: Body
    gradients: dict[sympy.Symbol, Body | str | None]
    static: tuple[sympy.Symbol, ...]
    uses: Uses = field(default_factory=Uses)

    @property
    def helpers(self) -> tuple[str, ...]:
        """The names ``support.<name>`` that it calls."""
        return tuple(self.uses.libraries)


@dataclass(frozen=True)
class Selection:
    """What a file holds, and what is left out, by entry with the reason."""

    drafts: tuple[Draft, ...]
    missing: dict[Rule, str]


def select(rules: Iterable[Rule], engine: type[Target], callees: Callees) -> Selection:
    """Return the entries of `rules` that can be written for `engine`, and what they call.

    Parameters
    ----------
    rules : iterable of Rule
        Entries that are asked for.
    engine : type of Target
        A printer.
    callees : Callees
        The table.
    """
    wanted = list(rules)
    drafts: dict[Rule, Draft] = {}
    missing: dict[Rule, str] = {}
    waiting = list(wanted)
    for rule in waiting:
        if rule in drafts or rule in missing:
            continue
        try:
            drafts[rule] = draft(rule, engine, callees)
        except Unsupported as reason:
            missing[rule] = str(reason)
        else:
            waiting += drafts[rule].uses.rules
    for rule in _hopeless(drafts, missing):
        del drafts[rule]
    needed = dict.fromkeys(rule for rule in wanted if rule in drafts)
    for rule in (reachable := list(needed)):
        for called in drafts[rule].uses.rules:
            if called not in needed:
                needed[called] = None
                reachable.append(called)
    own = set(wanted)
    ordered = sorted(needed, key=lambda rule: rule in own)
    return Selection(
        tuple(drafts[rule] for rule in ordered),
        {rule: missing[rule] for rule in wanted if rule in missing},
    )


def _hopeless(drafts: dict[Rule, Draft], missing: dict[Rule, str]) -> Iterator[Rule]:
    """Yield entries that call one that is missing, and note why, until none is left."""
    left = dict(drafts)
    while True:
        found = {
            rule: called
            for rule, made in left.items()
            for called in made.uses.rules
            if called in missing
        }
        if not found:
            return
        for rule, called in found.items():
            missing[rule] = f"it calls {called.name}, which is left out"
            del left[rule]
            yield rule


def draft(rule: Rule, engine: type[Target], callees: Callees) -> Draft:
    """Return the entry printed for `engine`.

    Raises
    ------
    Unsupported
        If a function it needs is not there.
    """
    static = orders(rule, engine.numbers)
    uses = Uses()
    printer = engine(callees, uses)
    if isinstance(printer, ArrayTarget):
        printer.static = frozenset(static)
    try:
        value = forward(rule, printer)
        gradients = {arg: _gradient(rule, arg, printer) for arg in rule.args}
    except GeneratorError as error:
        raise Unsupported(str(error).partition(";")[0]) from None
    return Draft(rule, value, gradients, static, uses)


def _gradient(rule: Rule, arg: sympy.Symbol, printer: Target) -> Body | str | None:
    partial = rule.partials[arg]
    if isinstance(partial, not_differentiable):
        return partial.reason
    return None if is_zero(rule, arg) else gradient(rule, arg, printer)


def orders(rule: Rule, of_public: bool) -> tuple[sympy.Symbol, ...]:
    """Return the leading whole arguments that are Python numbers.

    Other entries give those of a private entry as numbers. Those of a public one are arrays too,
    if the engine can take them.
    """
    found: list[sympy.Symbol] = []
    for arg in rule.args if of_public or rule.name.startswith("_") else ():
        if not rule.domain.is_whole(arg):
            break
        found.append(arg)
    return tuple(found)
