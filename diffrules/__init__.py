"""Rules of differentiation: every elementwise function once, with its partials.

>>> import diffrules
>>> diffrules.diffrule("sin", "x")
(cos(x),)
>>> diffrules.hasdiffrule("hypot", 2)
True
"""

from __future__ import annotations

from diffrules import (  # noqa: F401 -- importing a family fills the table
    activations,
    arithmetic,
    exponential,
    hyperbolic,
    piecewise,
    powers,
    special,
    trigonometric,
)
from diffrules.entry import RULES, Rule, RuleError
from diffrules.queries import diffrule, diffrules, hasdiffrule
from diffrules.table import rule

__all__ = ["RULES", "Rule", "RuleError", "diffrule", "diffrules", "hasdiffrule", "rule"]
