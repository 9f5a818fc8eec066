"""What the printers of all backends share: arithmetic that reads as if written by hand.

A printer turns a SymPy expression into `Code`. The backends differ in literals, powers,
choices and logic; sums, products, quotients, comparisons, and which entry of the table
computes a function, are the same for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy
from sympy.core.numbers import NumberSymbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from diffrules.entry import Rule, TableFunction
from diffrules.guards import Guard, indicator, where
from generator.callees import Callee, Callees, Form
from generator.errors import GeneratorError
from generator.literals import dyadic, literal, rounded
from generator.printers.code import Binding, Code

HALF = sympy.Rational(1, 2)


class Uses:
    """What printed code needs from outside.

    Attributes
    ----------
    rules : dict
        Entries whose forward function is called; ordered.
    support : dict
        Names of the support module; ordered.
    """

    def __init__(self) -> None:
        self.rules: dict[Rule, None] = {}
        self.support: dict[str, None] = {}

    def merge(self, other: Uses) -> None:
        """Add what `other` collected."""
        self.rules |= other.rules
        self.support |= other.support


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

    def __init__(self, callees: Callees, uses: Uses | None = None) -> None:
        super().__init__()
        self.callees = callees
        self.uses = uses or Uses()
        self._own: Rule | None = None

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
                return self.call(form, rule.args)
            return self.code(steady(choices_as_where(form)))
        finally:
            self._own = None

    def times_grad(self, partial: sympy.Expr) -> Code:
        """Return ``grad * partial``; the partial comes first, as the table writes it."""
        return self._times_grad(steady(choices_as_where(partial)))

    def form(self, rule: Rule) -> Form:
        """Return what computes `rule` on this backend."""
        raise NotImplementedError

    def call(self, callee: Callee, args: Sequence[sympy.Basic]) -> Code:
        """Return a call of a library's function."""
        raise NotImplementedError

    def call_entry(self, rule: Rule, args: Sequence[sympy.Basic]) -> Code:
        """Return a call of the forward function of `rule`."""
        self.uses.rules[rule] = None
        return Code(f"{self.entry_name(rule)}({self.listed(args)})")

    def entry_name(self, rule: Rule) -> str:
        """Return the name of the forward function of `rule`."""
        return rule.name

    def listed(self, args: Sequence[sympy.Basic]) -> str:
        """Return arguments of a call."""
        return ", ".join(self._print(arg) for arg in args)

    def select(self, condition: sympy.Basic, yes: Code, no: Code) -> Code:
        """Return the choice of two pieces of code."""
        raise NotImplementedError

    def power(self, base: sympy.Expr, exponent: int) -> Code:
        """Return `base` to a whole exponent of 2 or more."""
        raise NotImplementedError

    def number(self, value: float) -> str:
        """Return a finite literal."""
        return literal(value)

    def nonzero(self, argument: sympy.Expr) -> Code:
        """Return `argument`, or 1 where it is 0."""
        text = self._print(argument)
        return Code(
            f"{text.inside(Binding.SUM)} + ({self._print(sympy.Eq(argument, 0, evaluate=False))})",
            Binding.SUM,
        )

    def _times_grad(self, partial: sympy.Expr) -> Code:
        if isinstance(partial, where):
            condition, yes, no = partial.args
            return self.select(condition, self._times_grad(yes), self._times_grad(no))
        sign, size = _sign(partial)
        grad = "-grad" if sign < 0 else "grad"
        if size == 0:
            return Code(self.number(0.0))
        if size == 1:
            return Code(grad, Binding.SIGN if sign < 0 else Binding.ATOM)
        if not size.free_symbols:
            return self._constant_times_grad(sign, size)
        weights, conditions = _indicators(size)
        if weights is not None and conditions:
            head = self._times_grad(sign * weights)
            tail = (self._print(c).inside(Binding.SIGN) for c in conditions)
            return Code(" * ".join((head, *tail)), Binding.PRODUCT)
        bare = _bare_reciprocal(size)
        if bare is not None:
            return Code(f"{grad} / {self._print(bare).inside(Binding.SIGN)}", Binding.PRODUCT)
        return Code(f"{grad} * {self._print(size).inside(Binding.SIGN)}", Binding.PRODUCT)

    def _constant_times_grad(self, sign: int, size: sympy.Expr) -> Code:
        if size.is_Rational and size.p == 1 and not dyadic(size):
            grad = "-grad" if sign < 0 else "grad"
            return Code(f"{grad} / {self.number(float(size.q))}", Binding.PRODUCT)
        return Code(f"{self._constant(sign * size)} * grad", Binding.PRODUCT)

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
        if isinstance(expression, sympy.Expr) and not expression.free_symbols:
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
        if isinstance(form, Callee) and self.is_direct(form):
            return self.call(form, args)
        if rule is not self._own:
            type(self)(self.callees).forward(rule)
        return self.call_entry(rule, args)

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
        value = rounded(number)
        return Code(self.number(value), Binding.SIGN if value < 0 else Binding.ATOM)

    def _print_Symbol(self, expression: sympy.Symbol) -> Code:
        return Code(expression.name)

    def _print_Add(self, expression: sympy.Add, order: Any = None) -> Code:
        terms = [_sign(term) for term in _ordered_terms(expression)]
        (sign, first), *rest = terms
        text = self._print(-first if sign < 0 else first).inside(Binding.SUM)
        for sign, term in rest:
            text += f" {'-' if sign < 0 else '+'} {self._print(term).inside(Binding.PRODUCT)}"
        return Code(text, Binding.SUM)

    def _print_Mul(self, expression: sympy.Mul) -> Code:
        sign, size = _sign(expression)
        if sign < 0:
            text = self._print(size)
            return Code(f"-{text.inside(Binding.PRODUCT)}", Binding.PRODUCT)
        number, above, below = _fraction(size)
        scale = self._scale(number, above, below)
        factors = [self._print(factor) for factor in above]
        if scale is not None:
            factors.insert(0, Code(scale))
        if not factors:
            factors = [Code(self.number(1.0))]
        head = factors[0].inside(Binding.PRODUCT)
        text = " * ".join((head, *(f.inside(Binding.SIGN) for f in factors[1:])))
        if below:
            parts = [self._print(factor) for factor in below]
            if len(parts) == 1:
                text += f" / {parts[0].inside(Binding.SIGN)}"
            else:
                text += f" / ({' * '.join(p.inside(Binding.SIGN) for p in parts)})"
        return Code(text, Binding.PRODUCT)

    def _scale(
        self, number: sympy.Expr, above: list[sympy.Expr], below: list[sympy.Expr]
    ) -> str | None:
        """Return the constant factor as text, or put it into `below`; None if it is 1."""
        if number == 1:
            return None
        if number.is_Rational and number.p == 1 and not dyadic(number):
            below.insert(0, sympy.Integer(number.q))
            return None
        return str(self._constant(number))

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


