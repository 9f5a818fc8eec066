"""What an entry of the table is: a `Rule`, its singular points, and the function it stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import sympy

from diffrules.domains import Domain
from diffrules.guards import Guard, out


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


class _Written:
    """Finds the entry of a table function, which `later` may have announced in vain."""

    def __get__(self, instance: object, owner: type[TableFunction]) -> Rule:
        if owner.key not in RULES:
            raise RuleError(
                f"later({owner.__name__!r}) announces an entry that the table lacks; write it, or "
                "correct the name or the number of arguments"
            )
        return RULES[owner.key]


class TableFunction(Guard):
    """An applied entry, kept whole inside the expressions of other entries."""

    key: ClassVar[tuple[str, int]]
    rule: ClassVar[Rule] = _Written()  # type: ignore[assignment]

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
        _FUNCTIONS[name, nargs] = type(
            name, (TableFunction,), {"nargs": nargs, "key": (name, nargs)}
        )
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
    ulp: float | Mapping[sympy.Symbol | tuple[sympy.Symbol, ...], float] | None = None
    off: float = 0.0
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
    def title(self) -> str:
        """Name and place, as messages about the entry begin."""
        return f"entry {self.name!r} at {self.place}"

    @property
    def is_public(self) -> bool:
        """Whether users call it; the others, with a leading underscore, serve other entries."""
        return not self.name.startswith("_")

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

    @property
    def own_complex(self) -> Mapping[sympy.Symbol, sympy.Expr]:
        """The partials that are others for complex arguments, by argument; often none."""
        return self.complex if isinstance(self.complex, Mapping) else {}

    @property
    def bounds(self) -> Mapping[sympy.Symbol, float]:
        """The bounds of the partials, and of the value (`out`), where they differ; or empty."""
        if not isinstance(self.ulp, Mapping):
            return {}
        return {of: bound for of, bound in self.ulp.items() if not isinstance(of, tuple)}

    def bound(self, *args: sympy.Symbol) -> float | None:
        """Return the bound of the derivative in `args`, in units in the last place.

        That of the value if none is given. None where there is none; of a value without one of
        its own it is the largest of all partials.
        """
        if len(args) > 1:
            return self.ulp.get(args) if isinstance(self.ulp, Mapping) else None
        if not isinstance(self.ulp, Mapping):
            return self.ulp
        return self.bounds.get(
            args[0] if args else out, None if args else max(self.bounds.values())
        )

    def partial(
        self, index: int, args: Sequence[Any], value: sympy.Expr, of_complex: bool = False
    ) -> sympy.Expr | not_differentiable:
        """Return the partial of argument `index` with `args`, ``let`` and ``out`` put in.

        With `of_complex` the one for complex arguments, where that is another.
        """
        partial = self.partials[self.args[index]]
        if of_complex:
            partial = self.own_complex.get(self.args[index], partial)
        if isinstance(partial, not_differentiable):
            return partial
        for name, term in reversed(list(self.let.items())):
            partial = partial.xreplace({name: term})
        if tuple(args) != self.args:
            partial = partial.subs(dict(zip(self.args, args, strict=True)), simultaneous=True)
        # The value comes last: it is already one of `args`.
        return partial.xreplace({out: value})


def expand_calls(expression: sympy.Basic) -> sympy.Basic:
    """Return `expression` with every call of an entry replaced by its value, to the bottom."""
    return expression.replace(
        lambda node: isinstance(node, TableFunction), lambda node: node.rule.meaning(*node.args)
    )


RULES: dict[tuple[str, int], Rule] = {}

REFUSED: dict[str, str] = {}
"""Why a function of NumPy or SciPy is no entry, by its dotted name, ``special.bdtrik``."""


def refused(reason: str, *functions: str) -> None:
    """Say why `functions`, dotted names, are no entries, and what to use instead."""
    REFUSED.update(dict.fromkeys(functions, reason))


def as_float(number: Any) -> float:
    """Return a number of an entry as a float; keeps the sign of zero.

    >>> as_float(sympy.Rational(1, 2)), as_float(-0.0), as_float(sympy.oo)
    (0.5, -0.0, inf)
    """
    return float(number)
