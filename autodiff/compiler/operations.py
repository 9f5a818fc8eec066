"""The operations of a program: entries of the table, the few array operations, and calls.

Each can be called on plain numbers and arrays and then does what NumPy does; a backend that
knows no form of its own for one calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autodiff.careful import PRODUCT, careful_bilinear, careful_product
from autodiff.elementwise import Elementwise
from autodiff.registry import function_name
from autodiff.values import has_nan


class Operation:
    """What one instruction does; called on plain values, it does it."""

    @property
    def name(self) -> str:
        """Name of the operation."""
        return type(self).__name__.lower()

    def __call__(self, *args: Any) -> Any:
        """Return the result, a tuple if there are several."""
        raise NotImplementedError

    def example(self, *args: Any) -> Any:
        """Return a result of the right shape and dtype for operands like these."""
        return self(*args)

    def text(self, operands: Sequence[str]) -> str:
        """Return the operation on operands that have these names, as a person reads it."""
        return f"{self.name}({', '.join(operands)})"

    @property
    def key(self) -> Any:
        """What is equal for equal operations; None where two calls may differ."""
        return self


@dataclass(frozen=True)
class Kernel(Operation):
    """A function of the table: its value, or its gradient in one argument.

    Of a gradient the operands are the cotangent, the value, and the arguments, None where the
    method does not read one. Its product obeys the rule of zero (`autodiff.careful`).
    """

    rule: Elementwise
    index: int | None = None

    @property
    def name(self) -> str:
        """Name of the generated function."""
        entry = self.rule.entry
        if self.rule.package != "generated":
            return f"{self.rule.package}.{entry.name}[{self.index}]"
        return entry.name if self.index is None else f"{entry.name}_grad_{entry.args[self.index]}"

    def __call__(self, *args: Any) -> Any:
        """Return the value or the gradient."""
        rule, index = self.rule, self.index
        with np.errstate(all="ignore"):
            if index is None:
                if all(type(arg) in (int, bool) for arg in args):
                    return rule.function(*map(int, args)).item()  # whole numbers stay whole
                return rule.evaluate(*args)
            grad, out, *rest = args
            part = rule.partial(index, grad, out, rest)
            if has_nan(part):
                part = careful_product(grad, rule.partial(index, 1.0, out, rest))
            return part


@dataclass(frozen=True)
class CarefulProduct(Operation):
    """A product under the rule of zero."""

    def __call__(self, *args: Any) -> Any:
        """Return the product of a cotangent and a partial."""
        with np.errstate(all="ignore"):
            return PRODUCT.forward(*args)


@dataclass(frozen=True)
class Ufunc(Operation):
    """A NumPy ufunc that is no entry of the table: comparisons, logic, whole numbers."""

    ufunc: np.ufunc

    @property
    def name(self) -> str:
        """NumPy's name of it."""
        return self.ufunc.__name__

    def __call__(self, *args: Any) -> Any:
        """Return what NumPy gives."""
        with np.errstate(all="ignore"):
            return self.ufunc(*args)


@dataclass(frozen=True)
class Cast(Operation):
    """Another dtype."""

    dtype: np.dtype[Any]

    @property
    def name(self) -> str:
        """Name of the dtype."""
        return str(self.dtype)

    def __call__(self, *args: Any) -> Any:
        """Return the array in the dtype."""
        return np.asarray(args[0]).astype(self.dtype)[()]


@dataclass(frozen=True)
class Reduce(Operation):
    """A ufunc reduced over axes, counted from 0.

    Attributes
    ----------
    ufunc : ufunc
        ``np.add``, ``np.multiply``, ``np.maximum``, ``np.minimum``, ``np.logical_and``, ``_or``.
    axes : tuple of int
    keepdims : bool
    """

    ufunc: np.ufunc
    axes: tuple[int, ...]
    keepdims: bool

    @property
    def name(self) -> str:
        """The name of NumPy's function."""
        return _REDUCTIONS[self.ufunc]

    def __call__(self, *args: Any) -> Any:
        """Return the reduced array."""
        reduce: Any = self.ufunc.reduce
        return reduce(np.asarray(args[0]), axis=self.axes, keepdims=self.keepdims)

    def text(self, operands: Sequence[str]) -> str:
        """Return the sum with its axes."""
        kept = ", keepdims" if self.keepdims else ""
        return f"{self.name}({operands[0]}, axes={list(self.axes)}{kept})"


