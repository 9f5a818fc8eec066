"""The rule of zero: zero times anything is zero where a cotangent meets a partial.

A masked branch has cotangent 0, and its partial may be infinite or NaN; their product must
not poison the gradient. Backward uses plain products first and this only if a NaN came out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import apply, raw
from autodiff.values import has_nan, unbroadcast


def careful_product(grad: Any, partial: Any) -> Any:
    """Return ``grad * partial``, 0 where either is 0 unless `grad` is NaN.

    Its derivatives are those of a product, also where it was 0 by the rule.
    """
    return apply(PRODUCT, (grad, partial), {})


def _product(grad: Any, partial: Any) -> Any:
    product = grad * partial
    if not has_nan(product):
        return product
    if type(product) is float:
        return 0.0 if grad == grad and (grad == 0.0 or partial == 0.0) else product
    zero = (product != product) & (grad == grad) & ((grad == 0.0) | (partial == 0.0))
    return np.where(zero, 0.0, product)


class Product:
    """The rule of `careful_product`: what `Primitive` offers, for this one function."""

    name = "a product under the rule of zero"
    selective = False
    forward = staticmethod(_product)

    def __init__(self) -> None:
        self.plans: dict[int, tuple[bool, Sequence[int]]] = {}

    def plan(self, tracked: int, count: int) -> tuple[bool, Sequence[int]]:
        """Keep both factors."""
        return False, ()

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangent of each factor."""
        factors = (_factor(*args), args[0])
        return [
            None
            if source is None
            else unbroadcast(careful_product(grad, factor), node.shape, source.shape)
            for factor, source in zip(factors, node.inputs, strict=True)
        ]

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the change of the product."""
        (grad, partial), (of_grad, of_partial) = args, tangents
        if of_partial is None:
            return careful_product(of_grad, _factor(grad, partial))
        change = careful_product(grad, of_partial)
        if of_grad is None:
            return change
        return change + careful_product(of_grad, _factor(grad, partial))


def _factor(grad: Any, partial: Any) -> Any:
    """Return the derivative of the product in `grad`: 0 where a NaN was removed by the rule."""
    removed = (raw(grad) == 0.0) & np.isnan(raw(partial))
    return np.where(removed, 0.0, partial) if np.any(removed) else partial


PRODUCT = Product()


def careful_bilinear(form: Callable[[Any, Any], Any], grad: Any, operand: Any) -> Any:
    """Return ``form(grad, operand)``, a sum of products, each under the rule of zero.

    Entries of `operand` that meet only zero cotangents count as 0.

    Parameters
    ----------
    form : callable
        Bilinear; each entry of its result is a sum of products of entries.
    grad, operand : array
        Cotangent and the other factor.
    """
    plain = form(grad, operand)
    if not np.any(np.isnan(raw(plain))):
        return plain
    g, x = np.asarray(raw(grad)), np.asarray(raw(operand))
    # How many products of each sum are neither a number nor removed by the rule.
    lost = form(_float(g != 0), _float(~np.isfinite(x)))
    lost = lost + form(_float(~np.isfinite(g)), _float(x != 0))
    lost = lost + form(_float(np.isnan(g)), np.ones_like(x, dtype=float))
    clean = form(
        np.where(np.isfinite(g), grad, 0.0) if not np.isfinite(g).all() else grad,
        np.where(np.isfinite(x), operand, 0.0) if not np.isfinite(x).all() else operand,
    )
    return np.where(lost > 0, plain, clean)


def _float(condition: Any) -> Any:
    return np.asarray(condition, dtype=float)
