"""A distribution of SciPy as a mirror of it, and with its parameters given."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import scipy.stats


class Mirror:
    """Mirror of a distribution of ``scipy.stats``; what a subclass does not define is SciPy's.

    Attributes
    ----------
    name : str
        SciPy's name of the distribution.
    """

    name = ""

    @property
    def original(self) -> Any:
        """SciPy's distribution."""
        return getattr(scipy.stats, self.name)

    def __repr__(self) -> str:
        return f"<autodiff.scipy.stats.{self.name}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.original, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Frozen:
        """Return the distribution with its parameters given."""
        return Frozen(self, args, kwargs)


class Frozen:
    """A distribution with its parameters given, plain or tracked: ``norm(0, s).logpdf(x)``."""

    def __init__(self, dist: Mirror, args: Any, kwds: Any) -> None:
        self.dist, self.args, self.kwds = dist, args, kwds

    def __repr__(self) -> str:
        given = [*map(repr, self.args), *(f"{key}={value!r}" for key, value in self.kwds.items())]
        return f"{self.dist.name}({', '.join(given)})"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if callable(getattr(type(self.dist), name, None)):
            return functools.partial(self._call, getattr(self.dist, name))
        return getattr(self.dist.original(*self.args, **self.kwds), name)

    def _call(self, method: Callable[..., Any], *point: Any, **named: Any) -> Any:
        return method(*point, *self.args, **named, **self.kwds)
