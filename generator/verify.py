"""Is each partial the derivative of the value? Asked of tables of other projects.

Our own table is held to it by its tests, with more points and digits. Partials for complex
arguments are asked at real points: analytic functions that agree there agree around them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from diffrules import oracle
from diffrules.entry import Rule
from generator.errors import GeneratorError
from generator.methods import has_gradient

POINTS, DIGITS, REACH = 3, 30, 4.0
# Of the size of both numbers; a correct partial agrees to nearly all digits.
ACCEPTED = 1e-12


def verify(rules: Iterable[Rule]) -> None:
    """Compare the partials of `rules` with derivatives of their values, at a few points.

    Raises
    ------
    GeneratorError
        Names the entry, the argument, the point, and both numbers.
    """
    for rule in rules:
        rng = random.Random(rule.name)
        for _ in range(POINTS):
            point = rule.domain.sample(rng, REACH)
            for index, arg in enumerate(rule.args):
                if has_gradient(rule, arg):
                    _compare(rule, index, point)
                if arg in rule.own_complex:
                    _compare(rule, index, point, of_complex=True)


def _compare(rule: Rule, index: int, point: tuple[float, ...], of_complex: bool = False) -> None:
    written = oracle.partial(rule, index, point, DIGITS, of_complex)
    right = oracle.derivative(rule, {index: 1}, point, DIGITS)
    if not abs(written - right) <= ACCEPTED * (abs(written) + abs(right) + ACCEPTED):
        place = ", ".join(f"{arg} = {x:.6g}" for arg, x in zip(rule.args, point, strict=True))
        raise GeneratorError(
            f"entry {rule.name!r} at {rule.place}: at {place} the partial of {rule.args[index]}"
            f"{' for complex arguments' if of_complex else ''} is {_number(written)}, "
            f"but the derivative of the value is {_number(right)}; "
            f"correct one of them (`--explain {rule.name}` shows SymPy's own derivative)"
        )


def _number(found: Any) -> str:
    exact = complex(found)
    return f"{exact if exact.imag else exact.real:.12g}"
