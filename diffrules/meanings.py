"""Functions that SymPy lacks: symbols for expressions, with what computes them in mpmath."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import mpmath
from sympy import Function


class Meaning(Function):  # type: ignore[misc]
    """A function given by numbers of many digits; a subclass has `numeric`.

    A subclass without ``fdiff`` is differentiated by differences of those numbers.
    """

    numeric: ClassVar[Callable[..., Any]]
    """A static method of mpmath numbers, at the precision of its caller."""
    slow: ClassVar[bool] = True
    """Whether hundreds of digits take long, and nothing asks for them."""

    @classmethod
    def _imp_(cls, *args: Any) -> Any:
        """Return the number, a float for floats; `sympy.lambdify` asks for it."""
        with mpmath.extradps(15):
            found = cls.numeric(*map(mpmath.mpmathify, args))
        return found if any(isinstance(arg, mpmath.mpf) for arg in args) else float(found)

    def _mpmathcode(self, printer: Any) -> str:
        name = type(self).__name__
        # A printer of SymPy's own has no such names; its caller has `_imp_`.
        getattr(printer, "meanings", {})[name] = type(self).numeric
        return f"{name}({', '.join(map(printer._print, self.args))})"
