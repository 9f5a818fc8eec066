"""Values under the boxes: shapes, sums over broadcast axes, dtypes, NaN, ownership."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

FLOAT = np.dtype(float)
"""dtype of a Python float."""

COMPLEX = np.dtype(complex)
"""dtype of a Python complex number."""


ARITHMETIC_ERRORS = (ValueError, ZeroDivisionError, OverflowError)
"""What Python floats and `math` raise where NumPy gives an infinity or NaN."""


def as_numpy(value: Any) -> Any:
    """Return a Python float or complex as a NumPy one, which divides by zero as IEEE 754 says."""
    kind = type(value)
    return (
        np.float64(value) if kind is float else np.complex128(value) if kind is complex else value
    )


def shape_of(value: Any) -> tuple[int, ...]:
    """Return the shape of an array, box, node, NumPy scalar or Python number."""
    return getattr(value, "shape", ())


def dtype_of(value: Any) -> np.dtype[Any]:
    """Return the dtype of an array, box, node, NumPy scalar or Python number."""
    found: np.dtype[Any] | None = getattr(value, "dtype", None)
    if found is None:
        return COMPLEX if type(value) is complex else FLOAT
    return found


def is_complex(value: Any) -> bool:
    """Return whether `value` is made of complex numbers."""
    return dtype_of(value).kind == "c"


def unbroadcast(grad: Any, out_shape: tuple[int, ...], in_shape: tuple[int, ...]) -> Any:
    """Sum a cotangent over the axes along which its input was broadcast.

    The only place where this happens, for every elementwise function.

    Parameters
    ----------
    grad : number or array
        Cotangent of an input as its method gave it: its shape broadcasts to `out_shape`, and
        may be smaller where it is the same number everywhere.
    out_shape, in_shape : tuple of int
        Shapes of the output and of the input.

    Returns
    -------
    number or array
        Its shape broadcasts to `in_shape`.
    """
    if out_shape == in_shape:
        return grad
    lead = len(out_shape) - len(in_shape)
    shape = shape_of(grad)
    if shape == out_shape and out_shape[lead:] == in_shape:
        return np.add.reduce(grad, axis=tuple(range(lead)) if lead > 1 else 0)
    shape = (1,) * (len(out_shape) - len(shape)) + shape
    count, axes = 1, []
    for axis, size in enumerate(out_shape):
        if size != 1 and (axis < lead or in_shape[axis - lead] == 1):
            if shape[axis] == size:
                axes.append(axis)
            else:
                count *= size
    if axes:
        grad = np.add.reduce(grad.reshape(shape), axis=tuple(axes), keepdims=True)
        shape = grad.shape
    if shape_of(grad) != () and len(shape_of(grad)) > len(in_shape):
        grad = grad.reshape(shape[lead:])
    return grad if count == 1 else grad * float(count)


def full(grad: Any, shape: tuple[int, ...]) -> Any:
    """Return a cotangent that may be one number everywhere as an array of `shape`."""
    if getattr(grad, "shape", ()) == shape:
        return grad
    if type(grad) is float:
        array = np.empty(shape)
        array.fill(grad)
        return array
    return np.broadcast_to(grad, shape)


def check_inexact(dtype: np.dtype[Any], name: str) -> None:
    """Raise a TypeError if the results of function `name` are no real or complex numbers."""
    if dtype.kind in "fc":
        return
    remedy = {"O": "give arrays of floats"}.get(
        dtype.kind, "a function that is differentiated returns floats"
    )
    raise TypeError(f"{name} gave dtype {dtype}; {remedy}")


def cast(value: Any, dtype: Any) -> Any:
    """Return a cotangent or tangent in `dtype`: its real part where `dtype` is real.

    A single number becomes a Python float, which fits all, or a complex one. The only place
    where a complex cotangent meets a real input, or a complex tangent a real output.
    """
    if type(value) is float or value is None:
        return value
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, (complex, np.generic, np.ndarray)) and not shape_of(value):
        number: Any = value if isinstance(value, complex) else value.item()
        if type(number) is not float and dtype.kind == "c":
            return complex(number)
        return float(np.real(number))
    if value.dtype == dtype:
        return value
    if value.dtype.kind == "c" and dtype.kind != "c":
        value = np.real(value)
    return value.astype(dtype)


def has_nan(value: Any) -> bool:
    """Return whether a plain number or array holds a NaN, in one pass; an overflow may warn."""
    if type(value) is float:
        return value != value
    array = value if type(value) is np.ndarray else np.asarray(value)
    if array.dtype.char in "fd":
        flat = array.ravel("K")
        return math.isnan(flat.dot(flat))
    return bool(np.isnan(array).any())


def may_hold(condition: Any) -> bool:
    """Return a condition as NumPy computed it; True while a program is traced: it may hold."""
    return bool(condition) if isinstance(condition, (bool, np.bool_)) else True


def finish(grad: Any, value: Any) -> Any:
    """Return a cotangent as the gradient of `value`: its shape, dtype and kind.

    An array is writable and shares memory with nothing. A tracked cotangent stays tracked.
    """
    kind = type(value)
    if kind is np.ndarray and type(grad) is np.ndarray:
        if grad.dtype == value.dtype and grad.shape == value.shape:
            alone = grad.base is None and sys.getrefcount(grad) <= _ALONE and grad.flags.writeable
            return grad if alone else grad.copy()
    elif kind is float and type(grad) is float:
        return grad
    if not isinstance(grad, (float, int, complex, np.generic, np.ndarray)):
        return _of_kind(cast(full(grad, shape_of(value)), dtype_of(value)), value)
    if isinstance(value, np.generic):
        return value.dtype.type(grad)
    if kind is not np.ndarray and not shape_of(value):
        number: Any = grad
        return _of_kind(complex(number) if is_complex(value) else float(number), value)
    array = np.empty(value.shape, value.dtype)
    array[...] = grad
    return array


def _of_kind(number: Any, value: Any) -> Any:
    kind_of = getattr(value, "kind_of", None)
    return number if kind_of is None else kind_of(number)


def _references_when_alone() -> int:
    """Return what this Python counts in `finish` for an array only its caller's variable holds."""

    def count(array: Any) -> int:
        return sys.getrefcount(array)

    array = np.empty(1)
    return count(array)


