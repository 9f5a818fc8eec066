"""Numbers and expressions: arrays of SymPy objects from what NumPy code is given."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import sympy
from sympy.logic.boolalg import Boolean

# A float with at most this denominator is meant as that fraction.
_DENOMINATOR = 1024
_LARGEST = 2.0**53
# And with at most this one where it is no decimal fraction either.
_THIRDS = 12


def objects(value: Any) -> Any:
    """Return a number, expression or array as an array of SymPy objects, of any number of axes.

    >>> objects([0.5, np.pi])
    array([1/2, pi], dtype=object)
    """
    if isinstance(value, sympy.Basic) and not isinstance(value, sympy.NDimArray):
        return scalar(value)
    array = np.asarray(value)
    found = np.empty(array.shape, object)
    for index in np.ndindex(*array.shape):
        found[index] = expression(array[index])
    return found


def scalar(value: Any) -> Any:
    """Return an array without axes that holds one expression."""
    found = np.empty((), object)
    found[()] = expression(value)
    return found


def expression(value: Any) -> Any:
    """Return a number or expression in SymPy's exact terms, where a float is near enough to one."""
    if isinstance(value, (bool, np.bool_)):
        return sympy.true if value else sympy.false
    if isinstance(value, (float, np.floating)):
        return _exact(float(value))
    if isinstance(value, (complex, np.complexfloating)):
        return _exact(float(value.real)) + sympy.I * _exact(float(value.imag))
    single = isinstance(value, np.generic) or (isinstance(value, np.ndarray) and not value.ndim)
    found = sympy.sympify(value.item() if single else value)
    if not isinstance(found, sympy.Basic):
        raise TypeError(f"{value!r} is neither a number nor a SymPy expression")
    if found.has(sympy.Float):
        found = found.xreplace({f: _exact(float(f)) for f in found.atoms(sympy.Float)})
    return found


def _exact(number: float) -> Any:
    """Return a float as the fraction or constant that was meant, else as it is.

    >>> _exact(0.375), _exact(1 / 3), _exact(np.sqrt(2.0)), _exact(0.1)
    (3/8, 1/3, sqrt(2), 0.100000000000000)
    """
    if number != number or number in (np.inf, -np.inf):
        return {np.inf: sympy.oo, -np.inf: -sympy.oo}.get(number, sympy.nan)
    if abs(number) < _LARGEST:
        fraction = Fraction(number)
        if fraction.denominator <= _DENOMINATOR:
            return sympy.Rational(fraction.numerator, fraction.denominator)
        near = fraction.limit_denominator(_THIRDS)
        # 1/3 was computed; 0.1 was written, and stays.
        if float(near) == number and 10**6 % near.denominator:
            return sympy.Rational(near.numerator, near.denominator)
    known = _constants()
    # The user computed it with floats: the last digit may differ.
    for one in (number, math.nextafter(number, 0.0), math.nextafter(number, 2.0 * number)):
        if abs(one) in known:
            return known[abs(one)] if number > 0 else -known[abs(one)]
    return sympy.Float(number)


@cache
def _constants() -> dict[float, Any]:
    """Return the constants that are recognised among floats."""
    pi, two = sympy.pi, sympy.Integer(2)
    bases = [pi, sympy.E, sympy.sqrt(two), sympy.sqrt(3), sympy.sqrt(pi), sympy.sqrt(2 * pi)]
    bases += [sympy.log(two), sympy.log(10), sympy.log(pi), sympy.log(2 * pi)]
    fractions = [sympy.Rational(1, n) for n in (1, 2, 3, 4, 6, 180)] + [two, sympy.Integer(4)]
    found: dict[float, Any] = {}
    for base in bases:
        for exact in [base * fraction for fraction in fractions] + [1 / base, 2 / base]:
            found.setdefault(float(exact.evalf(30)), exact)
    return found


def is_condition(value: Any) -> bool:
    """Return whether a SymPy object is a condition, and no number or symbol."""
    return isinstance(value, Boolean) and not isinstance(value, sympy.Symbol)


def as_number(value: Any) -> Any:
    """Return a condition as 1 where it holds, else 0; anything else itself."""
    return sympy.Piecewise((1, value), (0, True)) if is_condition(value) else value


def as_condition(value: Any) -> Any:
    """Return a number as the condition that it is not 0; a condition itself."""
    return value if is_condition(value) else sympy.Ne(value, 0)


def entrywise(function: Any, *arrays: Any) -> Any:
    """Return a function of expressions applied to each entry of arrays, broadcast."""
    return objects_of(np.frompyfunc(function, len(arrays), 1)(*arrays))


def objects_of(value: Any) -> Any:
    """Return what NumPy gave of arrays of objects as an array again; it unpacks single entries."""
    return objects(value) if isinstance(value, np.ndarray) else scalar(value)
