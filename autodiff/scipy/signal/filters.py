"""Linear filters along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal

from autodiff.box import operand
from autodiff.primitives import Primitive
from autodiff.scipy.mirror import mirrors
from autodiff.scipy.signal.convolutions import padded
from autodiff.values import dtype_of, shape_of


def _filter(b: Any, a: Any, x: Any) -> Any:
    return scipy.signal.lfilter(b, a, x, -1)


def _one(a: Any) -> Any:
    return np.ones(1, dtype_of(a))


def _backward(b: Any, a: Any, grad: Any) -> Any:
    """Return the transpose in `x`: the filter run from the end to the start."""
    return filter_rule(b, a, grad[..., ::-1])[..., ::-1]


def _lagged_sums(v: Any, x: Any, count: int) -> Any:
    """Return the sum of ``v[n] * x[n - k]`` over all n and batches, for each k below `count`."""
    size = shape_of(x)[-1]
    return np.stack([np.sum(v[..., k:] * x[..., : max(size - k, 0)]) for k in range(count)])


filter_rule: Primitive = Primitive(
    "scipy.signal.lfilter",
    _filter,
    [
        lambda grad, y, b, a, x: _lagged_sums(_backward(_one(a), a, grad), x, shape_of(b)[0]),
        lambda grad, y, b, a, x: -_lagged_sums(_backward(_one(a), a, grad), y, shape_of(a)[0]),
        lambda grad, y, b, a, x: _backward(b, a, grad),
    ],
    [
        lambda tangent, y, b, a, x: filter_rule(tangent, a, x),
        lambda tangent, y, b, a, x: -filter_rule(tangent, a, y),
        lambda tangent, y, b, a, x: filter_rule(b, a, tangent),
    ],
)
"""The filter along the last axis, from rest: ``a * y = b * x``, as polynomials of the delay."""


def _coefficients(b: Any, a: Any) -> tuple[Any, Any]:
    """Return both polynomials as vectors of one length, divided by ``a[0]``."""
    b, a = np.ravel(operand(b)), np.ravel(operand(a))
    count = max(shape_of(b)[0], shape_of(a)[0])
    b, a = (padded(v, (0,), (count - shape_of(v)[0],)) for v in (b, a))
    return b / a[0], a / a[0]


@mirrors(scipy.signal.lfilter)
def lfilter(b: Any, a: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """Filter `x` along `axis`; `scipy.signal.lfilter`.

    With the state `zi` at the start the state at the end is returned too.
    """
    x = np.moveaxis(operand(x), axis, -1)
    if zi is None:
        y = filter_rule(np.ravel(operand(b)), np.ravel(operand(a)), x)
        return np.moveaxis(y, -1, axis)
    b, a = _coefficients(b, a)
    order, size = shape_of(a)[0] - 1, shape_of(x)[-1]
    state = np.broadcast_to(np.moveaxis(operand(zi), axis, -1), (*shape_of(x)[:-1], order))
    # The state acts like an input that is filtered by 1 / a only.
    lead = (0,) * (len(shape_of(x)) - 1)
    as_input = padded(state[..., :size], (*lead, 0), (*lead, max(size - order, 0)))
    y = filter_rule(b, a, x) + filter_rule(_one(a), a, as_input)
    final = []
    for k in range(order):
        left: Any = state[..., k + size] if k + size < order else np.zeros(shape_of(x)[:-1])
        for i in range(min(size, order - k)):
            newest = (..., size - 1 - i)
            left = left + b[k + 1 + i] * x[newest] - a[k + 1 + i] * y[newest]
        final.append(left)
    end = np.stack(final, -1) if final else np.zeros(shape_of(state))
    return np.moveaxis(y, -1, axis), np.moveaxis(end, -1, axis)


@mirrors(scipy.signal.lfilter_zi)
def lfilter_zi(b: Any, a: Any) -> Any:
    """State of a filter whose input was always 1; `scipy.signal.lfilter_zi`."""
    b, a = _coefficients(b, a)
    rest = b - a * (np.sum(b) / np.sum(a))
    return np.stack([np.sum(rest[k:]) for k in range(1, shape_of(rest)[0])])


@mirrors(scipy.signal.sosfilt)
def sosfilt(sos: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """Filter `x` by one section after the other; `scipy.signal.sosfilt`."""
    sos = operand(sos)
    states = []
    for number in range(shape_of(sos)[0]):
        b, a = sos[number, :3], sos[number, 3:]
        if zi is None:
            x = lfilter(b, a, x, axis)
        else:
            x, state = lfilter(b, a, x, axis, zi[number])
            states.append(state)
    return x if zi is None else (x, np.stack(states))


def _extended(x: Any, padtype: str, count: int) -> Any:
    """Return `x` continued on both sides of the last axis."""
    if padtype == "constant":
        return x[..., np.clip(np.arange(-count, shape_of(x)[-1] + count), 0, shape_of(x)[-1] - 1)]
    before, after = x[..., count:0:-1], x[..., -2 : -(count + 2) : -1]
    if padtype == "odd":
        before, after = 2.0 * x[..., :1] - before, 2.0 * x[..., -1:] - after
    elif padtype != "even":
        raise ValueError(f"padtype is 'odd', 'even', 'constant' or None, not {padtype!r}")
    return np.concatenate((before, x, after), -1)


@mirrors(scipy.signal.filtfilt)
def filtfilt(
    b: Any,
    a: Any,
    x: Any,
    axis: int = -1,
    padtype: str | None = "odd",
    padlen: int | None = None,
    method: str = "pad",
    irlen: int | None = None,
) -> Any:
    """Filter forward and backward; `scipy.signal.filtfilt`, of method 'pad'."""
    if method != "pad":
        raise TypeError("scipy.signal.filtfilt of tracked values takes method='pad' only")
    b, a = _coefficients(b, a)
    x = np.moveaxis(operand(x), axis, -1)
    count = 3 * shape_of(a)[0] if padlen is None else padlen
    if padtype is None:
        count = 0
    if shape_of(x)[-1] <= count:
        raise ValueError(f"x must be longer than padlen, {count}; its length is {shape_of(x)[-1]}")
    x = _extended(x, padtype or "odd", count) if count else x
    state = lfilter_zi(b, a)
    for _ in range(2):
        x = lfilter(b, a, x, zi=state * x[..., :1])[0][..., ::-1]
    x = x[..., count : shape_of(x)[-1] - count]
    return np.moveaxis(x, -1, axis)
