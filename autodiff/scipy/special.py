"""``scipy.special`` for plain and tracked values.

The ufuncs are SciPy's own, which reach the table by NumPy's protocol. The functions SciPy
wrote in Python are here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special

from autodiff.box import Box, operand, raw
from autodiff.calls import function_named
from autodiff.careful import careful_product
from autodiff.primitives import Primitive
from autodiff.rules import lambert
from autodiff.rules.reductions import kept_axes
from autodiff.scipy.mirror import mirrors, refused
from autodiff.values import is_complex, shape_of

COUNTS = {
    "comb": "binom(n, k)",
    "factorial": "gamma(n + 1)",
    "factorial2": "gamma(n/2 + 1) * 2**(n/2), for even n",
    "perm": "gamma(n + 1) / gamma(n - k + 1)",
}
"""Functions of whole numbers, and what continues them to real ones."""


def __getattr__(name: str) -> Any:
    found = getattr(scipy.special, name)
    if name in COUNTS:
        reason = f"it counts; of real numbers use {COUNTS[name]}, of scipy.special"
        found = globals()[name] = refused(found, reason)
    elif inspect.isfunction(found):
        try:
            rule = function_named(name)
        except KeyError:
            return found
        found = globals()[name] = mirrors(found)(_by_position(rule, found))
    return found


def __dir__() -> list[str]:
    return dir(scipy.special)


def _by_position(rule: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    """Return `rule`, a function of the table, with the signature of SciPy's `original`."""
    signature = inspect.signature(original)

    def call(*args: Any, **kwargs: Any) -> Any:
        return rule(*signature.bind(*args, **kwargs).arguments.values())

    call.__name__ = call.__qualname__ = original.__name__
    return call


@mirrors(scipy.special.zeta)
def zeta(x: Any, q: Any = None, out: None = None) -> Any:
    """Hurwitz zeta function of `q`, Riemann's if it is None; `x` has no derivative."""
    return function_named("zeta")(x, 1.0 if q is None else q)


@mirrors(scipy.special.lambertw)
def lambertw(z: Any, k: Any = 0, tol: float = 1e-8) -> Any:
    """Principal branch of Lambert's W function; real for real `z`."""
    return lambert.lambertw(z, k, tol)


@mirrors(scipy.special.multigammaln)
def multigammaln(a: Any, d: int) -> Any:
    """Logarithm of the multivariate gamma function of dimension `d`."""
    scipy.special.multigammaln(raw(a), d)  # raises what SciPy raises
    terms = (scipy.special.gammaln(a - j / 2) for j in range(d))
    return sum(terms, 0.25 * d * (d - 1) * np.log(np.pi))


def _of_largest(change: Any, x: Any, axis: Any) -> Any:
    """Return the change of the largest entry of `x` along `axis`, the mean of equal ones."""
    mask, count = _at_maximum(x, axis)
    share = mask / np.maximum(count, 1)
    return np.sum(careful_product(change, share), axis=axis, keepdims=True)


def _at_maximum(x: Any, axis: Any) -> tuple[Any, Any]:
    """Return where the largest entries along `axis` are, and how many."""
    entries = np.real(raw(x))
    mask = entries == np.max(entries, axis=axis, keepdims=True, initial=-np.inf)
    return mask, np.sum(mask, axis=axis, keepdims=True)


def _softmax_change(change: Any, out: Any, x: Any, *, axis: Any) -> Any:
    """Return the change of softmax; its Jacobian is symmetric, so this is its vjp too.

    The entries of ``out`` add up to 1, so a constant may be subtracted from the changes: that
    of the largest entry, whose own derivative then keeps its digits where it is nearly 1.
    """
    change = change - _of_largest(change, out, axis)
    mean = np.sum(careful_product(change, out), axis=axis, keepdims=True)
    return careful_product(change - mean, out)


def _softmax(x: Any, *, axis: Any) -> Any:
    """Return softmax, as SciPy."""
    if isinstance(x, Box) or not np.size(x):
        return softmax(x, axis)
    terms = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return terms / np.sum(terms, axis=axis, keepdims=True)


