"""Symbols of the arguments, and guards: functions SymPy must not take apart.

`diffrules.vocabulary` says when to use which.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.logic.boolalg import Boolean, BooleanFunction

__all__ = [
    "indicator",
    "isnan",
    "nonzero",
    "out",
    "symbol",
    "where",
    "x",
    "y",
]


def symbol(name: str) -> sympy.Symbol:
    """Return the real symbol `name`, as the arguments and ``let`` names of an entry are."""
    return sympy.Symbol(name, real=True)


x, y, out = symbol("x"), symbol("y"), symbol("out")


class Guard(sympy.Function):  # type: ignore[misc]
    """A function SymPy must neither simplify nor take apart."""

    def _eval_is_extended_real(self) -> bool:
        return True


class nonzero(Guard):  # noqa: N801 -- reads as a function in entries
    """``h``, but 1 where ``h`` is 0."""

    nargs = 1

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """Return 1: away from 0 it is the identity."""
        return sympy.Integer(1)

    def _eval_rewrite_as_Piecewise(self, h: sympy.Expr, **_: Any) -> sympy.Expr:  # noqa: N802
        return sympy.Piecewise((h, sympy.Ne(h, 0)), (1, True))


class where(Guard):  # noqa: N801
    """``where(c, a, b)``: ``a`` where the condition holds, else ``b``."""

    nargs = 3

    def _eval_derivative(self, s: sympy.Symbol) -> sympy.Expr:
        condition, a, b = self.args
        da, db = a.diff(s), b.diff(s)
        return da if da == db else where(condition, da, db)

    def _eval_rewrite_as_Piecewise(  # noqa: N802
        self, condition: Boolean, a: sympy.Expr, b: sympy.Expr, **_: Any
    ) -> sympy.Expr:
        return sympy.Piecewise((a, condition), (b, True))


class indicator(Guard):  # noqa: N801
    """1 where the condition holds, else 0."""

    nargs = 1

    def _eval_derivative(self, s: sympy.Symbol) -> sympy.Expr:
        return sympy.Integer(0)

    def _eval_rewrite_as_Piecewise(  # noqa: N802
        self, condition: Boolean, **_: Any
    ) -> sympy.Expr:
        return sympy.Piecewise((1, condition), (0, True))


class isnan(BooleanFunction):  # type: ignore[misc]  # noqa: N801
    """The condition that the argument is NaN."""

    @classmethod
    def eval(cls, arg: Any) -> Boolean | None:
        """Keep the condition whole: it says nothing about symbols."""
        return None
