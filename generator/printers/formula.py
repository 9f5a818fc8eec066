"""Printer of formulas for people: docstrings and ``--explain``."""

from __future__ import annotations

from collections.abc import Iterable

import sympy
from sympy.printing.pycode import PythonCodePrinter

from diffrules.domains import shown
from generator.printers.algebra import fraction, is_constant
from generator.printers.code import Binding, Code
from generator.printers.common import Shared
from generator.printers.steady import choices_as_where


class FormulaPrinter(Shared, PythonCodePrinter):  # type: ignore[misc]
    """Print an expression of the table as one would type it, constants as they are."""

    def times_grad(self, partial: sympy.Expr, grad: str = "grad") -> Code:
        """Return ``grad * partial`` as the table writes it, whatever its dtype."""
        return self._times_grad(choices_as_where(partial), grad)

    def with_terms(self, text: str, terms: Iterable[tuple[sympy.Symbol, sympy.Expr]]) -> str:
        """Return a formula and the terms in it: ``x / h with h = hypot(x, y)``."""
        lets = ", ".join(f"{name} = {self.code(term)}" for name, term in terms)
        return f"{text} with {lets}" if lets else str(text)

    def _function(self, expression: sympy.Basic) -> Code:
        if expression.is_Pow:
            base, exponent = (self._print(arg) for arg in expression.args)
            if expression.exp == sympy.Rational(1, 2):
                return Code(f"sqrt({base})")
            return Code(
                f"{base.inside(Binding.ATOM)}**{exponent.inside(Binding.ATOM)}", Binding.POWER
            )
        listed = ", ".join(self._print(arg) for arg in expression.args)
        return Code(f"{expression.func.__name__}({listed})")

    def select(self, condition: sympy.Basic, yes: Code, no: Code) -> Code:
        """Return ``where(condition, yes, no)``."""
        return Code(f"where({self._print(condition)}, {yes}, {no})")

    def number(self, value: float) -> str:
        """Return whole numbers without a point."""
        return str(int(value)) if value == int(value) else repr(value)

    def nonzero(self, argument: sympy.Expr) -> Code:
        """Return the argument; the singular points say what happens at 0."""
        return self._print(argument)

    def quotient(self, expression: sympy.Expr) -> tuple[list[Code], list[Code]]:
        """Return the factors above and below the line, constants among them."""
        above: list[Code] = []
        below: list[Code] = []
        constants = [factor for factor in expression.args if is_constant(factor)]
        for factor in constants:
            top, bottom = factor.as_numer_denom()
            for side, part in ((above, top), (below, bottom)):
                if part != 1:
                    side.append(self._print(part))
        _, upper, lower = fraction(expression)
        above += map(self._print, upper)
        below += map(self._print, lower)
        return above, below

    def _constant(self, number: sympy.Expr) -> Code:
        if number.is_infinite:
            return super()._constant(number)
        if number.is_imaginary and (number / sympy.I).is_Rational:
            size = self._constant(number / sympy.I)
            return Code(f"{size}j", size.binding)
        if number.is_Float:
            return Code(self.number(float(number)), Binding.SIGN if number < 0 else Binding.ATOM)
        if number.is_Rational:
            sign = Binding.SIGN if number < 0 else Binding.ATOM
            text = shown(number)
            return Code(text, Binding.PRODUCT if "/" in text else sign)
        return Code(sympy.sstr(number), _binding(number))


def _binding(number: sympy.Expr) -> Binding:
    """Return how tightly SymPy's own text of a constant binds."""
    if number.is_Add:
        return Binding.SUM
    return Binding.PRODUCT if number.is_Mul else Binding.ATOM
