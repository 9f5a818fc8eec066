"""What is measured of an entry: its value, each partial, and each second derivative."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import sympy
from sympy.core.function import ArgumentIndexError
from sympy.core.relational import Relational

from diffrules.checks import FORBIDDEN
from diffrules.entry import RULES, Rule, expand_calls
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


class Flat(sympy.Function):  # type: ignore[misc]
    """A step function: its derivative is 0 wherever it has one."""

    nargs = 1
    numeric: str

    def _eval_is_extended_real(self) -> bool:
        return True

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """Return 0."""
        return sympy.Integer(0)

    def _mpmathcode(self, printer: Any) -> str:
        return f"mpmath.{self.numeric}({printer._print(self.args[0])})"


class flat_floor(Flat):  # noqa: N801
    """``floor``, which SymPy does not differentiate."""

    numeric = "floor"


class flat_ceiling(Flat):  # noqa: N801
    """``ceiling``."""

    numeric = "ceil"


class flat_sign(Flat):  # noqa: N801
    """``sign``."""

    numeric = "sign"


@cache
def expression(quantity: Quantity) -> sympy.Expr | None:
    """Return the derivative of the value alone, or None if SymPy has no expression for it.

    Calls of other entries are replaced by their values first, so no partial of the table takes
    part.
    """
    found = quantity.rule.meaning()
    try:
        for index in quantity.along:
            found = expand_calls(_flattened(found).diff(quantity.rule.args[index]))
    except (ArgumentIndexError, NotImplementedError):
        return None
    return None if found.has(*FORBIDDEN) else found


def _flattened(value: sympy.Expr) -> sympy.Expr:
    """Return a value with its steps as functions that have a derivative."""
    value = value.replace(sympy.Mod, lambda a, b: a - b * flat_floor(a / b))
    value = value.replace(sympy.Abs, lambda a: a * flat_sign(a))
    value = value.replace(sympy.sign, flat_sign)
    value = value.replace(sympy.floor, flat_floor)
    return value.replace(sympy.ceiling, flat_ceiling)


@cache
def seams(rule: Rule) -> tuple[tuple[sympy.Expr, ...], tuple[sympy.Expr, ...]]:
    """Return what is 0, and what is a whole number, where two pieces of the value meet.

    The derivative is that of neither piece there, unless both agree.
    """
    value = rule.meaning()
    zeros = {part.lhs - part.rhs for part in value.atoms(Relational)}
    zeros |= {part.args[0] for part in value.atoms(sympy.Abs, sympy.sign)}
    whole = {part.args[0] for part in value.atoms(sympy.floor, sympy.ceiling)}
    whole |= {part.args[0] / part.args[1] for part in value.atoms(sympy.Mod)}
    return tuple(zeros), tuple(whole)
