"""Vectors of parameters, optimizers, fixed points."""

from __future__ import annotations

from autodiff.compat.autograd.misc.fixed_points import fixed_point
from autodiff.containers import flatten

__all__ = ["fixed_point", "flatten"]
