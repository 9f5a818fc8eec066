"""Names and helpers of Numba."""

from __future__ import annotations

from collections.abc import Sequence

from diffrules.entry import Rule
from generator.callees import Callee, Form
from generator.errors import Unsupported
from generator.printers import Code, ScalarPrinter
from generator.targets.printer import Target
from generator.targets.words import words

# What Numba takes from the math module.
MATH = frozenset(
    words("""
    acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh degrees erf erfc exp expm1 fabs
    floor fmod gamma hypot isinf isnan ldexp lgamma log log10 log1p log2 pow radians sin sinh sqrt
    tan tanh trunc
    """)
)
# What computes an entry where `math` has no function, or Numba none of it.
OTHERS = {
    "cbrt": "np.cbrt",
    "exp2": "np.exp2",
    "floor_divide": "np.floor_divide",
    "remainder": "np.remainder",
    "rint": "np.rint",
}
HELPERS = frozenset(words("cospi gauss erfcx_order polygamma polygamma_step sinc_order sinpi"))


class NumbaPrinter(Target, ScalarPrinter):
    """Print scalar code of `math`, and of NumPy where `math` lacks a function."""

    title = "Numba"
    names = OTHERS

    def form(self, rule: Rule) -> Form:
        """Return what computes `rule` on floats."""
        if rule.name in self.names:
            return Callee(self.names[rule.name])
        array = self.callees.numpy_form(rule)
        if isinstance(array, Callee) and array.library == "support" and array.name in HELPERS:
            return Callee(f"_raw_{array.name}")
        try:
            found = self.callees.math_form(rule)
        except Unsupported as missing:
            raise Unsupported(f"{str(missing).partition(',')[0]} has no counterpart") from None
        if isinstance(found, Callee) and not (found.library == "math" and found.name in MATH):
            raise Unsupported(f"{found.dotted} is not for Numba")
        return found

    def call(self, callee: Callee, args: Sequence[str]) -> Code:
        """Return a call of a function of `math`, NumPy, or of this file."""
        return Code(callee.call(args))
