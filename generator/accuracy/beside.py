"""Values and gradients of the peers, torch, jax and autograd, at the points of an entry."""

from __future__ import annotations

import importlib
import multiprocessing
from collections.abc import Callable, Sequence
from functools import cache
from multiprocessing.pool import Pool
from types import TracebackType
from typing import Any

import numpy as np

from diffrules.entry import Rule
from generator.accuracy import peers
from generator.accuracy.quantities import Quantity
from generator.accuracy.reference import Point
from generator.accuracy.twins import columns
from generator.accuracy.ulp import Array, Numbers

NAMES = ("torch", "jax", "autograd")
# The median value must be right to so much, else the name means another function there.
LIKE = 1e-6
# A peer may take so long for all points of a quantity; the first call imports it, too.
SECONDS = 40.0


def _bessel(order: int) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        return importlib.import_module("jax.scipy.special").bessel_jn(x, v=order)[order]

    return function


# What other arguments, or the other sign, make of a function of a peer.
ADAPTED: dict[tuple[str, str], Callable[..., Any]] = {
    ("jax", "j0"): _bessel(0),
    ("jax", "j1"): _bessel(1),
    ("jax", "log1mexp"): lambda x: importlib.import_module("jax.nn").log1mexp(-x),
}


class Peer:
    """One peer, in double precision.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        if name == "jax":
            importlib.import_module("jax").config.update("jax_enable_x64", True)

    def computed(self, quantity: Quantity, points: Sequence[Point]) -> Array | None:
        """Return a value or a partial; None if the peer has no such thing."""
        function = self._function(quantity.rule)
        if function is None:
            return None
        call = {"torch": _of_torch, "jax": _of_jax, "autograd": _of_autograd}[self.name]
        result = np.full(len(points), np.nan)
        try:
            with np.errstate(all="ignore"):
                for chosen, args in columns(quantity.rule, points, np.float64):
                    result[chosen] = call(function, quantity.along, args)
        except Exception:
            # Whatever it raises, it has no answer.
            return None
        return result

    def _function(self, rule: Rule) -> Callable[..., Any] | None:
        if not rule.is_public:
            return None
        return ADAPTED.get((self.name, rule.name)) or peers.function(self.name, rule)


def is_like(computed: Array, exact: Numbers) -> bool:
    """Return whether most values of a peer are those of the entry."""
    right = exact.rounded()
    usual = exact.known & np.isfinite(right) & (right != 0)
    with np.errstate(all="ignore"):
        off = np.abs(computed[usual] / right[usual] - 1.0)
    return bool(len(off)) and bool(np.median(np.nan_to_num(off, nan=1.0)) < LIKE)


class PeerProcess:
    """The peers that are installed, in a process of their own: some functions never return.

    Parameters
    ----------
    seconds : float
        What never returns in this time has no answer.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._pool: Pool | None = None
        self.names = [name for name in NAMES if peers.installed(name)]

    def __enter__(self) -> PeerProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def computed(self, name: str, quantity: Quantity, points: Sequence[Point]) -> Array | None:
        """Return a value or a partial of a peer; None if it has no such thing."""
        if self._pool is None:
            # Libraries with threads of their own cannot be forked.
            self._pool = multiprocessing.get_context("spawn").Pool(1)
        found = self._pool.apply_async(_computed, (name, quantity, list(points)))
        try:
            return found.get(self._seconds)
        except multiprocessing.TimeoutError:
            self._end()
            return None

    def _end(self) -> None:
        if self._pool is not None:
            self._pool.terminate()
            self._pool.join()
            self._pool = None


@cache
def _peer(name: str) -> Peer:
    return Peer(name)


def _computed(name: str, quantity: Quantity, points: list[Point]) -> Array | None:
    return _peer(name).computed(quantity, points)


def _of_torch(function: Callable[..., Any], along: Sequence[int], args: list[Any]) -> Any:
    torch = importlib.import_module("torch")
    given: list[Any] = [arg if isinstance(arg, int) else torch.tensor(arg) for arg in args]
    for index in along:
        given[index].requires_grad_(True)
    out = function(*given)
    return torch.autograd.grad(out.sum(), given[along[0]])[0].numpy() if along else out.numpy()


def _of_jax(function: Callable[..., Any], along: Sequence[int], args: list[Any]) -> Any:
    if not along:
        return np.asarray(function(*args))
    grad = importlib.import_module("jax").grad
    return np.asarray(grad(lambda *given: function(*given).sum(), along[0])(*args))


def _of_autograd(function: Callable[..., Any], along: Sequence[int], args: list[Any]) -> Any:
    if not along:
        return np.asarray(function(*args))
    elementwise_grad = importlib.import_module("autograd").elementwise_grad
    return np.asarray(elementwise_grad(function, along[0])(*args))
