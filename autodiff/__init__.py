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

from importlib import import_module
from typing import Any

from autodiff import operators, rules  # noqa: F401 -- importing them is what they are for
from autodiff.calls import function_named
from autodiff.checkpointing import checkpoint
from autodiff.containers import flatten
from autodiff.custom import custom_rule
from autodiff.elementwise import add_package, function_names
from autodiff.levels import no_grad
from autodiff.matrices import hessian, jacobian
from autodiff.products import hvp, jvp, vjp
from autodiff.transforms import (
    elementwise_grad,
    grad,
    grad_and_aux,
    holomorphic_grad,
    stop_gradient,
    value_and_grad,
)
from autodiff.variable import Variable

__all__ = [
    "AnomalyWarning",
    "Variable",
    "check_grads",
    "checkpoint",
    "compile",
    "cond",
    "custom_rule",
    "detect_anomaly",
    "draw",
    "elementwise_grad",
    "flatten",
    "grad",
    "grad_and_aux",
    "hessian",
    "holomorphic_grad",
    "hvp",
    "jacobian",
    "jvp",
    "no_grad",
    "register",
    "scan",
    "stop_gradient",
    "to_sympy",
    "value_and_grad",
    "vjp",
    "while_loop",
]


# What a plain import need not load.
_LAZY = {
    "AnomalyWarning": "autodiff.anomalies",
    "check_grads": "autodiff.checking",
    "compile": "autodiff.compiler.compiled",
    "cond": "autodiff.control",
    "detect_anomaly": "autodiff.anomalies",
    "draw": "autodiff.drawing",
    "scan": "autodiff.control",
    "to_sympy": "autodiff.symbolic",
    "while_loop": "autodiff.control",
}
_SUBMODULES = frozenset({"compat", "numpy", "scipy"})
_looked_up: set[str] = set()


def register(package: str) -> None:
    """Make the functions of a generated package differentiable.

    Packages written by ``python -m generator --rules ... --out ...`` call this when they are
    imported. Their functions are then attributes of `autodiff` too; of two with one name the
    last registered wins.

    Parameters
    ----------
    package : str
        Dotted name of the package.

    Raises
    ------
    ValueError
        If it is not a package the generator wrote.
    """
    for name in add_package(package) & _looked_up:
        globals().pop(name, None)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("diffrules")
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    if name in _SUBMODULES:
        return import_module(f"autodiff.{name}")
    try:
        globals()[name] = call = function_named(name)
    except KeyError:
        raise AttributeError(
            f"module 'autodiff' has no attribute {name!r}: neither part of its interface nor an "
            "elementwise function of the table; docs/coming_from.md lists the names of autograd, "
            "JAX and PyTorch beside ours"
        ) from None
    _looked_up.add(name)
    return call


def __dir__() -> list[str]:
    return sorted({*__all__, *_SUBMODULES, *function_names()})
