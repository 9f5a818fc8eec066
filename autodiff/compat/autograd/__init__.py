"""HIPS/autograd's public names on this engine: ``from autodiff.compat import autograd``.

A package written for autograd runs after its imports are changed from ``autograd`` to
``autodiff.compat.autograd``. Here, and only here, the arguments to differentiate are chosen by
``argnum``, an int or a list of ints, and a function may give any array with one entry where a
number is needed. Tracked values are those of `autodiff`, so the two interfaces mix.

>>> import autodiff.compat.autograd.numpy as np
>>> from autodiff.compat.autograd import grad
>>> grad(lambda x, y: np.sum(x * y), argnum=[0, 1])(2.0, 3.0)
(3.0, 2.0)
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from autodiff.compat.autograd.builtins import dict, isinstance, list, tuple, type
from autodiff.compat.autograd.differential_operators import (
    checkpoint,
    deriv,
    elementwise_grad,
    grad,
    grad_and_aux,
    grad_named,
    hessian,
    hessian_tensor_product,
    hessian_vector_product,
    holomorphic_grad,
    jacobian,
    make_ggnvp,
    make_hvp,
    make_jvp,
    make_jvp_reversemode,
    make_vjp,
    multigrad_dict,
    tensor_jacobian_product,
    value_and_grad,
    vector_jacobian_product,
)

__all__ = [
    "checkpoint",
    "deriv",
    "dict",
    "elementwise_grad",
    "grad",
    "grad_and_aux",
    "grad_named",
    "hessian",
    "hessian_tensor_product",
    "hessian_vector_product",
    "holomorphic_grad",
    "isinstance",
    "jacobian",
    "list",
    "make_ggnvp",
    "make_hvp",
    "make_jvp",
    "make_jvp_reversemode",
    "make_vjp",
    "multigrad_dict",
    "primitive",
    "tensor_jacobian_product",
    "tuple",
    "type",
    "value_and_grad",
    "vector_jacobian_product",
]

_SUBMODULES = frozenset(
    {
        "builtins",
        "core",
        "extend",
        "misc",
        "numpy",
        "scipy",
        "test_util",
        "tracer",
        "util",
        "wrap_util",
    }
)


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if name == "primitive":
        from autodiff.compat.autograd.extend import primitive

        return primitive
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> Any:
    return sorted({*__all__, *_SUBMODULES})
