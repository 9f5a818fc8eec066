"""Maxima and minima over axes; n equal ones have 1/n of the derivative each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import apply, operand, raw
from autodiff.primitives import Primitive, implements
from autodiff.rules.reductions import kept_axes, refuse_out, starting, sum
from autodiff.values import dtype_of, may_hold, shape_of


def _shares(part: Any, out: Any, x: Any, *, axis: Any, keepdims: bool, **static: Any) -> Any:
    """Return `part` divided among the equal extremes, 0 elsewhere; NaN is an extreme too."""
    extreme = kept_axes(raw(out), axis, shape_of(x), keepdims)
    entries = raw(x)
    hit = entries == extreme
    if may_hold(np.any(extreme != extreme)):
        hit = hit | (entries != entries) & (extreme != extreme)
    if "where" in static:
        hit = hit & static["where"]
    count = np.add.reduce(hit, axis=axis, keepdims=True, dtype=np.finfo(dtype_of(x)).dtype)
    return np.where(hit, part / count, 0.0)


def _extreme_vjp(grad: Any, out: Any, x: Any, *, axis: Any, keepdims: bool, **static: Any) -> Any:
    grad = kept_axes(grad, axis, shape_of(x), keepdims)
    return _shares(grad, out, x, axis=axis, keepdims=keepdims, **static)


def _extreme_jvp(
    tangent: Any, out: Any, x: Any, *, axis: Any, keepdims: bool, **static: Any
) -> Any:
    shares = _shares(tangent, out, x, axis=axis, keepdims=keepdims, **static)
    return sum(shares, axis, keepdims=keepdims)


def _extreme(function: Callable[..., Any], ufunc: Any, least: float) -> Callable[..., Any]:
    """Return the reduction NumPy's `function` computes where every entry counts.

    With ``initial=``, `ufunc` does, whose value for no entry at all is `least`.
    """
    name = f"np.{getattr(function, '__name__', ufunc.__name__)}"
    rule = Primitive(name, function, [_extreme_vjp], [_extreme_jvp])
    some = Primitive(name, ufunc.reduce, [_extreme_vjp], [_extreme_jvp])

    def extreme(
        a: Any,
        axis: Any = None,
        out: None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        static: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
        if out is None and initial is None and where is True:
            return apply(rule, (a,), static)
        refuse_out(out)
        if initial is None:  # NumPy's own error: where= needs it
            return function(raw(a), where=raw(where), **static)
        if where is not True:
            static["where"] = np.broadcast_to(raw(where), shape_of(operand(a)))
        total = some(a, initial=least, **static)
        return ufunc(total, starting(initial, total))

    return extreme


max = implements(np.max, np.amax, doc="Maximum over `axis`; equal ones share its derivative.")(
    _extreme(np.max, np.maximum, -np.inf)
)
min = implements(np.min, np.amin, doc="Minimum over `axis`; equal ones share its derivative.")(
    _extreme(np.min, np.minimum, np.inf)
)
implements(np.nanmax, doc="Maximum over `axis` without NaN; equal ones share its derivative.")(
    _extreme(np.nanmax, np.fmax, -np.inf)
)
implements(np.nanmin, doc="Minimum over `axis` without NaN; equal ones share its derivative.")(
    _extreme(np.nanmin, np.fmin, np.inf)
)
# NumPy warns of slices that hold NaN only, where the ufuncs do not.
fmax = _extreme(np.fmax.reduce, np.fmax, -np.inf)
fmin = _extreme(np.fmin.reduce, np.fmin, np.inf)


@implements(np.ptp)
def ptp(a: Any, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
    """Maximum minus minimum."""
    refuse_out(out)
    return max(a, axis, keepdims=keepdims) - min(a, axis, keepdims=keepdims)
