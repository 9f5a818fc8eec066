"""Padding, `np.pad`.

With constants it is one rule; in other modes each axis in turn is joined to its two sides.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import Box, operand
from autodiff.primitives import Primitive, implements
from autodiff.rules.dtypes import in_dtype
from autodiff.rules.indexing import part_of
from autodiff.rules.shapes import with_size
from autodiff.values import shape_of


def _pad(x: Any, *, widths: Any, fill: Any, shape: Any) -> Any:
    return np.pad(x, widths, constant_values=fill)


def _pad_vjp(grad: Any, out: Any, x: Any, *, widths: Any, fill: Any, shape: Any) -> Any:
    inner = (slice(before, before + n) for (before, _), n in zip(widths, shape, strict=True))
    return grad[tuple(inner)]


def _pad_jvp(tangent: Any, out: Any, x: Any, *, widths: Any, fill: Any, shape: Any) -> Any:
    return np.pad(tangent, widths)


# Not linear: the constants do not change.
pad_rule = Primitive("np.pad", _pad, [_pad_vjp], [_pad_jvp], reads="")


@implements(np.pad)
def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """Pad at both ends of axes, in each of NumPy's modes but a function."""
    if callable(mode):
        raise TypeError(
            "np.pad with a function as mode writes into plain arrays, which keep no history; "
            "join the parts with np.concatenate"
        )
    if mode not in MODES or set(kwargs) - {MODES[mode][1]}:
        known = ", ".join(f"{name} ({m[1]}=)" if m[1] else name for name, m in MODES.items())
        given = "".join(f" and {key}=" for key in kwargs)
        raise ValueError(f"np.pad takes the modes {known}; got {mode!r}{given}")
    array = operand(array)
    widths = _widths(pad_width, len(shape_of(array)))
    if not any(map(any, widths)):
        return np.positive(array)
    extend, keyword, default = MODES[mode]
    option = kwargs.get(keyword or "", default)
    if isinstance(option, (list, tuple)):
        option = _array(option)
    if extend is _by_constant and not isinstance(option, Box):
        return pad_rule(array, widths=widths, fill=option, shape=shape_of(array))
    out = array
    for axis, (before, after) in enumerate(widths):
        if before or after:
            here = option
            if option is not None and not isinstance(option, str):
                here = _pairs(option, len(widths))[axis]
            out = extend(out, axis, (before, after), mode, here)
    return out if out is array else in_dtype(out, array.dtype)


def _widths(pad_width: Any, ndim: int) -> list[tuple[int, int]]:
    """Return how much each axis gets before and behind."""
    if isinstance(pad_width, dict):
        given: list[Any] = [(0, 0)] * ndim
        for axis, width in pad_width.items():
            given[axis] = width if isinstance(width, tuple) else (width, width)
        pad_width = given
    pairs = np.asarray(pad_width)
    if pairs.dtype.kind not in "iu" or pairs.min(initial=0) < 0:
        raise ValueError(f"pad_width of np.pad holds integers of 0 or more, not {pad_width}")
    return [(before, after) for before, after in _pairs(pairs, ndim).tolist()]


def _pairs(given: Any, ndim: int) -> Any:
    """Return a number, a pair, or pairs for the axes as one pair for each axis."""
    shape = shape_of(given)
    if shape != (2, 1) and math.prod(shape) <= 2:
        given = np.reshape(given, -1)
    return np.broadcast_to(given, (ndim, 2))


def _array(nested: Any) -> Any:
    """Return nested lists, which may hold tracked values, as an array."""
    if isinstance(nested, (list, tuple)):
        return np.stack([_array(part) for part in nested])
    return nested


def _repeated(part: Any, axis: int, count: int) -> Any:
    """Return `part`, of size 1 along an axis, `count` times."""
    return np.broadcast_to(part, with_size(shape_of(part), axis, count))


def _by_constant(x: Any, axis: int, widths: tuple[int, int], mode: str, values: Any) -> Any:
    first = part_of(x, axis, 0, 1) if shape_of(x)[axis] else np.sum(x, axis=axis, keepdims=True)
    sides = [
        _repeated(np.broadcast_to(value, shape_of(first)), axis, width)
        for value, width in zip(values, widths, strict=True)
    ]
    return np.concatenate([sides[0], x, sides[1]], axis)


