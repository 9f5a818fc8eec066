"""`scipy.signal` on plain and tracked values; a name without a rule is SciPy's own function."""

from __future__ import annotations

from typing import Any

import scipy.signal

from autodiff.scipy.signal.convolutions import (
    convolve,
    convolve2d,
    correlate,
    correlate2d,
    fftconvolve,
    oaconvolve,
)
from autodiff.scipy.signal.filters import filtfilt, lfilter, lfilter_zi, sosfilt

__all__ = [
    "convolve",
    "convolve2d",
    "correlate",
    "correlate2d",
    "fftconvolve",
    "filtfilt",
    "lfilter",
    "lfilter_zi",
    "oaconvolve",
    "sosfilt",
]


def __getattr__(name: str) -> Any:
    return getattr(scipy.signal, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *dir(scipy.signal)})
