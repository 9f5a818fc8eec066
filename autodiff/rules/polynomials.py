"""Polynomials given by their coefficients, the highest power first."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.callsite import user_frame
from autodiff.careful import careful_bilinear, careful_product
from autodiff.primitives import Primitive, implements
from autodiff.rules.contraction import tensordot
from autodiff.values import dtype_of, is_complex, shape_of


def _powers(x: Any, count: int) -> Any:
    """Return the powers of `x` along a new last axis, the highest first."""
    columns = [np.ones_like(raw(x))]
    for _ in range(count - 1):
        columns.append(columns[-1] * x)
    return np.stack(columns[::-1], -1)


def _value_vjp(grad: Any, out: Any, p: Any, x: Any) -> Any:
    def summed(grad: Any, powers: Any) -> Any:
        return tensordot(grad, powers, len(shape_of(grad)))

    return careful_bilinear(summed, grad, _powers(x, p.shape[0]))


def _value_times_slope(grad: Any, out: Any, p: Any, x: Any) -> Any:
    return careful_product(grad, np.polyval(np.polyder(p), x))


value_rule = Primitive(
    "np.polyval",
    np.polyval,
    [_value_vjp, _value_times_slope],
    [lambda tangent, out, p, x: np.polyval(tangent, x), _value_times_slope],
    reads="args",
)


@implements(np.polyval)
def polyval(p: Any, x: Any) -> Any:
    """Value of a polynomial; differentiable in `p` and in `x`."""
    p, x = operand(p), operand(x)
    if len(shape_of(p)) == 1 and shape_of(p)[0]:
        return value_rule(p, x)
    value = np.zeros_like(raw(x))
    for coefficient in p:
        value = value * x + coefficient
    return value


@implements(np.vander)
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:  # noqa: N803
    """Vandermonde matrix: the powers of a vector in columns."""
    x = operand(x)
    if len(shape_of(x)) != 1:
        raise ValueError(f"np.vander needs a vector, not shape {shape_of(x)}")
    count = shape_of(x)[0] if N is None else N
    if count < 0:
        raise ValueError(f"np.vander makes N columns, not {N}")
    if count == 0:
        return np.vander(raw(x), 0)
    columns = _powers(x, count).astype(np.promote_types(x.dtype, int))
    return columns[:, ::-1] if increasing else columns


def _coefficients(p: Any) -> Any:
    p = operand(p)
    return p if shape_of(p) else np.reshape(p, (1,))


def _of_one_size(a1: Any, a2: Any) -> tuple[Any, Any]:
    """Return coefficients with zeros put before the shorter ones."""
    a1, a2 = _coefficients(a1), _coefficients(a2)
    size = max(len(a1), len(a2))
    return _padded(a1, size), _padded(a2, size)


def _padded(p: Any, size: int) -> Any:
    return p if len(p) == size else np.pad(p, (size - len(p), 0))


@implements(np.polyadd)
def polyadd(a1: Any, a2: Any) -> Any:
    """Sum of two polynomials."""
    a1, a2 = _of_one_size(a1, a2)
    return a1 + a2


@implements(np.polysub)
def polysub(a1: Any, a2: Any) -> Any:
    """Difference of two polynomials."""
    a1, a2 = _of_one_size(a1, a2)
    return a1 - a2


def _without_leading_zeros(p: Any) -> Any:
    """Return coefficients from the first that is not 0 on; the last one at least."""
    p = _coefficients(p)
    places = np.flatnonzero(raw(p))
    return p[places[0] if len(places) else -1 :] if len(p) else np.zeros(1, dtype_of(p))


@implements(np.polymul)
def polymul(a1: Any, a2: Any) -> Any:
    """Product of two polynomials."""
    return np.convolve(_without_leading_zeros(a1), _without_leading_zeros(a2))


@implements(np.polydiv)
def polydiv(u: Any, v: Any) -> tuple[Any, Any]:
    """Quotient and remainder of two polynomials."""
    rest, v = _coefficients(u), _coefficients(v)
    steps = len(rest) - len(v) + 1
    quotient = []
    for _ in range(steps):
        quotient.append(rest[0] / v[0])
        change = quotient[-1] * v[1:]
        rest = rest[1:] - np.pad(change, (0, len(rest) - len(v)))
    while len(rest) > 1 and np.allclose(raw(rest)[0], 0, rtol=1e-14):
        rest = rest[1:]
    nothing = np.zeros(1, np.result_type(dtype_of(rest), dtype_of(v)))
    return np.stack(quotient) if quotient else nothing, rest if len(rest) else nothing


@implements(np.polyder)
def polyder(p: Any, m: int = 1) -> Any:
    """Return the derivative of order `m` of a polynomial."""
    if m < 0:
        raise ValueError(f"the order m={m} of a derivative must not be negative; see np.polyint")
    p = operand(p)
    for _ in range(m):
        p = p[:-1] * np.arange(len(p) - 1, 0, -1)
    return p


@implements(np.polyint)
def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """Antiderivative of order `m` of a polynomial, with the constants `k`."""
    if m < 0:
        raise ValueError(f"the order m={m} of an integral must not be negative; see np.polyder")
    p = operand(p)
    constants = _coefficients(np.zeros(1) if k is None else k)
    if len(constants) == 1:
        constants = np.broadcast_to(constants, (m,))
    if len(constants) < m:
        raise ValueError(f"np.polyint with m={m} needs one constant or {m}, not {len(constants)}")
    for i in range(m):
        p = np.concatenate((p / np.arange(len(p), 0, -1), constants[i : i + 1]))
    return p


@implements(np.poly)
def poly(seq_of_zeros: Any) -> Any:
    """Coefficients of the polynomial with given roots, or the characteristic one of a matrix."""
    zeros = _coefficients(seq_of_zeros)
    shape = shape_of(zeros)
    if len(shape) == 2 and shape[0] == shape[1] != 0:
        zeros = np.linalg.eigvals(zeros)
    elif len(shape) != 1:
        raise ValueError(f"np.poly needs a vector or a square matrix, not shape {shape}")
    found = np.ones(1, dtype_of(zeros))
    for zero in zeros:
        found = np.pad(found, (0, 1)) - zero * np.pad(found, (1, 0))
    plain = raw(zeros)
    if np.iscomplexobj(plain) and np.all(np.sort(plain) == np.sort(plain.conj())):
        return np.real(found)
    return found if shape[0] else 1.0


@implements(np.roots)
def roots(p: Any) -> Any:
    """Roots of a polynomial: eigenvalues of its companion matrix."""
    p = operand(p)
    if len(shape_of(p)) != 1:
        raise ValueError(f"np.roots needs a vector, not shape {shape_of(p)}")
    places = np.flatnonzero(raw(p))
    if not len(places):
        return np.zeros(0)
    at_zero = np.zeros(len(p) - 1 - places[-1], dtype_of(p))
    p = p[places[0] : places[-1] + 1]
    size = len(p) - 1
    if not size:
        return at_zero
    companion = np.concatenate(((-p[1:] / p[0])[None], np.eye(size - 1, size, dtype=dtype_of(p))))
    found = np.linalg.eigvals(companion)
    if is_complex(found) and not is_complex(np.roots(raw(p))):
        found = np.real(found)  # from NumPy 2.5 on, only `eigvals` is always complex
    return np.concatenate((found, at_zero))


def _check_points(degree: int, x: Any, y: Any, weights: Any) -> None:
    """Raise NumPy's errors for shapes of points that do not fit."""
    if degree < 0:
        raise ValueError(f"np.polyfit needs a degree of 0 or more, not {degree}")
    if len(x) != 1 or not x[0] or len(y) not in {1, 2} or y[0] != x[0]:
        raise TypeError(
            "np.polyfit needs a vector x that is not empty, and for each of its entries a value "
            f"or a row of values in y, not shapes {x} and {y}"
        )
    if weights not in {None, x}:
        raise TypeError(f"np.polyfit needs one weight for each of {x[0]} points, not {weights}")


