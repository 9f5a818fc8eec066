"""Functions without a derivative that give plain values: counts, indices, conditions, shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.registry import CALLS

FUNCTIONS = (
    np.all,
    np.allclose,
    np.any,
    np.argmax,
    np.argmin,
    np.argpartition,
    np.argsort,
    np.argwhere,
    np.array2string,
    np.array_equal,
    np.array_equiv,
    np.array_repr,
    np.array_str,
    np.can_cast,
    np.common_type,
    np.count_nonzero,
    np.diag_indices_from,
    np.digitize,
    np.einsum_path,
    np.empty_like,
    np.equal,
    np.flatnonzero,
    np.greater,
    np.greater_equal,
    np.isclose,
    np.iscomplex,
    np.iscomplexobj,
    np.isfinite,
    np.isin,
    np.isinf,
    np.isnan,
    np.isneginf,
    np.isposinf,
    np.isreal,
    np.isrealobj,
    np.less,
    np.less_equal,
    np.lexsort,
    np.logical_and,
    np.logical_not,
    np.logical_or,
    np.logical_xor,
    np.linalg.matrix_rank,
    np.may_share_memory,
    np.min_scalar_type,
    np.nanargmax,
    np.nanargmin,
    np.ndim,
    np.nonzero,
    np.not_equal,
    np.ones_like,
    np.ravel_multi_index,
    np.result_type,
    np.save,
    np.savetxt,
    np.savez,
    np.savez_compressed,
    np.searchsorted,
    np.shape,
    np.shares_memory,
    np.signbit,
    np.size,
    np.tril_indices_from,
    np.triu_indices_from,
    np.unravel_index,
    np.zeros_like,
)

BY_SHAPE = frozenset(
    {
        np.can_cast,
        np.common_type,
        np.empty_like,
        np.iscomplexobj,
        np.isrealobj,
        np.may_share_memory,
        np.min_scalar_type,
        np.ndim,
        np.ones_like,
        np.result_type,
        np.shape,
        np.size,
        np.zeros_like,
    }
)
"""Functions that ask for shape and dtype only."""


def plain(value: Any) -> Any:
    """Return `value` without boxes, also inside lists and tuples."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return raw(value)


def on_plain_values(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function` as a function of tracked values, which gives plain ones."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*map(plain, args), **{key: plain(given) for key, given in kwargs.items()})

    return call


for _function in FUNCTIONS:
    CALLS[_function] = on_plain_values(_function)
