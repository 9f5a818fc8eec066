"""`autodiff.numpy.random`."""

from __future__ import annotations

from autodiff.compat.autograd._delegate import delegate

__getattr__, __dir__ = delegate(__name__, "autodiff.numpy.random")
