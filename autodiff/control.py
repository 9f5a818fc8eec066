"""`cond`, `while_loop` and `scan`: branches and loops that a compiled function can follow.

On plain and on tracked values they are Python's ``if``, ``while`` and ``for``. Inside
`autodiff.compile` the functions that they take are followed once, and become one branch or one
loop of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.arguments import name_of
from autodiff.box import Box, operand, raw
from autodiff.containers import parts_of, paths_of, put_together
from autodiff.levels import recording
from autodiff.values import dtype_of

Leaves = list[Any]


def cond(
    pred: Any, on_true: Callable[..., Any], on_false: Callable[..., Any], *operands: Any
) -> Any:
    """Return ``on_true(*operands)`` if `pred` holds, else ``on_false(*operands)``.

    Parameters
    ----------
    pred : bool, or one number
        Not differentiated.
    on_true, on_false : callable
        Take the operands and give numbers, arrays, or containers of them. If `pred` is traced,
        both have to give the same structure, shapes and dtypes.
    *operands : numbers, arrays, containers

    Returns
    -------
    What the function gives that was chosen; the other one is not run.

    Raises
    ------
    TypeError
        If `pred` is no single number; traced, if the functions give different things.

    Examples
    --------
    >>> import autodiff as ad
    >>> f = lambda x: cond(x > 0.0, lambda t: t * t, lambda t: -t, x)
    >>> f(3.0), ad.grad(f)(3.0), ad.grad(f)(-3.0)
    (9.0, 6.0, -1.0)
    >>> ad.compile(f)(3.0)
    9.0
    """
    pred = operand(pred)
    if np.shape(pred) != ():
        raise TypeError(
            f"the predicate of cond has shape {np.shape(pred)}; it has to be one number: reduce it "
            "with np.all or np.any, or choose entry by entry with np.where"
        )
    staging = _staging()
    if staging is not None and staging.is_traced(pred):
        return staging.cond(pred, on_true, on_false, operands)
    return (on_true if raw(pred) else on_false)(*operands)


def while_loop(keep_going: Callable[[Any], Any], body: Callable[[Any], Any], init: Any) -> Any:
    """Return what becomes of `init` by ``carry = body(carry)`` while ``keep_going(carry)`` holds.

    Parameters
    ----------
    keep_going : callable
        Takes the carry and gives a bool.
    body : callable
        Takes the carry and gives the next one, of the same structure, shapes and dtypes.
    init : number, array or container
        The first carry.

    Returns
    -------
    The last carry.

    Raises
    ------
    TypeError
        If the carry changes its structure, a shape or a dtype, or if a traced loop is
        differentiated in reverse mode: how many carries it would have to keep is not known.
        Forward mode works; `scan` with a fixed length works in both.

    Examples
    --------
    >>> while_loop(lambda x: x < 100.0, lambda x: x * x, 2.0)
    256.0
    """
    staging = _staging()
    if staging is not None:
        found = staging.while_loop(keep_going, body, init)
        if found is not None:
            return found[0]
    leaves, structure = parts_of_optional(init)
    what = f"body {name_of(body)} of while_loop"
    first = True
    carry = init
    while holds(keep_going(carry), keep_going):
        carry = body(carry)
        leaves = same_carry(leaves, structure, carry, what, [first] * len(leaves))
        carry, first = put_optional(structure, leaves), False
    return carry


def scan(
    f: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
) -> tuple[Any, Any]:
    """Return what becomes of `init` by ``carry, y = f(carry, x)`` for each `x`, and all `y`.

    Parameters
    ----------
    f : callable
        Takes the carry and one entry of `xs`, and gives a pair: the next carry, of the same
        structure, shapes and dtypes, and a number, array, container of them, or None.
    init : number, array or container
        The first carry. A Python number takes the dtype that `f` gives.
    xs : array or container of arrays, optional
        Each `x` is an entry along the first axis, of which all arrays have the same length;
        None if there is nothing to read.
    length : int, optional
        How often; needed if there are no `xs`.
    reverse : bool
        From the last entry to the first; the `y` stay where their `x` are.

    Returns
    -------
    carry
        The last one.
    ys
        Each `y` stacked along a new first axis.

    Raises
    ------
    ValueError
        If the length is missing, or lengths differ.
    TypeError
        If `f` gives no pair, or the carry changes its structure, a shape or a dtype.

    Examples
    --------
    >>> import numpy as np
    >>> import autodiff as ad
    >>> carry, ys = scan(lambda c, x: (c + x, c * x), 0.0, np.array([1.0, 2.0, 3.0]))
    >>> float(carry), ys
    (6.0, array([0., 2., 9.]))
    >>> ad.grad(lambda r: scan(lambda c, _: (c * r, None), 1.0, length=3)[0])(2.0)
    12.0
    """
    leaves, structure = parts_of_optional(xs)
    leaves = [operand(leaf) for leaf in leaves]
    count = _length(leaves, structure, length)
    staging = _staging()
    if staging is not None:
        found = staging.scan(f, init, (leaves, structure), count, bool(reverse))
        if found is not None:
            return found[0], found[1]
    return _loop(f, init, (leaves, structure), count, bool(reverse))


def _staging() -> Any:
    """Return the module that writes loops down if a function is being compiled, else None."""
    if getattr(recording.watch, "writes_down", False):
        from autodiff.compiler import staging  # not with every `import autodiff`

        return staging
    return None


def _loop(f: Any, init: Any, xs: tuple[Leaves, Any], length: int, reverse: bool) -> tuple[Any, Any]:
    arrays, structure = xs
    carry, before = init, parts_of_optional(init)
    rows: list[tuple[Leaves, Any]] = []
    for i in reversed(range(length)) if reverse else range(length):
        carry, y = pair(f(carry, put_optional(structure, [array[i] for array in arrays])), f)
        promoted = [not rows] * len(before[0])
        leaves = same_carry(before[0], before[1], carry, _named(f), promoted)
        before = leaves, before[1]
        carry = put_optional(before[1], leaves)
        rows.append(parts_of_optional(y))
    if not rows:
        x = [np.zeros(np.shape(array)[1:], array.dtype)[()] for array in arrays]
        _, y = pair(f(carry, put_optional(structure, x)), f)
        found, of_y = parts_of_optional(y)
        return carry, put_optional(of_y, [_none_of(leaf, f) for leaf in found])
    of_y = rows[0][1]
    if any(other != of_y for _, other in rows):
        raise TypeError(f"{_named(f)} gave y of several structures; give the same in each round")
    if reverse:
        rows.reverse()
    return carry, put_optional(
        of_y, [_stacked(each, f) for each in zip(*(row for row, _ in rows), strict=True)]
    )


def _none_of(leaf: Any, f: Any) -> Any:
    return np.zeros((0, *np.shape(checked_y(leaf, f))), np.asarray(raw(leaf)).dtype)


def _stacked(leaves: Sequence[Any], f: Any) -> Any:
    shapes = {np.shape(checked_y(leaf, f)) for leaf in leaves}
    if len(shapes) > 1:
        raise TypeError(
            f"{_named(f)} gave y of the shapes {', '.join(map(str, sorted(shapes)))}; they are "
            "stacked, so give the same shape in each round"
        )
    return np.stack(leaves)


def checked_y(leaf: Any, f: Any) -> Any:
    """Return a leaf of y; raise a TypeError if it cannot be stacked."""
    leaf = operand(leaf)
    plain = raw(leaf)
    if not isinstance(plain, (int, float, complex)) and not hasattr(plain, "dtype"):
        raise TypeError(
            f"{_named(f)} gave a {type(plain).__name__} as y; give numbers, arrays, containers of "
            "them, or None"
        )
    return leaf


def _named(f: Any) -> str:
    return f"the function {name_of(f)} of scan"


def pair(found: Any, f: Any) -> tuple[Any, Any]:
    """Return what the function of `scan` gave, a carry and a y."""
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        what = f"{len(found)} things" if isinstance(found, (tuple, list)) else type(found).__name__
        raise TypeError(
            f"{_named(f)} gave {what}; it has to give a pair (carry, y), with y=None if there is "
            "nothing to collect"
        )
    return found[0], found[1]


def holds(found: Any, keep_going: Any) -> bool:
    """Return whether a while loop goes on."""
    if np.shape(raw(operand(found))) != ():
        raise TypeError(
            f"the condition {name_of(keep_going)} of while_loop gave shape {np.shape(found)}; it "
            "has to be one bool: reduce it with np.all or np.any"
        )
    return bool(raw(found))


NOTHING = object()
"""The structure of None: no leaves."""


def parts_of_optional(value: Any) -> tuple[Leaves, Any]:
    """Return the leaves and the structure of a container, a leaf, or None."""
    return ([], NOTHING) if value is None else parts_of(value)


def put_optional(structure: Any, leaves: Sequence[Any]) -> Any:
    """Return what `parts_of_optional` took apart, with other leaves."""
    return None if structure is NOTHING else put_together(structure, leaves)


def _length(leaves: Leaves, structure: Any, length: int | None) -> int:
    if length is not None:
        if isinstance(length, (bool, Box)) or not isinstance(length, (int, np.integer)):
            raise TypeError(
                f"the length of scan is a {type(length).__name__}; it has to be an int, which is "
                "part of a compiled program: make it static, or use while_loop"
            )
        if length < 0:
            raise ValueError(f"the length of scan is {length}; it cannot be negative")
    where = ["" if structure is NOTHING else path for path in _paths(structure, len(leaves))]
    for leaf, path in zip(leaves, where, strict=True):
        if np.shape(leaf) == ():
            raise ValueError(
                f"xs{path} of scan is a single number, which has no entries to run over; give "
                "arrays with one entry for each round (np.array of a list), or xs=None and length="
            )
    found = {f"xs{path}": int(np.shape(leaf)[0]) for leaf, path in zip(leaves, where, strict=True)}
    if length is not None:
        found["length="] = int(length)
    if not found:
        raise ValueError("scan without xs needs length=, how often its function runs")
    if len(set(found.values())) > 1:
        told = ", ".join(f"{name} {count}" for name, count in found.items())
        raise ValueError(f"scan got different lengths: {told}; all run along their first axes")
    return next(iter(found.values()))


def _paths(structure: Any, count: int) -> list[str]:
    return [""] * count if structure in (None, NOTHING) else paths_of(structure)


def is_weak(leaf: Any) -> bool:
    """Return whether a leaf is a Python number, also in a box."""
    plain = raw(leaf)
    if isinstance(plain, np.generic):
        return False
    return isinstance(plain, (int, float, complex)) or getattr(
        getattr(plain, "value", None), "weak", False
    )


def converted(leaf: Any, dtype: np.dtype[Any]) -> Any:
    """Return one number, maybe in a box, as one of NumPy in a dtype."""
    if not isinstance(leaf, Box):
        return dtype.type(leaf)
    box: Any = leaf
    if dtype.kind not in "fc" or dtype_of(leaf).kind in "fc":
        box = box.astype(dtype)
    # A box of a Python number keeps that; a product is a number of NumPy.
    return np.multiply(box, dtype.type(1)) if dtype.kind in "fc" else box


def type_of(leaf: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and dtype of a leaf, which may be a box."""
    plain = raw(leaf)
    if not hasattr(plain, "dtype"):
        plain = np.asarray(plain)
    return tuple(plain.shape), plain.dtype


