"""Printer of formulas in LaTeX, for the reference pages."""

# ruff: noqa: N802 -- SymPy finds a method by the name of the class it prints

from __future__ import annotations

from typing import Any

import sympy
from sympy.printing.latex import LatexPrinter

from diffrules.entry import TableFunction


class FormulaLatexPrinter(LatexPrinter):  # type: ignore[misc]
    """Print an expression of the table: calls of entries by name, guards as people write them."""

    def _print(self, expr: Any, **options: Any) -> str:
        if isinstance(expr, TableFunction):
            return self.call(type(expr).__name__, expr.args)
        return str(super()._print(expr, **options))

    def call(self, name: str, args: Any) -> str:
        r"""Return a call of an entry, ``\operatorname{expit}\left(x\right)``."""
        listed = ", ".join(map(self._print, args))
        written = name.strip("_").replace("_", r"\_")
        return rf"\operatorname{{{written}}}\left({listed}\right)"

    def _print_Symbol(self, expr: sympy.Symbol, style: str = "plain") -> str:
        name = str(expr)
        return name if len(name) == 1 else rf"\mathrm{{{name}}}"

    def _print_Pow(self, expr: sympy.Pow) -> str:
        base, exponent = expr.args
        if isinstance(base, TableFunction) and exponent.is_Integer and exponent > 1:
            return rf"{self._print(base)}^{{{exponent}}}"
        return str(super()._print_Pow(expr))

    def _print_where(self, expr: sympy.Basic) -> str:
        condition, yes, no = map(self._print, expr.args)
        return (
            rf"\begin{{cases}} {yes} & \text{{if }} {condition} \\ "
            rf"{no} & \text{{otherwise}} \end{{cases}}"
        )

    def _print_indicator(self, expr: sympy.Basic) -> str:
        return rf"\left[{self._print(expr.args[0])}\right]"

    def _print_nonzero(self, expr: sympy.Basic) -> str:
        return self._print(expr.args[0])

    def _print_isnan(self, expr: sympy.Basic) -> str:
        return rf"{self._print(expr.args[0])} \text{{ is NaN}}"


def latex(expression: sympy.Basic) -> str:
    r"""Return an expression of the table in LaTeX.

    >>> import sympy
    >>> latex(sympy.Symbol("x") / 2)
    '\\frac{x}{2}'
    """
    return str(FormulaLatexPrinter({"fold_short_frac": False}).doprint(expression))
