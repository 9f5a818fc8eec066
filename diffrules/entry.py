"""`rule`, which puts an entry into the table, and the `Rule` it makes."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import sympy

from diffrules.domains import Domain, domain_of
from diffrules.guards import Guard, out

FORBIDDEN = (sympy.Derivative, sympy.Subs, sympy.DiracDelta, sympy.re, sympy.im)
RESERVED = {"grad", "out", "np", "math", "special"}


class RuleError(ValueError):
    """An entry of the table is wrong; the message says which, why, and what to write."""


@dataclass(frozen=True)
class not_differentiable:  # noqa: N801 -- reads as a word in entries
    """Stands for the partial of an argument that has no derivative: an order, an index."""

    reason: str


@dataclass(frozen=True)
class scipy:  # noqa: N801
    """In field ``c``: C99 lacks this function; compiled programs call SciPy's `name`."""

    name: str


class _RealOnly:
    def __repr__(self) -> str:
        return "real_only"


real_only = _RealOnly()


@dataclass(frozen=True)
class Point:
    """A singular point of an entry: where it is, the partials there, and the reason.

    Attributes
    ----------
    where, partials : dict
        ``{argument symbol: number}``. Signed zeros are kept.
    reason : str
        Why the partials have these values.
    value : number or None
        The function there; None where evaluating ``value`` gives it.
    """

    where: Mapping[sympy.Symbol, Any]
    partials: Mapping[sympy.Symbol, Any]
    reason: str
    value: Any = None


def point(
    where: Mapping[sympy.Symbol, Any],
    partials: Mapping[sympy.Symbol, Any],
    reason: str,
    value: Any = None,
) -> Point:
    """Return a singular point: `where`, the `partials` there, and the `reason`."""
    return Point(where, partials, reason, value)


class _NotWritten:
    """In the place of an entry that `later` announced, until it is written."""

    def __get__(self, instance: object, owner: type) -> Rule:
        raise RuleError(
            f"later({owner.__name__!r}) announces an entry that the table lacks; write it, or "
            "correct the name or the number of arguments"
        )


class TableFunction(Guard):
    """An applied entry, kept whole inside the expressions of other entries."""

    rule: ClassVar[Rule] = _NotWritten()  # type: ignore[assignment]

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """Return the partial the entry gives, with this call as ``out``."""
        partial = self.rule.partial(argindex - 1, self.args, self)
        if isinstance(partial, not_differentiable):
            raise RuleError(f"{self}: argument {argindex} has no derivative: {partial.reason}")
        return partial

    def _eval_evalf(self, prec: int) -> sympy.Expr:
        return self.rule.meaning(*self.args)._eval_evalf(prec)


_FUNCTIONS: dict[tuple[str, int], type[TableFunction]] = {}


def later(name: str, nargs: int = 1) -> type[TableFunction]:
    """Return the function of an entry written further down, for entries that need each other."""
    if (name, nargs) not in _FUNCTIONS:
        _FUNCTIONS[name, nargs] = type(name, (TableFunction,), {"nargs": nargs})
    return _FUNCTIONS[name, nargs]


