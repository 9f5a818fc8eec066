"""Functions of arrays of expressions: NumPy's own where they take objects, SymPy's elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy

from autodiff.primitives import normal_axes
from autodiff.symbolic.entries import choice, named
from autodiff.symbolic.numbers import as_condition, as_number, entrywise, objects_of

SAFE = frozenset(
    {
        np.append,
        np.atleast_1d,
        np.atleast_2d,
        np.atleast_3d,
        np.broadcast_arrays,
        np.broadcast_to,
        np.concatenate,
        np.convolve,
        np.copy,
        np.correlate,
        np.cumprod,
        np.cumsum,
        np.diag,
        np.diagonal,
        np.diff,
        np.dot,
        np.einsum,
        np.expand_dims,
        np.flip,
        np.inner,
        np.insert,
        np.kron,
        np.mean,
        np.moveaxis,
        np.outer,
        np.pad,
        np.prod,
        np.ravel,
        np.repeat,
        np.reshape,
        np.roll,
        np.rollaxis,
        np.split,
        np.squeeze,
        np.stack,
        np.sum,
        np.swapaxes,
        np.take,
        np.tensordot,
        np.tile,
        np.trace,
        np.transpose,
        np.vdot,
    }
)
"""Functions of NumPy that do with objects what they do with numbers, by + and * and places."""


def reduced(
    function: Callable[..., Any], entries: Any, axis: Any = None, keepdims: bool = False
) -> Any:
    """Return `function`, of any number of expressions, of the entries along axes together."""
    axes = normal_axes(axis, entries.ndim)
    kept = [i for i in range(entries.ndim) if i not in axes]
    rows = np.transpose(entries, (*kept, *axes)).reshape(
        *(entries.shape[i] for i in kept), math.prod(entries.shape[i] for i in axes)
    )
    found = np.empty(rows.shape[:-1], object)
    for index in np.ndindex(*found.shape):
        found[index] = function(*rows[index])
    if keepdims:
        return found.reshape([1 if i in axes else n for i, n in enumerate(entries.shape)])
    return found


def _reduction(function: Callable[..., Any], prepare: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return a reduction with NumPy's keywords `axis` and `keepdims`."""

    def call(entries: Any, axis: Any = None, keepdims: bool = False, **others: Any) -> Any:
        return reduced(function, entrywise(prepare, entries), axis, bool(keepdims))

    return call


def _ufunc_reduction(reduction: Callable[..., Any]) -> Callable[..., Any]:
    """Return a reduction whose axis is the first if none is given, as of ufuncs."""

    def call(entries: Any, axis: Any = 0, keepdims: bool = False, **others: Any) -> Any:
        return reduction(entries, axis, keepdims)

    return call


total = _reduction(sympy.Add, as_number)
product = _reduction(sympy.Mul, as_number)
largest = _reduction(sympy.Max, as_number)
smallest = _reduction(sympy.Min, as_number)
every = _reduction(sympy.And, as_condition)
some = _reduction(sympy.Or, as_condition)

REDUCTIONS: dict[np.ufunc, Callable[..., Any]] = {
    ufunc: _ufunc_reduction(reduction)
    for ufunc, reduction in [
        (np.add, total),
        (np.multiply, product),
        (np.maximum, largest),
        (np.fmax, largest),
        (np.minimum, smallest),
        (np.fmin, smallest),
        (np.logical_and, every),
        (np.logical_or, some),
    ]
}


