"""micrograd's `Value`: floats only; it has no sin and no exp."""

from __future__ import annotations

from typing import Any

from micrograd.engine import Value

from benchmarks import formulas
from benchmarks.peers import Step


def product(x: float, y: float) -> Step:
    def step() -> Any:
        a, b = Value(x), Value(y)
        out = formulas.product(None, a, b)
        out.backward()
        return out.data, a.grad, b.grad

    return step


def chain(x: float, length: int) -> Step:
    def step() -> Any:
        a = Value(x)
        out = formulas.chain(None, a, length)
        out.backward()
        return out.data, a.grad

    return step


CONTENDERS = {"micrograd": {"product": product, "chain": chain}}
