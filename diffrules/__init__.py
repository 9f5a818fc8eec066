"""Rules of differentiation: every elementwise function once, with its partials.

>>> import diffrules
>>> diffrules.diffrule("sin", "x")
(cos(x),)
>>> diffrules.hasdiffrule("hypot", 2)
True
"""

from __future__ import annotations

try:
    import sympy  # noqa: F401 -- everything below needs it
except ImportError as error:
    raise ImportError(
        "the table of rules is written in SymPy, which is not installed: "
        "pip install 'diffrules[generate]'. To differentiate, `import autodiff`, which needs "
        "NumPy alone"
    ) from error

from diffrules import (  # noqa: F401 -- importing a family fills the table
    activations,
    airy,
    arithmetic,
    bessel,
    bessel_integrals,
    carlson,
    degrees,
    distributions,
    elliptic,
    errors,
    exponential,
    faddeeva,
    gammas,
    hyperbolic,
    hypergeometric,
    incomplete,
    information,
    integrals,
    kelvin,
    kolmogorov,
    lambert,
    logistic,
    mathieu,
    noncentral,
    orthogonal,
    parabolic,
    piecewise,
    powers,
    spherical,
    spheroidal,
    struve,
    transforms,
    trigonometric,
    wright,
)
from diffrules.entry import RULES, Rule, RuleError, expand_calls
from diffrules.queries import diffrule, diffrules, hasdiffrule
from diffrules.table import rule

__all__ = [
    "RULES",
    "Rule",
    "RuleError",
    "diffrule",
    "diffrules",
    "expand_calls",
    "hasdiffrule",
    "rule",
]
