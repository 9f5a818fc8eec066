"""Binning: sums of weights have derivatives, counts have none."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.primitives import Linear, implements
from autodiff.registry import refuse


def _bincount(weights: Any, *, bins: Any, minlength: int) -> Any:
    return np.bincount(bins, weights, minlength)


bincount_rule = Linear(
    "np.bincount", _bincount, lambda grad, weights, *, bins, minlength: grad[bins]
)


@implements(np.bincount)
def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    """Sum of the `weights` of each integer in `x`; without weights a plain count."""
    if weights is None:
        return np.bincount(raw(x), None, minlength)
    return bincount_rule(weights, bins=np.asarray(raw(x)), minlength=minlength)


_STEPS = (
    "counts jump where an entry passes an edge and are constant elsewhere; for counts call it "
    "with plain arrays, for a smooth density sum kernels, np.exp(-((x - grid) / width)**2)"
)
for _function in (np.histogram, np.histogram2d, np.histogramdd):
    refuse(_function, _STEPS)
refuse(np.histogram_bin_edges, "the number of edges jumps; call it with plain arrays")
