"""NumPy's `fft`, for lists with tracked values in them too."""

from __future__ import annotations

from typing import Any

import numpy as _numpy

from autodiff.numpy.wrappers import mirrored as _mirrored


def __getattr__(name: str) -> Any:
    globals()[name] = found = _mirrored(getattr(_numpy.fft, name))
    return found


def __dir__() -> list[str]:
    return dir(_numpy.fft)
