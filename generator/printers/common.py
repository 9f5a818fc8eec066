"""What the printers of all backends share: arithmetic that reads as if written by hand.

A printer turns a SymPy expression into `Code`. The backends differ in literals, powers,
choices and logic; sums, products, quotients, comparisons, and which entry of the table
computes a function, are the same for all.
"""

# ruff: noqa: N802 -- SymPy finds a method by the name of the class it prints

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import sympy
from sympy.core.relational import Relational

from diffrules.entry import Rule, TableFunction
from diffrules.guards import Guard, indicator, isnan, where
from generator.callees import Callee, Callees, Form
from generator.errors import GeneratorError
from generator.literals import dyadic, literal, rounded
from generator.printers.algebra import (
    HALF,
    bare_reciprocal,
    common_factor,
    conditions,
    fraction,
    indicators,
    is_constant,
    ordered_terms,
    signed,
)
from generator.printers.code import Binding, Code
from generator.printers.steady import choices_as_where, is_weak, steady


class Logic(NamedTuple):
    """How a backend writes a logical operator.

    Attributes
    ----------
    sign : str
        The operator, with its spaces.
    binding : Binding
        How tightly it binds.
    operand : Binding
        How tightly its operands must bind to stand without parentheses.
    """

    sign: str
    binding: Binding
    operand: Binding


class Uses:
    """What printed code needs from outside.

    Attributes
    ----------
    rules : dict
        Entries whose forward function is called; ordered.
    libraries : dict
        ``special``, ``support`` and ``overridable``, where used; ordered.
    """

    def __init__(self) -> None:
        self.rules: dict[Rule, None] = {}
        self.libraries: dict[str, None] = {}

    def merge(self, other: Uses) -> None:
        """Add what `other` collected."""
        self.rules |= other.rules
        self.libraries |= other.libraries


