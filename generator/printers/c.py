"""Printer of C99 code, in double or single precision."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import sympy
from sympy.printing.c import C99CodePrinter

from diffrules.entry import Rule
from generator.callees import DOUBLE_ONLY, Callee, Callees, Form
from generator.errors import Unsupported
from generator.literals import literal, literal_f
from generator.printers.code import Binding, Code
from generator.printers.common import Logic, Shared, Uses


class CPrinter(Shared, C99CodePrinter):  # type: ignore[misc]
    """Print C99 expressions with NumPy's IEEE semantics: no ``M_PI``, no ``fmax``.

    Parameters
    ----------
    callees, uses
        As for all printers.
    single : bool
        Print ``float`` code: literals and functions of libm have the suffix ``f``.
    """

    # Numbers are literals here; SymPy would make its table of macros for each printer.
    math_macros: ClassVar[dict[sympy.Expr, str]] = {}
    infinity = "INFINITY"
    not_a_number = "NAN"
    both = Logic(" && ", Binding.AND, Binding.COMPARISON)
    either = Logic(" || ", Binding.OR, Binding.COMPARISON)
    negation = Logic("!", Binding.SIGN, Binding.SIGN)

    def __init__(self, callees: Callees, uses: Uses | None = None, single: bool = False) -> None:
        super().__init__(callees, uses)
        self.single = single
        self.suffix = "f" if single else ""
        self.pi = self.number(math.pi)

    def form(self, rule: Rule) -> Form:
        """Return what computes `rule` in C."""
        return self.callees.c_form(rule)

    def call(self, callee: Callee, args: Sequence[str]) -> Code:
        """Return a call of a function of libm, or of a helper of this header."""
        helper = callee.library == "support"
        if helper:
            self.uses.libraries["support"] = None
        if callee.library and not helper:
            raise Unsupported(callee.dotted)
        name = f"ad_support_{callee.name}" if helper else callee.name
        if self.single and name in DOUBLE_ONLY:
            return Code(f"(float){name}({', '.join(args)})", Binding.SIGN)
        return Code(f"{name}{self.suffix}({', '.join(args)})")

    def entry_name(self, rule: Rule) -> str:
        """Return the name of the function that holds the value of `rule`."""
        return f"ad_{rule.name}{self.suffix}"

    def select(self, condition: sympy.Basic, yes: Code, no: Code) -> Code:
        """Return a conditional expression."""
        test = self._print(condition).inside(Binding.OR)
        return Code(f"{test} ? {yes.inside(Binding.OR)} : {no.inside(Binding.OR)}", Binding.TERNARY)

    def power(self, base: sympy.Expr, exponent: int) -> Code:
        """Return a product for small powers of a name, else a call."""
        text = self._print(base)
        if base.is_Symbol and exponent <= 3:
            return Code(" * ".join([text] * exponent), Binding.PRODUCT)
        square = self.callees.match(sympy.Pow(base, exponent, evaluate=False), skip=self._own)
        if exponent == 2 and square is not None:
            return self.apply(*square)
        return Code(f"pow{self.suffix}({text}, {self.number(float(exponent))})")

    def number(self, value: float) -> str:
        """Return a literal of this precision."""
        return literal_f(value) if self.single else literal(value)

    def native(self, expression: sympy.Basic) -> Code | None:
        """Return the sign, which keeps NaN; the difference of two comparisons does not."""
        if not isinstance(expression, sympy.sign):
            return None
        text = self._print(expression.args[0])
        side = text.inside(Binding.BIT)
        one, zero = self.number(1.0), self.number(0.0)
        negative = f"({side} < {zero} ? -{one} : {text.inside(Binding.BIT)})"
        return Code(
            f"{side} == {zero} ? {zero} : ({side} > {zero} ? {one} : {negative})", Binding.TERNARY
        )
