"""NumPy's namespace for tracked values: ``import autodiff.numpy as np``.

Plain ``import numpy as np`` differentiates too, through NumPy's protocols. This mirror adds what
they do not reach: lists with tracked values in them, `array` of such, arrays from `zeros` that
take tracked values by assignment, integer types, `r_` and `c_`. Everything else is NumPy's own;
plain arrays in, plain arrays out.

>>> import autodiff as ad
>>> import autodiff.numpy as np
>>> ad.grad(lambda x: np.sum(np.array([x, x**2, 1.0])))(3.0)
7.0
>>> def first_row(x):
...     table = np.zeros((2, 2))
...     table[0] = x
...     return np.sum(table**2)
>>> ad.grad(first_row)(3.0)
12.0
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as _numpy

from autodiff.numpy import concatenators as _concatenators
from autodiff.numpy import creation as _creation
from autodiff.numpy.wrappers import mirrored as _mirrored

_MODULES = frozenset({"fft", "linalg", "random"})
_OWN = {
    **{name: getattr(_creation, name) for name in _creation.__all__},
    "c_": _concatenators.c_,
    "r_": _concatenators.r_,
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    try:
        found = _OWN[name] if name in _OWN else _mirrored(getattr(_numpy, name))
    except AttributeError:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}, and NumPy has none either"
        ) from None
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*dir(_numpy), *globals()})
