"""Functions of whole arrays on expressions, and their derivatives."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import sympy

from autodiff.careful import PRODUCT
from autodiff.custom import Custom
from autodiff.elementwise import Elementwise
from autodiff.primitives import Bilinear, Linear, Parts, Primitive
from autodiff.symbolic import arrays
from autodiff.symbolic.entries import MASKED, Entrywise, derivative, entry_of
from autodiff.symbolic.formulas import Formula, entries_of
from autodiff.symbolic.numbers import as_number, entrywise, objects_of


def applied(primitive: Any, given: list[Any], static: dict[str, Any]) -> Any:
    """Return what `primitive` gives of formulas and numbers: arrays of expressions."""
    if isinstance(primitive, Entrywise):
        return primitive.evaluate(*map(entries_of, given))
    own = arrays.BY_NAME.get(primitive.name)
    if own is not None:
        return own(*(entrywise(as_number, entries_of(value)) for value in given), **static)
    if isinstance(primitive, (Linear, Bilinear)):
        # Places, sums and products: what NumPy does with objects is right.
        given = [
            entrywise(as_number, value) if isinstance(value, np.ndarray) else value
            for value in map(entries_of, given)
        ]
    return primitive.forward(*given, **static)


def symbolic(primitive: Any) -> Any:
    """Return `primitive` as one that SymPy differentiates.

    Linear and bilinear functions, outputs of several, and functions that users gave derivatives
    keep their own rules, which look at no numbers.
    """
    if primitive is PRODUCT:
        return MASKED
    if isinstance(primitive, Elementwise):
        return entry_of(primitive)
    own_rule = isinstance(primitive, (Linear, Bilinear, Custom, Entrywise, Whole))
    if own_rule or primitive.name in _OWN_RULES or not primitive.vjps:
        return primitive
    return Whole(primitive)


_OWN_RULES = frozenset({"np.absolute", "np.max", "np.min", "splitting"})
"""Names of other primitives whose rules look at no numbers, or at comparisons only."""


class Whole(Primitive):
    """A function of whole arrays, differentiated by SymPy entry by entry."""

    def __init__(self, base: Any) -> None:
        super().__init__(base.name, base.forward)
        self.base = base
        self.selective = base.selective

    def followed(self, index: int) -> bool:
        """Return whether a derivative flows through an argument."""
        found: bool = self.base.followed(index)
        return found

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return `grad`, one or a tuple of them, times the Jacobian in each argument."""
        grads = {None: grad} if not isinstance(grad, Parts) else dict(enumerate(grad.items))
        return [
            None
            if source is None
            else _sum(
                Jacobian(self.base, index, number, True)(part, *args, **node.static)
                for number, part in grads.items()
                if part is not None
            )
            for index, source in enumerate(node.inputs)
        ]

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the sum of the Jacobians times the tangents, a tuple of several outputs."""

        def change(number: int | None) -> Any:
            return _sum(
                Jacobian(self.base, index, number, False)(tangent, *args, **static)
                for index, tangent in enumerate(tangents)
                if tangent is not None
            )

        return tuple(map(change, range(len(out)))) if isinstance(out, tuple) else change(None)


class Jacobian(Primitive):
    """The product of the Jacobian of a function in one argument with an array.

    Parameters
    ----------
    base : Primitive
    index : int
        Of the argument.
    number : int or None
        Of the output, if there are several.
    transposed : bool
        Whether the array is like the output, and not like the argument.
    """

    def __init__(self, base: Any, index: int, number: int | None, transposed: bool) -> None:
        # Its own rule is a `Whole`, which asks for methods but never calls them.
        super().__init__(f"the derivative of {base.name}", self.evaluate, [base])
        self.base, self.index, self.number, self.transposed = base, index, number, transposed

    def evaluate(self, vector: Any, *args: Any, **static: Any) -> Any:
        """Return the product, for an array and the arguments of the function."""
        at = entries_of(args[self.index])
        names = np.empty(at.shape, object)
        for place in np.ndindex(*at.shape):
            names[place] = sympy.Dummy(real=True)
        known = dict(zip(names.ravel(), at.ravel(), strict=True))
        level = next(arg.level for arg in (vector, *args) if isinstance(arg, Formula))
        given = [*args]
        given[self.index] = Formula(names, level)
        out = applied(self.base, given, static)
        out = objects_of(entries_of(out if self.number is None else out[self.number]))
        shapes = out.shape, at.shape
        rows, columns = shapes if self.transposed else shapes[::-1]
        factors = np.broadcast_to(entries_of(vector), rows)
        found = np.full(columns, sympy.Integer(0), object)
        for row, column in itertools.product(np.ndindex(*rows), np.ndindex(*columns)):
            output, name = (row, column) if self.transposed else (column, row)
            slope = derivative(out[output], names[name]).xreplace(known)
            found[column] += factors[row] * slope
        return found


def _sum(parts: Iterable[Any]) -> Any:
    """Return the sum of some parts; 0 of none."""
    total: Any = None
    for part in parts:
        total = part if total is None else total + part
    return 0.0 if total is None else total
