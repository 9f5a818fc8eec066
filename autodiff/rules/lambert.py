"""``scipy.special.lambertw``, which calls a ufunc that has no public name."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.calls import function_named
from autodiff.registry import LOADERS, Call


def lambertw(z: Any, k: Any = 0, tol: float = 1e-8) -> Any:
    """Lambert's W function, its principal branch; real for real tracked values.

    Raises
    ------
    TypeError
        For another branch.
    """
    if np.any(raw(k) != 0):
        raise TypeError(
            "scipy.special.lambertw of tracked values has the principal branch, k=0, only; of "
            "another one `w = lambertw(v.value, k)` is plain, and 1 / (exp(w) * (1 + w)) its "
            "derivative, for autodiff.custom_rule"
        )
    return function_named("lambertw")(z)


def _load(function: Any) -> Call | None:
    """Return `lambertw` for the ufunc behind SciPy's function."""
    return lambertw if getattr(function, "__name__", "") == "_lambertw" else None


LOADERS.append(_load)
