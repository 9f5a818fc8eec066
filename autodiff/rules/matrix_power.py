"""Whole powers of square matrices."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.primitives import implements


@implements(np.linalg.matrix_power)
def matrix_power(a: Any, n: int) -> Any:
    """Product of `n` copies of `a`; of its inverse if `n` is negative."""
    a, exponent = operand(a), operator.index(n)
    if exponent == 0:
        return np.linalg.matrix_power(raw(a), 0)
    base = a if exponent > 0 else np.linalg.inv(a)
    result = base
    for bit in f"{abs(exponent):b}"[1:]:
        result = result @ result
        if bit == "1":
            result = result @ base
    return result
