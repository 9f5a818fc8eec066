"""What can be wrong with an entry; each check says so, with the remedy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import sympy

from diffrules.entry import RULES, Rule, TableFunction, not_differentiable, real_only
from diffrules.guards import out

FORBIDDEN = (
    sympy.Derivative,
    sympy.Subs,
    sympy.DiracDelta,
    sympy.meijerg,
    sympy.re,
    sympy.im,
)
# What complex numbers, which have no order, do not have; or what has no complex derivative.
OF_REALS = (
    sympy.Abs,
    sympy.Max,
    sympy.Min,
    sympy.Mod,
    sympy.atan2,
    sympy.ceiling,
    sympy.floor,
    sympy.sign,
    sympy.StrictGreaterThan,
    sympy.StrictLessThan,
    sympy.GreaterThan,
    sympy.LessThan,
)
RESERVED = {"grad", "out", "np", "math", "special"}


def complaint(entry: Rule) -> str | None:
    """Return what is wrong with an entry and what to write, or None if it is right."""
    return next(filter(None, (check(entry) for check in _CHECKS)), None)


def _duplicate(entry: Rule) -> str | None:
    other = RULES.get(entry.key)
    if other is None or (other.module, other.line) == (entry.module, entry.line):
        return None
    return (
        f"{entry.name!r} with {len(entry.args)} argument(s) is already at {other.place}; "
        "change one of the two names, or remove one entry"
    )


def _identifiers(entry: Rule) -> str | None:
    names = [entry.name, *entry.aliases, *map(str, entry.args), *map(str, entry.let)]
    wrong = [name for name in names if not name.isidentifier()]
    if wrong:
        return f"{wrong[0]!r} is not a Python identifier; the generated code could not name it"
    taken = [str(s) for s in (*entry.args, *entry.let) if str(s) in RESERVED]
    if taken:
        return f"the symbol {taken[0]!r} has a fixed meaning in generated code; choose another name"
    both = set(entry.args) & set(entry.let)
    return f"{both.pop()!r} is an argument and a let name; rename the let" if both else None


def _one_partial_each(entry: Rule) -> str | None:
    if not entry.args:
        return "it has no arguments; give args=(x,) or more"
    missing = [str(arg) for arg in entry.args if arg not in entry.partials]
    if missing:
        return (
            f"no partial for {', '.join(missing)}; write partials={{{missing[0]}: ...}}, "
            "0, or not_differentiable('reason')"
        )
    extra = [str(arg) for arg in entry.partials if arg not in entry.args]
    return f"a partial for {extra[0]}, which is not in args; remove it" if extra else None


def _known_symbols(entry: Rule) -> str | None:
    for where, expression, known in _expressions(entry):
        unknown = expression.free_symbols - known
        if unknown:
            return (
                f"{where} uses {', '.join(sorted(map(str, unknown)))}, which is none of "
                f"{', '.join(sorted(map(str, known)))}; use those, or bind it in let before"
            )
    return None


def _points_name_every_argument(entry: Rule) -> str | None:
    expected = set(entry.args)
    for spot in entry.at:
        if set(spot.where) != expected:
            return (
                f"the point {_readable(spot.where)} does not name exactly the arguments "
                f"{', '.join(map(str, entry.args))}; "
                f"write point({{{entry.args[0]}: ..., ...}}, ...)"
            )
        differentiable = {
            arg for arg, p in entry.partials.items() if not isinstance(p, not_differentiable)
        }
        if set(spot.partials) != differentiable:
            return (
                f"the point {_readable(spot.where)} gives partials for "
                f"{', '.join(map(str, spot.partials)) or 'nothing'}; give one for each of "
                f"{', '.join(str(arg) for arg in entry.args if arg in differentiable)}"
            )
        if not spot.reason:
            return f"the point {_readable(spot.where)} has no reason; say why in a few words"
    return None


def _printable(entry: Rule) -> str | None:
    for where, expression, _ in _expressions(entry):
        if expression.has(*FORBIDDEN):
            found = next(c.__name__ for c in FORBIDDEN if expression.has(c))
            return (
                f"{where} contains {found}, which no generated code can compute; write the "
                "derivative by hand with where(), indicator() or sign()"
            )
    return None


def _no_complex_infinity(entry: Rule) -> str | None:
    for where, expression, _ in _expressions(entry):
        if expression.has(sympy.zoo, sympy.nan):
            return f"{where} contains {sympy.zoo} or nan; say what happens there in at=[point(...)]"
    return None


def _complex_field(entry: Rule) -> str | None:
    if entry.complex is not None and not isinstance(entry.complex, Mapping):
        right = entry.complex is real_only
        return None if right else "complex is neither real_only nor {argument: partial}"
    for arg in entry.own_complex:
        if isinstance(entry.partials.get(arg, not_differentiable("")), not_differentiable):
            return f"complex[{arg}] is for no argument with a partial; remove it"
    return None


def _off_is_of_a_library(entry: Rule) -> str | None:
    if not (isinstance(entry.off, (int, float)) and 0 <= entry.off < math.inf):
        return f"off is {entry.off!r}; write a share of the value, such as 1e-9, or leave it out"
    called = entry.numpy[0] if isinstance(entry.numpy, tuple) else entry.numpy
    if entry.off and not str(called).startswith(("np.", "special.")):
        return (
            "off is the error of a function of NumPy or SciPy, and numpy= names none; write "
            'numpy="special.name", or remove off'
        )
    return None


def _holds_for_complex_numbers(entry: Rule) -> str | None:
    if entry.complex is real_only:
        return None
    for where, expression in _of_complex_numbers(entry):
        for part in sympy.preorder_traversal(expression):
            known = isinstance(part, TableFunction) and part.key in RULES
            if isinstance(part, OF_REALS) or (known and RULES[part.key].complex is real_only):
                return (
                    f"{where} contains {part}, which is for real numbers; write "
                    "complex=real_only, or complex={argument: partial} without it"
                )
    return None


def _of_complex_numbers(entry: Rule) -> list[tuple[str, sympy.Basic]]:
    """Return the expressions that are used for complex arguments, and where each is."""
    own = entry.own_complex
    found = [(form, getattr(entry, form)) for form in ("value", "numpy")]
    found += [(f"partials[{arg}]", p) for arg, p in entry.partials.items() if arg not in own]
    found += [(f"complex[{arg}]", p) for arg, p in own.items()]
    found = [part for part in found if isinstance(part[1], sympy.Basic)]
    symbols = set().union(*(expression.free_symbols for _, expression in found))
    for name, term in reversed(list(entry.let.items())):
        if name in symbols:
            found.append((f"let[{name}]", term))
            symbols |= term.free_symbols
    return found


def _expressions(entry: Rule) -> list[tuple[str, sympy.Basic, frozenset[sympy.Basic]]]:
    """Return every expression of an entry: where it is, itself, and the symbols it may use."""
    known: frozenset[sympy.Basic] = frozenset(entry.args)
    found: list[tuple[str, Any, frozenset[sympy.Basic]]] = [("value", entry.value, known)]
    found += [(form, getattr(entry, form), known) for form in ("numpy", "math", "c")]
    known |= {out}
    for bound, term in entry.let.items():
        found.append((f"let[{bound}]", term, known))
        known |= {bound}
    for field, partials in (("partials", entry.partials), ("complex", entry.own_complex)):
        found += [(f"{field}[{arg}]", partial, known) for arg, partial in partials.items()]
    return [part for part in found if isinstance(part[1], sympy.Basic)]


def _readable(where: Mapping[sympy.Symbol, Any]) -> str:
    return ", ".join(f"{arg} = {value}" for arg, value in where.items())


_CHECKS: tuple[Callable[[Rule], str | None], ...] = (
    _duplicate,
    _identifiers,
    _one_partial_each,
    _known_symbols,
    _points_name_every_argument,
    _printable,
    _no_complex_infinity,
    _complex_field,
    _holds_for_complex_numbers,
    _off_is_of_a_library,
)