def _sign(expression: sympy.Expr) -> tuple[int, sympy.Expr]:
    """Return the sign in front of an expression, and the expression without it."""
    if expression.is_Number or isinstance(expression, NumberSymbol):
        return (-1, -expression) if expression < 0 else (1, expression)
    if expression.is_Mul:
        number, rest = _split_constants(expression)
        if number.is_extended_negative:
            return -1, _product(-number, rest)
    return 1, expression


def _split_constants(product: sympy.Expr) -> tuple[sympy.Expr, list[sympy.Expr]]:
    """Return the constant factor of a product, whole, and the other factors."""
    constants = [factor for factor in product.args if not factor.free_symbols]
    rest = [factor for factor in product.as_ordered_factors() if factor.free_symbols]
    return sympy.Mul(*constants), rest


def _product(number: sympy.Expr, rest: Sequence[sympy.Expr]) -> sympy.Expr:
    """Return a product whose number is not distributed over a sum."""
    if number == 1:
        return sympy.Mul(*rest)
    return sympy.Mul(number, *rest, evaluate=False)


def _fraction(
    expression: sympy.Expr,
) -> tuple[sympy.Expr, list[sympy.Expr], list[sympy.Expr]]:
    """Return the constant, the factors above and the factors below the line."""
    factors = expression.args if expression.is_Mul else (expression,)
    number, rest = _split_constants(sympy.Mul(*factors, evaluate=False))
    above: list[sympy.Expr] = []
    below: list[sympy.Expr] = []
    for factor in rest:
        exponent = factor.exp if factor.is_Pow else sympy.Integer(1)
        if exponent.is_Rational and exponent < 0 and (2 * exponent).is_Integer:
            below.append(factor.base**-exponent)
        else:
            above.append(factor)
    above.sort(key=lambda factor: isinstance(factor, indicator))
    return number, above, below


