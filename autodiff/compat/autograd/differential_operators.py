"""Derivatives of functions, chosen by ``argnum``."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import autodiff as ad
from autodiff.arguments import name_of
from autodiff.box import raw
from autodiff.compat.autograd import core
from autodiff.compat.autograd.core import vspace
from autodiff.compat.autograd.wrap_util import unary_to_nary
from autodiff.containers import is_container
from autodiff.transforms import described
from autodiff.values import is_complex, shape_of

Function = Callable[..., Any]

__all__ = [
    "checkpoint",
    "deriv",
    "elementwise_grad",
    "grad",
    "grad_and_aux",
    "grad_named",
    "hessian",
    "hessian_tensor_product",
    "hessian_vector_product",
    "holomorphic_grad",
    "jacobian",
    "make_ggnvp",
    "make_hvp",
    "make_jvp",
    "make_jvp_reversemode",
    "make_vjp",
    "multigrad_dict",
    "tensor_jacobian_product",
    "value_and_grad",
    "vector_jacobian_product",
]


@unary_to_nary
def make_vjp(f: Function, x: Any) -> tuple[Function, Any]:
    """Return the function that pulls a cotangent of the result back, and the result."""
    return core.make_vjp(f, x)


@unary_to_nary
def make_jvp(f: Function, x: Any) -> Function:
    """Return the function that takes a tangent and gives the result and its change."""
    return core.make_jvp(f, x)


@unary_to_nary
def make_jvp_reversemode(f: Function, x: Any) -> Function:
    """Return the function that takes a tangent and gives the change, by two reverse passes."""
    pullback, value = core.make_vjp(f, x)
    with warnings.catch_warnings():
        # Of a constant function nothing depends on the cotangent: the change is 0.
        warnings.simplefilter("ignore", UserWarning)
        return core.make_vjp(pullback, vspace(value).zeros())[0]


@unary_to_nary
def value_and_grad(f: Function, x: Any) -> tuple[Any, Any]:
    """Return the result, a real array with one entry or a number, and its gradient."""
    pullback, value = core.make_vjp(f, x)
    return value, pullback(_one(value, f))


@unary_to_nary
def grad(f: Function, x: Any) -> Any:
    """Return the gradient of a function that gives a real number, or an array of one."""
    pullback, value = core.make_vjp(f, x)
    return pullback(_one(value, f))


@unary_to_nary
def elementwise_grad(f: Function, x: Any) -> Any:
    """Return the gradient of the sum of what `f` gives, real numbers."""
    pullback, value = core.make_vjp(f, x)
    _check_real(value, f, "elementwise_grad")
    return pullback(vspace(value).ones())


@unary_to_nary
def deriv(f: Function, x: Any) -> Any:
    """Return the change of the result along the vector of ones, in forward mode."""
    return core.make_jvp(f, x)(vspace(x).ones())[1]


@unary_to_nary
def holomorphic_grad(f: Function, x: Any) -> Any:
    """Return the complex derivative of a holomorphic function that gives one number."""
    if not is_complex(raw(x)):
        warnings.warn(
            f"holomorphic_grad of {name_of(f)} got an argument that is not complex",
            UserWarning,
            stacklevel=3,
        )

    def real_part(x: Any) -> Any:
        return np.real(f(x))

    pullback, value = core.make_vjp(real_part, x)
    return pullback(_one(value, f))


@unary_to_nary
def grad_and_aux(f: Function, x: Any) -> tuple[Any, Any]:
    """Return the gradient and the second thing, of a function that gives a pair."""
    found: tuple[Any, Any] = ad.grad_and_aux(f)(x)
    return found


@unary_to_nary
def jacobian(f: Function, x: Any) -> Any:
    """Return all partial derivatives, in reverse mode: the shape of the result, then of `x`."""
    return ad.jacobian(f, mode="reverse")(x)


@unary_to_nary
def hessian(f: Function, x: Any) -> Any:
    """Return all second derivatives, in reverse mode only: rules need no jvp."""
    return jacobian(jacobian(f))(x)


@unary_to_nary
def make_hvp(f: Function, x: Any) -> tuple[Function, Any]:
    """Return the function that multiplies the Hessian with a vector, and the gradient."""
    return core.make_vjp(grad(f), x)


def hessian_tensor_product(f: Function, argnum: Any = 0) -> Function:
    """Return the function of the arguments of `f` and a vector: the Hessian times the vector."""

    def product(*args: Any, **kwargs: Any) -> Any:
        return make_hvp(f, argnum)(*args[:-1], **kwargs)[0](args[-1])

    return described(product, "hessian_tensor_product", f)


hessian_vector_product = hessian_tensor_product


def tensor_jacobian_product(f: Function, argnum: Any = 0) -> Function:
    """Return the function of the arguments of `f` and a tensor: the tensor times the Jacobian.

    The axes of the tensor are those of the result that come first.
    """

    def product(*args: Any, **kwargs: Any) -> Any:
        *given, tensor = args

        def contracted(*args: Any, **kwargs: Any) -> Any:
            return np.tensordot(tensor, f(*args, **kwargs), axes=np.ndim(tensor))

        return jacobian(contracted, argnum)(*given, **kwargs)

    return described(product, "tensor_jacobian_product", f)


vector_jacobian_product = tensor_jacobian_product


def _half_square(x: Any) -> Any:
    return 0.5 * np.sum(x**2, axis=-1)


def make_ggnvp(f: Function, g: Function = _half_square, f_argnum: Any = 0) -> Function:
    """Return the maker of products with the generalized Gauss-Newton matrix of ``g(f(x))``.

    That is ``J.T @ H @ J``, with the Jacobian J of `f` and the Hessian H of `g`.
    """

    @unary_to_nary
    def ggnvp_maker(f: Function, x: Any) -> Function:
        pull, value = core.make_vjp(f, x)
        multiply, _ = make_hvp(g)(value)
        push = make_jvp_reversemode(f)(x)
        return lambda vector: pull(multiply(push(vector)))

    maker: Function = ggnvp_maker(f, f_argnum)
    return maker


def multigrad_dict(f: Function) -> Function:
    """Return the function that gives the gradients in all arguments, a dict by their names."""
    signature = inspect.signature(f)

    def gradients(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()

        def of_dict(values: dict[str, Any]) -> Any:
            given = inspect.BoundArguments(signature, values)
            return f(*given.args, **given.kwargs)

        return grad(of_dict)(dict(bound.arguments))

    return described(gradients, "multigrad_dict", f)


def grad_named(f: Function, argname: str) -> Function:
    """Return the function that gives the gradient in the argument called `argname`."""
    gradient: Function = grad(f, list(inspect.signature(f).parameters).index(argname))
    return gradient


checkpoint = ad.checkpoint


def _one(value: Any, f: Function) -> Any:
    """Return the cotangent 1 of a real number or an array with one entry."""
    _check_real(value, f, "grad")
    if np.size(raw(value)) != 1:
        raise TypeError(
            f"grad of {name_of(f)} needs one number, but it gave shape {shape_of(value)}; use "
            "jacobian, elementwise_grad, or reduce it, np.sum(...)"
        )
    return vspace(value).ones()


def _check_real(value: Any, f: Function, operator: str) -> None:
    if is_container(value):
        raise TypeError(f"{operator} of {name_of(f)} needs real numbers, but it gave a container")
    if is_complex(raw(value)):
        raise TypeError(
            f"{operator} of {name_of(f)} needs real numbers, but it gave complex ones; take the "
            "real part, or use holomorphic_grad"
        )
    if np.asarray(raw(value)).dtype == bool:
        raise TypeError(f"{operator} of {name_of(f)} needs numbers, but it gave a condition")
