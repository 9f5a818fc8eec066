"""Calling a function with symbols, and what it gives as SymPy's own objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import sympy

from autodiff.arguments import name_of
from autodiff.box import Box, operand, raw
from autodiff.holding import HOLDERS
from autodiff.levels import recording, transform
from autodiff.symbolic.boxes import Watch, box_of
from autodiff.symbolic.formulas import Formula
from autodiff.symbolic.numbers import entrywise, objects


def to_sympy(f: Callable[..., Any], *symbols: Any, **keywords: Any) -> Any:
    """Return the SymPy expression of a function written in plain NumPy.

    Parameters
    ----------
    f : callable
        Takes and gives numbers and arrays; made of functions that `autodiff` follows, derivatives
        (`grad`, `jvp`, `hessian` ...) included.
    *symbols, **keywords
        Its arguments: SymPy symbols or expressions; strings, which become real symbols, as many
        as `sympy.symbols` makes of them; tuples, lists, arrays and matrices of symbols, which are
        arrays to `f`; dictionaries of these. Anything without a symbol in it goes to `f` as it
        is. Symbols stand for finite real numbers.

    Returns
    -------
    sympy.Expr, sympy.Array, or container of them
        A number is an expression, an array a `sympy.Array` of its shape. Floats that are
        fractions with a small denominator, or constants such as pi, are exact in it.

    Raises
    ------
    TypeError
        If something in `f` cannot be followed: the message names it. A condition on symbols that
        Python has to decide (``if x > 0``) is such a thing; write ``np.where``.

    Examples
    --------
    >>> import numpy as np
    >>> import sympy
    >>> import autodiff as ad
    >>> x, y = sympy.symbols("x y")
    >>> to_sympy(lambda x, y: np.exp(-x * y) / 2, x, y)
    exp(-x*y)/2
    >>> to_sympy(ad.grad(ad.softplus), x)
    exp(x)/(exp(x) + 1)
    >>> to_sympy(lambda v: np.maximum(v @ v, 1.0), sympy.symbols("v:2"))
    Piecewise((v0**2 + v1**2, v0**2 + v1**2 > 1), (1, True))
    """
    given, named = [_read(value) for value in symbols], {k: _read(v) for k, v in keywords.items()}
    real = _real_symbols([*given, *named.values()])
    back = {dummy: symbol for symbol, dummy in real.items()}
    with _following() as level:
        args = [_boxed(value, real, level) for value in given]
        kwargs = {key: _boxed(value, real, level) for key, value in named.items()}
        try:
            out = f(*args, **kwargs)
        except Exception as error:
            error.add_note(f"while to_sympy called {name_of(f)} with symbols")
            raise
        return _result(out, back, f)


@contextmanager
def _following() -> Iterator[int]:
    """Enter a run whose transforms work on symbols; give its level."""
    before = (recording.on, recording.short, recording.watch)
    recording.on, recording.short, recording.watch = True, False, Watch()
    try:
        with transform() as level:
            yield level
    finally:
        recording.on, recording.short, recording.watch = before


def _read(value: Any) -> Any:
    """Return an argument with arrays of expressions in the place of symbols, names and matrices."""
    if isinstance(value, str):
        return _read(sympy.symbols(value, real=True))
    if isinstance(value, dict):
        return {key: _read(item) for key, item in value.items()}
    if isinstance(value, sympy.MatrixExpr):
        value = value.as_explicit()
    if isinstance(value, (sympy.MatrixBase, sympy.NDimArray)):
        return objects(np.array(value.tolist(), object).reshape(value.shape))
    if isinstance(value, (list, tuple, sympy.Tuple)) and _symbols_in(value):
        try:
            return objects(np.array([_plain(item) for item in value], object))
        except (sympy.SympifyError, TypeError, ValueError) as error:
            raise TypeError(
                f"{value!r} is no array of symbols: its rows have different lengths, or what is "
                "in it is neither a symbol nor a number; give several arguments or a dict"
            ) from error
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        return objects(value)
    if isinstance(value, sympy.Integer):
        return int(value)
    return objects(value) if isinstance(value, sympy.Expr) else value


def _plain(value: Any) -> Any:
    """Return nested sequences of symbols as lists, which NumPy makes arrays of."""
    if isinstance(value, str):
        return sympy.Symbol(value, real=True)
    if isinstance(value, (list, tuple, sympy.Tuple)):
        return [_plain(item) for item in value]
    return value


def _symbols_in(value: Any) -> bool:
    """Return whether there is something of SymPy's, or a name, in nested sequences."""
    if isinstance(value, (list, tuple, sympy.Tuple)):
        return any(map(_symbols_in, value))
    return isinstance(value, (sympy.Basic, str))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, np.ndarray) and value.dtype.hasobject:
        yield from value.ravel()


def _real_symbols(values: list[Any]) -> dict[Any, Any]:
    """Return for each symbol of which nothing is said a real one, in whose terms SymPy works.

    Of a symbol that may be complex, `Abs` has no derivative.
    """
    free: set[Any] = set()
    for value in values:
        for leaf in _leaves(value):
            free |= leaf.free_symbols
    return {s: sympy.Dummy(s.name, real=True) for s in free if s.is_extended_real is None}


def _boxed(value: Any, real: dict[Any, Any], level: int) -> Any:
    if isinstance(value, dict):
        return {key: _boxed(item, real, level) for key, item in value.items()}
    if not isinstance(value, np.ndarray) or not value.dtype.hasobject:
        return value
    return box_of(entrywise(lambda entry: entry.xreplace(real), value), level)


def _result(out: Any, back: dict[Any, Any], f: Any) -> Any:
    """Return what the function gave as SymPy's objects, in the symbols of the caller."""
    if isinstance(out, dict):
        return {key: _result(item, back, f) for key, item in out.items()}
    if isinstance(out, (list, tuple)):
        items = [_result(item, back, f) for item in out]
        return type(out)(*items) if hasattr(out, "_fields") else type(out)(items)
    out = operand(out) if type(out) in HOLDERS else out
    value = raw(out) if isinstance(out, Box) else out
    if value is None or isinstance(value, str) or callable(value):
        raise TypeError(
            f"{name_of(f)} gave a {type(value).__name__}; to_sympy follows functions that give "
            "numbers, arrays, or containers of them"
        )
    entries = value.entries if isinstance(value, Formula) else objects(value)
    flat = [_finished(entry, back) for entry in entries.ravel()]
    return sympy.Array(flat, entries.shape) if entries.shape else flat[0]


def _finished(entry: Any, back: dict[Any, Any]) -> Any:
    """Return an expression in the symbols of the caller, with conditions that print everywhere."""
    either = entry.replace(
        sympy.ITE, lambda c, a, b: sympy.Or(sympy.And(c, a), sympy.And(sympy.Not(c), b))
    )
    return either.xreplace(back)
