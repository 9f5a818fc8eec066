"""Derivatives of solutions of ordinary differential equations.

Reverse mode solves the adjoint equations from the last time to the first (Pontryagin et al.
1962), with the state along a solution that is kept: an equation that forgets where it started
cannot be solved backward. Forward mode solves the equations of the sensitivities. Both are
differential equations of the same kind and are solved by the functions here, so higher orders
follow; where the adjoint equations themselves are differentiated the state is solved backward
with them, anew from each output time (Chen et al. 2018).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autodiff import jvp, vjp
from autodiff.box import raw
from autodiff.primitives import Primitive
from autodiff.scipy.mirror import any_box, gathered
from autodiff.values import dtype_of, full, shape_of

System = Callable[..., Any]


@dataclass(frozen=True)
class Solver:
    """How plain equations ``f(t, y)`` are solved from ``y0`` at the first of some times.

    Attributes
    ----------
    states : callable
        ``states(f, y0, times)``, the solution at the times, ascending or descending.
    path : callable
        ``path(f, y0, times)``, the solution as a function of time.
    """

    states: Callable[[System, Any, Any], Any]
    path: Callable[[System, Any, Any], Callable[[Any], Any]]


def solution(f: System, solver: Solver, y0: Any, times: Any, params: Sequence[Any]) -> Any:
    """Return the states at `times`, an array of shape (times, states).

    Parameters
    ----------
    f : callable
        ``f(t, y, *params)``, the change of y.
    solver : Solver
    y0 : array, shape (states,)
        At the first of the times.
    times : array
        Ascending or descending.
    params : sequence of numbers or arrays
        May be tracked, as `y0` and `times`.
    """
    value = solver.states(_plain(f, params), raw(y0), raw(times))
    return known_solution(value, f, solver, y0, times, params)


def known_solution(
    value: Any, f: System, solver: Solver, y0: Any, times: Any, params: Sequence[Any]
) -> Any:
    """Return the plain states `value` of `solution` with their derivatives."""
    if any_box((y0, times, *params)):
        return _Flow(value, f, solver)(y0, times, *params)
    return value


def _plain(f: System, params: Sequence[Any]) -> System:
    """Return ``f(t, y)`` with the plain values of its parameters."""
    plain = [raw(param) for param in params]
    return lambda t, y: gathered(f(t, y, *plain))


def _changes(f: System, out: Any, times: Any, params: Sequence[Any]) -> Any:
    """Return the change of y at all the times."""
    rows = range(shape_of(out)[0])
    return np.stack([gathered(f(times[i], out[i], *params)) for i in rows])


def _with(params: Sequence[Any], chosen: Sequence[int], values: Sequence[Any]) -> list[Any]:
    found = list(params)
    for index, value in zip(chosen, values, strict=True):
        found[index] = value
    return found


def _check_return(found: Any, wanted: Any) -> None:
    """Raise a RuntimeError if a state solved backward is far from where it came from."""
    size = np.max(np.abs(wanted), initial=0.0)
    if not np.all(np.abs(found - wanted) <= 0.1 * size + 1e-3):
        raise RuntimeError(
            "a second derivative needs the solution of the differential equation backward in "
            "time, which is unstable here; differentiate in forward mode first, as in "
            "ad.grad(lambda x: ad.jvp(f, (x,), (v,))[1]), or give more times of output"
        )


class _Flow(Primitive):
    """The rule of one solution, of arguments y0, times and parameters."""

    def __init__(self, value: Any, f: System, solver: Solver) -> None:
        super().__init__("the solution of a differential equation", lambda *args: value)
        self.f = f
        self.solver = solver

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangents from the adjoint equations."""
        if careful and not np.any(raw(grad)):
            return [None] * len(args)
        grad = full(grad, node.shape)
        y0, times, *params = args
        size = shape_of(y0)[0]
        chosen = [i for i, source in enumerate(node.inputs[2:]) if source is not None]
        lengths = [math.prod(shape_of(params[i])) for i in chosen]
        sums: Any = np.zeros(sum(lengths), dtype_of(grad))
        last = shape_of(out)[0] - 1
        adjoint = grad[last] if last >= 0 else np.zeros(size)
        path = None
        if last > 0 and times[0] != times[-1] and not any_box((grad, out, *args)):
            path = self.solver.path(_plain(self.f, params), y0, times)
        system = self._adjoint(size, chosen, path)
        for i in range(last, 0, -1):
            if raw(times)[i] != raw(times)[i - 1]:
                step = np.stack([times[i], times[i - 1]])
                state = np.concatenate(([] if path else out[i], adjoint, sums))
                state = solution(system, self.solver, state, step, params)[1]
                if not path:
                    _check_return(raw(state)[:size], raw(out)[i - 1])
                    state = state[size:]
                adjoint, sums = state[:size], state[size:]
            if i > 1:
                adjoint = adjoint + grad[i - 1]
        found: list[Any] = [adjoint + grad[0] if last > 0 else adjoint, None]
        if node.inputs[1] is not None:
            # A later end moves the state on; a later start moves it back.
            changes = _changes(self.f, out, times, params)
            starts = np.sum(grad[1:] * changes[1:], axis=1)
            first = -np.sum(adjoint * changes[0]) if last > 0 else np.zeros(())
            found[1] = np.concatenate((np.reshape(first, (1,)), starts))
        parts: list[Any] = [None] * len(params)
        start = 0
        for i, length in zip(chosen, lengths, strict=True):
            parts[i] = np.reshape(sums[start : start + length], shape_of(params[i]))
            start += length
        return found + parts

    def _adjoint(self, size: int, chosen: Sequence[int], path: Any) -> System:
        """Return the equations of the adjoint and the sums for the parameters.

        The state is that of `path`, or if it is None the first part of what is solved for.
        """

        def system(t: Any, state: Any, *params: Any) -> Any:
            def of_state(y: Any, *moved: Any) -> Any:
                return gathered(self.f(t, y, *_with(params, chosen, moved)))

            y, adjoint = (path(t), state[:size]) if path else (state[:size], state[size : 2 * size])
            change, pullback = vjp(of_state, y, *(params[i] for i in chosen))
            parts = [-np.reshape(part, -1) for part in pullback(adjoint)]
            return np.concatenate(parts if path else (change, *parts))

        return system

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the tangent from the equations of the sensitivities."""
        y0, times, *params = args
        of_y0, of_times, *of_params = tangents
        size = shape_of(y0)[0]
        start = np.zeros(size, dtype_of(out)) if of_y0 is None else of_y0
        changes = None
        if of_times is not None:
            changes = _changes(self.f, out, times, params)
            start = start - changes[0] * of_times[0]
        chosen = [i for i, tangent in enumerate(of_params) if tangent is not None]
        moves = [of_params[i] for i in chosen]
        state = np.concatenate((y0, start))
        system = self._sensitivity(size, chosen, len(params))
        tangent = solution(system, self.solver, state, times, (*params, *moves))[:, size:]
        return tangent if changes is None else tangent + changes * of_times[:, None]

    def _sensitivity(self, size: int, chosen: Sequence[int], count: int) -> System:
        """Return the equations of the state and of its change along a direction."""

        def system(t: Any, state: Any, *params: Any) -> Any:
            def of_state(y: Any, *moved: Any) -> Any:
                return gathered(self.f(t, y, *_with(params[:count], chosen, moved)))

            primals = (state[:size], *(params[i] for i in chosen))
            return np.concatenate(jvp(of_state, primals, (state[size:], *params[count:])))

        return system
