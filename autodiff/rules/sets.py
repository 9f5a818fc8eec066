"""Set operations; of equal entries the one that NumPy finds first has the derivative."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.primitives import implements, normal_axes
from autodiff.rules.indexing import at_axis
from autodiff.rules.sorting import matching
from autodiff.values import shape_of


@implements(np.unique)
def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """Return the unique entries, or slices along `axis`; indices and counts are plain."""
    ar = operand(ar)
    find: Any = np.unique
    _, first, *others = find(
        raw(ar), True, return_inverse, return_counts, axis, equal_nan=equal_nan
    )
    if axis is None:
        values = np.reshape(ar, -1)[first]
    else:
        (axis,) = normal_axes(axis, len(shape_of(ar)))
        values = ar[at_axis(axis, first)]
    if return_index:
        others.insert(0, first)
    return (values, *others) if others else values


@implements(np.unique_all)
def unique_all(x: Any) -> Any:
    """Return the unique entries, their indices, the inverse and the counts."""
    found = np.unique_all(raw(x))
    return found._replace(values=np.reshape(x, -1)[found.indices])


@implements(np.unique_counts)
def unique_counts(x: Any) -> Any:
    """Return the unique entries and their counts."""
    return np.unique_counts(raw(x))._replace(values=unique_all(x).values)


@implements(np.unique_inverse)
def unique_inverse(x: Any) -> Any:
    """Return the unique entries and the indices that rebuild `x`."""
    return np.unique_inverse(raw(x))._replace(values=unique_all(x).values)


@implements(np.unique_values)
def unique_values(x: Any) -> Any:
    """Return the unique entries, in NumPy's order."""
    values = unique_all(x).values
    return values[matching(raw(values), np.unique_values(raw(x)), 0)]


@implements(np.union1d)
def union1d(ar1: Any, ar2: Any) -> Any:
    """Union of two arrays."""
    return unique(np.concatenate([operand(ar1), operand(ar2)], axis=None))


@implements(np.intersect1d)
def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """Intersection of two arrays; the entries are those of the first."""
    found = np.intersect1d(raw(ar1), raw(ar2), assume_unique, return_indices=True)
    values = np.reshape(ar1, -1)[found[1]]
    return (values, *found[1:]) if return_indices else values


@implements(np.setdiff1d)
def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """Difference: the entries of the first that are not in the second."""
    entries = np.reshape(operand(ar1), -1) if assume_unique else unique(ar1)
    return entries[np.isin(raw(entries), raw(ar2), invert=True)]


@implements(np.setxor1d)
def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """Symmetric difference: the entries in exactly one of the two."""
    parts = [np.reshape(operand(ar), -1) if assume_unique else unique(ar) for ar in (ar1, ar2)]
    entries = np.sort(np.concatenate(parts))
    values, counts = unique_counts(entries)
    return values[counts == 1]
