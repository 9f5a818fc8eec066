"""Numbers of many digits: what values and partials are, to check the generated code.

Everything is evaluated by mpmath from the expressions of the table; a call of an entry is
evaluated from its value. No generated code takes part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import mpmath
import sympy
from sympy.printing.pycode import MpmathPrinter

from diffrules.checks import FORBIDDEN
from diffrules.digits import FUNCTIONS
from diffrules.entry import RULES, Rule, TableFunction, not_differentiable
from diffrules.guards import out

DIGITS = 50
# Digits more that are enough at ordinary points.
FEW = 10
# With so many digits more, a sum of 1 and the smallest double loses nothing.
RANGE = 330
# mpmath is slow with hundreds of digits of these, and they are in no such sums.
SLOW = ("Chi", "Shi", "airyai", "airyaiprime", "airybi", "airybiprime", "besseli", "besselj",
        "bessely", "beta", "betainc_a", "betainc_b",
        "betainc_regularized", "elliptic_e", "elliptic_f", "elliptic_k", "erfcinv", "erfinv",
        "gamma", "gammainc_a", "hermite", "hyper", "loggamma", "lowergamma", "polygamma", "polylog",
        "stdtr_n", "uppergamma", "zeta")
# What SymPy's printer does not know that mpmath has.
MISSING = {"Chi": "chi", "Ci": "ci", "Ei": "ei", "Shi": "shi", "Si": "si", "airyai": "airyai",
           "airybi": "airybi", "erfi": "erfi", "expint": "expint", "LambertW": "lambertw",
           "polylog": "polylog"}
# Digits at which zero and infinity are believed.
LIMIT = 700


class _Printer(MpmathPrinter):  # type: ignore[misc]
    """Print for mpmath: entries as calls, and only that branch of a guard that holds."""

    _kf: ClassVar[dict[str, str]] = {
        **MpmathPrinter._kf,
        **{name: f"mpmath.{other}" for name, other in MISSING.items()},
    }

    def __init__(self, settings: Mapping[str, Any]) -> None:
        super().__init__(settings)
        self.meanings: dict[str, Callable[..., Any]] = {}
        # Symbols that stand for a function without arguments, which computes them once.
        self.terms: set[sympy.Symbol] = set()

    def _print(self, expr: Any, **options: Any) -> str:
        if isinstance(expr, TableFunction):
            args = ", ".join(self._print(arg) for arg in expr.args)
            return f"function({expr.rule.name!r}, {len(expr.args)})({args})"
        return str(super()._print(expr, **options))

    def _print_Symbol(self, expr: sympy.Symbol) -> str:  # noqa: N802 -- SymPy's name
        return f"{expr.name}()" if expr in self.terms else str(expr.name)

    def _print_where(self, expr: sympy.Basic) -> str:
        condition, a, b = (self._print(arg) for arg in expr.args)
        return f"(({a}) if ({condition}) else ({b}))"

    def _print_indicator(self, expr: sympy.Basic) -> str:
        return f"(mpmath.mpf(1) if ({self._print(expr.args[0])}) else mpmath.mpf(0))"

    def _print_nonzero(self, expr: sympy.Basic) -> str:
        return f"(({self._print(expr.args[0])}) or mpmath.mpf(1))"

    def _print_isnan(self, expr: sympy.Basic) -> str:
        return f"mpmath.isnan({self._print(expr.args[0])})"

    def _print_polygamma(self, expr: sympy.Basic) -> str:
        order, at = map(self._print, expr.args)
        return f"mpmath.psi(int({order}), {at})"

    def _print_zeta(self, expr: sympy.Basic) -> str:
        return f"mpmath.zeta({', '.join(map(self._print, expr.args))})"

    def _print_elliptic_k(self, expr: sympy.Basic) -> str:
        return f"mpmath.ellipk({self._print(expr.args[0])})"

    def _print_elliptic_e(self, expr: sympy.Basic) -> str:
        return f"mpmath.ellipe({', '.join(map(self._print, expr.args))})"

    def _print_elliptic_f(self, expr: sympy.Basic) -> str:
        return f"mpmath.ellipf({', '.join(map(self._print, expr.args))})"

    def _print_betainc_regularized(self, expr: sympy.Basic) -> str:
        return f"mpmath.betainc({', '.join(map(self._print, expr.args))}, regularized=True)"

    def _print_erfinv(self, expr: sympy.Basic) -> str:
        return f"mpmath.erfinv({self._print(expr.args[0])})"

    def _print_airyaiprime(self, expr: sympy.Basic) -> str:
        return f"mpmath.airyai({self._print(expr.args[0])}, derivative=1)"

    def _print_airybiprime(self, expr: sympy.Basic) -> str:
        return f"mpmath.airybi({self._print(expr.args[0])}, derivative=1)"

    def _print_erfcinv(self, expr: sympy.Basic) -> str:
        return f"mpmath.erfcinv({self._print(expr.args[0])})"


def function(name: str, nargs: int) -> Callable[..., Any]:
    """Return the value of an entry as a function of mpmath numbers."""
    rule = RULES[name, nargs]
    return compiled(rule.args, rule.value)


@cache
def compiled(args: tuple[sympy.Symbol, ...], expression: sympy.Expr) -> Callable[..., Any]:
    """Return `expression` as a function of mpmath numbers, at the precision of its caller."""
    printer = _printer()
    code = f"lambda {', '.join(map(str, args))}: {printer.doprint(expression)}"
    return eval(code, _names(printer))  # type: ignore[no-any-return]


def _printer() -> _Printer:
    return _Printer({"fully_qualified_modules": True, "inline": True})


def _names(printer: _Printer) -> dict[str, Any]:
    return {"mpmath": FUNCTIONS, "function": function, "once": cache, **printer.meanings}


def evaluate(
    expression: sympy.Expr,
    args: Sequence[sympy.Symbol],
    point: Sequence[Any],
    digits: int = DIGITS,
) -> Any:
    """Return `expression` at `point` as an mpmath number of `digits` digits.

    The precision is doubled until two results agree: digits lost to cancellation are found
    again.

    Parameters
    ----------
    expression : sympy.Expr
        May hold guards and calls of entries.
    args : sequence of sympy.Symbol
        Its symbols.
    point : sequence of numbers
        Their values, real or complex; floats are taken exactly.
    """
    found = compiled(tuple(args), expression)
    spare = FEW if is_slow(expression) else RANGE
    return settled(lambda: mpmath.mpmathify(found(*map(mpmath.mpmathify, point))), digits, spare)


@cache
def is_slow(expression: sympy.Expr) -> bool:
    """Return whether many digits of `expression` take long."""
    return any(
        is_slow(function.rule.value)
        if isinstance(function, TableFunction)
        else type(function).__name__ in SLOW or getattr(function, "slow", False)
        for function in expression.atoms(sympy.Function)
    )


def settled(result: Callable[[], Any], digits: int, spare: int = FEW) -> Any:
    """Return `result()` to `digits` digits: the precision is doubled until two calls agree."""
    return _all_settled(lambda: (result,), digits, spare)[0]


def _all_settled(
    results: Callable[[], Sequence[Callable[[], Any]]], digits: int, spare: int
) -> list[Any]:
    """Return what each of `results()` gives, to `digits` digits; None where it gives None.

    `results` is called at each precision, so that its parts may share their work.
    """
    before: dict[int, Any] = {}
    precision = digits + spare
    found: dict[int, Any] = {}
    while True:
        last = precision > LIMIT
        with mpmath.workdps(precision):
            parts = results()
            after = {i: part() for i, part in enumerate(parts) if i not in found}
        with mpmath.workdps(digits):
            for i, number in after.items():
                if last or number is None or _agree(before.get(i), number):
                    found[i] = None if number is None else +number
        if len(found) == len(parts):
            return [found[i] for i in range(len(parts))]
        precision, before = 2 * precision, after


def _agree(before: Any, after: Any) -> bool:
    """Return whether two results are the same at the precision of the caller.

    An early zero or infinity may be a difference that lost all its digits.
    """
    ordinary = before is not None and mpmath.isfinite(after) and after != 0
    return bool(ordinary and abs(after - before) <= abs(after) * mpmath.eps)


def value(rule: Rule, point: Sequence[Any], digits: int = DIGITS) -> Any:
    """Return the function of `rule` at `point`."""
    return evaluate(rule.value, rule.args, point, digits)


def partial(
    rule: Rule, index: int, point: Sequence[Any], digits: int = DIGITS, of_complex: bool = False
) -> Any:
    """Return what the entry says of the partial of argument `index` at `point`."""
    return evaluate(_partial(rule, index, of_complex), rule.args, point, digits)


@cache
def _partial(rule: Rule, index: int, of_complex: bool) -> Any:
    return rule.partial(index, rule.args, rule.value, of_complex)


def value_and_partials(
    rule: Rule, point: Sequence[Any], digits: int = DIGITS, of_complex: bool = False
) -> tuple[Any, list[Any]]:
    """Return the value and each partial at an ordinary point; the terms they share, once.

    Parameters
    ----------
    rule : Rule
        An entry.
    point : sequence of numbers
        So far from singular points that no term is lost beside another.
    digits : int
        Digits of the results.
    of_complex : bool
        Take the partials for complex arguments.

    Returns
    -------
    tuple
        The value, and a list with a partial for each argument; None where there is none.
    """
    found, exact = _together(rule, of_complex), tuple(map(mpmath.mpmathify, point))
    first, *others = _all_settled(lambda: found(*exact), digits, FEW)
    return first, others


@cache
def _together(rule: Rule, of_complex: bool) -> Callable[..., Sequence[Callable[[], Any]]]:
    """Return a function that gives value and partials as functions without arguments."""
    printer = _printer()
    lines = [f"def found({', '.join(map(str, rule.args))}):"]
    for name, term in ((out, rule.value), *rule.let.items()):
        lines.append(f"    {name} = once(lambda: mpmath.mpmathify({printer.doprint(term)}))")
        printer.terms.add(name)
    parts = [str(out)]
    for arg in rule.args:
        written = (rule.own_complex if of_complex else {}).get(arg, rule.partials[arg])
        none = isinstance(written, not_differentiable)
        code = "None" if none else f"mpmath.mpmathify({printer.doprint(written)})"
        parts.append(f"lambda: {code}")
    names = _names(printer)
    exec("\n".join((*lines, f"    return {', '.join(parts)}")), names)
    return names["found"]  # type: ignore[no-any-return]


def derivative(
    rule: Rule, orders: Mapping[int, int], point: Sequence[Any], digits: int = DIGITS
) -> Any:
    """Return a derivative of the value of `rule`, found without its partials.

    SymPy differentiates the value where it can, with the partials of other entries that it
    calls; elsewhere mpmath takes differences with enough digits.

    Parameters
    ----------
    orders : dict
        ``{argument index: order}``.
    """
    symbolic = _symbolic(rule, tuple(sorted(orders.items())))
    if symbolic is not None:
        return evaluate(symbolic, rule.args, point, digits)
    found = compiled(rule.args, rule.value)
    counts = tuple(orders.get(index, 0) for index in range(len(rule.args)))
    return settled(lambda: mpmath.diff(found, tuple(map(mpmath.mpf, point)), counts), digits)


@cache
def _symbolic(rule: Rule, orders: tuple[tuple[int, int], ...]) -> sympy.Expr | None:
    expression = rule.value
    for index, order in orders:
        expression = expression.diff(rule.args[index], order)
    return None if expression.has(*FORBIDDEN) else expression
