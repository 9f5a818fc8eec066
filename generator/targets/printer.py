"""What the printers of all engines share: calls inside the file, and the careful product."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import sympy
from sympy.logic.boolalg import Boolean

from diffrules.entry import Rule
from diffrules.guards import indicator, nonzero, where
from generator.callees import Callee, Form, is_exact
from generator.errors import Unsupported
from generator.printers import BroadcastedPrinter, Code, Shared
from generator.printers.algebra import indicators
from generator.targets.bundle import bundle, lacking
from generator.targets.dialect import Dialect
from generator.targets.pieces import home

LIBRARIES = {"np": "numpy", "special": "scipy.special"}


class Target(Shared):
    """Mixin in front of a printer: every function is one of the file, or of the engine.

    Attributes
    ----------
    title : str
        What people call the engine.
    names : dict
        What computes an entry, by its name: a function of the engine, or of the template.
    dialect : Dialect or None
        How our helpers ``support.<name>`` are written; None if they cannot be.
    numbers : bool
        Orders are Python numbers, also those of public functions.
    indent : int
        Of the statements that compute a value.
    """

    title: ClassVar[str]
    names: ClassVar[Mapping[str, str]] = {}
    dialect: ClassVar[Dialect | None] = None
    numbers: ClassVar[bool] = False
    indent: ClassVar[int] = 4

    def form(self, rule: Rule) -> Form:
        """Return what computes `rule`: a function, or an expression of the entry.

        Raises
        ------
        Unsupported
            If there is none; the message says what is missing.
        """
        if rule.name in self.names:
            return Callee(self.names[rule.name])
        given = self.callees.numpy_form(rule)
        if not isinstance(given, Callee):
            return given
        ours = given.library == "support"
        wrong = self.helper_lacks(given.name) if ours else ""
        if ours and not wrong:
            return Callee(self.helper(given.name))
        for written in (rule.c, rule.math):
            if isinstance(written, sympy.Basic):
                return written
        if is_exact(rule.value):
            return rule.value
        raise Unsupported(
            wrong
            or f"{LIBRARIES[given.library]}.{given.name} has no counterpart in {self.title}, or a "
            "less precise one"
        )

    def helper_lacks(self, name: str) -> str:
        """Return why our helper of this name cannot be called; empty if it can."""
        if self.dialect is None:
            return f"our helper {name} is for arrays"
        return "" if name in self.dialect.written else lacking(name, self.dialect)

    def helper(self, name: str) -> str:
        """Return what our helper is called in the file, and note that it is needed."""
        assert self.dialect is not None
        if name not in self.dialect.written:
            self.uses.libraries[name] = None
        return self.dialect.called(home(name), name)

    @classmethod
    def bundle(cls, names: Iterable[str]) -> tuple[list[str], str]:
        """Return the imports, and the code, of helpers of ours of these names."""
        return bundle(names, cls.dialect) if cls.dialect else ([], "")

    def call(self, callee: Callee, args: Sequence[str]) -> Code:
        """Return a call of a function of the engine, or of a helper of the file."""
        return Code(callee.call(args))

    def apply(self, rule: Rule, args: Sequence[sympy.Basic]) -> Code:
        """Return a call of the function of the file: it has the derivatives of the table."""
        texts = [self._argument(rule, *pair) for pair in zip(rule.args, args, strict=True)]
        return self.call_entry(rule, texts)

    def _times_grad(self, partial: sympy.Expr, grad: str) -> Code:
        if isinstance(partial, where) and not is_steep(partial):
            condition, *branches = partial.args
            return self.select(condition, *(self._times_grad(part, grad) for part in branches))
        weights, conditions = indicators(partial)
        if weights is not None and conditions:
            every = sympy.And(*conditions)
            return self.select(every, self._times_grad(weights, grad), Code(self.number(0.0)))
        if not partial.free_symbols:
            return super()._times_grad(partial, grad)
        return Code(f"_times({grad}, {self._print(partial)})")


class ArrayTarget(Target, BroadcastedPrinter):
    """Printer of an engine of arrays.

    Attributes
    ----------
    library : str
        Its counterpart of NumPy.
    static : frozenset of sympy.Symbol
        Whole arguments that are Python numbers, of which there is no array.
    """

    library: ClassVar[str]
    static: frozenset[sympy.Symbol] = frozenset()

    def _print(self, expression: Any, **options: Any) -> Code:
        if isinstance(expression, where) and self._own is None and is_steep(expression):
            return self.choose(*expression.args)
        return super()._print(expression, **options)

    def choose(self, condition: Boolean, yes: sympy.Expr, no: sympy.Expr) -> Code:
        """Return a choice between functions: no infinity comes back from the one not taken."""
        symbols = sorted((yes.free_symbols | no.free_symbols) - self.static, key=str)
        names = ", ".join(map(str, symbols))
        branches = (f"lambda {names}: {self._print(branch)}" for branch in (yes, no))
        return Code(f"_choose({self._print(condition)}, {', '.join(branches)}, {names})")

    def select(self, condition: sympy.Basic, yes: Code, no: Code) -> Code:
        """Return a call of the engine's ``where``."""
        return Code(f"{self.library}.where({self._print(condition)}, {yes}, {no})")

    def of_numbers(self, rule: Rule, value: sympy.Expr) -> Code:
        """Return choices between numbers in the dtype of the arguments."""
        return self._times_grad(
            value, f"{self.library}.ones_like({' + '.join(map(str, rule.args))})"
        )


def is_steep(expression: sympy.Basic) -> bool:
    """Return whether a derivative of the expression can be infinite, or NaN, somewhere.

    >>> from sympy.abc import x
    >>> is_steep(2 * x + 1), is_steep(1 / x)
    (False, True)
    """
    if isinstance(expression, Boolean) or not expression.free_symbols:
        return False
    if isinstance(expression, (where, indicator, nonzero, sympy.Abs, sympy.sign)):
        return any(map(is_steep, expression.args))
    if expression.is_Pow:
        whole = expression.exp.is_Integer and expression.exp > 0
        return not whole or is_steep(expression.base)
    return isinstance(expression, sympy.Function) or any(map(is_steep, expression.args))
