"""What is measured of an entry: its value, each partial, and each second derivative."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import sympy
from sympy.core.function import ArgumentIndexError

from diffrules.checks import FORBIDDEN
from diffrules.entry import RULES, Rule
from generator.methods import has_gradient, is_zero


@dataclass(frozen=True)
class Quantity:
    """A derivative of an entry, found by its key so that processes can share it.

    Attributes
    ----------
    key : tuple
        Name and number of arguments of the entry.
    along : tuple of int
        Indices of the arguments it is differentiated in; empty for the value.
    """

    key: tuple[str, int]
    along: tuple[int, ...] = ()

    @property
    def rule(self) -> Rule:
        """The entry."""
        return RULES[self.key]

    @property
    def label(self) -> str:
        """``value``, or the arguments it is differentiated in: ``x``, ``x,y``."""
        return ",".join(str(self.rule.args[i]) for i in self.along) or "value"


def quantities(rule: Rule, orders: tuple[int, ...] = (0, 1)) -> Iterator[Quantity]:
    """Yield what is measured of `rule`, by rising order of the derivative.

    Arguments without derivative, and those whose derivative is 0, are left out.
    """
    live = [i for i, arg in enumerate(rule.args) if has_gradient(rule, arg)]
    live = [i for i in live if not is_zero(rule, rule.args[i])]
    for order in orders:
        for along in combinations_with_replacement(live, order):
            yield Quantity(rule.key, along)


@cache
def expression(quantity: Quantity) -> sympy.Expr | None:
    """Return the derivative of the value alone, or None if SymPy has no expression for it.

    Calls of other entries are replaced by their values first, so no partial of the table takes
    part.
    """
    found = quantity.rule.meaning()
    try:
        for index in quantity.along:
            found = found.diff(quantity.rule.args[index])
    except (ArgumentIndexError, NotImplementedError):
        return None
    return None if found.has(*FORBIDDEN) else found
