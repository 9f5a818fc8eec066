"""One pull back and one push forward of a function of one argument; vector spaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import autodiff as ad
from autodiff.arguments import name_of
from autodiff.box import raw
from autodiff.compat.autograd.primitives import primitive
from autodiff.containers import is_container, parts_of, put_together
from autodiff.values import dtype_of, leaf_value, shape_of

Function = Callable[..., Any]

__all__ = ["VSpace", "make_jvp", "make_vjp", "primitive", "vspace"]


def make_vjp(f: Function, x: Any) -> tuple[Function, Any]:
    """Return the function that pulls a cotangent of ``f(x)`` back, and ``f(x)``.

    A condition, such as ``x > 0``, may be given; its derivative is 0.
    """
    conditions: list[Any] = []

    def of_numbers(x: Any) -> Any:
        out = f(x)
        if not is_container(out) and np.asarray(raw(out)).dtype.kind == "b":
            conditions.append(raw(out))
            return np.zeros(shape_of(raw(out)))[()]
        return out

    of_numbers.__name__ = name_of(f)
    value, pullback = ad.vjp(of_numbers, x)
    return lambda grad: pullback(grad)[0], conditions[0] if conditions else value


def make_jvp(f: Function, x: Any) -> Function:
    """Return the function that takes a tangent of `x` and gives ``f(x)`` and its change."""
    return lambda tangent: ad.jvp(f, (x,), (tangent,))


class VSpace:
    """The space a number, an array or a container of them is in, real or complex.

    Parameters
    ----------
    value : number, array, or container of them
        An example; may be tracked.

    Attributes
    ----------
    shape, dtype, ndim, iscomplex
        Of a number or an array only.
    size : int
        Number of real dimensions.
    """

    def __init__(self, value: Any) -> None:
        leaves, self._structure = parts_of(raw(value))
        self._parts = [_Part(leaf_value(raw(leaf), copy=False)) for leaf in leaves]
        self.size = sum(part.size for part in self._parts)
        if self._structure is None:
            (part,) = self._parts
            self.shape, self.dtype, self.ndim = part.shape, part.dtype, len(part.shape)
            self.iscomplex = part.iscomplex

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VSpace) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        kinds = ", ".join(f"{part.dtype}{list(part.shape)}" for part in self._parts)
        return f"VSpace({kinds})"

    @property
    def _key(self) -> Any:
        parts = tuple((part.shape, part.dtype) for part in self._parts)
        return self._structure, parts

    def _map(self, method: Function, *values: Any) -> Any:
        columns = [parts_of(value)[0] for value in values]
        found = [method(*row) for row in zip(self._parts, *columns, strict=True)]
        return put_together(self._structure, found)

    def zeros(self) -> Any:
        """Return the zero."""
        return self._map(_Part.zeros)

    def ones(self) -> Any:
        """Return the vector of ones, ``1 + 1j`` where it is complex."""
        return self._map(_Part.ones)

    def randn(self) -> Any:
        """Return a vector of normal random numbers."""
        return self._map(_Part.randn)

    def standard_basis(self) -> Iterator[Any]:
        """Yield the unit vectors; for a complex entry also that of its imaginary part."""
        for number, part in enumerate(self._parts):
            for unit in part.units():
                found = [other.zeros() for other in self._parts]
                found[number] = unit
                yield put_together(self._structure, found)

    def add(self, x: Any, y: Any) -> Any:
        """Return ``x + y``."""
        return self._map(lambda part, x, y: x + y, x, y)

    mut_add = add

    def scalar_mul(self, x: Any, a: Any) -> Any:
        """Return ``x * a``."""
        return self._map(lambda part, x: x * a, x)

    def covector(self, x: Any) -> Any:
        """Return the conjugate of `x`: cotangents pair with tangents without conjugation."""
        return self._map(lambda part, x: np.conj(x) if part.iscomplex else x, x)

    def inner_prod(self, x: Any, y: Any) -> Any:
        """Return the real inner product of `x` and `y`."""
        rows = zip(self._parts, parts_of(x)[0], parts_of(y)[0], strict=True)
        return sum((part.inner(x, y) for part, x, y in rows), 0.0)


class _Part:
    """The space of one number or array."""

    def __init__(self, value: Any) -> None:
        self.shape, self.dtype = shape_of(value), dtype_of(value)
        self.kind = type(value)
        self.iscomplex = self.dtype.kind == "c"
        self.size = int(np.prod(self.shape)) * (2 if self.iscomplex else 1)

    def _like(self, array: Any) -> Any:
        array = np.asarray(array, self.dtype)
        return self.kind(array[()]) if not self.shape and self.kind is not np.ndarray else array

    def zeros(self) -> Any:
        return self._like(np.zeros(self.shape))

    def ones(self) -> Any:
        return self._like(np.ones(self.shape) * (1 + 1j if self.iscomplex else 1))

    def randn(self) -> Any:
        sample = np.random.standard_normal(self.shape)  # noqa: NPY002 -- np.random.seed counts
        if self.iscomplex:
            sample = sample + 1j * np.random.standard_normal(self.shape)  # noqa: NPY002
        return self._like(sample)

    def units(self) -> Iterator[Any]:
        for index in np.ndindex(*self.shape):
            for entry in (1.0, 1.0j) if self.iscomplex else (1.0,):
                unit = np.zeros(self.shape, self.dtype)
                unit[index] = entry
                yield self._like(unit)

    def inner(self, x: Any, y: Any) -> Any:
        product = np.sum(np.conj(x) * y)
        return np.real(product) if self.iscomplex else product


def vspace(value: Any) -> VSpace:
    """Return the space `value` is in."""
    return VSpace(value)