@implements(np.polyfit)
def polyfit(
    x: Any,
    y: Any,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: Any = None,
    cov: Any = False,
) -> Any:
    """Least-squares fit of a polynomial; differentiable in `x`, `y` and the weights."""
    x, y = operand(x) + 0.0, operand(y) + 0.0
    _check_points(deg, shape_of(x), shape_of(y), None if w is None else shape_of(operand(w)))
    if rcond is None:
        rcond = len(x) * np.finfo(dtype_of(x)).eps
    columns, flat = np.vander(x, deg + 1), len(shape_of(y)) == 1
    if w is not None:
        w = operand(w)
        columns = columns * w[:, None]
        y = y * (w if flat else w[:, None])
    scale = np.sqrt(np.sum(columns * columns, axis=0))
    columns = columns / scale
    found, residuals, rank, singular = np.linalg.lstsq(columns, y, rcond)
    found = (found.T / scale).T
    if full:
        return found, residuals, rank, singular, rcond
    if rank != deg + 1:
        message = f"np.polyfit: the points do not determine a polynomial of degree {deg}"
        warnings.warn(message, np.exceptions.RankWarning, stacklevel=user_frame()[1])
    if not cov:
        return found
    if cov != "unscaled" and len(x) <= deg + 1:
        raise ValueError(f"np.polyfit with cov needs more than {deg + 1} points, not {len(x)}")
    factor = 1.0 if cov == "unscaled" else residuals / (len(x) - deg - 1)
    spread = np.linalg.inv(columns.T @ columns) / np.outer(scale, scale)
    return found, (spread if flat else spread[:, :, None]) * factor
