"""What distributions of one number share: SciPy's arguments, supports, and values outside.

A distribution says its formulas in standard form, as methods ``_logpdf(z, *shapes)`` and so
on, written with functions that have rules. What formulas cannot see is done here: location
and scale, and where the answer is -inf, 0, 1 or NaN instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from autodiff.box import Box, operand, raw
from autodiff.levels import recording
from autodiff.numpy.joining import joined
from autodiff.scipy.mirror import any_box, in_one_call
from autodiff.scipy.stats.frozen import Mirror
from autodiff.values import FLOAT, dtype_of

DENSITIES = frozenset({"logpdf", "pdf", "logpmf", "pmf"})
OUTSIDE = {
    "logpdf": (-math.inf, -math.inf),
    "pdf": (0.0, 0.0),
    "logpmf": (-math.inf, -math.inf),
    "pmf": (0.0, 0.0),
    "cdf": (0.0, 1.0),
    "sf": (1.0, 0.0),
    "logcdf": (-math.inf, 0.0),
    "logsf": (0.0, -math.inf),
}
"""What each method gives below and above the support."""


def doubled(value: Any) -> Any:
    """Return a plain or tracked value in float64, the dtype of what `scipy.stats` gives."""
    value = operand(joined(value))
    if any_box((value,)):
        return value if dtype_of(value) == FLOAT else value.astype(FLOAT)
    return value if type(value) is float else np.asarray(value, FLOAT)[()]


def constant(value: Any, function: str, parameter: str, reason: str) -> Any:
    """Return the plain value of a parameter without a derivative.

    Raises
    ------
    TypeError
        If it is tracked.
    """
    if isinstance(value, Box) and value.is_tracked and (value.level or recording.on):
        raise TypeError(
            f"{function} has no derivative in {parameter}: {reason}. Pass a plain number, or "
            "`autodiff.stop_gradient(v)`"
        )
    return raw(value)


class Distribution(Mirror):
    """A distribution of one number.

    Attributes
    ----------
    shapes : tuple of str
        Its parameters besides `loc` and `scale`, in SciPy's order.
    defaults : dict of str to float
        The parameters that follow.
    """

    shapes: tuple[str, ...] = ()
    defaults: Mapping[str, float] = {"loc": 0.0}

    def _support(self, *shapes: Any) -> tuple[Any, Any]:
        """Return the ends of the support, which belong to it."""
        return -math.inf, math.inf

    def _valid(self, *shapes: Any) -> Any:
        """Return where plain parameters are those of a distribution."""
        valid: Any = True
        for shape in shapes:
            valid = valid & (shape > 0)
        return valid

    def _parameters(self, method: str, args: Any, kwargs: Any) -> list[Any]:
        """Return the parameters of a call by position and keyword, as SciPy takes them."""
        names = (*self.shapes, *self.defaults)
        given = dict(zip(names, args, strict=False))
        wrong = [key for key in kwargs if key in given or key not in names]
        given = {**self.defaults, **given, **kwargs}
        missing = [key for key in self.shapes if key not in given]
        if len(args) > len(names) or wrong or missing:
            raise TypeError(
                f"{self.name}.{method} takes the point, then {', '.join(names)}; it got "
                f"{len(args)} by position and {', '.join(kwargs) or 'none'} by name"
            )
        return [doubled(given[key]) for key in names]

    def _formula(self, method: str, z: Any, shapes: Any) -> Any:
        """Return the formula of `method`, silent as SciPy's."""
        with np.errstate(all="ignore"):
            return getattr(self, f"_{method}")(z, *shapes)

    def _logcdf(self, z: Any, *shapes: Any) -> Any:
        return log_of(self._formula("cdf", z, shapes), self._formula("sf", z, shapes))

    def _logsf(self, z: Any, *shapes: Any) -> Any:
        return log_of(self._formula("sf", z, shapes), self._formula("cdf", z, shapes))

    def _placed(self, method: str, out: Any, inside: Any, valid: Any, above: Any) -> Any:
        """Return `out` inside the support, what belongs to `method` outside, NaN if invalid."""
        if not np.all(inside):
            low, high = OUTSIDE[method]
            out = np.where(inside, out, np.where(above, high, low))
        return out if np.all(valid) else np.where(valid, out, np.nan)


def log_of(part: Any, rest: Any) -> Any:
    """Return the logarithm of a probability, from the other one where that is smaller."""
    small = raw(part) < raw(rest)
    return np.where(
        small, np.log(np.where(small, part, 1.0)), np.log1p(-np.where(small, 0.0, rest))
    )


