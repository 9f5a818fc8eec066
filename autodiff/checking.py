"""`check_grads`: derivatives against finite differences, and the two modes against each other."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.arguments import Leaves, Selection
from autodiff.containers import flatten, is_container, parts_of, paths_of
from autodiff.forward import push
from autodiff.reverse import Reverse
from autodiff.values import dtype_of, is_complex, shape_of

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

STEP = 1e-3
MOST_ENTRIES = 64
EPS = float(np.finfo(float).eps)
# Rounding errors of a value that differences may show, in units of its last place.
ROUNDINGS = 100.0
# Of what the second order of the differences changes: what the fourth may leave.
TRUNCATION = 0.03
FLOOR = 1e-10
_DIRECTIONS: dict[bool, tuple[complex, ...]] = {False: (1.0,), True: (1.0, 1j)}


class GradientError(AssertionError):
    """A derivative differs from what finite differences or the other mode say."""


def check_grads(
    f: Function,
    args: Sequence[Any],
    order: int = 2,
    modes: Sequence[str] = ("reverse", "forward"),
    *,
    rtol: float = 1e-6,
    seed: int = 0,
) -> None:
    """Check the derivatives of `f` at `args`.

    For each order and mode the derivative is compared, entry by entry, with central
    differences of fourth order in float64, and the modes with each other by the identity
    ``<v, J'w> = <Jv, w>``. The step at each entry follows its size, and what is accepted
    follows `rtol` and the rounding errors of the values.

    Parameters
    ----------
    f : callable
        Gives a number, an array, or a container of them; smooth around `args`.
    args : sequence of numbers, arrays, or containers of them, real or complex
        All differentiated. Below double precision they are converted, with a warning.
    order : int
        Highest order checked.
    modes : sequence of {"reverse", "forward"}
    rtol : float
        Accepted difference, relative to the derivative.
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
    arguments, places = Leaves(), []
    for number, arg in enumerate(args):
        arguments.add(arg, f"argument {number}")
        places += [f"argument {number}{path}" for path in paths_of(parts_of(arg)[1])]
    leaves = arguments.values
    numbers = [leaf if type(leaf) in (float, complex) else _as_double(leaf) for leaf in leaves]
    check = _Check(modes, rtol, np.random.default_rng(seed), places)
    check.run(_joined(f, arguments), numbers, order, getattr(f, "__name__", repr(f)), 1)


def _joined(f: Function, arguments: Leaves) -> Function:
    """Return `f` of the leaves of its arguments, with those of its result in one vector."""

    def joined(*leaves: Any) -> Any:
        out = f(*arguments.grouped(leaves))
        return flatten(out)[0] if is_container(out) else out

    return joined


def _pull(f: Function, args: Sequence[Any], weights: Any) -> Sequence[Any]:
    """Return the gradients of the pairing of `f` with `weights`."""
    run = Reverse(f, Selection(tuple(range(len(args)))), args, {}, warn=False)
    return run.pull([weights])


