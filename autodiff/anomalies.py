"""`detect_anomaly`: where infinities and NaN come from, and what the rule of zero removed."""

from __future__ import annotations

import functools
import inspect
import warnings
import zlib
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from autodiff.abnormal import entries_at, how_bad, is_first, is_numeric, shown
from autodiff.box import raw
from autodiff.callsite import Place, user_place
from autodiff.careful import careful_product
from autodiff.dual import Dual
from autodiff.elementwise import Elementwise
from autodiff.levels import generator_within, recording
from autodiff.node import Node
from autodiff.variable import Variable

F = TypeVar("F", bound=Callable[..., Any])


class AnomalyWarning(UserWarning):
    """A value or gradient that is infinite, NaN, or was removed as such."""


class Anomaly(NamedTuple):
    """One thing that `detect_anomaly` saw.

    Attributes
    ----------
    kind : {"value", "gradient", "tangent", "removed", "changed"}
        Infinite or NaN values of the forward pass, cotangents of the backward pass, or
        tangents, where they first appear; products of a zero cotangent or tangent with an
        infinite or NaN partial, which count as 0; an array that changed after it was used.
    function : str
        Which was called.
    place : Place
        The line that called it: `file`, `line`, `code`.
    message : str
        All of it in words, with the values.
    """

    kind: str
    function: str
    place: Place
    message: str


class detect_anomaly:  # noqa: N801 -- reads as a statement: with detect_anomaly():
    """Watch every operation inside, and warn where infinities and NaN come from.

    A context manager and a decorator, much slower than the code alone. It reports, each once,
    with the function, the line that called it and the values:

    - where an infinity or NaN first appears, in a value, a cotangent or a tangent;
    - each infinite or NaN partial that met a cotangent or, in functions of single entries, a
      tangent of zero, whose product counts as 0;
    - arrays that changed between their use and the walk back.

    Warnings are of class `AnomalyWarning`; ``warnings.simplefilter("error", AnomalyWarning)``
    stops at the first. Transforms have to be called inside, not around; values computed before
    are not watched.

    Returns
    -------
    list of Anomaly
        By ``with detect_anomaly() as found``; filled as they are seen.

    Examples
    --------
    >>> import warnings
    >>> import numpy as np
    >>> import autodiff as ad
    >>> x = np.array([0.0, 4.0])
    >>> with warnings.catch_warnings(action="ignore"), detect_anomaly() as found:
    ...     _ = ad.grad(lambda x: np.sum(np.where(x > 0, np.sqrt(x), 0.0)))(x)
    >>> [(anomaly.kind, anomaly.function) for anomaly in found]
    [('removed', 'sqrt')]
    """

    def __init__(self) -> None:
        self._before: list[tuple[bool, Any]] = []

    def __enter__(self) -> list[Anomaly]:
        watch = _Watch()
        self._before.append((recording.short, recording.watch))
        recording.short, recording.watch = False, watch
        return watch.found

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        recording.short, recording.watch = self._before.pop()

    def __call__(self, function: F) -> F:
        """Return `function`, watched while it runs; a generator while its body runs."""
        if inspect.isgeneratorfunction(function):
            return cast(F, generator_within(function, detect_anomaly))

        @functools.wraps(function)
        def watched(*args: Any, **kwargs: Any) -> Any:
            with detect_anomaly():
                return function(*args, **kwargs)

        return cast(F, watched)


class Watched(Variable):
    """A variable whose class keeps operations from the short ways."""

    __slots__ = ()


class WatchedDual(Dual):
    """A dual number whose operations are watched."""

    __slots__ = ()

    def process(self, primitive: Any, args: Sequence[Any], static: dict[str, Any]) -> Any:
        """Apply `primitive` and look at values and tangents."""
        out = super().process(primitive, args, static)
        watch = recording.watch
        if watch is not None:
            for one in out if isinstance(out, tuple) else (out,):
                watch.look("value", primitive.name, args, raw(one))
                if isinstance(one, Dual) and one.level == self.level:
                    tangents = [arg.tangent for arg in args if isinstance(arg, Dual)]
                    watch.look("tangent", primitive.name, tangents, raw(one.tangent))
            if isinstance(primitive, Elementwise):
                for number, arg in enumerate(args):
                    if isinstance(arg, Dual) and arg.level == self.level:
                        watch.look_at_zeros(primitive, number, args, raw(out))
        return out


