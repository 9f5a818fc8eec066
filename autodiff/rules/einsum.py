"""`np.einsum`, in steps of one and of two operands.

A step of one operand takes diagonals and sums over labels that nothing else has; a step of two
is a `contraction`. So a product of many operands costs what its steps cost, forward and
backward, and every derivative is made of the same two kinds of step.
"""

from __future__ import annotations

import functools
import string
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import operand
from autodiff.primitives import Linear, implements
from autodiff.rules.contraction import Labels, contraction
from autodiff.rules.dtypes import in_dtype
from autodiff.rules.subscripts import read_subscripts
from autodiff.values import shape_of


@implements(np.einsum)
def einsum(
    *operands: Any,
    optimize: Any = False,
    dtype: Any = None,
    order: str = "K",
    casting: Any = "safe",
) -> Any:
    """Einstein summation; many operands are contracted in a cheap order, or as `optimize` says."""
    subscripts, arrays = _arguments(operands)
    arrays = [in_dtype(array, dtype, casting) for array in arrays]
    if isinstance(optimize, list):
        optimize = tuple(tuple(one) if isinstance(one, list) else one for one in optimize)
    starts, steps = _plan(subscripts, tuple(map(shape_of, arrays)), optimize)
    for which, start in starts:
        arrays[which] = start(arrays[which])
    for first, second, product in steps:
        arrays.append(product(arrays[first], arrays[second]))
    return arrays[-1]


def _arguments(operands: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Return the subscripts, a string or a tuple of tuples, and the operands."""
    if isinstance(operands[0], str):
        return operands[0], [operand(one) for one in operands[1:]]
    count = len(operands) // 2 * 2
    lists = [*operands[1:count:2], *operands[count:]]
    return tuple(map(tuple, lists)), [operand(one) for one in operands[:count:2]]


Start = tuple[int, Callable[[Any], Any]]
Step = tuple[int, int, Callable[[Any, Any], Any]]


@functools.lru_cache(maxsize=1024)
def _plan(
    subscripts: Any, shapes: tuple[tuple[int, ...], ...], optimize: Any
) -> tuple[list[Start], list[Step]]:
    """Return what to do with single operands, and which pairs to contract then.

    The result of each contraction is appended to the operands.
    """
    given, out = read_subscripts(subscripts, [len(shape) for shape in shapes])
    sizes = _sizes(given, shapes)
    # An axis of size 1 that is broadcast against one of another operand is summed away.
    terms = [
        tuple(label for label, size in zip(labels, shape, strict=True) if size == sizes[label])
        for labels, shape in zip(given, shapes, strict=True)
    ]
    if len(terms) > 1:
        terms = [
            tuple(
                dict.fromkeys(
                    label for label in term if _is_in(label, [*terms[:i], *terms[i + 1 :], out])
                )
            )
            for i, term in enumerate(terms)
        ]
    else:
        terms = [out]
    starts: list[Start] = [
        (i, functools.partial(reduced_rule, before=before, after=after))
        for i, (before, after) in enumerate(zip(given, terms, strict=True))
        if before != after or len(terms) == 1
    ]
    return starts, _steps(terms, out, sizes, optimize)


def _is_in(label: int, terms: Sequence[Labels]) -> bool:
    return any(label in term for term in terms)


def _sizes(terms: Sequence[Labels], shapes: Sequence[tuple[int, ...]]) -> dict[int, int]:
    """Return the size of each label; the one that is not 1, if there is one."""
    sizes: dict[int, int] = {}
    for term, shape in zip(terms, shapes, strict=True):
        for label, size in zip(term, shape, strict=True):
            known = sizes.get(label, 1)
            if known != 1 and size not in (1, known):
                raise ValueError(
                    f"einsum operands of shapes {', '.join(map(str, shapes))} do not fit: "
                    f"one label has sizes {known} and {size}"
                )
            sizes[label] = known if size == 1 else size
    return sizes


def _steps(
    terms: Sequence[Labels], out: Labels, sizes: dict[int, int], optimize: Any
) -> list[Step]:
    """Return the contractions of pairs, in order."""
    steps: list[Step] = []
    live = dict(enumerate(terms))
    for group in _path(terms, out, sizes, optimize):
        numbers = list(live)
        first, *others = (numbers[i] for i in sorted(group))
        live[first] = live.pop(first)
        for second in others:
            left, right = live.pop(first), live.pop(second)
            union = dict.fromkeys(left + right)
            kept = tuple(la for la in union if _is_in(la, [*live.values(), out])) if live else out
            steps.append((first, second, contraction(left, right, kept)))
            first = len(terms) + len(steps) - 1
            live[first] = kept
    if len(live) > 1:
        raise ValueError(f"einsum path {optimize} leaves {len(live)} operands")
    return steps


def _path(
    terms: Sequence[Labels], out: Labels, sizes: dict[int, int], optimize: Any
) -> Sequence[Sequence[int]]:
    """Return places of the operands to contract, as `np.einsum_path` does."""
    count = len(terms)
    if count < 3:
        return [range(count)]
    letters = dict(zip(sizes, string.ascii_letters, strict=False))
    texts = ["".join(letters[label] for label in term) for term in (*terms, out)]
    blanks = [np.broadcast_to(0.0, [sizes[label] for label in term]) for term in terms]
    if isinstance(optimize, tuple) and optimize[0] == "einsum_path":
        return optimize[1:]
    way = ("greedy", 1 << 62) if isinstance(optimize, bool) else optimize
    path = np.einsum_path(f"{','.join(texts[:-1])}->{texts[-1]}", *blanks, optimize=way)[0]
    return path[1:]


def _renumbered(*terms: Labels) -> list[list[int]]:
    """Return labels as `np.einsum` takes them in lists, small and not negative."""
    numbers: dict[int, int] = {}
    return [[numbers.setdefault(label, len(numbers)) for label in term] for term in terms]


def _reduced(x: Any, *, before: Labels, after: Labels) -> Any:
    labels, kept = _renumbered(before, after)
    return np.einsum(x, labels, kept)


def _reduced_back(grad: Any, x: Any, *, before: Labels, after: Labels) -> Any:
    return restored_rule(grad, before=before, after=after, shape=x.shape)


def _restored(grad: Any, *, before: Labels, after: Labels, shape: tuple[int, ...]) -> Any:
    """Return an array of `shape` with `grad` on its diagonals, repeated along what was summed."""
    unique = tuple(dict.fromkeys(before))
    grad = np.transpose(grad, [after.index(label) for label in unique if label in after])
    grad = grad[tuple(slice(None) if label in after else None for label in unique)]
    if len(unique) == len(before):
        return np.broadcast_to(grad, shape)
    array = np.zeros(shape, grad.dtype)
    labels, kept = _renumbered(before, unique)
    np.einsum(array, labels, kept)[...] = grad
    return array


reduced_rule = Linear("np.einsum", _reduced, _reduced_back)
restored_rule = Linear(
    "the transpose of np.einsum",
    _restored,
    lambda grad, x, *, before, after, shape: reduced_rule(grad, before=before, after=after),
)
