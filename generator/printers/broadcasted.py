"""Printer of array code: NumPy ufuncs, and SciPy's through the lazy `special`."""

from __future__ import annotations

from collections.abc import Sequence

import sympy
from sympy.printing.numpy import NumPyPrinter

from diffrules.entry import Rule
from generator.callees import Callee, Form, dispatches
from generator.printers.code import Binding, Code
from generator.printers.common import Logic, Shared


class BroadcastedPrinter(Shared, NumPyPrinter):  # type: ignore[misc]
    """Print expressions of arrays.

    Only functions that NumPy's protocols reach are called, so that the code differentiates
    again when it is called on tracked values.
    """

    infinity = "np.inf"
    not_a_number = "np.nan"
    pi = "np.pi"
    is_nan = "np.isnan"
    both = Logic(" & ", Binding.BIT, Binding.SUM)
    either = Logic(" | ", Binding.BIT, Binding.SUM)
    negation = Logic("~", Binding.SIGN, Binding.SIGN)

    def form(self, rule: Rule) -> Form:
        """Return what computes `rule` on arrays."""
        return self.callees.numpy_form(rule)

    def is_direct(self, callee: Callee) -> bool:
        """Return whether tracked values are dispatched by `callee` itself."""
        return dispatches(callee.dotted)

    def call(self, callee: Callee, args: Sequence[str]) -> Code:
        """Return a call of a function of NumPy, SciPy or the support module."""
        if callee.library != "np":
            self.uses.libraries[callee.library] = None
        return Code(callee.call(args))

    def select(self, condition: sympy.Basic, yes: Code, no: Code) -> Code:
        """Return a call of ``np.where``."""
        return Code(f"np.where({self._print(condition)}, {yes}, {no})")

    def of_numbers(self, rule: Rule, value: sympy.Expr) -> Code:
        """Return choices between numbers in the dtype of the arguments."""
        return self._times_grad(value, f"np.ones_like({' + '.join(map(str, rule.args))})")
