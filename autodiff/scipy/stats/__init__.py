"""``scipy.stats`` for plain and tracked values.

The densities and probabilities of these distributions are differentiable in their parameters;
every other name is SciPy's own. ``norm(loc, scale)`` takes tracked parameters too. The point
where a density begins belongs to its support: derivatives there are those from inside.
"""

from __future__ import annotations

from typing import Any

import scipy.stats

from autodiff.scipy.stats.beta import beta
from autodiff.scipy.stats.binom import binom
from autodiff.scipy.stats.chi2 import chi2
from autodiff.scipy.stats.dirichlet import dirichlet
from autodiff.scipy.stats.expon import expon
from autodiff.scipy.stats.gamma import gamma
from autodiff.scipy.stats.laplace import laplace
from autodiff.scipy.stats.logistic import logistic
from autodiff.scipy.stats.lognorm import lognorm
from autodiff.scipy.stats.multivariate_normal import multivariate_normal
from autodiff.scipy.stats.norm import norm
from autodiff.scipy.stats.poisson import poisson
from autodiff.scipy.stats.t import t

__all__ = [
    "beta",
    "binom",
    "chi2",
    "dirichlet",
    "expon",
    "gamma",
    "laplace",
    "logistic",
    "lognorm",
    "multivariate_normal",
    "norm",
    "poisson",
    "t",
]


def __getattr__(name: str) -> Any:
    return getattr(scipy.stats, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *dir(scipy.stats)})
