"""Expressions in a form in which every backend keeps the caller's dtype."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import sympy
from sympy.logic.boolalg import Boolean

from diffrules.guards import indicator, where
from generator.errors import GeneratorError
from generator.printers.algebra import indicators, is_constant


@cache
def choices_as_where(expression: sympy.Basic) -> sympy.Basic:
    """Return the expression with every ``Piecewise`` as nested ``where``."""

    def nest(piecewise: sympy.Piecewise) -> sympy.Expr:
        *pieces, (last, condition) = piecewise.args
        if condition != True:  # noqa: E712 -- SymPy's truth
            raise GeneratorError(f"{piecewise} is not defined everywhere; end it with (..., True)")
        for value, when in reversed(pieces):
            last = where(when, value, last)
        return last

    return expression.replace(lambda node: isinstance(node, sympy.Piecewise), nest)


@cache
def steady(expression: sympy.Expr, outermost: bool = True) -> sympy.Expr:
    """Return the expression in a form in which float32 stays float32.

    A sum or product of numbers and conditions alone is float64 in NumPy. The condition is
    taken out: ``x * (1 + indicator(c))`` becomes ``where(c, 2 * x, x)``.

    Parameters
    ----------
    expression : sympy.Expr
        A value, a term or a partial.
    outermost : bool
        The cotangent will be moved into the branches of an outermost choice.
    """
    condition = _unsteady(expression, outermost)
    if condition is None:
        return expression
    yes, no = (_settled(expression, condition, truth) for truth in (True, False))
    return where(condition, steady(yes, outermost), steady(no, outermost))


def choices(partial: sympy.Expr) -> list[sympy.Expr]:
    """Return the factors of a product of choices between numbers, else the expression alone.

    Each of them is a share of the cotangent, to be taken one after the other.
    """
    factors = partial.as_ordered_factors() if partial.is_Mul else [partial]
    if all(isinstance(factor, where) and is_weak(factor) for factor in factors):
        return factors
    return [partial]


def _settled(expression: sympy.Expr, condition: sympy.Basic, truth: bool) -> sympy.Expr:
    def decide(node: sympy.Expr) -> sympy.Expr:
        if isinstance(node, indicator):
            return sympy.Integer(int(truth))
        return node.args[1] if truth else node.args[2]

    return expression.replace(
        lambda node: isinstance(node, (where, indicator)) and node.args[0] == condition, decide
    )


@cache
def is_weak(expression: sympy.Basic) -> bool:
    """Return whether no array of the caller's dtype enters, only numbers and conditions."""
    if is_constant(expression):
        return True
    if isinstance(expression, indicator):
        return True
    if isinstance(expression, where):
        return all(map(is_weak, expression.args[1:]))
    return bool(expression.args) and all(map(is_weak, expression.args))


def _unsteady(expression: sympy.Basic, outermost: bool) -> sympy.Basic | None:
    """Return a condition whose number would turn float32 into float64, or None.

    An indicator is harmless as a factor or term of an array, and the outermost choice has
    the cotangent moved into its branches.
    """
    if is_constant(expression) or isinstance(expression, (Boolean, indicator)):
        return None
    weak = is_weak(expression)
    if isinstance(expression, where) and (outermost or not weak):
        return _first(_unsteady(branch, outermost) for branch in expression.args[1:])
    if not weak:
        return _first(_unsteady(part, False) for part in expression.args)
    if outermost and indicators(expression)[1]:
        return None
    found = expression.find(lambda node: isinstance(node, (where, indicator)))
    return min((node.args[0] for node in found), key=lambda condition: condition.sort_key())


def _first(conditions: Iterable[sympy.Basic | None]) -> sympy.Basic | None:
    return next((condition for condition in conditions if condition is not None), None)
