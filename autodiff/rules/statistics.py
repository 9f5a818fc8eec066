"""Weighted means, variances, covariances and correlations."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import apply, operand, raw
from autodiff.careful import careful_product
from autodiff.primitives import Primitive, implements, normal_axes
from autodiff.rules.complex import conjugate
from autodiff.rules.dtypes import in_dtype
from autodiff.rules.reductions import (
    count,
    count_where,
    kept_axes,
    masked,
    mean,
    refuse_out,
    sum,
)
from autodiff.values import is_complex, shape_of


@implements(np.average)
def average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    """Mean over `axis` with `weights`; differentiable in both."""
    a = operand(a)
    if weights is None:
        found = mean(a, axis, keepdims=keepdims)
        total: Any = count(a, axis)
    else:
        weights = aligned(operand(weights), axis, shape_of(a))
        total = sum(weights, axis, keepdims=keepdims)
        if np.any(raw(total) == 0.0):
            raise ZeroDivisionError("weights of np.average sum to 0, there is no mean")
        found = sum(np.multiply(a, weights), axis, keepdims=keepdims) / total
    if not returned:
        return found
    return found, total * np.ones_like(raw(found))


def aligned(weights: Any, axis: Any, shape: tuple[int, ...]) -> Any:
    """Return weights of the axes averaged over as an array that broadcasts to `shape`."""
    given = shape_of(weights)
    if given == shape:
        return weights
    if axis is None:
        raise TypeError(f"np.average needs axis=: weights have shape {given}, the array {shape}")
    axes = normal_axes(axis, len(shape))
    if given != tuple(shape[one] for one in axes):
        raise ValueError(
            f"weights of np.average have shape {given}; along axis {axis} the array has "
            f"{tuple(shape[one] for one in axes)}"
        )
    order = tuple(int(i) for i in np.argsort(axes))
    full = [size if i in axes else 1 for i, size in enumerate(shape)]
    return np.reshape(np.transpose(weights, order), (*full[:-1], -1))


def _var(x: Any, *, axis: Any, ddof: float, keepdims: bool) -> Any:
    return np.var(x, axis=axis, ddof=ddof, keepdims=keepdims)


def _slopes(x: Any, axis: Any, ddof: float) -> Any:
    """Return the derivative of the variance in each entry; that in the mean vanishes."""
    deviation = conjugate(x - mean(x, axis, keepdims=True))
    free = count(x, axis) - ddof
    return deviation * (2.0 / free if free > 0 else np.inf)


def _var_vjp(grad: Any, out: Any, x: Any, *, axis: Any, ddof: float, keepdims: bool) -> Any:
    return careful_product(kept_axes(grad, axis, shape_of(x), keepdims), _slopes(x, axis, ddof))


def _var_jvp(tangent: Any, out: Any, x: Any, *, axis: Any, ddof: float, keepdims: bool) -> Any:
    return sum(careful_product(tangent, _slopes(x, axis, ddof)), axis, keepdims=keepdims)


var_rule = Primitive("np.var", _var, [_var_vjp], [_var_jvp], reads="args")


@implements(np.var)
def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """Variance over `axis`."""
    refuse_out(out)
    if correction is not None:
        if ddof:
            raise ValueError("ddof and correction are two names of one number; give one")
        ddof = correction
    a = in_dtype(operand(a), dtype)
    if where is True and mean is None:
        return apply(var_rule, (a,), {"axis": axis, "ddof": ddof, "keepdims": keepdims})
    if mean is None:
        mean = np.mean(a, axis=axis, keepdims=True, where=where)
    deviation = masked(a - mean, where, 0.0)
    if is_complex(deviation):
        squares = np.real(deviation * np.conj(deviation))
    else:
        squares = deviation * deviation
    if where is True:
        free: Any = max(count(a, axis) - ddof, 0)
    else:
        free = np.maximum(count_where(a, axis, keepdims, where) - ddof, 0)
    return sum(squares, axis, keepdims=keepdims) / free


@implements(np.std)
def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """Return the standard deviation over `axis`; of equal entries its derivative is 0."""
    refuse_out(out)
    if where is True and mean is None and not ddof and not correction:
        a = in_dtype(operand(a), dtype)
        if count(a, axis) == 1:
            # 0 whatever the one entry is, to all orders; the root of a variance has a tip there.
            deviation = a - np.mean(a, axis=axis, keepdims=True)
            return sum(np.abs(deviation), axis, keepdims=keepdims)
    variance = var(
        a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction
    )
    return np.sqrt(variance)


@implements(np.cov)
def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    """Covariance matrix of variables, one in each row; differentiable in `aweights` too."""
    if ddof is None:
        ddof = 0 if bias else 1
    if int(ddof) != ddof:
        raise ValueError(f"ddof of np.cov is a whole number, not {ddof!r}")
    x = _variables(m, rowvar)
    if y is not None:
        more = _variables(y, rowvar or shape_of(operand(y))[:1] == (1,))
        x = np.concatenate([x, more], axis=0)
    x = in_dtype(x, np.result_type(raw(x), np.float64) if dtype is None else dtype)
    n = shape_of(x)[1]
    weights, total, free = _observation_weights(n, ddof, fweights, aweights)
    if weights is None:
        x = x - mean(x, 1, keepdims=True)
        weighted = x
    else:
        x = x - sum(x * weights, 1, keepdims=True) / total
        weighted = x * weights
    c = np.matmul(x, np.transpose(conjugate(weighted))) / free
    return np.squeeze(c)


def _variables(m: Any, rowvar: bool) -> Any:
    """Return `m` as a matrix with one variable in each row."""
    m = operand(m)
    ndim = len(shape_of(m))
    if ndim > 2:
        raise ValueError(f"np.cov takes one or two dimensions, not {ndim}")
    if ndim < 2:
        return np.reshape(m, (1, -1))
    return m if rowvar else np.transpose(m)


def _observation_weights(n: int, ddof: int, fweights: Any, aweights: Any) -> tuple[Any, Any, Any]:
    """Return the weights of `n` observations (None: all 1), their sum, and what divides."""
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is None:
            continue
        shape = shape_of(operand(given))
        if shape != (n,):
            raise RuntimeError(f"{name} of np.cov have shape {shape}, for {n} observations")
        if np.any(np.less(raw(given), 0.0)):
            raise ValueError(f"{name} of np.cov cannot be negative")
    if fweights is not None and np.any(np.not_equal(raw(fweights), np.round(raw(fweights)))):
        raise TypeError("fweights of np.cov count observations, whole numbers")
    if fweights is None and aweights is None:
        return None, n, max(float(n - ddof), 0.0)
    if fweights is None or aweights is None:
        weights = operand(aweights if fweights is None else fweights)
    else:
        weights = np.multiply(operand(fweights), operand(aweights))
    total = sum(weights)
    if aweights is None or ddof == 0:
        free = total - ddof
    else:
        free = total - ddof * sum(np.multiply(weights, operand(aweights))) / total
    return weights, total, np.maximum(free, 0.0)


@implements(np.corrcoef)
def corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    """Correlation matrix of variables, one in each row."""
    c = cov(x, y, rowvar, dtype=dtype)
    if not shape_of(c):
        return c / c
    each = np.arange(shape_of(c)[0])
    variances = c[each, each]
    spread = np.sqrt(np.real(variances) if is_complex(c) else variances)
    c = c / spread[:, None] / spread
    if is_complex(c):
        return np.clip(np.real(c), -1.0, 1.0) + 1j * np.clip(np.imag(c), -1.0, 1.0)
    return np.clip(c, -1.0, 1.0)