def _by_places(x: Any, axis: int, widths: tuple[int, int], mode: str, kind: Any) -> Any:
    """Take entries of `x`: those whose numbers NumPy puts there when it pads the numbers."""
    before = widths[0]
    if kind not in {None, "even", "odd"}:
        raise ValueError(f"reflect_type of np.pad is 'even' or 'odd', not {kind!r}")
    if kind == "odd" and shape_of(x)[axis] > 1:
        return _by_odd_reflection(x, axis, widths, mode)
    size = shape_of(x)[axis]
    places: Any = np.pad(np.arange(size), widths, mode=mode)  # type: ignore[call-overload]
    left = np.take(x, places[:before], axis)
    right = np.take(x, places[before + size :], axis)
    return np.concatenate([left, x, right], axis)


def _by_odd_reflection(x: Any, axis: int, widths: tuple[int, int], mode: str) -> Any:
    """Reflect about the points at the ends, again and again by whole periods."""
    before, after = widths
    skip = int(mode == "reflect")
    period = shape_of(x)[axis] - skip
    while before or after:
        size = shape_of(x)[axis]
        most = (size - skip) // period * period
        left, right = min(before, most), min(after, most)
        first, last = part_of(x, axis, 0, 1), part_of(x, axis, -1, None)
        left_part = 2 * first - np.flip(part_of(x, axis, skip, skip + left), axis)
        stop = size - skip
        right_part = 2 * last - np.flip(part_of(x, axis, stop - right, stop), axis)
        x = np.concatenate([left_part, x, right_part], axis)
        before, after = before - left, after - right
    return x


def _by_ramp(x: Any, axis: int, widths: tuple[int, int], mode: str, ends: Any) -> Any:
    """Go in equal steps from the end values to the entries at the edges."""
    size, (before, after) = shape_of(x)[axis], widths
    if not size:
        raise ValueError(f"np.pad cannot ramp to an edge of axis {axis}, which is empty")
    column = (-1,) + (1,) * (len(shape_of(x)) - axis - 1)
    first, last = part_of(x, axis, 0, 1), part_of(x, axis, -1, None)
    left_steps = np.arange(before).reshape(column)
    right_steps = np.arange(after)[::-1].reshape(column)
    left = left_steps * ((first - ends[0]) / max(before, 1)) + ends[0]
    right = right_steps * ((last - ends[1]) / max(after, 1)) + ends[1]
    return np.concatenate([left, x, right], axis)


def _by_statistic(x: Any, axis: int, widths: tuple[int, int], mode: str, lengths: Any) -> Any:
    """Repeat a statistic of the entries next to the edge, or of all."""
    size, statistic = shape_of(x)[axis], STATISTICS[mode]
    counts = (size, size) if lengths is None else np.minimum(lengths, size).tolist()
    if 0 in counts:
        raise ValueError(f"np.pad needs entries along axis {axis} for the {mode}; there are none")
    left = statistic(part_of(x, axis, 0, counts[0]), axis=axis, keepdims=True)
    right = left
    if min(counts) < size:
        right = statistic(part_of(x, axis, size - counts[1], size), axis=axis, keepdims=True)
    return np.concatenate(
        [_repeated(left, axis, widths[0]), x, _repeated(right, axis, widths[1])], axis
    )


STATISTICS: dict[str, Callable[..., Any]] = {
    "maximum": np.max,
    "minimum": np.min,
    "mean": np.mean,
    "median": np.median,
}
MODES: dict[str, tuple[Callable[..., Any], str | None, Any]] = {
    "constant": (_by_constant, "constant_values", 0),
    "empty": (_by_constant, None, 0),
    "edge": (_by_places, None, None),
    "wrap": (_by_places, None, None),
    "reflect": (_by_places, "reflect_type", "even"),
    "symmetric": (_by_places, "reflect_type", "even"),
    "linear_ramp": (_by_ramp, "end_values", 0),
    **dict.fromkeys(STATISTICS, (_by_statistic, "stat_length", None)),
}
"""How each mode extends an axis, the keyword it takes, and what that is if it is not given."""
