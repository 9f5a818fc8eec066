"""Derivatives of plain NumPy code: a thin tape on generated rules.

>>> import numpy as np
>>> import autodiff as ad
>>> x = ad.Variable([0.5, 1.0])
>>> loss = np.sum(np.sin(x) * x)
>>> loss.backward()
>>> np.round(x.grad, 6)
array([0.918217, 1.381773])
>>> ad.grad(lambda t: np.exp(-t) * t)(0.5)
0.3032653298563167

Every elementwise function of the table is ``autodiff.<name>`` too, on floats, arrays and
tracked values.
"""

from __future__ import annotations

from typing import Any

from autodiff import operators, rules  # noqa: F401 -- importing them is what they are for
from autodiff.calls import call_of
from autodiff.custom import custom_rule
from autodiff.elementwise import named, names, register
from autodiff.levels import no_grad
from autodiff.transforms import grad, hessian, jacobian, jvp, value_and_grad, vjp
from autodiff.variable import Variable

__all__ = [
    "Variable",
    "check_grads",
    "custom_rule",
    "grad",
    "hessian",
    "jacobian",
    "jvp",
    "no_grad",
    "register",
    "value_and_grad",
    "vjp",
]


def __getattr__(name: str) -> Any:
    if name == "check_grads":
        from autodiff.checking import check_grads

        return check_grads
    rule = named(name)
    if rule is None:
        raise AttributeError(
            f"module 'autodiff' has no attribute {name!r}: neither part of its interface nor an "
            "elementwise function of the table"
        )
    globals()[name] = call = call_of(rule)
    return call


def __dir__() -> list[str]:
    return sorted({*__all__, *names()})