@dataclass(frozen=True, eq=False)
class Rule:
    """One entry of the table; `diffrules.vocabulary` says what each field holds."""

    name: str
    args: tuple[sympy.Symbol, ...]
    value: sympy.Expr
    partials: Mapping[sympy.Symbol, sympy.Expr | not_differentiable]
    domain: Domain
    aliases: tuple[str, ...] = ()
    let: Mapping[sympy.Symbol, sympy.Expr] = field(default_factory=dict)
    complex: Any = None
    at: tuple[Point, ...] = ()
    ulp: float | None = None
    note: str = ""
    reference: str = ""
    numpy: Any = None
    math: Any = None
    c: Any = None
    module: str = ""
    line: int = 0

    @property
    def key(self) -> tuple[str, int]:
        """Name and number of arguments."""
        return self.name, len(self.args)

    @property
    def family(self) -> str:
        """Last part of the name of the module that holds the entry."""
        return self.module.rpartition(".")[2]

    @property
    def place(self) -> str:
        """Module and line of the entry."""
        return f"{self.module}:{self.line}"

    @property
    def function(self) -> type[TableFunction]:
        """The SymPy function that stands for a call of this entry."""
        return later(*self.key)

    def __call__(self, *args: Any) -> sympy.Expr:
        """Return a call of this function with SymPy arguments."""
        return self.function(*args)

    def meaning(self, *args: Any) -> sympy.Expr:
        """Return the value with `args`, calls of other entries replaced by their meaning."""
        given = dict(zip(self.args, args or self.args, strict=True))
        return expand_calls(self.value.subs(given, simultaneous=True))

    def partial(
        self, index: int, args: Sequence[Any], value: sympy.Expr
    ) -> sympy.Expr | not_differentiable:
        """Return the partial of argument `index` with `args`, ``let`` and ``out`` put in."""
        partial = self.partials[self.args[index]]
        if isinstance(partial, not_differentiable):
            return partial
        for name, term in reversed(list(self.let.items())):
            partial = partial.xreplace({name: term})
        # The value comes last: it is already one of `args`.
        given = partial.subs(dict(zip(self.args, args, strict=True)), simultaneous=True)
        return given.xreplace({out: value})


def expand_calls(expression: sympy.Basic) -> sympy.Basic:
    """Return `expression` with every call of an entry replaced by its value, to the bottom."""
    return expression.replace(
        lambda node: isinstance(node, TableFunction), lambda node: node.rule.meaning(*node.args)
    )


RULES: dict[tuple[str, int], Rule] = {}


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
    ulp: float | None = None,
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
        complex=complex,
        at=tuple(at),
        ulp=ulp,
        note=" ".join(note.split()),
        reference=reference,
        numpy=numpy,
        math=math,
        c=c,
        module=module,
        line=line,
    )
    _check(entry)
    entry.function.rule = entry
    RULES[entry.key] = entry
    return entry


def _check(entry: Rule) -> None:
    for check in _CHECKS:
        complaint = check(entry)
        if complaint:
            raise RuleError(f"entry {entry.name!r} at {entry.place}: {complaint}")


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
    known: set[sympy.Basic] = set(entry.args)
    parts: list[tuple[str, Any, set[sympy.Basic]]] = [("value", entry.value, set(known))]
    parts += [(form, getattr(entry, form), set(known)) for form in ("numpy", "math", "c")]
    known.add(out)
    for bound, term in entry.let.items():
        parts.append((f"let[{bound}]", term, set(known)))
        known.add(bound)
    for arg, partial in entry.partials.items():
        parts.append((f"partials[{arg}]", partial, known))
    for where, expression, allowed in parts:
        if isinstance(expression, sympy.Basic):
            unknown = expression.free_symbols - allowed
            if unknown:
                return (
                    f"{where} uses {', '.join(sorted(map(str, unknown)))}, which is none of "
                    f"{', '.join(sorted(map(str, allowed)))}; use those, or bind it in let before"
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
    for where, expression in (
        ("value", entry.value),
        *((f"let[{bound}]", term) for bound, term in entry.let.items()),
        *((f"partials[{arg}]", partial) for arg, partial in entry.partials.items()),
    ):
        if isinstance(expression, sympy.Basic) and expression.has(*FORBIDDEN):
            found = next(c.__name__ for c in FORBIDDEN if expression.has(c))
            return (
                f"{where} contains {found}, which no generated code can compute; write the "
                "derivative by hand with where(), indicator() or sign()"
            )
    return None


def _no_complex_infinity(entry: Rule) -> str | None:
    for where, expression in (
        ("value", entry.value),
        *((f"partials[{arg}]", partial) for arg, partial in entry.partials.items()),
    ):
        if isinstance(expression, sympy.Basic) and expression.has(sympy.zoo, sympy.nan):
            return f"{where} contains {sympy.zoo} or nan; say what happens there in at=[point(...)]"
    return None


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
)


def as_float(number: Any) -> float:
    """Return a number of an entry as a float; keeps the sign of zero.

    >>> as_float(sympy.Rational(1, 2)), as_float(-0.0), as_float(sympy.oo)
    (0.5, -0.0, inf)
    """
    if isinstance(number, (int, float)):
        return float(number)
    return math.nan if number is sympy.nan else float(number)
