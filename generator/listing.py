"""``--list``: one line for each rule."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence

from diffrules.entry import Rule, not_differentiable
from generator.callees import Callees
from generator.methods import needed
from generator.printers import FormulaPrinter

HEADINGS = ("rule", "value", "partials", "domain")
GAP = "  "


def table_lines(rules: Iterable[Rule], callees: Callees, width: int | None = None) -> list[str]:
    """Return the rules as an aligned table.

    Parameters
    ----------
    rules : iterable of Rule
        One line each.
    callees : Callees
        The table they are from.
    width : int, optional
        Longest line; columns are cut to fit, the widest first. Nothing is cut if not given.
    """
    formulas = FormulaPrinter(callees)
    rows = [HEADINGS, *(tuple(_cells(rule, formulas)) for rule in rules)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADINGS))]
    if width is not None:
        widths = _fitted(widths, width - len(GAP) * (len(widths) - 1))
    lines = [GAP.join(map(_padded, row, widths)).rstrip() for row in rows]
    return [lines[0], GAP.join("-" * width for width in widths), *lines[1:]]


def terminal_width() -> int:
    """Return the number of columns of the terminal."""
    return shutil.get_terminal_size().columns


def _cells(rule: Rule, formulas: FormulaPrinter) -> Iterator[str]:
    yield f"{rule.name}({', '.join(map(str, rule.args))})"
    yield formulas.code(rule.value)
    yield "; ".join(
        f"{arg}: {_partial(rule, index, formulas)}" for index, arg in enumerate(rule.args)
    )
    yield str(rule.domain)


def _partial(rule: Rule, index: int, formulas: FormulaPrinter) -> str:
    arg = rule.args[index]
    if isinstance(rule.partials[arg], not_differentiable):
        return f"none, {rule.partials[arg].reason}"
    partial, terms = needed(rule, arg)
    return formulas.with_terms(formulas.code(partial), terms)


def _fitted(widths: Sequence[int], total: int) -> list[int]:
    """Return the widths, the widest cut until their sum is `total`."""
    fitted = list(widths)
    while sum(fitted) > max(total, 8 * len(fitted)):
        fitted[fitted.index(max(fitted))] -= 1
    return fitted


def _padded(text: str, width: int) -> str:
    return text.ljust(width) if len(text) <= width else text[: width - 3] + "..."