class _Watch:
    """What `detect_anomaly` has seen."""

    variable = Watched
    dual = WatchedDual

    def __init__(self) -> None:
        self.found: list[Anomaly] = []
        self._places: dict[int, Place] = {}
        self._args: dict[int, list[Any]] = {}
        self._prints: dict[int, dict[int, int]] = {}
        self._told: set[tuple[Any, ...]] = set()

    def seen(self, out: Any, primitive: Any, args: Sequence[Any]) -> Any:
        """Remember where `out` was computed, look at it, and return it as watched."""
        outs = out if isinstance(out, tuple) else (out,)
        tracked = [one for one in outs if isinstance(one, Variable)]
        for one in tracked:
            self.look("value", primitive.name, args, raw(one))
        if tracked:
            node = tracked[0].node
            node = node.inputs[0] if isinstance(out, tuple) else node
            self._places[node.index] = user_place()
            self._args[node.index] = list(map(raw, args))
            self._prints[node.index] = _fingerprints(node.args)
        watched = tuple(
            Watched.wrap(one._value, one.node, one.level) if isinstance(one, Variable) else one
            for one in outs
        )
        return watched if isinstance(out, tuple) else watched[0]

    def look(self, kind: str, name: str, args: Sequence[Any], out: Any) -> None:
        """Report infinities and NaN in `out` that no argument has."""
        if not is_first(out, args):
            return
        place = user_place()
        if self._new(kind, place, name, bool(np.any(np.isnan(out)))):
            given = ", ".join(map(shown, args))
            self._tell(kind, name, place, f"the {kind} of {name} is {how_bad(out)}; it got {given}")

    def look_at_zeros(self, rule: Elementwise, number: int, args: Sequence[Any], out: Any) -> None:
        """Report infinite and NaN partials that met a tangent of zero in argument `number`."""
        tangent, values = raw(args[number].tangent), list(map(raw, args))
        if np.all(tangent) or not rule.followed(number):
            return
        with np.errstate(all="ignore"):
            lost = np.isnan(rule.partial(number, tangent, out, values)) & (tangent == 0)
        place = user_place()
        if np.any(lost) and self._new("removed", place, rule.name, number):
            self._tell_removed(rule.name, place, number, "tangent", lost, values[number])

    def _tell_removed(
        self, name: str, place: Place, number: int, met: str, lost: Any, value: Any
    ) -> None:
        message = (
            f"{np.sum(lost)} infinite or NaN partial(s) of {name} in argument {number} met a "
            f"{met} of 0 and count as 0{entries_at(value, lost)}"
        )
        self._tell("removed", name, place, message)

    def pull(self, node: Any, grad: Any) -> list[Any]:
        """Return what an operation passes on under the rule of zero, and look at it."""
        on_floats = type(node) is not Node
        if on_floats:
            return [careful_product(grad, partial) for partial in node.partials]
        self._compare(node)
        recording.watch = None  # what is only compared with is not an anomaly of the user's
        try:
            plain = node.rule.pull(grad, node, node.out, node.args, False)
        finally:
            recording.watch = self
        parts: list[Any] = node.rule.pull(grad, node, node.out, node.args, True)
        for number, (before, part) in enumerate(zip(plain, parts, strict=True)):
            if node.inputs[number] is not None and is_numeric(before):
                kept = 0.0 if part is None else raw(part)
                self._look_at_cotangent(node, number, grad, raw(before), kept)
        return parts

    def _look_at_cotangent(self, node: Any, number: int, grad: Any, plain: Any, kept: Any) -> None:
        """Report what the rule of zero removed from a cotangent, and what is still wrong."""
        name, value = node.rule.name, self._args.get(node.index, node.args)[number]
        place = self._places.get(node.index, Place("a line before detect_anomaly()", 0, ""))
        lost = np.isnan(plain) & ~np.isnan(kept)
        if np.any(lost) and self._new("removed", node.index, number):
            self._tell_removed(name, place, number, "cotangent", lost, value)
        if is_first(kept, [grad]) and self._new("gradient", node.index, number):
            message = f"the cotangent of argument {number} of {name} is {how_bad(kept)}"
            message += entries_at(value, ~np.isfinite(kept))
            self._tell("gradient", name, place, message)

    def _compare(self, node: Any) -> None:
        """Report arrays that are not what they were when the node was made."""
        before = self._prints.get(node.index, {})
        now = _fingerprints(node.args)
        for number, mark in before.items():
            if now.get(number) != mark and self._new("changed", node.index, number):
                name = node.rule.name
                message = (
                    f"argument {number} of {name} changed after it was used; its gradient is "
                    "wrong. Give a copy, x.copy()"
                )
                self._tell("changed", name, self._places[node.index], message)

    def _new(self, *key: Any) -> bool:
        new = key not in self._told
        self._told.add(key)
        return new

    def _tell(self, kind: str, name: str, place: Place, message: str) -> None:
        message = f"{message} ({place})"
        if not self._new(message):
            return
        self.found.append(Anomaly(kind, name, place, message))
        warnings.warn_explicit(message, AnomalyWarning, place.file, place.line)


def _fingerprints(args: Sequence[Any]) -> dict[int, int]:
    """Return a checksum of each array among `args`, by its number."""
    arrays = ((number, raw(arg)) for number, arg in enumerate(args))
    return {
        number: zlib.crc32(np.ascontiguousarray(array).tobytes())
        for number, array in arrays
        if isinstance(array, np.ndarray) and array.size and not array.dtype.hasobject
    }
