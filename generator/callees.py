"""Which function of which library computes an entry, and which entry an expression is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import sympy

from diffrules.entry import Rule, TableFunction, scipy
from diffrules.guards import Guard
from generator.errors import GeneratorError, Unsupported

LIBM = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1
    fabs fdim floor fma fmax fmin fmod hypot ldexp lgamma log log10 log1p log2 nearbyint pow
    remainder rint round sin sinh sqrt tan tanh tgamma trunc
"""
C99 = frozenset(LIBM.split())
# Functions of Python's math that SymPy calls by the same name and that give floats.
MATH = """
    acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1 gamma hypot log
    log10 log1p log2 pow sin sinh sqrt tan tanh
"""
LIKE_SYMPY = frozenset(MATH.split())
# SciPy computes these in double whatever it is given, so the float kernels do the same.
DOUBLE_ONLY = frozenset({"erf", "erfc", "lgamma", "tgamma"})
HOW = {
    "numpy": 'numpy="np.name", "special.name" (its first output "special.name[0]", if it has '
    'several) or "support.name", or an expression',
    "math": 'math="math.name" or "support.name", or an expression',
    "c": 'c="name" of a function of C99, "support.name", an expression, or scipy("name")',
}
# Functions of scipy.special written in Python: no protocol reaches them.
PYTHON = """
    polygamma zeta multigammaln diric comb factorial spherical_jn spherical_yn spherical_in
    spherical_kn
"""
WRITTEN_IN_PYTHON = frozenset(PYTHON.split())
# Functions SymPy has that no rounding can tell apart from their definition.
EXACT = (
    sympy.Abs,
    sympy.sign,
    sympy.floor,
    sympy.ceiling,
    sympy.Max,
    sympy.Min,
    sympy.Mod,
    sympy.Piecewise,
)


@dataclass(frozen=True)
class Callee:
    """A function by its dotted name: ``np.hypot``, ``special.expit``, ``support.sinpi``.

    ``special.sici[0]`` is one output of a function with several.
    """

    dotted: str

    @property
    def name(self) -> str:
        """The last part, without the number of an output."""
        return self.dotted.rpartition(".")[2].partition("[")[0]

    @property
    def library(self) -> str:
        """The first part; empty for a function of C."""
        return self.dotted.rpartition(".")[0]

    def call(self, args: Iterable[str]) -> str:
        """Return the code of a call.

        >>> Callee("special.sici[0]").call(["x"])
        'special.sici(x)[0]'
        """
        function, bracket, output = self.dotted.partition("[")
        return f"{function}({', '.join(args)}){bracket}{output}"


Form: TypeAlias = Any  # a Callee, or a SymPy expression


def dispatches(dotted: str) -> bool:
    """Return whether NumPy's protocols let a tracked value take over this function.

    >>> dispatches("np.hypot"), dispatches("np.where"), dispatches("special.polygamma")
    (True, True, False)

    Of one output among several it does not hold: all would be computed.
    """
    if is_output(dotted):
        return False
    library, _, name = dotted.rpartition(".")
    if library == "special":
        return name not in WRITTEN_IN_PYTHON
    if library != "np":
        return False
    function = getattr(np, name, None)
    return isinstance(function, np.ufunc) or hasattr(function, "__wrapped__")


def is_output(dotted: str) -> bool:
    """Return whether this is one output of a function with several, ``special.sici[0]``."""
    return dotted.endswith("]")


def is_single(rule: Rule) -> bool:
    """Return whether the value is one SymPy function of exactly the arguments."""
    value = rule.value
    applied = isinstance(value, (sympy.Function, sympy.Pow)) and not isinstance(value, Guard)
    return applied and value.args == rule.args


def is_exact(expression: sympy.Basic) -> bool:
    """Return whether the expression, computed as it stands, is what a good library computes.

    True of arithmetic, choices and rounding to whole numbers; false where a function of a
    rounded argument enters, ``log(1 + exp(x))``: a callee given by hand is then the better
    form, and the expression only its meaning.
    """
    if isinstance(expression, TableFunction):
        inner = is_exact(expression.rule.value)
    elif isinstance(expression, sympy.Pow):
        inner = expression.exp.is_Integer
    else:
        inner = isinstance(expression, (Guard, *EXACT)) or not isinstance(
            expression, sympy.Function
        )
    return bool(inner) and all(map(is_exact, expression.args))