softmax_rule = Primitive(
    "scipy.special.softmax",
    _softmax,
    [_softmax_change],
    [_softmax_change],
    reads="out",
)


@mirrors(scipy.special.softmax)
def softmax(x: Any, axis: Any = None) -> Any:
    """Exponentials over their sum along `axis`."""
    return softmax_rule(x, axis=axis)


def _log_softmax_vjp(grad: Any, out: Any, x: Any, *, axis: Any) -> Any:
    """Return ``grad - softmax(x) * sum(grad)``, without a difference at the largest entry."""
    shares = softmax(x, axis)
    mask, count = _at_maximum(x, axis)
    rest, others = (
        np.sum(np.where(mask, 0.0, value), axis=axis, keepdims=True) for value in (shares, grad)
    )
    total = np.sum(grad, axis=axis, keepdims=True)
    return np.where(
        mask & (count == 1),
        grad * rest - careful_product(others, shares),
        grad - careful_product(total, shares),
    )


def _log_softmax_jvp(tangent: Any, out: Any, x: Any, *, axis: Any) -> Any:
    """Return ``tangent - sum(softmax(x) * tangent)``, relative to that of the largest entry."""
    change = tangent - _of_largest(tangent, x, axis)
    return change - np.sum(careful_product(change, softmax(x, axis)), axis=axis, keepdims=True)


log_softmax_rule = Primitive(
    "scipy.special.log_softmax",
    lambda x, *, axis: log_softmax(x, axis),
    [_log_softmax_vjp],
    [_log_softmax_jvp],
    reads="args",
)


@mirrors(scipy.special.log_softmax)
def log_softmax(x: Any, axis: Any = None) -> Any:
    """Logarithm of softmax along `axis`."""
    return log_softmax_rule(x, axis=axis)


def _comparable(a: Any, counted: Any, axis: Any) -> tuple[Any, Any]:
    """Return `a` less its largest counted entry along `axis`, and that entry.

    Beside +inf the finite entries are -inf and the infinite ones 0, so that those share the
    derivative; where all are -inf they are 0.
    """
    entries = np.real(raw(a))
    top = np.max(entries, axis=axis, keepdims=True, initial=-np.inf, where=counted)
    if np.isfinite(top).all():
        return a - top, top
    a = np.where(top == np.inf, np.where(entries == np.inf, 0.0, -np.inf), a)
    a = np.where(top == -np.inf, 0.0, a)
    return a - np.where(np.isinf(top), 0.0, top), top


def _shares(a: Any, *, axis: Any) -> Any:
    """Return the derivatives of ``logsumexp(a)``: softmax, also beside infinite entries."""
    if 0 in shape_of(a):
        return a
    if np.isfinite(raw(a)).all() and not is_complex(raw(a)):
        return softmax_rule(a, axis=axis)
    shifted, top = _comparable(a, True, axis)
    shares = softmax_rule(shifted, axis=axis)
    return np.where(top == -np.inf, 0.0, shares) if np.any(top == -np.inf) else shares


def _sum_vjp(grad: Any, out: Any, a: Any, *, axis: Any, keepdims: bool) -> Any:
    return careful_product(kept_axes(grad, axis, shape_of(a), keepdims), _shares(a, axis=axis))


def _sum_jvp(tangent: Any, out: Any, a: Any, *, axis: Any, keepdims: bool) -> Any:
    change = careful_product(tangent, _shares(a, axis=axis))
    return np.sum(change, axis=axis, keepdims=keepdims)


def _sum(a: Any, *, axis: Any, keepdims: bool) -> Any:
    """Return the logarithm of the sum; as SciPy, whose way around special cases takes longer.

    The largest entries are counted and left out of the sum, so that it keeps the small ones.
    """
    if isinstance(a, Box) or is_complex(a) or not a.size or not np.isfinite(a).all():
        return logsumexp(a, axis, keepdims=keepdims)
    top = np.max(a, axis=axis, keepdims=True)
    largest = a == top
    rest = np.exp(a - top)
    np.putmask(rest, largest, 0.0)
    total = np.sum(rest, axis=axis, keepdims=True)
    if np.count_nonzero(largest) == top.size:
        out = np.log1p(total) + top
    else:
        count = np.sum(largest, axis=axis, keepdims=True, dtype=a.dtype)
        out = np.log1p(total / count) + np.log(count) + top
    return out if keepdims else np.squeeze(out, axis=axis)[()]