class Shared:
    """Mixin in front of a SymPy printer.

    Parameters
    ----------
    callees : Callees
        The table.
    uses : Uses, optional
        Collects what the printed code needs.
    """

    infinity = "inf"
    not_a_number = "nan"
    pi = "pi"
    is_nan = "isnan"
    both = Logic(" and ", Binding.AND, Binding.NOT)
    either = Logic(" or ", Binding.OR, Binding.NOT)
    negation = Logic("not ", Binding.NOT, Binding.NOT)

    def __init__(self, callees: Callees, uses: Uses | None = None) -> None:
        super().__init__()
        self.callees = callees
        self.uses = uses or Uses()
        self._own: Rule | None = None
        self._whole = False

    def code(self, expression: sympy.Basic) -> Code:
        """Return `expression` as code."""
        return self._print(choices_as_where(expression))

    def forward(self, rule: Rule) -> Code:
        """Return what the forward function of `rule` returns.

        Raises
        ------
        Unsupported
            If the backend has no form of it.
        """
        self._own = rule
        try:
            form = self.form(rule)
            if isinstance(form, Callee):
                return self.call(form, [str(arg) for arg in rule.args])
            value = steady(choices_as_where(form))
            if not is_constant(value) and is_weak(value):
                return self.of_numbers(rule, value)
            return self._print(value)
        finally:
            self._own = None

    def times_grad(self, partial: sympy.Expr, grad: str = "grad") -> Code:
        """Return ``grad * partial``; the partial comes first, as the table writes it.

        Parameters
        ----------
        partial : sympy.Expr
            A partial, or a factor of one.
        grad : str
            Name of the cotangent.
        """
        return self._times_grad(steady(choices_as_where(partial)), grad)

    def of_numbers(self, rule: Rule, value: sympy.Expr) -> Code:
        """Return a value made of numbers and conditions alone; it must still be a float."""
        return self._print(
            value.replace(indicator, lambda condition: where(condition, sympy.S.One, sympy.S.Zero))
        )

    def form(self, rule: Rule) -> Form:
        """Return what computes `rule` on this backend."""
        raise NotImplementedError

    def call(self, callee: Callee, args: Sequence[str]) -> Code:
        """Return a call of a library's function."""
        raise NotImplementedError

    def call_entry(self, rule: Rule, args: Sequence[str]) -> Code:
        """Return a call of the forward function of `rule`."""
        self.uses.rules[rule] = None
        return Code(f"{self.entry_name(rule)}({', '.join(args)})")

    def entry_name(self, rule: Rule) -> str:
        """Return the name of the forward function of `rule`."""
        return rule.name

    def select(self, condition: sympy.Basic, yes: Code, no: Code) -> Code:
        """Return the choice of two pieces of code."""
        raise NotImplementedError

    def power(self, base: sympy.Expr, exponent: int) -> Code:
        """Return `base` to a whole exponent of 2 or more."""
        return Code(f"{self._print(base).inside(Binding.ATOM)}**{exponent}", Binding.POWER)

    def number(self, value: float) -> str:
        """Return a finite literal."""
        return str(int(value)) if self._whole and value.is_integer() else literal(value)

    def nonzero(self, argument: sympy.Expr) -> Code:
        """Return `argument`, or 1 where it is 0."""
        text = self._print(argument)
        return Code(
            f"{text.inside(Binding.SUM)} + ({self._print(sympy.Eq(argument, 0, evaluate=False))})",
            Binding.SUM,
        )

    def _times_grad(self, partial: sympy.Expr, grad: str) -> Code:
        if isinstance(partial, where):
            condition, yes, no = partial.args
            branches = (self._times_grad(branch, grad) for branch in (yes, no))
            return self.select(condition, *branches)
        sign, size = signed(partial)
        left = Code(f"-{grad}", Binding.SIGN) if sign < 0 else Code(grad)
        if size == 0:
            return Code(self.number(0.0))
        if size == 1:
            return left
        if is_constant(size):
            return self._scaled(sign * size, left, grad)
        weights, where_true = indicators(size)
        if weights is not None and where_true:
            head = self._times_grad(sign * weights, grad)
            tail = (self._print(condition).inside(Binding.SIGN) for condition in where_true)
            return Code(" * ".join((head, *tail)), Binding.PRODUCT)
        bare = bare_reciprocal(size)
        if bare is not None:
            return Code(f"{left} / {self._print(bare).inside(Binding.SIGN)}", Binding.PRODUCT)
        return Code(f"{left} * {self._print(size).inside(Binding.SIGN)}", Binding.PRODUCT)

    def _scaled(self, number: sympy.Expr, left: Code, grad: str) -> Code:
        """Return a cotangent times a constant."""
        size = abs(number)
        if size.is_Rational and size.p == 1 and not dyadic(size):
            return Code(f"{left} / {self.number(float(size.q))}", Binding.PRODUCT)
        return Code(f"{self._constant(number)} * {grad}", Binding.PRODUCT)

    def _print(self, expression: Any, **_: Any) -> Code:
        if isinstance(expression, TableFunction):
            return self._function(expression)
        if isinstance(expression, where):
            condition, yes, no = expression.args
            return self.select(condition, self._print(yes), self._print(no))
        if isinstance(expression, indicator):
            return self._print(expression.args[0])
        if isinstance(expression, Guard):
            return self.nonzero(expression.args[0])
        if isinstance(expression, sympy.Expr) and is_constant(expression):
            return self._constant(expression)
        if isinstance(expression, sympy.Function):
            return self._function(expression)
        return super()._print(expression)  # type: ignore[misc,no-any-return]

    def _function(self, expression: sympy.Basic) -> Code:
        found = self.callees.match(expression, skip=self._own)
        if found is None:
            native = self.native(expression)
            if native is not None:
                return native
            raise GeneratorError(
                f"no entry of the table computes {expression.func.__name__}, as in {expression}; "
                "add an entry with this value, or give the field numpy= (math=, c=) of the entry "
                "that uses it"
            )
        return self.apply(*found)

    def native(self, expression: sympy.Basic) -> Code | None:
        """Return a SymPy function the backend writes without any library, else None."""
        return None

    def apply(self, rule: Rule, args: Sequence[sympy.Basic]) -> Code:
        """Return the code of an entry with arguments: its callee, or its forward function."""
        form = self.form(rule)
        texts = [self._argument(rule, *pair) for pair in zip(rule.args, args, strict=True)]
        if isinstance(form, Callee) and self.is_direct(form):
            return self.call(form, texts)
        if rule is not self._own:
            type(self)(self.callees).forward(rule)
        return self.call_entry(rule, texts)

    def _argument(self, rule: Rule, arg: sympy.Symbol, given: sympy.Basic) -> str:
        """Return an argument of a call; literals of a whole one have no point."""
        outside, self._whole = self._whole, self._whole or rule.domain.is_whole(arg)
        try:
            return self._print(given)
        finally:
            self._whole = outside

    def is_direct(self, callee: Callee) -> bool:
        """Return whether other code calls `callee` itself and not the entry's function."""
        return callee.library != "support"

    def _constant(self, number: sympy.Expr) -> Code:
        if number is sympy.oo or number is -sympy.oo:
            sign = "-" if number is -sympy.oo else ""
            return Code(sign + self.infinity, Binding.SIGN if sign else Binding.ATOM)
        if number is sympy.nan:
            return Code(self.not_a_number)
        if number is sympy.pi:
            return Code(self.pi)
        if number.is_imaginary:
            size = self._constant(number / sympy.I)
            return Code(f"{size}j", size.binding)
        value = rounded(number)
        return Code(self.number(value), Binding.SIGN if value < 0 else Binding.ATOM)

    def _print_Symbol(self, expression: sympy.Symbol) -> Code:
        return Code(expression.name)

    def _print_Add(self, expression: sympy.Add, order: Any = None) -> Code:
        sign, size = signed(expression)
        if sign < 0:
            return Code(f"-{self._print(size).inside(Binding.PRODUCT)}", Binding.PRODUCT)
        common = common_factor(expression)
        if common is not None:
            return self._print(common)
        terms = [signed(term) for term in ordered_terms(expression, self._whole)]
        (sign, first), *rest = terms
        text = ("-" if sign < 0 else "") + self._print(first).inside(Binding.PRODUCT)
        for sign, term in rest:
            text += f" {'-' if sign < 0 else '+'} {self._print(term).inside(Binding.PRODUCT)}"
        return Code(text, Binding.SUM)

    def _print_Mul(self, expression: sympy.Mul) -> Code:
        sign, size = signed(expression)
        if sign < 0:
            return Code(f"-{self._print(size).inside(Binding.PRODUCT)}", Binding.PRODUCT)
        above, below = self.quotient(size)
        text = _times(above or [Code(self.number(1.0))])
        if below:
            divisor = below[0] if len(below) == 1 else Code(_times(below), Binding.PRODUCT)
            text += f" / {divisor.inside(Binding.SIGN)}"
        return Code(text, Binding.PRODUCT)

    def quotient(self, expression: sympy.Expr) -> tuple[list[Code], list[Code]]:
        """Return the factors above and below the line, all constants folded into one."""
        number, above, below = fraction(expression)
        upper, lower = ([self._print(factor) for factor in factors] for factors in (above, below))
        if number.is_Rational and number.p == 1 and not dyadic(number):
            lower.insert(0, Code(self.number(float(number.q))))
        elif number != 1:
            upper.insert(0, self._constant(number))
        return upper, lower

    def _print_Pow(self, expression: sympy.Pow, rational: bool = False) -> Code:
        base, exponent = expression.args
        if exponent in (-1, -HALF):
            below = self._print(base**-exponent).inside(Binding.SIGN)
            return Code(f"{self.number(1.0)} / {below}", Binding.PRODUCT)
        if exponent.is_Integer and exponent > 0:
            return self.power(base, int(exponent))
        if exponent.is_Integer:
            return self.reciprocal_power(base, -int(exponent))
        return self._function(expression)

    def reciprocal_power(self, base: sympy.Expr, exponent: int) -> Code:
        """Return ``(1 / base)**exponent``, which stays in range longer than ``1 / base**n``."""
        return self.power(sympy.Pow(base, -1, evaluate=False), exponent)

    def _print_Relational(self, expression: Relational) -> Code:
        left = self._print(expression.lhs).inside(Binding.BIT)
        right = self._print(expression.rhs).inside(Binding.BIT)
        return Code(f"{left} {expression.rel_op} {right}", Binding.COMPARISON)

    def _print_isnan(self, expression: isnan) -> Code:
        return Code(f"{self.is_nan}({self._print(expression.args[0])})")

    def _print_And(self, expression: sympy.And) -> Code:
        return self._joined(self.both, expression)

    def _print_Or(self, expression: sympy.Or) -> Code:
        return self._joined(self.either, expression)

    def _joined(self, logic: Logic, expression: sympy.Basic) -> Code:
        parts = (self._print(part).inside(logic.operand) for part in conditions(expression))
        return Code(logic.sign.join(parts), logic.binding)

    def _print_Not(self, expression: sympy.Not) -> Code:
        operand = self._print(expression.args[0]).inside(self.negation.operand)
        return Code(f"{self.negation.sign}{operand}", self.negation.binding)

    def _print_Max(self, expression: sympy.Max) -> Code:
        return self._nested("maximum", expression)

    def _print_Min(self, expression: sympy.Min) -> Code:
        return self._nested("minimum", expression)

    def _nested(self, name: str, expression: sympy.Basic) -> Code:
        rule = self.callees.named(name)
        first, *rest = sorted(expression.args, key=lambda arg: (arg.is_number, arg.sort_key()))
        for arg in rest:
            first = rule(first, arg)
        return self._print(first)


def _times(factors: Sequence[Code]) -> str:
    """Return the product of one or more factors; they are multiplied from left to right."""
    first, *rest = factors
    return " * ".join((first.inside(Binding.PRODUCT), *(f.inside(Binding.SIGN) for f in rest)))