def same_carry(
    before: Leaves, structure: Any, carry: Any, what: str, promoted: Sequence[bool]
) -> Leaves:
    """Return the leaves of a new carry; raise a TypeError if it is not like the one before.

    Parameters
    ----------
    before : list
        Leaves of the carry before.
    structure
        Of both.
    carry : number, array or container
        The new one.
    what : str
        The function that gave it.
    promoted : sequence of bool
        Whether a Python number before may have become one of another dtype.
    """
    leaves, found = parts_of_optional(carry)
    if found != structure or len(leaves) != len(before):
        raise TypeError(
            f"{what} got a carry of structure {shown(structure)} and gave one of "
            f"{shown(found)}; they must be equal"
        )
    return [
        _like(operand(new), old, f"{what} gave carry{path}", may)
        for new, old, path, may in zip(
            leaves, before, _paths(structure, len(leaves)), promoted, strict=True
        )
    ]


def shown(structure: Any) -> str:
    """Return a structure in words."""
    if structure is NOTHING:
        return "None"
    return "one leaf" if structure is None else str(structure)


def _like(new: Any, old: Any, what: str, promoted: bool) -> Any:
    if isinstance(raw(new), (str, bytes)) or raw(new) is None:
        raise TypeError(f"{what} as {raw(new)!r}; a carry is made of numbers and arrays")
    shape, dtype = type_of(new)
    wanted_shape, wanted = type_of(old)
    if shape == wanted_shape and (dtype == wanted or (promoted and is_weak(old))):
        return new
    if (
        shape == wanted_shape
        and is_weak(new)
        and np.result_type(wanted, dtype.type(0).item()) == wanted
    ):
        return converted(new, wanted)
    raise TypeError(
        f"{what} as {dtype}{list(shape)}, but got it as {wanted}{list(wanted_shape)}; a carry "
        "keeps its shape and dtype: give init with those that the function gives, or convert its "
        "result (np.reshape, .astype)"
    )
