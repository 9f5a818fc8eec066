"""The arguments of a call of a compiled function: their leaves, and what those have to be."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autodiff.arguments import name_of
from autodiff.box import Box, operand
from autodiff.compiler.leaf import Leaf
from autodiff.containers import parts_of, put_together
from autodiff.holding import HOLDERS, is_converted
from autodiff.values import dtype_of, shape_of

_NUMBERS = (float, int, complex, np.ndarray, np.generic)


class Fixed:
    """An argument, or a leaf of one, that is part of the program: it is compared by value."""

    __slots__ = ("_key", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self._key = _identity(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fixed) and bool(self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)


def _identity(value: Any) -> Any:
    """Return what is equal for equal values of one type: 2, 2.0 and True are three."""
    if type(value) is tuple:
        return tuple, tuple(map(_identity, value))
    return type(value), repr(value) if type(value) in (float, complex) else value


@dataclass(frozen=True)
class Signature:
    """What decides which program a call needs.

    Attributes
    ----------
    count : int
        Number of positional arguments.
    names : tuple of str
        Of keyword arguments.
    structures : tuple
        Of each argument: that of a container, None for a leaf.
    leaves : tuple of Leaf or Fixed
        Of all arguments.
    """

    count: int
    names: tuple[str, ...]
    structures: tuple[Any, ...]
    leaves: tuple[Leaf | Fixed, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(_text, self.leaves))})"

    @property
    def data(self) -> list[Leaf]:
        """The leaves that are inputs of the program."""
        return [leaf for leaf in self.leaves if isinstance(leaf, Leaf)]


def _plain(number: Any) -> Any:
    """Return a number as one of NumPy's or Python's own types, not of a subclass."""
    if isinstance(number, np.generic):
        return np.dtype(number.dtype.str).type(number)
    kinds: tuple[Any, ...] = (bool, int, float, complex)
    return next(kind(number) for kind in kinds if isinstance(number, kind))


def _text(leaf: Leaf | Fixed) -> str:
    if isinstance(leaf, Fixed):
        return repr(leaf.value)
    if leaf.kind in ("array", "scalar"):
        return f"{leaf.dtype}[{', '.join(map(str, leaf.shape))}]"
    return leaf.kind


class Arguments:
    """The arguments of one call, taken apart.

    Attributes
    ----------
    signature : Signature
    values : list
        The leaves that are inputs of the program, as it takes them.
    """

    def __init__(
        self, f: Any, args: Sequence[Any], kwargs: dict[str, Any], static: frozenset[str]
    ) -> None:
        self._kwargs = sorted(kwargs)
        fixed = static_places(f, args, static) if static else frozenset[int]()
        given = [*enumerate(args), *((name, kwargs[name]) for name in self._kwargs)]
        structures: list[Any] = []
        leaves: list[Leaf | Fixed] = []
        self.values: list[Any] = []
        self._counts: list[int] = []
        for key, value in given:
            if key in fixed or key in static:
                structure = None
                found: list[Leaf | Fixed] = [Fixed(_hashable(value, f, key))]
            else:
                parts, structure = parts_of(value)
                found = [self._leaf(each, f) for each in parts]
            structures.append(structure)
            self._counts.append(len(found))
            leaves += found
        self.signature = Signature(len(args), tuple(self._kwargs), tuple(structures), tuple(leaves))

    def _leaf(self, value: Any, f: Any) -> Leaf | Fixed:
        """Return what a leaf has to be, and keep what it is; or return it as a fixed one."""
        if type(value) in HOLDERS or (not isinstance(value, Box) and is_converted(value)):
            value = operand(value)
        if isinstance(value, Box):
            self.values.append(value)
            shape = shape_of(value)
            return Leaf("array" if shape else "float", dtype_of(value), shape)
        if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
            if isinstance(value, (np.ma.MaskedArray, np.matrix)):
                raise TypeError(
                    f"{name_of(f)} got a {type(value).__name__}, which has its own arithmetic; "
                    "give np.asarray(x), and mask with np.where"
                )
            # One dtype for all that are equal: NumPy has two of 64 bits.
            plain = np.asarray(value, np.dtype(value.dtype.newbyteorder("=").str), order="C")
            if not plain.flags.aligned:
                plain = plain.copy()
            self.values.append(plain)
            return Leaf.of(plain)
        if isinstance(value, _NUMBERS) and np.asarray(value).dtype.kind in "biufc":
            value = _plain(value)
            self.values.append(value)
            return Leaf.of(value)
        return Fixed(_hashable(value, f, None))

    def into(self, signature: Signature, values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments of a call with other leaves in the place of the inputs."""
        return rebuilt(signature, self._counts, values)

    @property
    def counts(self) -> list[int]:
        """How many leaves each argument has."""
        return self._counts


def rebuilt(
    signature: Signature, counts: Sequence[int], values: Sequence[Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Return positional and keyword arguments that have these inputs as leaves."""
    data = iter(values)
    leaves = iter(
        leaf.value if isinstance(leaf, Fixed) else next(data) for leaf in signature.leaves
    )
    whole = []
    for structure, count in zip(signature.structures, counts, strict=True):
        whole.append(put_together(structure, [next(leaves) for _ in range(count)]))
    positional, named = whole[: signature.count], whole[signature.count :]
    return positional, dict(zip(signature.names, named, strict=True))


def static_places(
    f: Callable[..., Any], args: Sequence[Any], static: frozenset[str]
) -> frozenset[int]:
    """Return which positional arguments have names that are static."""
    names = list(inspect.signature(f).parameters)
    return frozenset(i for i, name in enumerate(names[: len(args)]) if name in static)


def _hashable(value: Any, f: Any, key: Any) -> Any:
    """Return a static value; raise a TypeError if it cannot be compared by value."""
    try:
        hash(value)
    except TypeError:
        which = "" if key is None else f" argument {key!r}"
        raise TypeError(
            f"{name_of(f)} got a {type(value).__name__} as static{which}, which has no hash: it "
            "chooses the program, so give a tuple, a number, a string or a frozen dataclass"
        ) from None
    return value


def pattern(signature: Signature, counts: Sequence[int]) -> Any:
    """Return where the inputs are in the arguments, as nested tuples, lists and dicts of numbers.

    Returns
    -------
    tuple
        One item for each argument; a number for a leaf.
    None
        If C has no form for them: keywords, static leaves, other containers.
    """
    if signature.names or any(isinstance(leaf, Fixed) for leaf in signature.leaves):
        return None
    positional, _ = rebuilt(signature, counts, range(len(signature.leaves)))
    return tuple(positional) if is_plain(positional) else None


def is_plain(node: Any) -> bool:
    """Return whether nested containers are tuples, lists and dicts with keys that are strings."""
    if isinstance(node, dict):
        plain = all(type(key) is str for key in node)
        return type(node) is dict and plain and all(map(is_plain, node.values()))
    if isinstance(node, (list, tuple)):
        return type(node) in (list, tuple) and all(map(is_plain, node))
    return type(node) is int