def _push(f: Function, args: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """Return the change of `f` along `tangents`."""
    return push(f, lambda boxes: boxes, args, tangents).changes[0]


class _Check:
    """What all orders of one check share: modes, tolerance, random numbers."""

    def __init__(
        self, modes: Sequence[str], rtol: float, rng: np.random.Generator, places: Sequence[str]
    ) -> None:
        self.modes, self.rtol, self.rng = modes, rtol, rng
        self.places = places  # what messages call each argument

    def run(self, f: Function, args: list[Any], left: int, name: str, order: int) -> None:
        """Check order `order` of `f`, and the `left` - 1 orders above it."""
        value = f(*args)
        weights = self._random(value)
        tangents = [self._random(arg) for arg in args]
        what = f"{name}, order {order}"
        pulled = _pull(f, args, weights) if "reverse" in self.modes else None
        pushed = _push(f, args, tangents) if "forward" in self.modes else None
        self._entries(f, args, weights, pulled, what)
        if pulled is not None and pushed is not None:
            self._both_modes(weights, value, pushed, tangents, pulled, what)
        if left == 1:
            return
        if "reverse" in self.modes:
            for number, place in enumerate(self.places):

                def gradient(*given: Any, number: int = number) -> Any:
                    return _pull(f, given, weights)[number]

                self.run(gradient, args, left - 1, f"{name}, {place}", order + 1)
        if "forward" in self.modes:
            self.run(lambda *given: _push(f, given, tangents), args, left - 1, name, order + 1)

    def _both_modes(
        self,
        weights: Any,
        value: Any,
        pushed: Any,
        tangents: Sequence[Any],
        pulled: Sequence[Any],
        what: str,
    ) -> None:
        """Compare the modes by the pairing of cotangents and tangents on both sides."""
        pairs = list(zip(tangents, pulled, strict=True))
        found = sum(_pairing(t, p) for t, p in pairs)
        size = np.sum(np.abs(weights * value)) + sum(np.sum(np.abs(t * p)) for t, p in pairs)
        noise = ROUNDINGS * EPS * size
        self._equal(found, _pairing(weights, pushed), noise, f"{what}, <v, J'w> = <Jv, w>")

    def _random(self, value: Any) -> Any:
        """Return a random array like `value`."""
        found: Any = self.rng.standard_normal(shape_of(value))
        if is_complex(value):
            found = found + 1j * self.rng.standard_normal(shape_of(value))
        return _like(found, value)

    def _entries(
        self, f: Function, args: list[Any], weights: Any, pulled: Sequence[Any] | None, what: str
    ) -> None:
        """Compare both modes with differences in single entries, at most 64 an argument."""
        found: list[tuple[Any, Any, Any, str]] = []
        for number, arg in enumerate(args):
            steps = np.asarray(_step(arg))
            indices = list(np.ndindex(*shape_of(arg)))
            if len(indices) > MOST_ENTRIES:
                chosen = self.rng.choice(len(indices), MOST_ENTRIES, replace=False)
                indices = [indices[i] for i in chosen]
            for index, direction in itertools.product(indices, _DIRECTIONS[is_complex(arg)]):
                units = [_like(np.zeros(shape_of(other)), other) for other in args]
                unit = np.zeros(shape_of(arg), dtype_of(arg))
                unit[index] = direction
                units[number] = _like(unit, arg)
                change, noise = _difference(f, args, units, float(steps[index]))
                place = f"entry {list(index)}" if index else "its one entry"
                place = f"{what}, {self.places[number]}, {place}"
                if direction != 1.0:
                    place = f"{place}, along the imaginary axis"
                if pulled is not None:
                    entry = _pairing(direction, np.asarray(pulled[number])[index])
                    size = np.sum(np.abs(weights) * noise)
                    found.append((entry, _pairing(weights, change), size, f"{place}, reverse mode"))
                if "forward" in self.modes:
                    pushed = _push(f, args, units)
                    found.append((pushed, change, noise, f"{place}, forward mode"))
        sizes = [np.max(np.abs(wanted), initial=0.0) for _, wanted, _, _ in found]
        # A derivative that is 0 beside others cannot be found better than this.
        floor = FLOOR * max(sizes, default=0.0)
        for entry, wanted, noise, place in found:
            self._equal(entry, wanted, noise + floor, place)

    def _equal(self, found: Any, wanted: Any, noise: Any, what: str) -> None:
        """Raise if `found` is off by more than `rtol` and the `noise` of the differences."""
        found, wanted = np.asarray(found), np.asarray(wanted)
        if found.shape != wanted.shape:
            raise GradientError(f"{what}: shape {found.shape}, expected {wanted.shape}")
        bound = self.rtol * np.abs(wanted) + noise
        wrong = ~(np.abs(found - wanted) <= bound) & ~(np.isnan(found) & np.isnan(wanted))
        if wrong.any():
            index = tuple(int(i) for i in np.argwhere(wrong)[0])
            place = f" entry {list(index)}" if index else ""
            raise GradientError(
                f"check_grads of {what}{place}: got {found[index].item()!r}, "
                f"expected {wanted[index].item()!r}"
            )


def _pairing(x: Any, y: Any) -> Any:
    """Return what a cotangent and a tangent give together: the real part of their product."""
    return np.sum(np.real(np.multiply(x, y)))


def _like(array: Any, value: Any) -> Any:
    """Return `array` in the kind of `value`: as a Python number where it is one."""
    if type(value) in (float, complex):
        return type(value)(array)
    return np.asarray(array, complex if is_complex(value) else float)


def _step(arg: Any) -> Any:
    """Return the step of differences at each entry: small against it, but not lost in it."""
    size = np.abs(arg)
    near = np.where(size > 0.0, np.minimum(size, 1.0), 1.0)
    return np.maximum(STEP * near, 1e-7 * size)


def _as_double(arg: Any) -> Array:
    array = np.asarray(arg)
    if array.dtype.kind not in "fiuc":
        raise TypeError(f"check_grads needs real or complex numbers, not dtype {array.dtype}")
    double = array.astype(complex if array.dtype.kind == "c" else float)
    if array.dtype.kind in "fc" and array.dtype.itemsize < double.dtype.itemsize:
        warnings.warn(
            f"check_grads converts {array.dtype} to {double.dtype}: finite differences need the "
            "digits",
            stacklevel=3,
        )
    return double


def _difference(
    f: Function, args: Sequence[Any], direction: Sequence[Any], h: float
) -> tuple[Any, Any]:
    """Return the change of `f` along `direction`, and how much rounding may show in it.

    Central differences of fourth order with step `h`.
    """

    def at(step: float) -> Any:
        moved = [arg + step * d for arg, d in zip(args, direction, strict=True)]
        return np.asarray(f(*moved))

    values = [at(step) for step in (h, -h, 2 * h, -2 * h)]
    near = (values[0] - values[1]) / (2 * h)
    far = (values[2] - values[3]) / (4 * h)
    size = np.max(np.abs(values), axis=0)
    noise = ROUNDINGS * EPS * size / h + TRUNCATION * np.abs(near - far)
    return (4.0 * near - far) / 3.0, noise
