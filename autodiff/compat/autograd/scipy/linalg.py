"""`autodiff.scipy.linalg`."""

from __future__ import annotations

from autodiff.compat.autograd._delegate import delegate

__getattr__, __dir__ = delegate(__name__, "autodiff.scipy.linalg")
