"""`Formula`: an array of expressions that plain NumPy code takes for an array of numbers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import sympy
from numpy.lib.mixins import NDArrayOperatorsMixin

from autodiff.box import Box
from autodiff.conversions import caller_name
from autodiff.elementwise import rule_answering
from autodiff.registry import function_name
from autodiff.rules.plain import BY_SHAPE
from autodiff.symbolic import arrays
from autodiff.symbolic.conditions import CHOICES, CONDITIONS
from autodiff.symbolic.entries import entry_of
from autodiff.symbolic.numbers import (
    as_number,
    entrywise,
    is_condition,
    objects,
    objects_of,
)
from autodiff.values import COMPLEX, FLOAT

_BOOL = np.dtype(bool)
_LONGEST = 60


class NotFollowedError(TypeError):
    """Something in a function cannot be followed with symbols; the message names it."""


class Formula(NDArrayOperatorsMixin):
    """An array of expressions: what a symbol's box holds, and a constant to derivatives.

    Parameters
    ----------
    entries : ndarray of SymPy objects
        Of any shape, () for one number.
    level : int
        Number of the run of `to_sympy` it belongs to.
    reals : bool
        It stands for real numbers; expressions do not always know.
    """

    __pandas_priority__ = 0  # boxes apply functions to it, as they do to an array

    def __init__(self, entries: Any, level: int, reals: bool = True) -> None:
        self.entries = entries
        self.level = level
        self.reals = reals

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array; () for a number."""
        shape: tuple[int, ...] = self.entries.shape
        return shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of the numbers that it stands for: bool, float64 or complex128."""
        flat = self.entries.ravel().tolist()
        if flat and all(map(is_condition, flat)):
            return _BOOL
        return FLOAT if self.reals else COMPLEX

    def numbers(self) -> Any:
        """Return the entries with conditions as 0 and 1."""
        return entrywise(as_number, self.entries)

    def like(self, entries: Any, reals: bool | None = None) -> Formula:
        """Return another formula of the same run, of real numbers if this is or as it is said."""
        return Formula(objects_of(entries), self.level, self.reals if reals is None else reals)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(isinstance(value, Box) for value in inputs):
            return NotImplemented
        if method == "reduce" and ufunc in arrays.REDUCTIONS and len(inputs) == 1:
            return self.like(arrays.REDUCTIONS[ufunc](entries_of(inputs[0]), **kwargs))
        if method == "accumulate" and ufunc in (np.add, np.multiply):
            return self.like(ufunc.accumulate(*map(numbers_of, inputs), **kwargs))
        if method != "__call__" or any(value is not None for value in kwargs.values()):
            self.refuse(f"{function_name(ufunc)}.{method}" if method != "__call__" else ufunc)
        if ufunc is np.matmul:
            return self.like(np.matmul(*map(numbers_of, inputs)), are_real(inputs))
        of_entries = CONDITIONS.get(ufunc)
        if of_entries is None:
            rule = rule_answering(ufunc)
            if rule is None:
                self.refuse(ufunc)
            of_entries = entry_of(rule).of_entries
        reals = are_real(inputs) or ufunc is np.absolute
        return self.like(entrywise(of_entries, *map(entries_of, inputs)), reals)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Any:
        if function in CHOICES:
            choose: Any = CHOICES[function]
            return choose(*args, **kwargs)
        if _holds_box((args, tuple(kwargs.values()))):
            return NotImplemented
        if function in BY_SHAPE:
            return function(*_each(args, _stand_in), **_each(kwargs, _stand_in))
        if function in arrays.OWN:
            found = arrays.OWN[function](*_each(args, entries_of), **_each(kwargs, entries_of))
        elif function in arrays.SAFE:
            found = function(*_each(args, numbers_of), **_each(kwargs, numbers_of))
        else:
            rule = rule_answering(function)
            if rule is None or kwargs:
                self.refuse(function)
            found = entry_of(rule).evaluate(*map(entries_of, args))
        reals = are_real((args, *kwargs.values())) or function in arrays.REAL
        if isinstance(found, (list, tuple)):
            return tuple(self.like(part, reals) for part in found)
        return self.like(found, reals)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "entries":
            raise AttributeError(name)
        function = getattr(np, name, None)
        if name in _METHODS and function is not None:
            return functools.partial(function, self)
        raise AttributeError(f"an array of symbols has no attribute {name!r}")

    def __getitem__(self, index: Any) -> Formula:
        return self.like(self.entries[index])

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Any:
        return map(self.like, self.entries)

    T = property(lambda self: self.like(self.entries.T))
    real = property(lambda self: self.like(entrywise(sympy.re, self.entries), True))
    imag = property(lambda self: self.like(entrywise(sympy.im, self.entries), True))
    ndim = property(lambda self: self.entries.ndim)
    size = property(lambda self: self.entries.size)

    def reshape(self, *shape: Any, **keywords: Any) -> Formula:
        """Return the entries in another shape."""
        return self.like(self.entries.reshape(*shape, **keywords))

    def transpose(self, *axes: Any) -> Formula:
        """Return the entries with the axes in another order."""
        return self.like(self.entries.transpose(*axes))

    def astype(self, dtype: Any, **keywords: Any) -> Formula:
        """Return itself: expressions have no precision; conditions become 0 and 1."""
        kind = np.dtype(dtype).kind
        if kind not in "fc" and self.dtype != _BOOL:
            self.refuse(f"astype({np.dtype(dtype)})")
        return self if kind == "b" else self.like(self.numbers())

    def copy(self, order: str = "C") -> Formula:
        """Return itself, which never changes."""
        return self

    conj = conjugate = lambda self: self.like(entrywise(sympy.conjugate, self.entries))

    def __bool__(self) -> bool:
        found = self.entries.item() if self.entries.size == 1 else None
        if found is not None and not is_condition(found) and found.is_number:
            return bool(found != 0)
        if found is None or found not in (sympy.true, sympy.false):
            raise NotFollowedError(
                f"{self} is neither true nor false while its symbols have no values, so `if`, "
                "`while`, `and`, `or`, max() and min() cannot choose by it. Write "
                "np.where(condition, a, b), np.logical_and, np.maximum; or call the function with "
                "the branch you want"
            )
        return bool(found)

    def __float__(self) -> float:
        found = self.entries.item() if self.entries.size == 1 else None
        if found is None or not found.is_number:
            self.refuse("float(), int() and the functions of `math`")
        return float(found)

    def __int__(self) -> int:
        return int(float(self))

    def __complex__(self) -> complex:
        return complex(float(self))

    def __index__(self) -> NoReturn:
        self.refuse("an index that is computed from symbols")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        if self.dtype == _BOOL:
            raise NotFollowedError(
                f"to_sympy cannot take entries by a condition on symbols, here {_shown(self)}: how "
                "many there are is not known. Write np.where(condition, x, 0)"
            )
        self.refuse(caller_name())

    def __repr__(self) -> str:
        entries = entrywise(_in_names_of_caller, self.entries)
        return str(entries.tolist())

    def __format__(self, spec: str) -> str:
        return repr(self)

    def refuse(self, function: Any) -> NoReturn:
        """Raise the error of a function that expressions cannot be given to."""
        name = function if isinstance(function, str) else function_name(function)
        raise NotFollowedError(refusal(name, self))


def _in_names_of_caller(entry: Any) -> Any:
    """Return an expression with plain symbols, as users know them, in the place of real ones."""
    return entry.xreplace({s: sympy.Symbol(s.name) for s in entry.atoms(sympy.Dummy)})


def _holds_box(value: Any) -> bool:
    """Return whether there is a box in nested sequences of arguments."""
    if isinstance(value, (list, tuple)):
        return any(map(_holds_box, value))
    return isinstance(value, Box)


def refusal(name: str, value: Any) -> str:
    """Return why `value` cannot be given to a function, and what to do."""
    return (
        f"to_sympy cannot follow {name} of symbols, here {_shown(value)}. Write that part with "
        "functions of single entries, sums and products, or give numbers in the place of these "
        "symbols"
    )


def are_real(value: Any) -> bool:
    """Return whether formulas and numbers, in nested sequences too, stand for real numbers."""
    if isinstance(value, (list, tuple)):
        return all(map(are_real, value))
    if isinstance(value, Formula):
        return value.reals
    return not isinstance(value, complex) and getattr(value, "dtype", FLOAT).kind != "c"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) < _LONGEST else f"{text[: _LONGEST - 3]}..."


def entries_of(value: Any) -> Any:
    """Return what is an array or number as an array of expressions; anything else itself."""
    if isinstance(value, Formula):
        return value.entries
    if isinstance(value, (np.ndarray, np.generic, float, complex)) or type(value) is int:
        return objects(value)
    return value


def numbers_of(value: Any) -> Any:
    """Return a formula as an array of expressions that are numbers; anything else itself."""
    return value.numbers() if isinstance(value, Formula) else value


def _stand_in(value: Any) -> Any:
    """Return an array of zeros with the shape and dtype of a formula."""
    return np.zeros(value.shape, value.dtype) if isinstance(value, Formula) else value


def _each(given: Any, function: Callable[[Any], Any]) -> Any:
    """Return containers with `function` applied to the formulas in them, arguments as they are."""
    if isinstance(given, dict):
        return {key: _each(value, function) for key, value in given.items()}
    if isinstance(given, (list, tuple)):
        return type(given)(_each(value, function) for value in given)
    return function(given) if isinstance(given, Formula) else given


_METHODS = frozenset(
    {"all", "any", "clip", "cumprod", "cumsum", "diagonal", "dot", "max", "mean", "min", "prod"}
    | {"ravel", "repeat", "round", "squeeze", "std", "sum", "swapaxes", "take", "trace", "var"}
)
