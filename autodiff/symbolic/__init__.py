"""`to_sympy`: the SymPy expression of a function written in plain NumPy.

The function is called with symbols in the place of numbers. Elementwise functions stand for the
values of their entries in the table, functions of arrays work on arrays of expressions, and
derivatives taken inside are SymPy's of the expressions. Nothing here is loaded before it is used:
it is the only part of `autodiff` that imports the table, and with it SymPy.
"""

from __future__ import annotations

try:
    import sympy  # noqa: F401 -- everything below needs it
except ImportError as error:
    raise ImportError(
        "to_sympy needs SymPy, which is not installed: pip install 'diffrules[generate]'"
    ) from error

from autodiff.symbolic.tracing import to_sympy

__all__ = ["to_sympy"]
