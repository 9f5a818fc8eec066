"""Which arguments of a call are differentiated, and what they hold: numbers, arrays, containers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import Box, operand
from autodiff.containers import parts_of, paths_of, put_each_together
from autodiff.holding import HOLDERS
from autodiff.values import leaf_value

Function = Callable[..., Any]
ArgNums = int | Sequence[int]
ArgNames = str | Sequence[str]


class Selection:
    """The choice of `argnums` or `argnames`, checked once, applied to every call.

    Parameters
    ----------
    argnums : None, int or sequence of int
        None is 0 where there are no names.
    argnames : None, str or sequence of str

    Raises
    ------
    TypeError
        If they are neither numbers nor names.
    ValueError
        If both are given.
    """

    def __init__(self, argnums: ArgNums | None = None, argnames: ArgNames | None = None) -> None:
        if argnums is not None and argnames is not None:
            raise ValueError(
                f"give argnums={argnums!r} or argnames={argnames!r}, not both; a name can stand "
                "for a positional argument too"
            )
        self.argnums = 0 if argnums is None else argnums
        self.argnames = argnames
        if argnames is None:
            self.single = _is_one("argnums", self.argnums, (int, np.integer), "position")
        else:
            self.single = _is_one("argnames", argnames, (str,), "name")

    def keys(self, f: Function, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        """Return for each chosen argument its position, or its name if it is a keyword.

        Raises
        ------
        ValueError
            If one is not there, or chosen twice.
        """
        number, names = self.argnums, self.argnames
        if type(number) is int and 0 <= number < len(args) and names is None:
            return [number]
        found: list[Any]
        if names is None:
            found = self._positions(len(args))
        else:
            names = (names,) if isinstance(names, str) else names
            found = [name if name in kwargs else self._position(f, name, args) for name in names]
        if len(set(found)) < len(found):
            chosen = f"argnums={number}" if names is None else f"argnames={self.argnames!r}"
            raise ValueError(f"{chosen} names an argument twice; name each once")
        return found

    def _positions(self, count: int) -> list[int]:
        """Return the numbers of the chosen arguments among `count`, from 0."""
        chosen: Any = (self.argnums,) if self.single else self.argnums
        if not all(-count <= number < count for number in chosen):
            raise ValueError(
                f"argnums={self.argnums}, but the function was called with {count} positional "
                "argument(s); give the differentiated ones by position, or choose them by name, "
                "argnames="
            )
        return [int(number) % count for number in chosen]

    def _position(self, f: Function, name: str, args: Sequence[Any]) -> int:
        """Return the number of the positional argument that the signature of `f` calls `name`."""
        try:
            parameters = list(inspect.signature(f).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        positional = [p.name for p in parameters if p.kind in _POSITIONAL][: len(args)]
        if name not in positional:
            raise ValueError(
                f"argnames={self.argnames!r}, but this call of {name_of(f)} gives no {name!r}; "
                f"its parameters are {', '.join(p.name for p in parameters) or 'unknown'}"
            )
        return positional.index(name)


_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _is_one(keyword: str, chosen: Any, kinds: tuple[type, ...], what: str) -> bool:
    """Return whether one argument is chosen and not a sequence of them."""
    if isinstance(chosen, kinds):
        return True
    if not isinstance(chosen, Sequence) or not all(isinstance(one, kinds) for one in chosen):
        raise TypeError(
            f"{keyword} is a {what} or a sequence of them, not {chosen!r}; the arguments go to "
            "the function that comes back, grad(f)(x)"
        )
    return False


class Leaves:
    """Differentiated arguments as one list of leaves, and back.

    Attributes
    ----------
    values : list
        What the leaves hold: floats, NumPy scalars, read-only views, boxes of outer transforms.
    """

    __slots__ = ("_structures", "values")

    def __init__(self) -> None:
        self.values: list[Any] = []
        # Structure and number of leaves of each argument; None while none is a container.
        self._structures: list[tuple[Any, int]] | None = None

    @classmethod
    def of(cls, keys: Sequence[Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Leaves:
        """Return the leaves of the arguments that `Selection.keys` names."""
        found = cls()
        for key in keys:
            value = kwargs[key] if type(key) is str else args[key]
            if type(value) is float and found._structures is None:
                found.values.append(value)
            else:
                found.add(value, f"argument {key}")
        return found

    def into(
        self,
        keys: Sequence[Any],
        leaves: Sequence[Any],
        args: Sequence[Any],
        kwargs: dict[str, Any],
    ) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments of a call with `leaves` in the place of the values."""
        given, named = list(args), kwargs
        for key, value in zip(keys, self.grouped(leaves), strict=True):
            if type(key) is str:
                named = {**named, key: value}
            else:
                given[key] = value
        return given, named

    def add(self, value: Any, what: str) -> list[Any]:
        """Add an argument, which messages name as `what`; return the values of its leaves."""
        leaves, structure = parts_of(value)
        found = [number_of(leaf, what, structure, i) for i, leaf in enumerate(leaves)]
        if structure is not None and self._structures is None:
            self._structures = [(None, 1)] * len(self.values)
        if self._structures is not None:
            self._structures.append((structure, len(found)))
        self.values += found
        return found

    def grouped(self, parts: Sequence[Any]) -> Sequence[Any]:
        """Return one thing for each leaf as one for each argument, in its structure."""
        return parts if self._structures is None else put_each_together(self._structures, parts)


def number_of(value: Any, what: str, structure: Any = None, index: int = 0) -> Any:
    """Return a leaf as a box or as `leaf_value` gives it, an array as a read-only view."""
    value = operand(value) if type(value) in HOLDERS else value
    if isinstance(value, Box):
        return value
    try:
        if not isinstance(value, (list, tuple)):  # of another class: no container, and no array
            return leaf_value(value, copy=False)
        reason = ""
    except TypeError as error:
        reason = str(error)
    if not isinstance(value, (str, bool, np.ndarray, np.generic)):
        reason = (
            f"a {type(value).__name__} is neither a number, nor an array, nor a container that is "
            "known; register its type, optree.register_pytree_node(type, flatten, unflatten, "
            "namespace='autodiff'), or give its parts in a list or dict"
        )
    raise TypeError(f"{what}{paths_of(structure)[index]}: {reason}")


def name_of(f: Any) -> str:
    """Return the name of a function for messages."""
    return str(getattr(f, "__name__", None) or repr(f))
