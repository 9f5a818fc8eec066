"""What a box shares with ndarray: attributes, methods, comparisons, indexing, in-place forms.

The arithmetic operators are put in by `autodiff.operators`.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from autodiff import copies, in_place
from autodiff.box import Box, raw
from autodiff.conversions import Conversions
from autodiff.flat import Flat
from autodiff.registry import CALLS, call_function
from autodiff.values import dtype_of

Method = Callable[..., Any]


def _comparison(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return compare(raw(self), raw(other))

    return method


def _calling(function: Any) -> Method:
    """Make the method that is `function` with the value as its first argument."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        call = None if kwargs else CALLS.get(function)
        return call(self, *args) if call else call_function(function, (self, *args), kwargs)

    method.__name__ = method.__qualname__ = function.__name__
    method.__doc__ = f"Return ``np.{function.__name__}`` of the value."
    return method


def _in_place(function: Any) -> Method:
    """Make the method that changes the value to `function` of it, as item assignment would."""

    def method(self: Any, *args: Any, **kwargs: Any) -> None:
        in_place.set_items(self, ..., function(self, *args, **kwargs))

    method.__name__ = method.__qualname__ = function.__name__
    method.__doc__ = f"Become ``np.{function.__name__}`` of the value."
    return method


class ArrayMethods(Conversions):
    """ndarray's interface; each method calls the rule of the NumPy function."""

    __slots__ = ()
    __array_priority__ = 1000.0

    if TYPE_CHECKING:
        __add__: Method
        __radd__: Method
        __sub__: Method
        __rsub__: Method
        __mul__: Method
        __rmul__: Method
        __truediv__: Method
        __rtruediv__: Method
        __floordiv__: Method
        __mod__: Method
        __pow__: Method
        __rpow__: Method
        __neg__: Method
        __divmod__: Method
        __rdivmod__: Method

    __hash__ = Box.__hash__
    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)
    __eq__ = _comparison(operator.eq)
    __ne__ = _comparison(operator.ne)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the value; () for a number."""
        return getattr(self._value, "shape", ())

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of the value; float64 for a Python float, complex128 for a complex."""
        return dtype_of(self._value)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of entries."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Number of bytes of one entry."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Number of bytes of all entries."""
        return self.size * self.itemsize

    @property
    def T(self) -> Any:  # noqa: N802 -- NumPy's name
        """The value with its axes reversed."""
        return CALLS[np.transpose](self)

    @property
    def mT(self) -> Any:  # noqa: N802 -- NumPy's name
        """The value with its last two axes exchanged."""
        return np.matrix_transpose(self)

    @property
    def real(self) -> Any:
        """Real part; a real value itself."""
        return np.real(self) if self.dtype.kind == "c" else self

    @property
    def imag(self) -> Any:
        """Imaginary part; plain zeros of a real value."""
        return np.imag(self) if self.dtype.kind == "c" else np.zeros(self.shape, self.dtype)[()]

    @property
    def flat(self) -> Flat:
        """The entries in C order, to iterate over, to read and to assign by index."""
        return Flat(self)

    def item(self, *args: Any) -> Any:
        """Return the one entry, or the one at an index, as a plain number: a constant."""
        return np.asarray(raw(self)).item(*args)

    def tolist(self) -> Any:
        """Return the entries as nested lists of plain numbers: constants."""
        return np.asarray(raw(self)).tolist()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single number has no len()")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("a single number cannot be iterated over")
        return (self[i] for i in range(self.shape[0]))

    def __contains__(self, item: Any) -> bool:
        return bool(np.any(raw(self) == raw(item)))

    def __getitem__(self, index: Any) -> Any:
        return CALLS["getitem"](self, index)

    def __setitem__(self, index: Any, new: Any) -> None:
        if sys.getrefcount(self) == in_place.ALONE:
            in_place.refuse_if_lost(sys._getframe(1))
        in_place.set_items(self, index, new)

    def __reduce__(self) -> Any:
        return copies.restored, copies.parts_to_copy(self)

    def __deepcopy__(self, memo: Any = None) -> Any:
        return self.copy() if self.level else copies.deep_copy(self)

    def __copy__(self) -> Any:
        followed = self.level or (self.is_tracked and not self.is_leaf)
        return self.copy() if followed else copies.deep_copy(self)

    all = _calling(np.all)
    any = _calling(np.any)
    argmax = _calling(np.argmax)
    argmin = _calling(np.argmin)
    argpartition = _calling(np.argpartition)
    argsort = _calling(np.argsort)
    choose = _calling(np.choose)
    clip = _calling(np.clip)
    conj = conjugate = _calling(np.conjugate)
    cumprod = _calling(np.cumprod)
    cumsum = _calling(np.cumsum)
    diagonal = _calling(np.diagonal)
    dot = _calling(np.dot)
    flatten = ravel = _calling(np.ravel)
    max = _calling(np.max)
    mean = _calling(np.mean)
    min = _calling(np.min)
    nonzero = _calling(np.nonzero)
    partition = _in_place(np.partition)
    prod = _calling(np.prod)
    ptp = _calling(np.ptp)
    put = _calling(np.put)
    repeat = _calling(np.repeat)
    round = _calling(np.round)
    searchsorted = _calling(np.searchsorted)
    sort = _in_place(np.sort)
    squeeze = _calling(np.squeeze)
    std = _calling(np.std)
    sum = _calling(np.sum)
    swapaxes = _calling(np.swapaxes)
    take = _calling(np.take)
    trace = _calling(np.trace)
    var = _calling(np.var)

    def reshape(self, *shape: Any, **keywords: Any) -> Any:
        """Return ``np.reshape`` of the value; the shape in one tuple or as numbers."""
        return CALLS[np.reshape](self, shape[0] if len(shape) == 1 else shape, **keywords)

    def transpose(self, *axes: Any) -> Any:
        """Return ``np.transpose`` of the value; the axes in one tuple or as numbers."""
        return np.transpose(self, (axes[0] if len(axes) == 1 else axes) or None)

    def compress(self, condition: Any, axis: Any = None) -> Any:
        """Return ``np.compress`` of the value."""
        return np.compress(condition, self, axis)

    def astype(
        self,
        dtype: Any,
        order: Any = "K",
        casting: Any = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> Any:
        """Return the value in another floating-point or complex dtype.

        `order` and `subok` have no meaning for it.
        """
        if not np.can_cast(self.dtype, dtype, casting):
            raise TypeError(f"dtype {self.dtype} cannot become {np.dtype(dtype)} with {casting=}")
        return self if self.dtype == dtype and not copy else CALLS["astype"](self, dtype)

    def copy(self, order: Any = "C") -> Any:
        """Return a value of its own that may be changed in place, recorded as the identity."""
        return np.positive(self)

    def fill(self, value: Any) -> None:
        """Assign one value to all entries."""
        self[...] = value


class _Missing:
    """An attribute of ndarray that tracked values do not have; asking for it says what to do."""

    HINTS: ClassVar = {
        "resize": "np.resize(v, shape) gives another value",
        "view": "v.astype(dtype), v.real and v.imag give other values",
    }

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, box: Any, owner: Any = None) -> NoReturn:
        hint = self.HINTS.get(self.name)
        plain = f"v.value.{self.name} is that of the plain array, a constant"
        raise AttributeError(
            f"tracked values have no attribute {self.name!r}; {f'{hint}, ' if hint else ''}{plain}"
        )


for _name in dir(np.ndarray):
    if not _name.startswith("_") and not hasattr(ArrayMethods, _name):
        setattr(ArrayMethods, _name, _Missing(_name))