_REDUCTIONS: dict[Any, str] = {
    np.add: "sum",
    np.multiply: "prod",
    np.maximum: "max",
    np.minimum: "min",
    np.logical_and: "all",
    np.logical_or: "any",
}


@dataclass(frozen=True)
class Reshape(Operation):
    """The entries, in C order, in another shape."""

    shape: tuple[int, ...]

    def __call__(self, *args: Any) -> Any:
        """Return the array in the shape."""
        return np.reshape(args[0], self.shape)

    def text(self, operands: Sequence[str]) -> str:
        """Return the reshaping with the shape."""
        return f"reshape({operands[0]}, {list(self.shape)})"


@dataclass(frozen=True)
class Transpose(Operation):
    """The axes in another order."""

    axes: tuple[int, ...]

    def __call__(self, *args: Any) -> Any:
        """Return the array with its axes permuted."""
        return np.transpose(args[0], self.axes)

    def text(self, operands: Sequence[str]) -> str:
        """Return the permutation with its axes."""
        return f"transpose({operands[0]}, {list(self.axes)})"


@dataclass(frozen=True)
class Broadcast(Operation):
    """The same entries along new or longer axes."""

    shape: tuple[int, ...]

    def __call__(self, *args: Any) -> Any:
        """Return the array broadcast to the shape."""
        return np.broadcast_to(args[0], self.shape)

    def text(self, operands: Sequence[str]) -> str:
        """Return the broadcast with its shape."""
        return f"broadcast({operands[0]}, {list(self.shape)})"


Part = tuple[int, int | None, int]
"""Start, length (None: the axis is dropped, one entry is taken) and step along one axis."""


@dataclass(frozen=True)
class Take(Operation):
    """The entries at regular places: one of an axis, or some at equal distances."""

    parts: tuple[Part, ...]

    @property
    def index(self) -> tuple[Any, ...]:
        """The index in NumPy's form."""
        return tuple(_slice(*part) for part in self.parts)

    def __call__(self, *args: Any) -> Any:
        """Return the entries."""
        return args[0][self.index]

    def text(self, operands: Sequence[str]) -> str:
        """Return the indexing as it is written."""
        return f"{operands[0]}[{', '.join(_index_text(*part) for part in self.parts)}]"


@dataclass(frozen=True)
class Put(Operation):
    """Zeros of a shape with entries put at regular places: the transpose of `Take`."""

    parts: tuple[Part, ...]
    shape: tuple[int, ...]

    def __call__(self, *args: Any) -> Any:
        """Return the zeros with the entries."""
        array = np.zeros(self.shape, getattr(args[0], "dtype", type(args[0])))
        array[Take(self.parts).index] = args[0]
        return array

    def text(self, operands: Sequence[str]) -> str:
        """Return the assignment as it is written."""
        index = ", ".join(_index_text(*part) for part in self.parts)
        return f"zeros({list(self.shape)}) with [{index}] = {operands[0]}"


@dataclass(frozen=True)
class Assemble(Operation):
    """Zeros of a shape with an array, or number, at each of several regular places.

    Attributes
    ----------
    places : tuple of tuple of Part
        Those of each operand; no entry is in two of them.
    shape : tuple of int
    is_full : bool
        Every entry is in one of the places.
    """

    places: tuple[tuple[Part, ...], ...]
    shape: tuple[int, ...]
    is_full: bool

    def __call__(self, *args: Any) -> Any:
        """Return the array; 0 is added to each entry, so that there is no -0."""
        kinds = [getattr(each, "dtype", type(each)) for each in args]
        array = np.zeros(self.shape, np.result_type(*kinds))
        for parts, each in zip(self.places, args, strict=True):
            array[Take(parts).index] = each + 0.0
        return array

    def text(self, operands: Sequence[str]) -> str:
        """Return the assignments as they are written."""
        given = [
            f"[{', '.join(_index_text(*part) for part in parts)}] = {operand}"
            for parts, operand in zip(self.places, operands, strict=True)
        ]
        return f"zeros({list(self.shape)}) with {', '.join(given)}"