class Callees:
    """The table seen from expressions: which entry computes a SymPy function.

    Parameters
    ----------
    rules : iterable of Rule
        The entries to choose from.

    Raises
    ------
    GeneratorError
        If an entry names a function that is not there.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._by_head: dict[type, list[Rule]] = {}
        self._by_name: dict[str, Rule] = {}
        for rule in rules:
            for field in HOW:
                _given(rule, field)
            self._by_name.setdefault(rule.name, rule)
            head = type(rule.value)
            if issubclass(head, (sympy.Function, sympy.Pow)) and not issubclass(head, Guard):
                self._by_head.setdefault(head, []).append(rule)
        for found in self._by_head.values():
            # More numbers first; of equals the public, then the plain one: power, not float_power.
            found.sort(
                key=lambda rule: (
                    len(rule.value.free_symbols),
                    not rule.is_public,
                    len(rule.name),
                )
            )

    def named(self, name: str) -> Rule:
        """Return the entry of this name."""
        try:
            return self._by_name[name]
        except KeyError:
            raise GeneratorError(
                f"no entry {name!r} in the table, and an expression needs it; add one"
            ) from None

    def match(
        self, expression: sympy.Basic, skip: Rule | None = None
    ) -> tuple[Rule, tuple[sympy.Basic, ...]] | None:
        """Return the entry whose value `expression` is, and its arguments there.

        Numbers of the value must be equal, symbols bind; an entry with more numbers is more
        specific and comes first. `skip` is never chosen.
        """
        if isinstance(expression, TableFunction):
            return expression.rule, expression.args
        for rule in self._by_head.get(type(expression), ()):
            if rule is not skip:
                bound = _bind(rule.value, expression)
                if bound is not None and set(bound) == set(rule.args):
                    return rule, tuple(bound[arg] for arg in rule.args)
        return None

    def numpy_form(self, rule: Rule) -> Form:
        """Return what computes `rule` on arrays."""
        found = _given(rule, "numpy")
        if found is None:
            found = _ufunc_of_that_name(rule)
        return rule.value if found is None else found

    def math_form(self, rule: Rule) -> Form:
        """Return what computes `rule` on floats.

        Raises
        ------
        Unsupported
            If nothing in the entry says how.
        """
        found = _given(rule, "math")
        if found is None and is_single(rule):
            name = type(rule.value).__name__.lower()
            if name in LIKE_SYMPY:
                found = Callee(f"math.{name}")
        return self._fallback(rule) if found is None else found

    def c_form(self, rule: Rule) -> Form:
        """Return what computes `rule` in C99.

        Raises
        ------
        Unsupported
            If the entry says that C99 lacks it, or nothing says how.
        """
        if isinstance(rule.c, scipy):
            raise Unsupported(f"scipy.special.{rule.c.name}")
        found = _given(rule, "c")
        if found is None and isinstance(rule.math, sympy.Basic):
            found = rule.math
        if found is None and is_single(rule):
            name = type(rule.value).__name__.lower()
            if name in C99:
                found = Callee(name)
        return self._fallback(rule) if found is None else found

    @staticmethod
    def _fallback(rule: Rule) -> Form:
        array = _given(rule, "numpy")
        if isinstance(array, sympy.Basic):
            return array
        if array is None or is_exact(rule.value):
            return rule.value
        raise Unsupported(f"{array.dotted}, and the entry {rule.name!r} gives no other form")


def callees_named(rule: Rule) -> tuple[str, ...]:
    """Return the dotted names an entry answers for, the one it calls first."""
    given = rule.numpy if isinstance(rule.numpy, tuple) else (rule.numpy,)
    names = tuple(name for name in given if isinstance(name, str))
    derived = _ufunc_of_that_name(rule) if rule.numpy is None else None
    return names if derived is None else (derived.dotted,)


def _ufunc_of_that_name(rule: Rule) -> Callee | None:
    """Return NumPy's ufunc with the name of the entry, if the value says that it is that."""
    function = getattr(np, rule.name, None)
    if is_single(rule) and isinstance(function, np.ufunc) and function.nin == len(rule.args):
        return Callee(f"np.{rule.name}")
    return None


def _given(rule: Rule, field: str) -> Form | None:
    """Return what a field of an entry says; the first where it names several."""
    given = getattr(rule, field)
    first = given[0] if isinstance(given, tuple) else given
    if first is None or isinstance(first, scipy):
        return None
    if isinstance(first, str):
        callee = Callee(first)
        if not _exists(callee, field):
            raise GeneratorError(f"{rule.title}: there is no {first!r}; write {HOW[field]}")
        return callee
    return sympy.sympify(first)


def _exists(callee: Callee, field: str) -> bool:
    if callee.library == "support":
        return True
    if field == "c":
        return callee.dotted in C99
    if field == "math":
        return callee.library == "math" and hasattr(math, callee.name)
    return callee.library == "special" or (callee.library == "np" and hasattr(np, callee.name))


def _bind(pattern: sympy.Basic, expression: sympy.Basic) -> dict[sympy.Basic, sympy.Basic] | None:
    if len(pattern.args) != len(expression.args):
        return None
    bound: dict[sympy.Basic, sympy.Basic] = {}
    for here, there in zip(pattern.args, expression.args, strict=True):
        if here.is_Symbol:
            if bound.setdefault(here, there) != there:
                return None
        elif here != there:
            return None
    return bound
