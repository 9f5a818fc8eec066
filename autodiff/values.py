"""Values under the boxes: shapes, sums over broadcast axes, dtypes, NaN, ownership."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def shape_of(value: Any) -> tuple[int, ...]:
    """Return the shape of an array, box, node, NumPy scalar or Python number."""
    return getattr(value, "shape", ())


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
    return grad if shape_of(grad) == shape else np.broadcast_to(grad, shape)


def cast(value: Any, dtype: Any) -> Any:
    """Return `value` in `dtype` (None for a Python float); a Python float fits every dtype."""
    if type(value) is float or getattr(value, "dtype", dtype) == dtype:
        return value
    if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0:
        return float(value) if dtype is None or value.dtype.kind == "f" else value
    return value if dtype is None else value.astype(dtype)


def has_nan(value: Any) -> bool:
    """Return whether a plain number or array holds a NaN, in one pass."""
    if type(value) is float:
        return value != value
    array = np.asarray(value)
    if array.dtype.char in "fd":
        flat = array.ravel(order="K")
        with np.errstate(all="ignore"):
            total = np.dot(flat, flat)
        return bool(total != total)
    return bool(np.isnan(array).any())


def like(grad: Any, value: Any) -> Any:
    """Return a finished gradient in the shape, dtype and kind of the `value` it belongs to.

    An array is writable and shares memory with nothing.
    """
    if type(value) is float:
        return float(grad) if type(grad) is not float and hasattr(grad, "__array__") else grad
    if isinstance(value, np.generic):
        return value.dtype.type(grad)
    if type(grad) is np.ndarray and grad.shape == value.shape and grad.dtype == value.dtype:
        return grad if _alone(grad) else grad.copy()
    return np.array(np.broadcast_to(np.asarray(grad, value.dtype), value.shape))


def _alone(array: np.ndarray[Any, Any]) -> bool:
    """Return whether only the one variable that came down to here holds this memory."""
    return array.base is None and array.flags.writeable and sys.getrefcount(array) <= _ALONE


def _references_when_alone() -> int:
    """Return what this Python counts where `_alone` does, for an array one variable holds.

    A variable handed down as deep as a gradient is: its walker, `finish`, `like`, `_alone`.
    """

    def finish(array: Any) -> int:
        return like(array)

    def like(array: Any) -> int:
        return alone(array)

    def alone(array: Any) -> int:
        return sys.getrefcount(array)

    array = np.empty(1)
    return finish(array)


_ALONE = _references_when_alone()


def spread(tangent: Any, out: Any) -> Any:
    """Return a tangent with the shape and dtype of `out`: the mirror of `unbroadcast`."""
    return cast(full(tangent, shape_of(out)), getattr(out, "dtype", None))


def leaf_value(value: Any, *, copy: bool = True) -> Any:
    """Return what a variable holds for `value`: a float, a NumPy scalar or a read-only array.

    Parameters
    ----------
    value : float, int, NumPy scalar, array, or nested list of numbers
        Integers become float64, Python ints floats.
    copy : bool
        Whether an array is copied, or looked at through a read-only view.

    Raises
    ------
    TypeError
        If it is complex, boolean or not numeric.
    """
    if type(value) is float:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    array = np.asarray(value)
    if array.dtype.kind in "iu":
        array, copy = array.astype(np.float64), False
    elif array.dtype.kind == "c":
        raise TypeError(
            f"a complex value ({array.dtype}) cannot be differentiated yet; split it into "
            "real and imaginary part, two real variables"
        )
    elif array.dtype.kind != "f":
        raise TypeError(
            f"a value of dtype {array.dtype} has no derivative; give floating-point numbers "
            "(integers are converted), or keep it as a plain constant"
        )
    if isinstance(value, np.generic):
        return array[()]
    array = array.copy() if copy else array.view()
    array.flags.writeable = False
    return array
