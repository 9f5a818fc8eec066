"""Printer of scalar code: Python floats and the `math` module."""

# ruff: noqa: N802 -- SymPy finds a method by the name of the class it prints

from __future__ import annotations

from collections.abc import Sequence

import sympy
from sympy.printing.pycode import PythonCodePrinter

from diffrules.entry import Rule
from diffrules.guards import isnan
from generator.callees import Callee, Form
from generator.errors import Unsupported
from generator.printers.code import Binding, Code
from generator.printers.common import Shared


class ScalarPrinter(Shared, PythonCodePrinter):  # type: ignore[misc]
    """Print one-liners on Python floats.

    Powers are ``math.pow``, never ``**``: ``(-8.0)**(1/3)`` is complex. Choices are
    conditional expressions and keep NaN. Whole numbers from floor and round become floats
    with the sign NumPy gives them.
    """

    infinity = "math.inf"
    not_a_number = "math.nan"
    pi = "math.pi"

    def form(self, rule: Rule) -> Form:
        """Return what computes `rule` on floats."""
        return self.callees.math_form(rule)

    def call(self, callee: Callee, args: Sequence[str]) -> Code:
        """Return a call of a function of `math` or of the support module."""
        if callee.library == "support":
            self.uses.libraries["support"] = None
        elif callee.library != "math":
            raise Unsupported(callee.dotted)
        return Code(f"{callee.dotted}({', '.join(args)})")

    def select(self, condition: sympy.Basic, yes: Code, no: Code) -> Code:
        """Return a conditional expression."""
        test = self._print(condition).inside(Binding.OR)
        text = f"{yes.inside(Binding.OR)} if {test} else {no.inside(Binding.OR)}"
        return Code(text, Binding.TERNARY)

    def power(self, base: sympy.Expr, exponent: int) -> Code:
        """Return a product for the square of a name, else ``math.pow``."""
        text = self._print(base)
        if exponent == 2 and base.is_Symbol:
            return Code(f"{text} * {text}", Binding.PRODUCT)
        return Code(f"math.pow({text}, {self.number(float(exponent))})")

    def nonzero(self, argument: sympy.Expr) -> Code:
        """Return ``h or 1.0``: NaN is true, both zeros are false."""
        return Code(f"{self._print(argument).inside(Binding.AND)} or 1.0", Binding.OR)

    def native(self, expression: sympy.Basic) -> Code | None:
        """Return sign, floor and ceiling as floats that keep NaN and NumPy's zeros."""
        text = self._print(expression.args[0])
        if isinstance(expression, sympy.sign):
            side = text.inside(Binding.BIT)
            unequal = f"math.copysign(1.0, {text}) if {side} else 0.0"
            return Code(f"{text} if {side} != {side} else ({unequal})", Binding.TERNARY)
        for function, name in ((sympy.floor, "floor"), (sympy.ceiling, "ceil")):
            if isinstance(expression, function):
                return Code(f"math.copysign(math.{name}({text}), {text})")
        return None

    def _print_isnan(self, expression: isnan) -> Code:
        text = self._print(expression.args[0])
        if expression.args[0].is_Symbol:
            return Code(f"{text} != {text}", Binding.COMPARISON)
        return Code(f"math.isnan({text})")

    def _print_Not(self, expression: sympy.Not) -> Code:
        (inner,) = expression.args
        if isinstance(inner, isnan) and inner.args[0].is_Symbol:
            text = self._print(inner.args[0])
            return Code(f"{text} == {text}", Binding.COMPARISON)
        return super()._print_Not(expression)
