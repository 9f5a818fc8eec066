"""Containers of numbers and arrays, nested as one likes, taken apart into leaves by `optree`.

`optree` is imported when the first container is met; plain arrays never ask for it.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import Box, raw
from autodiff.values import dtype_of, leaf_value, shape_of

NAMESPACE = "autodiff"
NUMBERS = (float, int, complex, np.ndarray, np.generic, Box)


def is_container(value: Any) -> bool:
    """Return whether `value` is a list, tuple, dict, dataclass, or of a type `optree` knows."""
    if value is None or isinstance(value, NUMBERS):
        return False
    if isinstance(value, (list, tuple, dict)) or _is_dataclass(value):
        return True
    tree = sys.modules.get("optree")
    return tree is not None and not tree.tree_is_leaf(value, namespace=NAMESPACE)


def _is_dataclass(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def take_apart(container: Any) -> tuple[list[Any], Any]:
    """Return the leaves of a container and its structure.

    Raises
    ------
    ImportError
        If `optree` is not installed.
    """
    tree = _optree()

    def stop(value: Any) -> bool:
        if _is_dataclass(value):
            _register(type(value))
        return False

    leaves, structure = tree.tree_flatten(container, is_leaf=stop, namespace=NAMESPACE)
    return leaves, structure


def put_together(structure: Any, leaves: Sequence[Any]) -> Any:
    """Return the container of this structure that holds `leaves`; of None the only leaf."""
    return leaves[0] if structure is None else _optree().tree_unflatten(structure, leaves)


def parts_of(value: Any) -> tuple[list[Any], Any]:
    """Return the leaves and the structure of a container; of anything else itself and None."""
    kind = type(value)
    if kind is float or kind is np.ndarray or not is_container(value):
        return [value], None
    return take_apart(value)


def paths_of(structure: Any) -> list[str]:
    """Return where each leaf of a container is, as it is written: ``['w'][0]``."""
    if structure is None:
        return [""]
    return ["".join(f"[{key!r}]" for key in path) for path in _optree().treespec_paths(structure)]


def flatten(params: Any) -> tuple[Any, Callable[[Any], Any]]:
    """Return the numbers of a container as one vector, and the function that puts them back.

    Parameters
    ----------
    params : number, array, or container of them
        Nested lists, tuples, dicts, named tuples, dataclasses. May hold tracked values.

    Returns
    -------
    vector : ndarray, shape (n,)
        Of the result type of the leaves; empty for a container of nothing.
    unflatten : callable
        Takes a vector of n entries, plain or tracked, and gives a container like `params`,
        each leaf with its shape and dtype, a Python float where there was one.

    Raises
    ------
    TypeError
        If a leaf is not numeric.
    ValueError
        By `unflatten`, if the vector has another length.

    Examples
    --------
    >>> vector, unflatten = flatten({"w": np.array([[1.0, 2.0]]), "b": 3.0})
    >>> vector
    array([3., 1., 2.])
    >>> unflatten(vector * 2)
    {'w': array([[2., 4.]]), 'b': 6.0}
    """
    leaves, structure = parts_of(params)
    leaves = [leaf if isinstance(leaf, Box) else leaf_value(leaf, copy=False) for leaf in leaves]
    shapes = [shape_of(leaf) for leaf in leaves]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes], dtype=int)
    kinds = [type(raw(leaf)) for leaf in leaves]
    dtypes = [dtype_of(leaf) for leaf in leaves]
    rows = [np.reshape(leaf, -1) for leaf in leaves]
    vector = np.concatenate(rows) if rows else np.zeros(0)

    def unflatten(given: Any) -> Any:
        if shape_of(given) != vector.shape:
            raise ValueError(
                f"unflatten takes a vector of shape {vector.shape}, not {shape_of(given)}"
            )
        found = []
        for shape, end, kind, dtype in zip(shapes, ends, kinds, dtypes, strict=True):
            part = given[end - int(np.prod(shape)) : end]
            part = np.reshape(part, shape) if shape else part[0]
            if part.dtype != dtype and (part.dtype.kind == dtype.kind or dtype.kind == "c"):
                part = part.astype(dtype)
            found.append(kind(part) if kind in (float, complex) and not _tracked(part) else part)
        return put_together(structure, found)

    return vector, unflatten


def _tracked(value: Any) -> bool:
    return isinstance(value, Box)


_KNOWN: set[type] = set()


def _register(kind: Any) -> None:
    """Tell `optree` that a dataclass holds its fields; settings stay as they are."""
    if kind in _KNOWN:
        return
    _KNOWN.add(kind)
    tree = _optree()

    def apart(value: Any) -> tuple[Any, Any, Any]:
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}
        names = tuple(name for name, field in fields.items() if not _is_constant(field))
        rest = tuple((name, field) for name, field in fields.items() if _is_constant(field))
        return [fields[name] for name in names], (names, rest), names

    def together(names_and_rest: Any, children: Any) -> Any:
        names, rest = names_and_rest
        return kind(**dict(zip(names, children, strict=True)), **dict(rest))

    try:
        tree.register_pytree_node(kind, apart, together, namespace=NAMESPACE)
    except ValueError:
        # The user has registered it.
        return


def _is_constant(field: Any) -> bool:
    """Return whether a field of a dataclass is a setting and not a parameter."""
    return isinstance(field, (int, str, type(None))) or (
        callable(field) and not is_container(field)
    )


def _optree() -> Any:
    try:
        import optree
    except ImportError as error:
        raise ImportError(
            "lists, tuples, dicts and dataclasses of parameters are taken apart by optree, which "
            "is not installed: pip install 'diffrules[containers]'"
        ) from error
    return optree
