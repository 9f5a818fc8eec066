"""Containers of numbers and arrays, nested as one likes, taken apart into leaves by `optree`.

`optree` is imported when the first container is met; plain arrays never ask for it.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np

from autodiff.box import Box, operand, raw
from autodiff.values import dtype_of, is_complex, leaf_value, shape_of

NAMESPACE = "autodiff"
BUILT_IN = (list, tuple, dict, deque)
NUMBERS = (float, int, complex, np.ndarray, np.generic, Box)


def is_container(value: Any) -> bool:
    """Return whether `value` is a list, tuple, dict, dataclass, or of a type `optree` knows.

    Not a list, tuple or dict of a class of the user's own, which nobody said how to rebuild.
    """
    if value is None or isinstance(value, NUMBERS):
        return False
    if type(value) in BUILT_IN or _is_dataclass(value):
        return True
    # Their subclasses can be namedtuples, or unknown.
    tree = _optree() if isinstance(value, BUILT_IN) else sys.modules.get("optree")
    return tree is not None and not tree.tree_is_leaf(value, namespace=NAMESPACE)


def _is_dataclass(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _take_apart(container: Any) -> tuple[list[Any], Any]:
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


def put_each_together(structures: Iterable[tuple[Any, int]], leaves: Iterable[Any]) -> list[Any]:
    """Return what each structure makes of its leaves, a number of those that are left."""
    rest = iter(leaves)
    return [put_together(structure, list(islice(rest, count))) for structure, count in structures]


def parts_of(value: Any) -> tuple[list[Any], Any]:
    """Return the leaves and the structure of a container; of anything else itself and None."""
    kind = type(value)
    if kind is float or kind is np.ndarray or not is_container(value):
        return [value], None
    return _take_apart(value)


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
        each leaf with its shape and dtype, a Python float where there was one. A real leaf
        beside complex ones is the real part of its entries.

    Raises
    ------
    TypeError
        If a leaf is not numeric; by `unflatten`, if the vector is complex and all leaves real.
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
    wanted, real = vector.shape, dtype_of(vector).kind != "c"

    def unflatten(given: Any) -> Any:
        given = operand(given)
        if shape_of(given) != wanted:
            raise ValueError(f"unflatten takes a vector of shape {wanted}, not {shape_of(given)}")
        if real and is_complex(given):
            raise TypeError(
                "unflatten takes a real vector, as all leaves are real; not a complex one"
            )
        found = []
        for shape, end, kind, dtype in zip(shapes, ends, kinds, dtypes, strict=True):
            part = np.reshape(given[end - int(np.prod(shape)) : end], shape)
            found.append(_as_leaf(part, kind, dtype))
        return put_together(structure, found)

    return vector, unflatten


def _as_leaf(part: Any, kind: Any, dtype: Any) -> Any:
    """Return a part of a vector as a leaf of this type and dtype; what is tracked stays so."""
    if part.dtype.kind == "c" and dtype.kind != "c":
        part = np.real(part)
    tracked = isinstance(part, Box)
    if tracked or kind is np.ndarray:
        return part.astype(dtype, copy=not tracked)
    return kind(part) if kind in (float, complex) else dtype.type(part)


_KNOWN: set[type] = set()


def _register(kind: Any) -> None:
    """Tell `optree` that a dataclass holds its fields; settings stay as they are."""
    if kind in _KNOWN:
        return
    _KNOWN.add(kind)
    tree = _optree()

    given = [field.name for field in dataclasses.fields(kind) if field.init]
    lost = [name for name in inspect.signature(kind).parameters if name not in given]

    def apart(value: Any) -> tuple[Any, Any, Any]:
        if lost:
            raise TypeError(
                f"a {kind.__name__} cannot be made again from its fields, {', '.join(lost)} is not "
                f"one; register it, optree.register_pytree_node({kind.__name__}, flatten, "
                "unflatten, namespace='autodiff')"
            )
        fields = {name: getattr(value, name) for name in given}
        names = tuple(name for name, field in fields.items() if _is_parameter(field))
        rest = tuple((name, field) for name, field in fields.items() if name not in names)
        return [fields[name] for name in names], (names, rest), names

    def together(names_and_rest: Any, children: Any) -> Any:
        names, rest = names_and_rest
        return kind(**dict(zip(names, children, strict=True)), **dict(rest))

    try:
        tree.register_pytree_node(kind, apart, together, namespace=NAMESPACE)
    except ValueError:
        # The user has registered it.
        return


def _is_parameter(field: Any) -> bool:
    """Return whether a field of a dataclass is differentiated, and not a setting."""
    if isinstance(field, (int, np.bool_)):
        return False
    return isinstance(field, NUMBERS) or is_container(field) or hasattr(field, "__array__")


def _optree() -> Any:
    try:
        import optree
    except ImportError as error:
        raise ImportError(
            "lists, tuples, dicts and dataclasses of parameters are taken apart by optree, which "
            "is not installed: pip install 'diffrules[containers]'"
        ) from error
    return optree