def _slice(start: int, length: int | None, step: int) -> Any:
    if length is None:
        return start
    stop = start + step * length
    return slice(start, None if stop < 0 else stop, step)


def _index_text(start: int, length: int | None, step: int) -> str:
    if length is None:
        return str(start)
    stop = start + step * length
    return f"{start}:{'' if stop < 0 else stop}{f':{step}' if step != 1 else ''}"


@dataclass(frozen=True)
class Join(Operation):
    """Arrays joined along an axis that they have."""

    axis: int

    def __call__(self, *args: Any) -> Any:
        """Return the joined arrays."""
        return np.concatenate(args, self.axis)

    def text(self, operands: Sequence[str]) -> str:
        """Return the joining with its axis."""
        return f"concatenate([{', '.join(operands)}], axis={self.axis})"


@dataclass(frozen=True)
class Matmul(Operation):
    """``x @ y`` of matrices, vectors, or stacks of matrices.

    Attributes
    ----------
    careful : int or None
        Which operand is a cotangent: the sum of products obeys the rule of zero.
    """

    careful: int | None = None

    def __call__(self, *args: Any) -> Any:
        """Return the product."""
        with np.errstate(all="ignore"):
            found = np.matmul(*args)
            if self.careful is None or not has_nan(found):
                return found
            if self.careful == 0:
                return careful_bilinear(np.matmul, *args)
            return careful_bilinear(lambda g, x: np.matmul(x, g), args[1], args[0])

    def text(self, operands: Sequence[str]) -> str:
        """Return the product as it is written."""
        careful = "" if self.careful is None else f" (cotangent: {operands[self.careful]})"
        return f"{' @ '.join(operands)}{careful}"


class Hole:
    """The place of an operand in the arguments of a call."""

    def __init__(self, index: int) -> None:
        self.index = index

    def __repr__(self) -> str:
        return "_"


@dataclass(frozen=True, eq=False)
class Call(Operation):
    """A call of a Python function, with its keywords and what else is no operand.

    Attributes
    ----------
    function : callable
    args : nested tuples, lists and dicts
        What it is called with; `Hole` in the place of each operand.
    kwargs : dict
    label : str
        Its name for people; empty for that of the function.
    rule : Primitive or None
        The rule whose value it is, by which it is differentiated again.

    Notes
    -----
    Of a tuple of one result it gives that result.
    """

    function: Callable[..., Any]
    args: Any
    kwargs: Any
    label: str = ""
    rule: Any = None

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.label or function_name(self.function)

    def __call__(self, *args: Any) -> Any:
        """Call the function, with Python numbers as they are."""
        with np.errstate(all="ignore"):
            out = self.function(*filled(self.args, args), **filled(self.kwargs, args))
        return out[0] if isinstance(out, (tuple, list)) and len(out) == 1 else out

    def text(self, operands: Sequence[str]) -> str:
        """Return the call; what is no operand is not shown."""
        return f"call {self.name}({', '.join(operands)})"

    @property
    def key(self) -> Any:
        """None: a function of Python may give another result each time."""
        return None


def filled(template: Any, operands: Sequence[Any]) -> Any:
    """Return nested arguments with the operands in the place of their holes."""
    if isinstance(template, Hole):
        return operands[template.index]
    if isinstance(template, dict):
        return {key: filled(item, operands) for key, item in template.items()}
    if isinstance(template, (list, tuple)):
        items = [filled(item, operands) for item in template]
        return type(template)(*items) if hasattr(template, "_fields") else type(template)(items)
    return template