def _bare_reciprocal(expression: sympy.Expr) -> sympy.Expr | None:
    """Return ``d`` if the expression is ``1/d``, with no number above the line."""
    if expression.is_Pow:
        return expression.base**-expression.exp if expression.exp in (-1, -HALF) else None
    if not expression.is_Mul:
        return None
    number, above, below = _fraction(expression)
    if above or not (number.is_Rational and number.p == 1) or (number != 1 and dyadic(number)):
        return None
    return _product(sympy.Integer(number.q), below)


def _indicators(
    expression: sympy.Expr,
) -> tuple[sympy.Expr | None, list[sympy.Basic]]:
    """Return number and conditions if the expression is a number times indicators."""
    factors = expression.args if expression.is_Mul else (expression,)
    conditions = [f.args[0] for f in factors if isinstance(f, indicator)]
    rest = [f for f in factors if not isinstance(f, indicator)]
    if any(f.free_symbols for f in rest):
        return None, []
    return sympy.Mul(*rest), conditions


def _ordered_terms(expression: sympy.Add) -> list[sympy.Expr]:
    """Return the terms as one writes them: a positive number first, a negative one last."""
    terms = expression.as_ordered_terms()

    def place(term: sympy.Expr) -> tuple[bool, bool]:
        negative = _sign(term)[0] < 0
        constant = not term.free_symbols
        return negative, constant is negative

    return sorted(terms, key=place)


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


def _settled(expression: sympy.Expr, condition: sympy.Basic, truth: bool) -> sympy.Expr:
    def decide(node: sympy.Expr) -> sympy.Expr:
        if isinstance(node, indicator):
            return sympy.Integer(int(truth))
        return node.args[1] if truth else node.args[2]

    return expression.replace(
        lambda node: isinstance(node, (where, indicator)) and node.args[0] == condition, decide
    )


def is_weak(expression: sympy.Basic) -> bool:
    """Return whether no array of the caller's dtype enters, only numbers and conditions."""
    if not expression.free_symbols:
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
    if not expression.free_symbols or isinstance(expression, (Boolean, indicator)):
        return None
    weak = is_weak(expression)
    if isinstance(expression, where) and (outermost or not weak):
        return _first(_unsteady(branch, outermost) for branch in expression.args[1:])
    if not weak:
        return _first(_unsteady(part, False) for part in expression.args)
    if outermost and _indicators(expression)[1]:
        return None
    found = expression.find(lambda node: isinstance(node, (where, indicator)))
    return min((node.args[0] for node in found), key=lambda condition: condition.sort_key())


def _first(conditions: Iterable[sympy.Basic | None]) -> sympy.Basic | None:
    return next((condition for condition in conditions if condition is not None), None)


def conditions(expression: sympy.Basic) -> list[sympy.Basic]:
    """Return the parts of a logical and, or: comparisons first, then the rest."""
    return sorted(
        expression.args, key=lambda part: (not isinstance(part, Relational), part.sort_key())
    )
