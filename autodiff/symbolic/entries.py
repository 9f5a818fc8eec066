"""Elementwise functions in SymPy: values and partial derivatives of the entries of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from autodiff.elementwise import Elementwise, rule_named
from autodiff.primitives import Primitive
from autodiff.symbolic.numbers import as_number, entrywise, is_condition, objects
from autodiff.values import unbroadcast
from diffrules.entry import RULES, Rule, expand_calls, not_differentiable
from diffrules.guards import indicator, isnan, nonzero, where
from diffrules.meanings import Meaning

_STEPS = (sympy.floor, sympy.ceiling, sympy.sign, sympy.Heaviside)
_UNKNOWN = (sympy.Derivative, sympy.Subs, sympy.re, sympy.im)


class Entrywise(Primitive):
    """A function of single entries, given as an expression and differentiated as such.

    Parameters
    ----------
    name : str
        For messages.
    args : sequence of sympy.Symbol
        Its arguments.
    expression : sympy.Expr
        Its value in them.
    origin : Elementwise, optional
        The rule it stands for, which knows the arguments without a derivative.
    """

    def __init__(
        self, name: str, args: Sequence[Any], expression: Any, origin: Elementwise | None = None
    ) -> None:
        super().__init__(name, self.evaluate)
        self.args = tuple(args)
        self.expression = expression
        self.origin = origin
        self.selective = origin is not None and origin.selective
        self._partials: dict[int, Entrywise] = {}

    def followed(self, index: int) -> bool:
        """Return whether a derivative flows through an argument; raise where there is none."""
        return self.origin is None or self.origin.followed(index)

    def make_plan(self, tracked: int, count: int) -> tuple[bool, Sequence[int]]:
        """Keep the arguments, of which the partial derivatives are written."""
        return False, ()

    def evaluate(self, *args: Any) -> Any:
        """Return the entries, arrays of expressions, that the function has of such arrays."""
        return entrywise(self.of_entries, *map(objects, args))

    def of_entries(self, *entries: Any) -> Any:
        """Return the expression with one entry of each argument put in."""
        given: dict[Any, Any] = {}
        for arg, entry in zip(self.args, entries, strict=True):
            if is_condition(entry):
                given[sympy.Ne(arg, 0)] = entry
            given[arg] = as_number(entry)
        return flat(self.expression.xreplace(given))

    def partial(self, index: int) -> Entrywise:
        """Return the partial derivative in an argument, a function of the same arguments."""
        if index not in self._partials:
            arg = self.args[index]
            found = None if self.origin is None else _from_table(self.origin, index)
            if found is None:
                found = derivative(self.expression, arg)
            name = f"the derivative of {self.name} in {arg}"
            self._partials[index] = Entrywise(name, self.args, found)
        return self._partials[index]

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return `grad` times each partial derivative, summed to the shapes of the arguments."""
        return [
            None
            if source is None
            else unbroadcast(MASKED(grad, self.partial(i)(*args)), node.shape, source.shape)
            for i, source in enumerate(node.inputs)
        ]

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the sum of the tangents times the partial derivatives."""
        total = None
        for index, tangent in enumerate(tangents):
            if tangent is not None:
                part = MASKED(tangent, self.partial(index)(*args))
                total = part if total is None else total + part
        return total


class _Masked(Entrywise):
    """The product of a cotangent or tangent and a partial, 0 where one of them is 0."""

    def of_entries(self, *entries: Any) -> Any:
        """Return the product; what is 0 in places is so whatever it is multiplied with there."""
        grad, partial = map(as_number, entries)
        if grad == 0 or partial == 0:
            return sympy.Integer(0)
        for masked, other in ((grad, partial), (partial, grad)):
            if isinstance(masked, sympy.Piecewise) and any(value == 0 for value, _ in masked.args):
                parts = [(self.of_entries(value, other), holds) for value, holds in masked.args]
                return flat(sympy.Piecewise(*parts))
        return grad * partial


_GRAD, _PARTIAL = sympy.symbols("grad partial", real=True)
MASKED = _Masked("a product", (_GRAD, _PARTIAL), _GRAD * _PARTIAL)

_KNOWN: dict[Elementwise, Entrywise] = {}


def entry_of(rule: Elementwise) -> Entrywise:
    """Return an elementwise rule as a function of expressions.

    Raises
    ------
    TypeError
        If its entry is in a table that was not imported.
    """
    if rule not in _KNOWN:
        entry = _written(rule)
        value = without_guards(entry.value)
        _KNOWN[rule] = Entrywise(rule.name, entry.args, value, rule)
    return _KNOWN[rule]


def named(name: str) -> Entrywise:
    """Return the function of the table with this name."""
    rule = rule_named(name)
    if rule is None:
        raise KeyError(name)
    return entry_of(rule)


def _written(rule: Elementwise) -> Rule:
    entry = RULES.get((rule.entry.name, len(rule.entry.args)))
    if entry is None:
        raise TypeError(
            f"to_sympy needs the entry of {rule.name}, a function of the package "
            f"{rule.package!r}: import the module of rules that it was generated from"
        )
    return entry


def without_guards(expression: Any) -> Any:
    """Return an expression of the table in SymPy's own terms: calls put in, `Piecewise`."""
    found = expand_calls(sympy.sympify(expression))
    found = found.replace(isnan, lambda arg: sympy.false)
    found = found.replace(indicator, lambda c: where(c, 1, 0))
    found = found.replace(nonzero, lambda h: where(sympy.Ne(h, 0), h, 1))
    found = found.replace(_is_lacking, lambda call: _FORMS[type(call).__name__](*call.args))
    found = found.replace(_of_c, lambda call: call.expand(deep=False, func=True))
    return found.replace(where, choice)


