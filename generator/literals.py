"""Literals: numbers of the table as the shortest text that rounds correctly."""

from __future__ import annotations

import math

import numpy as np
import sympy

DIGITS = 50


def rounded(number: sympy.Expr) -> float:
    """Return a SymPy number as the nearest float.

    >>> rounded(sympy.sqrt(2 / sympy.pi)), rounded(sympy.Rational(1, 3))
    (0.7978845608028654, 0.3333333333333333)
    """
    exact = number if number.is_Rational else number.evalf(DIGITS)
    if not exact.is_Number:
        raise ValueError(f"{number} is not a real number")
    fraction = sympy.Rational(exact)
    return int(fraction.p) / int(fraction.q)


def literal(value: float) -> str:
    """Return a finite float as Python and C write it.

    >>> literal(2), literal(0.1), literal(1e300)
    ('2.0', '0.1', '1e+300')
    """
    if not math.isfinite(value):
        raise ValueError(f"{value} has no literal")
    return repr(float(value))


def literal_f(value: float) -> str:
    """Return the float32 nearest to `value` as C writes it.

    >>> literal_f(0.1), literal_f(2.0), literal_f(1e-20)
    ('0.1f', '2.0f', '1e-20f')
    """
    return f"{np.float32(value)!s}f"


def dyadic(number: sympy.Rational) -> bool:
    """Return whether a quotient is a float, so that a product with it is rounded once.

    >>> dyadic(sympy.Rational(3, 4)), dyadic(sympy.Rational(1, 3))
    (True, False)
    """
    q = int(number.q)
    return q & (q - 1) == 0 and abs(int(number.p)) < 2**53 and q < 2**1000