def _count(entries: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return total(entrywise(as_condition, entries), axis, keepdims)


def _where(condition: Any, x: Any, y: Any) -> Any:
    return entrywise(
        lambda c, a, b: choice(as_condition(c), as_number(a), as_number(b)), condition, x, y
    )


def _variance(entries: Any, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> Any:
    entries = entrywise(as_number, entries)
    count = math.prod(entries.shape[i] for i in normal_axes(axis, entries.ndim))
    mean = total(entries, axis, True) / count
    return total((entries - mean) ** 2, axis, keepdims) / (count - ddof)


def _deviation(entries: Any, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> Any:
    return entrywise(sympy.sqrt, _variance(entries, axis, ddof, keepdims))


def _norm(entries: Any, axis: Any = None, keepdims: bool = False) -> Any:
    squares = entrywise(lambda entry: sympy.Abs(entry) ** 2, entries)
    return entrywise(sympy.sqrt, total(squares, axis, keepdims))


def _of_matrices(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function` of SymPy matrices as one of stacks of them."""

    def call(*stacks: Any) -> Any:
        lead = np.broadcast_shapes(*(stack.shape[:-2] for stack in stacks))
        stacks = tuple(np.broadcast_to(stack, lead + stack.shape[-2:]) for stack in stacks)
        parts = {
            index: function(*(sympy.Matrix(stack[index]) for stack in stacks))
            for index in np.ndindex(*lead)
        }
        shape = next((part.shape for part in parts.values() if hasattr(part, "shape")), ())
        found = np.empty(lead + shape, object)
        for index, part in parts.items():
            found[index] = np.array(part.tolist(), object).reshape(shape) if shape else part
        return found

    return call


_solve_matrices = _of_matrices(lambda a, b: a.adjugate() * b / a.det(method="berkowitz"))


def _solve(a: Any, b: Any) -> Any:
    return _solve_matrices(a, b[..., None])[..., 0] if b.ndim == 1 else _solve_matrices(a, b)


determinant = _of_matrices(lambda a: a.det(method="berkowitz"))


def _signed_log(a: Any) -> tuple[Any, Any]:
    found = determinant(a)
    size = entrywise(lambda entry: sympy.log(sympy.Abs(entry)), found)
    return entrywise(sympy.sign, found), size


def _polynomial(coefficients: Any, x: Any) -> Any:
    def value(entry: Any) -> Any:
        powers = range(len(coefficients) - 1, -1, -1)
        return sympy.Add(*(c * entry**n for c, n in zip(coefficients, powers, strict=True)))

    return entrywise(value, x)


def rounded(entries: Any, *, decimals: int) -> Any:
    """Return entries rounded to even ones of so many decimals."""
    rint, scale = named("rint"), sympy.Integer(10) ** decimals
    return entrywise(lambda entry: rint.of_entries(entry * scale) / scale, entries)


OWN: dict[Callable[..., Any], Callable[..., Any]] = {
    np.all: every,
    np.any: some,
    np.count_nonzero: _count,
    np.imag: lambda entries: entrywise(sympy.im, entries),
    np.linalg.det: determinant,
    np.linalg.inv: _of_matrices(lambda a: a.adjugate() / a.det(method="berkowitz")),
    np.linalg.norm: _norm,
    np.linalg.slogdet: _signed_log,
    np.linalg.solve: _solve,
    np.max: largest,
    np.min: smallest,
    np.nan_to_num: lambda entries, *args, **keywords: entries,
    np.polyval: _polynomial,
    np.real: lambda entries: entrywise(sympy.re, entries),
    np.std: _deviation,
    np.var: _variance,
    np.where: _where,
}
"""Functions of arrays of expressions in the place of NumPy's."""


REAL = frozenset({np.imag, np.linalg.norm, np.real, np.std, np.var})
"""Functions whose values are real also of complex numbers."""


def softmax(entries: Any, *, axis: Any = None) -> Any:
    """Return exponentials over their sum."""
    terms = entrywise(sympy.exp, entries)
    return objects_of(terms / total(terms, axis, True))


def logsumexp(entries: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the logarithm of the sum of exponentials."""
    return entrywise(sympy.log, total(entrywise(sympy.exp, entries), axis, keepdims))


def log_softmax(entries: Any, *, axis: Any = None) -> Any:
    """Return the logarithm of `softmax`."""
    return objects_of(entries - logsumexp(entries, axis=axis, keepdims=True))


BY_NAME: dict[str, Callable[..., Any]] = {
    "astype": lambda entries, *, dtype: entries,
    "np.real": OWN[np.real],
    "np.imag": OWN[np.imag],
    "np.conjugate": lambda entries: entrywise(sympy.conjugate, entries),
    "np.absolute": lambda entries: entrywise(sympy.Abs, entries),
    "np.fix": lambda entries: named("trunc").evaluate(entries),
    "np.round": rounded,
    "np.sum": lambda entries, *, axis, keepdims: total(entries, axis, keepdims),
    "scipy.special.log_softmax": log_softmax,
    "scipy.special.logsumexp": logsumexp,
    "scipy.special.softmax": softmax,
}
"""What primitives of these names do, whose own code reads numbers."""

REAL_NAMES = frozenset({"np.absolute", "np.imag", "np.linalg.norm", "np.real", "np.var"})
"""Primitives whose values are real also of complex numbers."""
