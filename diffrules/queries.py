"""Questions to the table."""

from __future__ import annotations

from typing import Any

import sympy

from diffrules.entry import RULES, Rule, RuleError, TableFunction, not_differentiable
from diffrules.guards import symbol
from diffrules.meanings import Meaning


def hasdiffrule(name: str, arity: int) -> bool:
    """Return whether the table has `name` (or an alias of it) with `arity` arguments."""
    return _find(name, arity) is not None


def diffrules() -> list[tuple[str, int]]:
    """Return the keys of the table, (name, number of arguments), sorted."""
    return sorted(RULES)


def diffrule(name: str, *args: Any) -> tuple[sympy.Expr, ...]:
    """Return the partial derivatives of a function as SymPy expressions.

    ``out`` and the ``let`` terms are put in, and so are the table's helpers, whose names begin
    with an underscore, where SymPy has words for them. Guards and calls of other entries are
    kept; ``expression.rewrite(sympy.Piecewise)`` turns guards into SymPy's own.

    Parameters
    ----------
    name : str
        Name of an entry, or an alias.
    *args : SymPy expressions, numbers, or str
        The arguments; a string becomes a real symbol.

    Returns
    -------
    tuple of sympy.Expr
        One partial per argument.

    Raises
    ------
    KeyError
        If the table has no such entry.
    RuleError
        If an argument has no derivative; the message gives the reason.

    Examples
    --------
    >>> diffrule("tanh", "x")
    (cosh(x)**(-2),)
    """
    rule = _find(name, len(args))
    if rule is None:
        others = sorted(n for key, n in RULES if key == name)
        hint = f"it takes {others[0]}" if others else "see diffrules.diffrules() for the names"
        raise KeyError(f"no rule {name!r} with {len(args)} argument(s); {hint}")
    given = tuple(symbol(arg) if isinstance(arg, str) else sympy.sympify(arg) for arg in args)
    value = rule.value.subs(dict(zip(rule.args, given, strict=True)), simultaneous=True)
    partials = []
    for index, arg in enumerate(rule.args):
        partial = rule.partial(index, given, value)
        if isinstance(partial, not_differentiable):
            raise RuleError(f"{name} has no derivative in {arg}: {partial.reason}")
        partials.append(partial.replace(_is_helper, _written_out))
    return tuple(partials)


def _is_helper(node: sympy.Basic) -> bool:
    """Return whether an expression is a call of a helper that SymPy has words for."""
    return (
        isinstance(node, TableFunction)
        and not node.rule.is_public
        and not node.rule.meaning().has(Meaning)
    )


def _written_out(node: TableFunction) -> sympy.Expr:
    """Return the value of a helper, without other helpers."""
    given = dict(zip(node.rule.args, node.args, strict=True))
    value = node.rule.value.subs(given, simultaneous=True)
    return value.replace(_is_helper, _written_out)


def _find(name: str, arity: int) -> Rule | None:
    found = RULES.get((name, arity))
    if found is not None:
        return found
    for rule in RULES.values():
        if name in rule.aliases and len(rule.args) == arity:
            return rule
    return None
