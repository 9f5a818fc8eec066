"""Names and helpers of HIPS autograd: NumPy's and SciPy's own, and all of ours."""

from __future__ import annotations

from diffrules.entry import Rule
from generator.callees import Callee, Form
from generator.targets.dialect import Dialect
from generator.targets.printer import ArrayTarget


class AutogradPrinter(ArrayTarget):
    """Print plain NumPy and SciPy in values, ``autograd.numpy`` in gradients."""

    title = "autograd"
    library = "anp"
    infinity = "np.inf"
    not_a_number = "np.nan"
    pi = "np.pi"
    is_nan = "anp.isnan"
    dialect = Dialect()

    def form(self, rule: Rule) -> Form:
        """Return what computes `rule` on arrays, as in the generated package."""
        found = self.callees.numpy_form(rule)
        is_ours = isinstance(found, Callee) and found.library == "support"
        return super().form(rule) if is_ours else found
