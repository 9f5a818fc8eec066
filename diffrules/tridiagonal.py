"""Eigenvectors of symmetric tridiagonal matrices, to any number of digits."""

from __future__ import annotations

from typing import Any

import mpmath


def eigenvector(diagonal: list[Any], beside: list[Any], place: int) -> tuple[Any, list[Any]]:
    """Return an eigenvalue and its vector of length 1, at the precision of the caller.

    Parameters
    ----------
    diagonal, beside : list of mpmath numbers
        The matrix; `beside` may be longer than it has to be.
    place : int
        How many eigenvalues are smaller.

    Notes
    -----
    The eigenvalue to some 13 digits by Sturm's sequences, in doubles; then Rayleigh's quotient,
    which has three times the digits after every step.
    """
    value = mpmath.mpf(_located([float(d) for d in diagonal], [float(b) for b in beside], place))
    vector = [mpmath.mpf(1)] * len(diagonal)
    for _ in range(4 + mpmath.mp.prec.bit_length() // 2):
        vector = _solved(diagonal, beside, value, vector)
        pairs = zip(vector, vector[1:], beside, strict=False)
        squares = zip(vector, diagonal, strict=True)
        before, value = value, (
            mpmath.fsum(number * number * weight for number, weight in squares)
            + 2 * mpmath.fsum(a * b * weight for a, b, weight in pairs)
        )  # fmt: skip
        if abs(value - before) <= abs(value) * mpmath.eps:
            break
    return value, vector


def _located(diagonal: list[float], beside: list[float], place: int) -> float:
    """Return the eigenvalue of which `place` are smaller, by halves."""
    reach = 2.0 * max(map(abs, beside)) + 1.0
    low, high = min(diagonal) - reach, max(diagonal) + reach
    while high - low > 1e-14 * max(1.0, abs(low), abs(high)):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if _smaller(diagonal, beside, middle) > place:
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)


def _smaller(diagonal: list[float], beside: list[float], bound: float) -> int:
    """Return how many eigenvalues are smaller than `bound`: the negative pivots."""
    count, pivot = 0, 1.0
    for k, number in enumerate(diagonal):
        pivot = number - bound - (beside[k - 1] ** 2 / pivot if k else 0.0)
        pivot = pivot or -1e-300
        count += pivot < 0.0
    return count


def _solved(diagonal: list[Any], beside: list[Any], value: Any, right: list[Any]) -> list[Any]:
    """Return the solution of the matrix less `value`, of length 1."""
    ratios: list[Any] = []
    found: list[Any] = []
    for k, number in enumerate(diagonal):
        pivot = number - value - (beside[k - 1] * ratios[-1] if k else 0)
        pivot = pivot or mpmath.eps**2
        found.append((right[k] - (beside[k - 1] * found[-1] if k else 0)) / pivot)
        ratios.append(beside[k] / pivot if k < len(beside) else mpmath.mpf(0))
    for k in range(len(found) - 2, -1, -1):
        found[k] -= ratios[k] * found[k + 1]
    size = mpmath.sqrt(mpmath.fsum(number**2 for number in found))
    return [number / size for number in found]