def _is_lacking(expression: Any) -> bool:
    """Return whether an expression is a call of the table that SymPy can say in other words."""
    return isinstance(expression, Meaning) and type(expression).__name__ in _FORMS


def _dawson(order: Any, x: Any) -> Any:
    z = sympy.Dummy(real=True)
    first = sympy.sqrt(sympy.pi) / 2 * sympy.exp(-(z**2)) * sympy.erfi(z)
    return first.diff(z, order).xreplace({z: x})


_FORMS: dict[str, Any] = {
    "dawson": _dawson,
    "normal_share": lambda x: (1 + sympy.erf(x / sympy.sqrt(2))) / 2,
}


def _of_c(expression: Any) -> bool:
    """Return whether an expression is a call of C's library, ``log1p(x)``: it has another name."""
    return type(expression).__module__ == "sympy.codegen.cfunctions"


def choice(condition: Any, a: Any, b: Any) -> Any:
    """Return `a` where a condition holds, else `b`, in as flat a `Piecewise` as may be.

    >>> from sympy.abc import x
    >>> choice(x < 0, -1, choice(x > 0, 1, 0))
    Piecewise((-1, x < 0), (1, x > 0), (0, True))
    """
    inner = next(iter(condition.atoms(sympy.Piecewise)), None)
    if inner is not None:
        a, b = sympy.sympify(a), sympy.sympify(b)
        last = inner.args[-1][0]
        found = choice(*(part.xreplace({inner: last}) for part in (condition, a, b)))
        for value, holds in reversed(inner.args[:-1]):
            given = (part.xreplace({inner: value}) for part in (condition, a, b))
            found = choice(holds, choice(*given), found)
        return found
    return flat(sympy.Piecewise((a, condition), (b, True)))


def flat(expression: Any) -> Any:
    """Return a `Piecewise` without others as its values; any other expression itself."""
    if not isinstance(expression, sympy.Piecewise):
        return expression
    pairs: list[Any] = []
    for value, holds in expression.args:
        if isinstance(value, sympy.Piecewise) and value.args[-1][1] == sympy.true:
            pairs += [(part, sympy.And(holds, also)) for part, also in value.args]
        else:
            pairs.append((value, holds))
    return sympy.Piecewise(*pairs)


def derivative(expression: Any, arg: Any) -> Any:
    """Return SymPy's derivative, where that of a step is 0, and single points do not count."""
    smooth = expression.replace(sympy.Mod, lambda a, b: a - b * sympy.floor(a / b))
    smooth = smooth.replace(sympy.Piecewise, _without_points)
    steps = {step: sympy.Dummy(real=True) for step in smooth.atoms(*_STEPS)}
    back = {name: step for step, name in steps.items()}
    found = smooth.xreplace(steps).diff(arg).xreplace(back)
    return found.replace(sympy.DiracDelta, lambda *_: sympy.Integer(0))


def _without_points(*pieces: Any) -> Any:
    """Return a `Piecewise` without the pieces that are single points: they have no slope."""
    kept = [(value, holds) for value, holds in pieces if not isinstance(holds, sympy.Eq)]
    return sympy.Piecewise(*(kept or pieces))


def _from_table(rule: Elementwise, index: int) -> Any:
    """Return the partial of the entry itself where it says more than SymPy; else None.

    That is so at kinks, where the entry says which derivative counts, and of functions that
    SymPy cannot differentiate. Elsewhere its form is made for floating point, not for reading.
    """
    entry = _written(rule)
    partial = entry.partial(index, entry.args, entry.value)
    value = without_guards(entry.value)
    if isinstance(partial, not_differentiable):
        return None
    own = without_guards(partial)
    slope = derivative(value, entry.args[index])
    if slope.has(*_UNKNOWN):
        return own if all(map(_has_numbers, _foreign(own))) else None
    if not _foreign(own) <= _foreign(value):
        return None
    rounded = own.has(sympy.Float) and not value.has(sympy.Float)
    return own if (slope.has(sympy.Piecewise) or slope == 0) and not rounded else None


def _has_numbers(function: Any) -> bool:
    """Return whether a function is SymPy's or can be computed, and is no derivative's name."""
    return hasattr(function, "numeric") or not issubclass(function, Meaning)


def _foreign(expression: Any) -> set[Any]:
    """Return the functions in an expression that are not SymPy's."""
    return {
        type(function)
        for function in expression.atoms(sympy.Function)
        if not type(function).__module__.startswith("sympy.")
    }
