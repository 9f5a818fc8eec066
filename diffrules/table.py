"""`rule`, which checks an entry and puts it into the table."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from diffrules.checks import complaint
from diffrules.domains import domain_of
from diffrules.entry import RULES, Point, Rule, RuleError, not_differentiable


def rule(
    name: str,
    args: Sequence[sympy.Symbol],
    value: Any,
    partials: Mapping[sympy.Symbol, Any],
    *,
    domain: Any,
    aliases: Sequence[str] = (),
    let: Mapping[sympy.Symbol, Any] | None = None,
    complex: Any = None,
    at: Sequence[Point] = (),
    ulp: float | Mapping[sympy.Symbol | tuple[sympy.Symbol, ...], float] | None = None,
    off: float = 0.0,
    note: str = "",
    reference: str = "",
    numpy: Any = None,
    math: Any = None,
    c: Any = None,
) -> Rule:
    """Check an entry and put it into `RULES`.

    The fields are explained on top of `diffrules.vocabulary`.

    Returns
    -------
    Rule
        Frozen, and callable in the expressions of other entries.

    Raises
    ------
    RuleError
        If the entry is wrong: a key that exists (both places are named), a missing or
        superfluous partial, an unknown symbol, a singular point that does not name every
        argument, or a ``Derivative``, ``Subs``, ``DiracDelta``, ``re`` or ``im`` left in.
    """
    caller = sys._getframe(1)
    module, line = caller.f_globals["__name__"], caller.f_lineno
    args = tuple(args)
    try:
        domain = domain_of(domain, args)
    except ValueError as error:
        raise RuleError(f"entry {name!r} at {module}:{line}: {error}") from None
    entry = Rule(
        name=name,
        args=args,
        value=sympy.sympify(value),
        partials={
            arg: partial if isinstance(partial, not_differentiable) else sympy.sympify(partial)
            for arg, partial in partials.items()
        },
        domain=domain,
        aliases=tuple(aliases),
        let={bound: sympy.sympify(term) for bound, term in (let or {}).items()},
        complex=_complex(complex),
        at=tuple(at),
        ulp=ulp,
        off=off,
        note=" ".join(note.split()),
        reference=reference,
        numpy=numpy,
        math=math,
        c=c,
        module=module,
        line=line,
    )
    wrong = complaint(entry)
    if wrong is not None:
        raise RuleError(f"{entry.title}: {wrong}")
    RULES[entry.key] = entry
    return entry


def _complex(written: Any) -> Any:
    """Return field ``complex`` with SymPy's numbers."""
    if isinstance(written, Mapping):
        return {arg: sympy.sympify(partial) for arg, partial in written.items()}
    return written
