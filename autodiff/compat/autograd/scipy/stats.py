"""`autodiff.scipy.stats`; each distribution can be imported like a module."""

from __future__ import annotations

from autodiff.compat.autograd._delegate import delegate

__path__: list[str] = []

__getattr__, __dir__ = delegate(
    __name__,
    "autodiff.scipy.stats",
    ("beta", "chi2", "dirichlet", "gamma", "multivariate_normal", "norm", "poisson", "t"),
)
