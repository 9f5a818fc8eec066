"""Printer of formulas for people: docstrings and ``--explain``."""

from __future__ import annotations

from collections.abc import Sequence

import sympy
from sympy.printing.pycode import PythonCodePrinter

from diffrules.entry import Rule
from generator.callees import Callee, Form
from generator.literals import dyadic
from generator.printers.code import Binding, Code
from generator.printers.common import Shared


class FormulaPrinter(Shared, PythonCodePrinter):  # type: ignore[misc]
    """Print an expression of the table as one would type it, constants as they are."""

    def form(self, rule: Rule) -> Form:
        """Return the meaning of `rule`."""
        return rule.value

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

    def call(self, callee: Callee, args: Sequence[str]) -> Code:
        """Return a call by the last part of the name."""
        return Code(f"{callee.name}({', '.join(args)})")

    def select(self, condition: sympy.Basic, yes: Code, no: Code) -> Code:
        """Return ``where(condition, yes, no)``."""
        return Code(f"where({self._print(condition)}, {yes}, {no})")

    def power(self, base: sympy.Expr, exponent: int) -> Code:
        """Return ``base**exponent``."""
        return Code(f"{self._print(base).inside(Binding.ATOM)}**{exponent}", Binding.POWER)

    def number(self, value: float) -> str:
        """Return whole numbers without a point."""
        return str(int(value)) if value == int(value) else repr(value)

    def nonzero(self, argument: sympy.Expr) -> Code:
        """Return the argument; the singular points say what happens at 0."""
        return self._print(argument)

    def _constant(self, number: sympy.Expr) -> Code:
        if number.is_Integer:
            return Code(str(number), Binding.SIGN if number < 0 else Binding.ATOM)
        if number.is_Float:
            return Code(self.number(float(number)))
        if number.is_Rational and dyadic(number):
            return Code(repr(float(number)), Binding.SIGN if number < 0 else Binding.ATOM)
        text = sympy.sstr(number)
        return Code(text, Binding.ATOM if number.is_Atom else Binding.PRODUCT)
