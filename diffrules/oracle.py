"""Numbers of many digits: what values and partials are, to check the generated code.

Everything is evaluated by mpmath from the expressions of the table, calls of entries
replaced by their meaning; no generated code takes part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import mpmath
import sympy
from sympy.printing.pycode import MpmathPrinter

from diffrules.entry import FORBIDDEN, Rule, expand_calls

DIGITS = 50


class _Printer(MpmathPrinter):
    """Print guards for mpmath: only the branch that holds is evaluated."""

    def _print_where(self, expr: sympy.Basic) -> str:
        condition, a, b = (self._print(arg) for arg in expr.args)
        return f"(({a}) if ({condition}) else ({b}))"

    def _print_indicator(self, expr: sympy.Basic) -> str:
        return f"(mpmath.mpf(1) if ({self._print(expr.args[0])}) else mpmath.mpf(0))"

    def _print_nonzero(self, expr: sympy.Basic) -> str:
        return f"(({self._print(expr.args[0])}) or mpmath.mpf(1))"

    def _print_isnan(self, expr: sympy.Basic) -> str:
        return f"mpmath.isnan({self._print(expr.args[0])})"

    def _print_polygamma(self, expr: sympy.Basic) -> str:
        order, at = map(self._print, expr.args)
        return f"mpmath.psi(int({order}), {at})"

    def _print_zeta(self, expr: sympy.Basic) -> str:
        return f"mpmath.zeta({', '.join(map(self._print, expr.args))})"

    def _print_erfinv(self, expr: sympy.Basic) -> str:
        return f"mpmath.erfinv({self._print(expr.args[0])})"

    def _print_erfcinv(self, expr: sympy.Basic) -> str:
        return f"erfcinv({self._print(expr.args[0])})"


def erfcinv(x: Any) -> Any:
    """Return the inverse of ``erfc``, with the digits that ``1 - x`` takes away near 0."""
    with mpmath.extradps(max(0, int(-mpmath.log10(x))) + 5 if x > 0 else 0):
        return mpmath.erfinv(1 - x)


@lru_cache(maxsize=None)
def _compiled(args: tuple[sympy.Symbol, ...], expression: sympy.Expr) -> Any:
    printer = _Printer({"fully_qualified_modules": True, "inline": True})
    code = f"lambda {', '.join(map(str, args))}: {printer.doprint(expand_calls(expression))}"
    return eval(code, {"mpmath": mpmath, "erfcinv": erfcinv})


def evaluate(
    expression: sympy.Expr,
    args: Sequence[sympy.Symbol],
    point: Sequence[Any],
    digits: int = DIGITS,
) -> Any:
    """Return `expression` at `point` as an mpmath number of `digits` digits.

    Parameters
    ----------
    expression : sympy.Expr
        May hold guards and calls of entries.
    args : sequence of sympy.Symbol
        Its symbols.
    point : sequence of numbers
        Their values; floats are taken exactly.
    """
    with mpmath.workdps(digits):
        return +mpmath.mpmathify(_compiled(tuple(args), expression)(*map(mpmath.mpf, point)))


def value(rule: Rule, point: Sequence[Any], digits: int = DIGITS) -> Any:
    """Return the function of `rule` at `point`."""
    return evaluate(rule.value, rule.args, point, digits)


def partial(rule: Rule, index: int, point: Sequence[Any], digits: int = DIGITS) -> Any:
    """Return what the entry says of the partial of argument `index` at `point`."""
    return evaluate(rule.partial(index, rule.args, rule.value), rule.args, point, digits)


def derivative(
    rule: Rule, orders: Mapping[int, int], point: Sequence[Any], digits: int = DIGITS
) -> Any:
    """Return a derivative of the value of `rule`, found without its partials.

    SymPy differentiates the meaning where it can; elsewhere mpmath takes differences with
    enough digits.

    Parameters
    ----------
    orders : dict
        ``{argument index: order}``.
    """
    symbolic = _symbolic(rule, tuple(sorted(orders.items())))
    if symbolic is not None:
        return evaluate(symbolic, rule.args, point, digits)
    with mpmath.workdps(digits):
        function = _compiled(rule.args, rule.value)
        counts = tuple(orders.get(index, 0) for index in range(len(rule.args)))
        return +mpmath.diff(function, tuple(map(mpmath.mpf, point)), counts)


@lru_cache(maxsize=None)
def _symbolic(rule: Rule, orders: tuple[tuple[int, int], ...]) -> sympy.Expr | None:
    expression = rule.meaning()
    for index, order in orders:
        expression = expression.diff(rule.args[index], order)
    return None if expression.has(*FORBIDDEN) else expression
