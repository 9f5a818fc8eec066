"""`check_grads`: derivatives against finite differences, and the two modes against each other."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.transforms import jvp, vjp
from autodiff.values import shape_of

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

STEP = 2e-4
MOST_ENTRIES = 64


class GradientError(AssertionError):
    """A derivative differs from what finite differences or the other mode say."""


def check_grads(
    f: Function,
    args: Sequence[Any],
    order: int = 2,
    modes: Sequence[str] = ("reverse", "forward"),
    *,
    rtol: float = 1e-6,
    atol: float = 1e-7,
    seed: int = 0,
) -> None:
    """Check the derivatives of `f` at `args`.

    For each order and mode the derivative is compared, entry by entry, with central
    differences of fourth order in float64, and the modes with each other by the identity
    ``<v, J'w> = <Jv, w>``.

    Parameters
    ----------
    f : callable
        Gives a real number or array; smooth around `args`.
    args : sequence of numbers or arrays
        All differentiated. Below float64 they are converted, with a warning.
    order : int
        Highest order checked.
    modes : sequence of {"reverse", "forward"}
    rtol, atol : float
        Accepted difference. The absolute one is taken relative to the largest entry too.
    seed : int
        Of the random directions.

    Raises
    ------
    GradientError
        Names the function, the argument, the entry, and both numbers.

    Examples
    --------
    >>> check_grads(lambda x, y: np.sin(x) * y**2, (0.5, np.array([1.0, 2.0])))
    """
    if not modes or set(modes) - {"reverse", "forward"}:
        raise ValueError(f"modes are 'reverse', 'forward' or both, not {modes!r}")
    if order < 1:
        raise ValueError(f"order is 1 or more, not {order}")
    if not isinstance(args, (tuple, list)):
        raise TypeError("args is a tuple of the arguments of f; write (x,) for a single one")
    _Check(modes, rtol, atol, np.random.default_rng(seed)).run(
        f, [_as_float64(arg) for arg in args], order, getattr(f, "__name__", repr(f)), 1
    )


class _Check:
    def __init__(
        self, modes: Sequence[str], rtol: float, atol: float, rng: np.random.Generator
    ) -> None:
        self.modes, self.rtol, self.atol, self.rng = modes, rtol, atol, rng

    def run(self, f: Function, args: list[Array], left: int, name: str, order: int) -> None:
        """Check order `order` of `f`, and the `left` - 1 orders above it."""
        value = f(*args)
        weights = self.rng.standard_normal(shape_of(value))
        tangents: list[Any] = [self.rng.standard_normal(arg.shape) for arg in args]
        what = f"{name}, order {order}"
        pulled = pushed = None
        if "reverse" in self.modes:
            pulled = vjp(f, *args)[1](weights)
            self._entries(f, args, weights, pulled, what)
        if "forward" in self.modes:
            pushed = jvp(f, args, tangents)[1]
            numeric = _difference(f, args, tangents)
            self._equal(pushed, numeric, f"{what}, forward mode along a direction, output")
        if pulled is not None and pushed is not None:
            left_side = sum(float(np.sum(t * p)) for t, p in zip(tangents, pulled, strict=True))
            right_side = float(np.sum(weights * pushed))
            self._equal(left_side, right_side, f"{what}, <v, J'w> = <Jv, w>")
        if left > 1:
            if "reverse" in self.modes:
                for number in range(len(args)):

                    def gradient(*given: Any, number: int = number) -> Any:
                        return vjp(f, *given)[1](weights)[number]

                    self.run(gradient, args, left - 1, f"{name}, argument {number}", order + 1)
            if "forward" in self.modes:
                self.run(lambda *given: jvp(f, given, tangents)[1], args, left - 1, name, order + 1)

    def _entries(
        self, f: Function, args: list[Array], weights: Any, pulled: Sequence[Any], what: str
    ) -> None:
        """Compare reverse mode with differences in single entries, at most 64 an argument."""
        for number, arg in enumerate(args):
            indices = list(np.ndindex(*arg.shape))
            if len(indices) > MOST_ENTRIES:
                chosen = self.rng.choice(len(indices), MOST_ENTRIES, replace=False)
                indices = [indices[i] for i in chosen]
            scale = float(np.max(np.abs(pulled[number]), initial=0.0))
            for index in indices:
                unit = [np.zeros(other.shape) for other in args]
                unit[number][index] = 1.0
                numeric = float(np.sum(weights * _difference(f, args, unit)))
                found = float(np.asarray(pulled[number])[index])
                place = f"entry {list(index)}" if index else "its one entry"
                self._equal(
                    found, numeric, f"{what}, argument {number}, {place}, reverse mode", scale
                )

    def _equal(self, found: Any, wanted: Any, what: str, scale: float = 0.0) -> None:
        found, wanted = np.asarray(found, float), np.asarray(wanted, float)
        if found.shape != wanted.shape:
            raise GradientError(f"{what}: shape {found.shape}, expected {wanted.shape}")
        largest = max(scale, float(np.max(np.abs(wanted), initial=0.0)))
        bound = self.atol * (1.0 + largest) + self.rtol * np.abs(wanted)
        wrong = ~(np.abs(found - wanted) <= bound) & ~(np.isnan(found) & np.isnan(wanted))
        if wrong.any():
            index = tuple(int(i) for i in np.argwhere(wrong)[0])
            place = f" entry {list(index)}" if index else ""
            raise GradientError(
                f"check_grads of {what}{place}: got {float(found[index])!r}, "
                f"expected {float(wanted[index])!r}"
            )


def _as_float64(arg: Any) -> Array:
    array = np.asarray(arg)
    if array.dtype.kind == "f" and array.dtype.itemsize < 8:
        warnings.warn(
            f"check_grads converts {array.dtype} to float64: finite differences need the digits",
            stacklevel=3,
        )
    return array.astype(np.float64)


def _difference(f: Function, args: Sequence[Array], direction: Sequence[Array]) -> Any:
    """Return the change of `f` along `direction`: central differences of fourth order."""

    def at(step: float) -> Any:
        moved = [arg + step * d for arg, d in zip(args, direction, strict=True)]
        return np.asarray(f(*moved), float)

    scale = max((float(np.max(np.abs(arg), initial=0.0)) for arg in args), default=0.0)
    h = STEP * max(min(scale, 1.0), 1e-3)
    near = (at(h) - at(-h)) / (2 * h)
    far = (at(2 * h) - at(-2 * h)) / (4 * h)
    return (4.0 * near - far) / 3.0
