"""The functions one entry becomes: its value, and one gradient for each argument."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy

from diffrules.entry import Rule, not_differentiable
from diffrules.guards import out
from generator.callees import Callee, Callees, callees_named, dispatches, is_output
from generator.printers import Code, Shared
from generator.printers.algebra import is_constant
from generator.printers.steady import choices, choices_as_where, is_weak, steady


@dataclass(frozen=True)
class Bound:
    """A term with a name: ``h = np.hypot(y, x)``.

    Attributes
    ----------
    name, code : str
        Left and right of the equal sign.
    remark : str
        What a literal stands for, ``sqrt(2/pi)``; else empty.
    """

    name: str
    code: str
    remark: str = ""


@dataclass(frozen=True)
class Body:
    """What a function computes.

    Attributes
    ----------
    result : Code
        The expression it returns.
    lets : tuple of Bound
        Terms bound before, in order.
    """

    result: Code
    lets: tuple[Bound, ...] = ()


def gradient_name(rule: Rule, arg: sympy.Symbol, of_complex: bool = False) -> str:
    """Return the name of a gradient method, or of the one for complex arguments."""
    return f"{rule.name}_grad_{arg}" + ("_complex" if of_complex else "")


def has_gradient(rule: Rule, arg: sympy.Symbol) -> bool:
    """Return whether the argument has a derivative, so that there is a method."""
    return not isinstance(rule.partials[arg], not_differentiable)


def is_zero(rule: Rule, arg: sympy.Symbol) -> bool:
    """Return whether the derivative is 0 everywhere."""
    return rule.partials[arg] == 0


def answers(rule: Rule) -> tuple[str, ...]:
    """Return the NumPy and SciPy functions tracked values find this entry by."""
    return tuple(name for name in callees_named(rule) if dispatches(name) or is_output(name))


def is_overridable(rule: Rule, callees: Callees) -> bool:
    """Return whether the forward function must dispatch itself: what it calls does not."""
    form = callees.numpy_form(rule)
    return not (isinstance(form, Callee) and dispatches(form.dotted))


def forward(rule: Rule, printer: Shared) -> Body:
    """Return the body of the function that computes the value.

    Raises
    ------
    Unsupported
        If the backend has no form of it.
    """
    return Body(printer.forward(rule))


def gradient(rule: Rule, arg: sympy.Symbol, printer: Shared, of_complex: bool = False) -> Body:
    """Return the body of the gradient method of one argument.

    Parameters
    ----------
    rule, arg
        The entry and its argument.
    printer : Shared
        Of the backend.
    of_complex : bool
        For complex arguments, by the partial they have of their own.

    Raises
    ------
    Unsupported
        If the backend has no form of a function in it.
    """
    partial, terms = needed(rule, arg, of_complex)
    lets = tuple(
        Bound(
            str(name), printer.code(steady(choices_as_where(term), outermost=False)), _remark(term)
        )
        for name, term in terms
    )
    grad, shares = "grad", []
    *factors, partial = choices(partial)
    for number, factor in enumerate(factors, 1):
        name = "share" if number == 1 else f"share{number}"
        shares.append(Bound(name, printer.times_grad(factor, grad)))
        grad = shares[-1].name
    return Body(printer.times_grad(partial, grad), (*lets, *shares))


def reads(rule: Rule, arg: sympy.Symbol, of_complex: bool = False) -> tuple[str, ...]:
    """Return which of ``out`` and the arguments a gradient method reads, in this order."""
    partial, terms = needed(rule, arg, of_complex)
    symbols = partial.free_symbols.union(*(term.free_symbols for _, term in terms))
    return tuple(str(symbol) for symbol in (out, *rule.args) if symbol in symbols)


def with_partials(rule: Rule, printer: Shared) -> Body:
    """Return the body of the function that gives the value and all partials.

    Raises
    ------
    Unsupported
        If the backend has no form of one of them.
    """
    bound = {"out": Bound("out", printer.forward(rule))}
    for arg in rule.args:
        partial, terms = needed(rule, arg)
        for name, term in terms:
            code = printer.code(choices_as_where(term))
            bound.setdefault(str(name), Bound(str(name), code, _remark(term)))
        name = f"partial_{arg}"
        bound[name] = Bound(name, printer.code(choices_as_where(partial)))
    listed = "".join(f"partial_{arg}, " for arg in rule.args)
    listed = listed.rstrip() if len(rule.args) == 1 else listed.rstrip(", ")
    return Body(Code(f"out, ({listed})"), tuple(bound.values()))


def partials_name(rule: Rule) -> str:
    """Return the name of the function that gives the value and all partials."""
    return f"{rule.name}_with_partials"


@cache
def needed(
    rule: Rule, arg: sympy.Symbol, of_complex: bool = False
) -> tuple[sympy.Expr, Sequence[tuple[sympy.Symbol, sympy.Expr]]]:
    """Return a partial and the ``let`` terms it needs, in order.

    A term made of numbers and conditions alone is put in: bound to a name, it would be
    float64 for float32 arguments.
    """
    partial: Any = rule.own_complex[arg] if of_complex else rule.partials[arg]
    terms = dict(rule.let)
    for name, term in rule.let.items():
        if not is_constant(term) and is_weak(term):
            del terms[name]
            partial = partial.xreplace({name: term})
            terms = {other: rest.xreplace({name: term}) for other, rest in terms.items()}
    wanted: dict[sympy.Symbol, sympy.Expr] = {}
    symbols = set(partial.free_symbols)
    for name, term in reversed(terms.items()):
        if name in symbols:
            wanted[name] = term
            symbols |= term.free_symbols
    return partial, tuple(reversed(wanted.items()))


def _remark(term: sympy.Expr) -> str:
    folded = is_constant(term) and not term.is_Float and not term.is_Integer
    return sympy.sstr(term) if folded else ""