class Continuous(Distribution):
    """A distribution with a density.

    Attributes
    ----------
    middle : float
        A point inside the support whatever the parameters are, for formulas to see.
    """

    defaults: Mapping[str, float] = {"loc": 0.0, "scale": 1.0}
    middle = 0.0

    @in_one_call
    def _evaluate(self, method: str, x: Any, args: Any, kwargs: Any) -> Any:
        if not (any_box((x, *args)) or any_box(kwargs.values())):
            return getattr(self.original, method)(x, *args, **kwargs)
        *shapes, loc, scale = self._parameters(method, args, kwargs)
        shaped, scaled = self._valid(*map(raw, shapes)), raw(scale) > 0
        if not np.all(shaped):
            shapes = [np.where(shaped, shape, 0.5) for shape in shapes]
        if not np.all(scaled):
            scale = np.where(scaled, scale, 1.0)
        z = (doubled(x) - loc) / scale
        point = raw(z)
        low, high = self._support(*map(raw, shapes))
        valid = shaped & scaled & (point == point)
        inside = valid & (low <= point) & (point <= high) & np.isfinite(point)
        if not np.all(inside):
            z = np.where(inside, z, self.middle)
        out = self._formula(method, z, shapes)
        if method == "logpdf":
            out = out - np.log(scale)
        elif method == "pdf":
            out = out / scale
        return self._placed(method, out, inside, valid, point >= high)

    def _pdf(self, z: Any, *shapes: Any) -> Any:
        return np.exp(self._formula("logpdf", z, shapes))

    def logpdf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the density at `x`."""
        return self._evaluate("logpdf", x, args, kwargs)

    def pdf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Density at `x`."""
        return self._evaluate("pdf", x, args, kwargs)

    def logcdf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the probability of at most `x`."""
        return self._evaluate("logcdf", x, args, kwargs)

    def cdf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Probability of at most `x`."""
        return self._evaluate("cdf", x, args, kwargs)

    def logsf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the probability of more than `x`."""
        return self._evaluate("logsf", x, args, kwargs)

    def sf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Probability of more than `x`."""
        return self._evaluate("sf", x, args, kwargs)


class Discrete(Distribution):
    """A distribution on whole numbers; the number and `loc` have no derivative.

    Attributes
    ----------
    whole : tuple of str
        Parameters that are whole numbers too.
    """

    whole: tuple[str, ...] = ()

    @in_one_call
    def _evaluate(self, method: str, k: Any, args: Any, kwargs: Any) -> Any:
        if not (any_box((k, *args)) or any_box(kwargs.values())):
            return getattr(self.original, method)(k, *args, **kwargs)
        names = ("k", *self.shapes, "loc")
        point, *shapes, loc = (
            value
            if key in self.shapes and key not in self.whole
            else constant(value, f"{self.name}.{method}", key, "it is a whole number")
            for key, value in zip(
                names, (doubled(k), *self._parameters(method, args, kwargs)), strict=True
            )
        )
        point = point - loc
        shaped = self._valid(*map(raw, shapes))
        if not np.all(shaped):
            shapes = [np.where(shaped, shape, 0.5) for shape in shapes]
        low, high = self._support(*map(raw, shapes))
        valid = shaped & (point == point)
        inside = valid & (low <= point) & np.isfinite(point)
        if method in DENSITIES:
            inside = inside & (point <= high) & (point == np.floor(point))
        else:
            inside = inside & (point < high)
        out = self._formula(method, np.where(inside, np.floor(point), 0.0)[()], shapes)
        return self._placed(method, out, inside, valid, point >= high)

    def _pmf(self, k: Any, *shapes: Any) -> Any:
        return np.exp(self._formula("logpmf", k, shapes))

    def logpmf(self, k: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the probability of `k`."""
        return self._evaluate("logpmf", k, args, kwargs)

    def pmf(self, k: Any, *args: Any, **kwargs: Any) -> Any:
        """Probability of `k`."""
        return self._evaluate("pmf", k, args, kwargs)

    def logcdf(self, k: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the probability of at most `k`."""
        return self._evaluate("logcdf", k, args, kwargs)

    def cdf(self, k: Any, *args: Any, **kwargs: Any) -> Any:
        """Probability of at most `k`."""
        return self._evaluate("cdf", k, args, kwargs)

    def logsf(self, k: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the probability of more than `k`."""
        return self._evaluate("logsf", k, args, kwargs)

    def sf(self, k: Any, *args: Any, **kwargs: Any) -> Any:
        """Probability of more than `k`."""
        return self._evaluate("sf", k, args, kwargs)
