"""Subscripts of `np.einsum`, as strings or lists, read into tuples of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from autodiff.rules.contraction import Labels


def read_subscripts(
    subscripts: str | Sequence[Any], ndims: Sequence[int]
) -> tuple[tuple[Labels, ...], Labels]:
    """Return the labels of the axes of each operand, and those of the result.

    Labels are integers; the axes of an ellipsis have negative ones, -1 the last of them.

    Parameters
    ----------
    subscripts : str, or sequence of tuples
        ``"ij,jk->ik"``, or the tuples of the index-list form, one for each operand and, if it
        was given, one for the result.
    ndims : sequence of int
        Number of axes of each operand.

    Raises
    ------
    ValueError
        If they do not fit the operands or are not subscripts at all.
    """
    terms, wanted = (
        _from_text(subscripts) if isinstance(subscripts, str) else _split(subscripts, ndims)
    )
    if len(terms) != len(ndims):
        raise ValueError(f"einsum has {len(terms)} subscripts for {len(ndims)} operands")
    inputs = tuple(map(_expanded, terms, ndims))
    counts = Counter(label for labels in inputs for label in labels)
    hidden = tuple(range(min(counts, default=0), 0))
    if wanted is None:
        once = (label for label, count in counts.items() if label >= 0 and count == 1)
        return inputs, hidden + tuple(sorted(once))
    if ... in wanted:
        place = wanted.index(...)
        out = wanted[:place] + hidden + wanted[place + 1 :]
    elif hidden:
        raise ValueError("einsum operands have axes under '...', but the result has no '...'")
    else:
        out = wanted
    if ... in out or max(Counter(out).values(), default=1) > 1:
        raise ValueError("einsum subscripts of the result name an axis twice")
    if not set(out) <= set(counts):
        raise ValueError("einsum subscripts of the result have a label that no operand has")
    return inputs, out


def _from_text(text: str) -> tuple[list[tuple[Any, ...]], tuple[Any, ...] | None]:
    left, arrow, right = text.replace(" ", "").partition("->")
    return [_term(part) for part in left.split(",")], _term(right) if arrow else None


def _term(text: str) -> tuple[Any, ...]:
    """Return one subscript as code points and Ellipsis."""
    before, dots, after = text.partition("...")
    for letter in before + after:
        if not (letter.isascii() and letter.isalpha()):
            raise ValueError(f"einsum subscripts are letters and '...', not {letter!r} in {text!r}")
    labels = [tuple(map(ord, part)) for part in (before, after)]
    return (*labels[0], ..., *labels[1]) if dots else labels[0]


def _split(
    lists: Sequence[Any], ndims: Sequence[int]
) -> tuple[list[tuple[Any, ...]], tuple[Any, ...] | None]:
    """Return the terms of the operands and the one left for the result, if any."""
    terms = list(lists)
    return terms[: len(ndims)], terms[len(ndims)] if len(terms) > len(ndims) else None


def _expanded(term: tuple[Any, ...], ndim: int) -> Labels:
    """Return a term with labels for the axes of its ellipsis."""
    hidden = ndim - sum(label is not ... for label in term)
    count = term.count(...)
    if hidden < 0 or count > 1 or (hidden and not count):
        raise ValueError(
            f"einsum subscripts {_shown(term)!r} do not fit an operand with {ndim} axes"
        )
    place = term.index(...) if count else len(term)
    return term[:place] + tuple(range(-hidden, 0)) + term[place + 1 :]


def _shown(term: tuple[Any, ...]) -> str:
    return "".join(
        "..." if one is ... else chr(one) if one >= ord("A") else f"[{one}]" for one in term
    )