sum_rule = Primitive(
    "scipy.special.logsumexp",
    _sum,
    [_sum_vjp],
    [_sum_jvp],
    reads="args",
)


def _exponentials(a: Any, b: Any, axis: Any) -> Any:
    """Return ``exp(a)`` of one scale along `axis`, so that those with a weight add up to a number.

    An infinite or undefined entry without a weight counts as -inf, as SciPy has it.
    """
    weighted = raw(b) != 0
    ignored = ~weighted & ~np.isfinite(raw(a))
    if np.any(ignored):
        a = np.where(ignored, -np.inf, a)
    return np.exp(_comparable(a, weighted, axis)[0])


def _weighted(a: Any, b: Any, axis: Any) -> tuple[Any, Any]:
    """Return the derivatives of ``log(sum(b * exp(a)))`` in `a` and `b`."""
    terms = _exponentials(a, b, axis)
    total = np.sum(b * terms, axis=axis, keepdims=True)
    empty = np.all((raw(b) == 0) | (np.real(raw(a)) == -np.inf), axis=axis, keepdims=True)
    each = np.where(empty, 0.0, terms / np.where(empty, 1.0, total))
    return b * each, each


def _weighted_vjp(index: int) -> Callable[..., Any]:
    def vjp(grad: Any, out: Any, a: Any, b: Any, *, axis: Any, keepdims: bool) -> Any:
        grad = kept_axes(grad, axis, shape_of(a), keepdims)
        return careful_product(grad, _weighted(a, b, axis)[index])

    return vjp


def _weighted_jvp(index: int) -> Callable[..., Any]:
    def jvp(tangent: Any, out: Any, a: Any, b: Any, *, axis: Any, keepdims: bool) -> Any:
        change = careful_product(tangent, _weighted(a, b, axis)[index])
        return np.sum(change, axis=axis, keepdims=keepdims)

    return jvp


def _weighted_sum(a: Any, b: Any, *, axis: Any, keepdims: bool) -> Any:
    """Return the logarithm of ``sum(b * exp(a))``; of real numbers, of its size."""
    if is_complex(raw(a)) or is_complex(raw(b)):
        return logsumexp(a, axis, b, keepdims)
    return logsumexp(a, axis, b, keepdims, return_sign=True)[0]


weighted_rule = Primitive(
    "scipy.special.logsumexp",
    _weighted_sum,
    [_weighted_vjp(0), _weighted_vjp(1)],
    [_weighted_jvp(0), _weighted_jvp(1)],
    reads="args",
)


@mirrors(scipy.special.logsumexp)
def logsumexp(
    a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False
) -> Any:
    """Logarithm of the sum of exponentials over `axis`, weighted by `b`.

    Infinite entries share the derivative; it is 0 where all are -inf.
    """
    a = operand(a)
    if shape_of(a) == ():
        a = np.reshape(a, (1,))
    if b is None:
        out = sum_rule(a, axis=axis, keepdims=keepdims)
    else:
        shape = np.broadcast_shapes(shape_of(a), shape_of(b := operand(b)))
        a, b = (x if shape_of(x) == shape else np.broadcast_to(x, shape) for x in (a, b))
        out = weighted_rule(a, b, axis=axis, keepdims=keepdims)
    if is_complex(raw(out)):
        return (np.real(out), np.exp(1j * np.imag(out))) if return_sign else out
    if b is None and not return_sign:
        return out
    sign = scipy.special.logsumexp(raw(a), axis, raw(b), keepdims, return_sign=True)[1]
    if return_sign:
        return out, sign
    negative = (sign < 0) & (raw(out) != -np.inf)  # SciPy's sign of an empty sum is -1
    return np.where(negative, np.nan, out) if np.any(negative) else out
