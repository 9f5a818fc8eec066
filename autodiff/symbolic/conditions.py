"""Comparisons and logic of entries, and functions that choose by conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy

from autodiff.symbolic.numbers import as_condition, as_number


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Choose each entry from the first array whose condition holds."""
    found = default
    for condition, chosen in zip(condlist[::-1], choicelist[::-1], strict=True):
        found = np.where(condition, chosen, found)
    return found


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **keywords: Any) -> Any:
    """Apply to each entry the function whose condition holds there, the last one that does."""
    conditions = list(condlist) if isinstance(condlist, (list, tuple)) else [condlist]
    parts = [f(x, *args, **keywords) if callable(f) else f for f in funclist]
    found = parts.pop() if len(parts) > len(conditions) else 0.0
    for condition, part in zip(conditions, parts, strict=True):
        found = np.where(condition, part, found)
    return found


CHOICES = {np.select: select, np.piecewise: piecewise}
"""Functions whose rules look at the values of conditions."""


def _of(function: Callable[..., Any], convert: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda *entries: function(*map(convert, entries))


CONDITIONS: dict[np.ufunc, Callable[..., Any]] = {
    np.greater: _of(sympy.Gt, as_number),
    np.greater_equal: _of(sympy.Ge, as_number),
    np.less: _of(sympy.Lt, as_number),
    np.less_equal: _of(sympy.Le, as_number),
    np.equal: _of(sympy.Eq, as_number),
    np.not_equal: _of(sympy.Ne, as_number),
    np.logical_and: _of(sympy.And, as_condition),
    np.logical_or: _of(sympy.Or, as_condition),
    np.logical_xor: _of(sympy.Xor, as_condition),
    np.logical_not: _of(sympy.Not, as_condition),
    np.bitwise_and: _of(sympy.And, as_condition),
    np.bitwise_or: _of(sympy.Or, as_condition),
    np.bitwise_xor: _of(sympy.Xor, as_condition),
    np.invert: _of(sympy.Not, as_condition),
    np.signbit: lambda a: sympy.Lt(a, 0),
    np.isnan: lambda a: sympy.false,
    np.isinf: lambda a: sympy.false,
    np.isfinite: lambda a: sympy.true,
    np.conjugate: sympy.conjugate,
}
"""Conditions on entries; symbols stand for finite numbers."""
