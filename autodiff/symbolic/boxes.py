"""Boxes of symbols, and the variables and duals of transforms inside that work on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import sympy

from autodiff.box import raw
from autodiff.careful import careful_product
from autodiff.custom import Custom
from autodiff.dual import Dual
from autodiff.elementwise import Elementwise
from autodiff.holding import HOLDERS
from autodiff.methods import ArrayMethods
from autodiff.node import Node
from autodiff.symbolic.arrays import REAL_NAMES
from autodiff.symbolic.conditions import CHOICES
from autodiff.symbolic.formulas import (
    Formula,
    NotFollowedError,
    are_real,
    entries_of,
    refusal,
)
from autodiff.symbolic.numbers import objects_of
from autodiff.symbolic.wholes import applied, symbolic
from autodiff.values import is_complex
from autodiff.variable import Variable


class _Choosing(ArrayMethods):
    """A box whose `np.select` and `np.piecewise` take conditions on symbols."""

    __slots__ = ()

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function in CHOICES:
            choose: Any = CHOICES[function]
            return choose(*args, **kwargs)
        return super().__array_function__(function, types, args, kwargs)


class Symbols(_Choosing):
    """What a function that is followed gets in the place of a number or array."""

    __slots__ = ()

    def __init__(self, formula: Formula) -> None:
        self._value = formula
        self.level = formula.level

    def process(self, primitive: Any, args: Sequence[Any], static: dict[str, Any]) -> Any:
        """Apply `primitive` to expressions."""
        given = [raw(arg) for arg in args]
        if isinstance(primitive, Custom):
            boxes = [Symbols(value) if isinstance(value, Formula) else value for value in given]
            return primitive.forward(*boxes, **static)
        try:
            found = applied(symbolic(primitive), given, static)
        except NotFollowedError:
            raise
        except (TypeError, AttributeError) as error:
            shown = next(value for value in given if isinstance(value, Formula))
            raise NotFollowedError(f"{refusal(primitive.name, shown)} ({error})") from error
        reals = are_real(given) or primitive.name in REAL_NAMES
        if isinstance(found, tuple):
            return tuple(self._boxed(part, reals) for part in found)
        return self._boxed(found, reals)

    def _boxed(self, found: Any, reals: bool) -> Any:
        if not isinstance(found, Formula):
            found = Formula(objects_of(found), self.level, reals)
        return Symbols(found)

    def move_to(self, new: Any) -> None:
        """Become the result of an operation in place."""
        value = raw(new)
        self._value = Formula(objects_of(entries_of(value)), self.level, are_real(value))

    def detach(self) -> Any:
        """Return the expressions as constants to all derivatives."""
        return self._value

    def copy(self, order: Any = "C") -> Any:
        """Return a value of its own that may be changed in place."""
        return Symbols(self._value)

    def item(self, *args: Any) -> Any:
        """Return the expression of one entry, a constant to all derivatives."""
        return self._value.like(self._value.entries.item(*args))

    def __index__(self) -> NoReturn:
        self._refuse("range(), or an index,", "")

    def __repr__(self) -> str:
        return repr(self._value)

    def _repr_html_(self) -> str:
        return f"$${sympy.latex(self._value.entries.tolist())}$$"

    def _refuse(self, what: str, escape: str) -> NoReturn:
        formula: Formula = self._value
        formula.refuse(what.partition(" need")[0])

    def _plain(self, wanted: str) -> Any:
        return self._value


HOLDERS[Formula] = Symbols


class SymbolicVariable(_Choosing, Variable):
    """A variable of a transform that runs inside."""

    __slots__ = ()

    def process(self, primitive: Any, args: Sequence[Any], static: dict[str, Any]) -> Any:
        """Apply `primitive` and record it, with SymPy's derivatives where it works on symbols."""
        return super().process(_chosen(primitive, args), args, static)


class SymbolicDual(_Choosing, Dual):
    """A dual number of a transform that runs inside."""

    __slots__ = ()

    def process(self, primitive: Any, args: Sequence[Any], static: dict[str, Any]) -> Any:
        """Apply `primitive` and push tangents, by SymPy's derivatives where it works on symbols."""
        return super().process(_chosen(primitive, args), args, static)


def _chosen(primitive: Any, args: Sequence[Any]) -> Any:
    """Return the rule of `primitive` for these arguments; that of numbers is its own."""
    formulas = [value for value in map(raw, args) if isinstance(value, Formula)]
    if not formulas:
        return primitive
    # A derivative in a real name is that of a complex number for holomorphic functions only.
    whole = not any(map(is_complex, formulas)) or isinstance(primitive, Elementwise)
    return symbolic(primitive) if whole else primitive


class Watch:
    """What makes transforms inside take the classes above; see `autodiff.levels.recording`."""

    variable = SymbolicVariable
    dual = SymbolicDual

    def seen(self, out: Any, primitive: Any, args: Sequence[Any]) -> Any:
        """Return a recorded result in the class that follows symbols."""
        several = isinstance(out, tuple)
        wrapped = tuple(
            SymbolicVariable.wrap(one._value, one.node, one.level)
            if isinstance(one, Variable)
            else one
            for one in (out if several else (out,))
        )
        return wrapped if several else wrapped[0]

    def pull(self, node: Any, grad: Any) -> list[Any]:
        """Return what an operation passes on; of numbers under the rule of zero."""
        recorded = type(node) is Node
        if not recorded:
            return [careful_product(grad, partial) for partial in node.partials]
        values = (grad, node.out, *(node.args or ()), *getattr(grad, "items", ()))
        symbolic = any(isinstance(raw(value), Formula) for value in values)
        parts: list[Any] = node.rule.pull(grad, node, node.out, node.args, not symbolic)
        return parts


def box_of(entries: Any, level: int) -> Any:
    """Return an array of expressions as what a function gets."""
    reals = not any(entry.has(sympy.I) and not entry.is_extended_real for entry in entries.ravel())
    return Symbols(Formula(entries, level, reals))