_ALONE = _references_when_alone()


def spread(tangent: Any, out: Any) -> Any:
    """Return a tangent with the shape and dtype of `out`: the mirror of `unbroadcast`."""
    return cast(full(tangent, shape_of(out)), dtype_of(out))


def leaf_value(value: Any, *, copy: bool = True) -> Any:
    """Return what a variable holds for `value`: a number, a NumPy scalar or a read-only array.

    Parameters
    ----------
    value : float, int, complex, NumPy scalar, array, or nested list of numbers
        Integers become float64, Python ints floats.
    copy : bool
        Whether an array is copied, or looked at through a read-only view.

    Raises
    ------
    TypeError
        If it is boolean or not numeric.
    """
    if type(value) is float or type(value) is complex:
        return value
    if type(value) is np.ndarray and value.dtype.kind in "fc":
        array = value.copy() if copy else value.view()
        array.flags.writeable = False
        return array
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, (np.ma.MaskedArray, np.matrix)):
        raise TypeError(
            f"a {type(value).__name__} has its own arithmetic, which is not followed; give "
            "np.asarray(x), and mask with np.where"
        )
    array = np.asarray(value)
    if array.dtype.kind in "iu":
        array, copy = array.astype(np.float64), False
    elif array.dtype.kind not in "fc":
        raise TypeError(
            f"a value of dtype {array.dtype} has no derivative; give floating-point numbers "
            "(integers are converted), or keep it as a plain constant"
        )
    if isinstance(value, np.generic):
        return array[()]
    return leaf_value(np.asarray(array), copy=copy)
