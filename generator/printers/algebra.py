"""How sums, products and quotients are taken apart before they are written down."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import sympy
from sympy.core.numbers import NumberSymbol
from sympy.core.relational import Relational

from diffrules.guards import indicator
from generator.literals import dyadic

HALF = sympy.Rational(1, 2)


@cache
def is_constant(expression: sympy.Basic) -> bool:
    """Return whether there is no symbol in an expression."""
    return not expression.free_symbols


@cache
def signed(expression: sympy.Expr) -> tuple[int, sympy.Expr]:
    """Return the sign in front of an expression, and the expression without it.

    A sum of negative terms only has a sign in front too, ``-(1 + x)``.
    """
    if expression.is_Number or isinstance(expression, NumberSymbol):
        return (-1, -expression) if expression < 0 else (1, expression)
    if expression.is_Mul:
        number, rest = split_constants(expression)
        if number.is_extended_negative or (number * sympy.I).is_extended_positive:
            return -1, product(-number, rest)
    if expression.is_Add:
        signs, terms = zip(*map(signed, expression.args), strict=True)
        if max(signs) < 0:
            return -1, sympy.Add(*terms)
    return 1, expression


def split_constants(whole: sympy.Expr) -> tuple[sympy.Expr, list[sympy.Expr]]:
    """Return the constant factor of a product, whole, and the other factors."""
    constants = [factor for factor in whole.args if is_constant(factor)]
    rest = [factor for factor in whole.as_ordered_factors() if not is_constant(factor)]
    return sympy.Mul(*constants), rest


def product(number: sympy.Expr, rest: Sequence[sympy.Expr]) -> sympy.Expr:
    """Return a product whose number is not distributed over a sum."""
    if number == 1:
        return sympy.Mul(*rest)
    return sympy.Mul(number, *rest, evaluate=False)


@cache
def fraction(
    expression: sympy.Expr,
) -> tuple[sympy.Expr, Sequence[sympy.Expr], Sequence[sympy.Expr]]:
    """Return the constant, the factors above and the factors below the line."""
    factors = expression.args if expression.is_Mul else (expression,)
    number, rest = split_constants(sympy.Mul(*factors, evaluate=False))
    above: list[sympy.Expr] = []
    below: list[sympy.Expr] = []
    for factor in rest:
        exponent = factor.exp if factor.is_Pow else sympy.Integer(1)
        if exponent.is_Rational and exponent < 0 and (2 * exponent).is_Integer:
            below.append(factor.base**-exponent)
        else:
            above.append(factor)
    above.sort(key=lambda factor: isinstance(factor, indicator))
    return number, tuple(above), tuple(below)


def bare_reciprocal(expression: sympy.Expr) -> sympy.Expr | None:
    """Return ``d`` if the expression is ``1/d``, with no number above the line."""
    if expression.is_Pow:
        return expression.base**-expression.exp if expression.exp in (-1, -HALF) else None
    if not expression.is_Mul:
        return None
    number, above, below = fraction(expression)
    if above or not (number.is_Rational and number.p == 1) or (number != 1 and dyadic(number)):
        return None
    return product(sympy.Integer(number.q), below)


def indicators(
    expression: sympy.Expr,
) -> tuple[sympy.Expr | None, list[sympy.Basic]]:
    """Return number and conditions if the expression is a number times indicators."""
    factors = expression.args if expression.is_Mul else (expression,)
    conditions = [f.args[0] for f in factors if isinstance(f, indicator)]
    rest = [f for f in factors if not isinstance(f, indicator)]
    if not all(map(is_constant, rest)):
        return None, []
    return sympy.Mul(*rest), conditions


@cache
def ordered_terms(expression: sympy.Add, whole: bool) -> Sequence[sympy.Expr]:
    """Return the terms as one writes them: ``1 - x``, ``x - 1``, ``1 + x**2``, of orders ``n + 1``.

    Parameters
    ----------
    expression : sympy.Add
        A sum.
    whole : bool
        It is a sum of whole numbers.
    """

    def place(term: sympy.Expr) -> tuple[bool, bool]:
        negative = signed(term)[0] < 0
        return negative, is_constant(term) is (negative or whole)

    return tuple(sorted(expression.as_ordered_terms(), key=place))


def common_factor(total: sympy.Add) -> sympy.Expr | None:
    """Return ``(a + b)/2`` for ``a/2 + b/2``, which SymPy never keeps; None for other sums.

    Only for powers of two, with which products are exact.
    """
    scales = {abs(term.as_coeff_Mul()[0]) for term in total.args}
    scale = scales.pop()
    power_of_two = scale.is_Rational and 1 in (scale.p, scale.q) and dyadic(1 / scale)
    if scales or scale == 1 or not power_of_two or not dyadic(scale):
        return None
    return product(scale, [sympy.Add(*(term / scale for term in total.args))])


def conditions(expression: sympy.Basic) -> list[sympy.Basic]:
    """Return the parts of a logical and, or: comparisons first, then the rest."""
    return sorted(
        expression.args, key=lambda part: (not isinstance(part, Relational), part.sort_key())
    )
