"""The rule of zero: zero times anything is zero where a cotangent meets a partial.

A masked branch has cotangent 0, and its partial may be infinite or NaN; their product must
not poison the gradient. Backward uses plain products first and this only if a NaN came out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.values import has_nan


def careful_product(grad: Any, partial: Any) -> Any:
    """Return ``grad * partial``, 0 where either is 0 unless `grad` is NaN."""
    product = grad * partial
    found = raw(product)
    if not has_nan(found):
        return product
    g, p = raw(grad), raw(partial)
    if type(found) is float:
        return 0.0 if g == g and (g == 0.0 or p == 0.0) else product
    zero = (found != found) & (g == g) & ((g == 0.0) | (p == 0.0))
    return np.where(zero, 0.0, product) if np.any(zero) else product


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
