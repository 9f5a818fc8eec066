"""The derivative of a solution of equations, however it was found."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.optimize

from autodiff import jacobian, jvp, vjp
from autodiff.box import raw
from autodiff.containers import flatten, is_container
from autodiff.primitives import Primitive
from autodiff.rules.shapes import swapped
from autodiff.scipy.callbacks import Args, Function, hidden, on_plain_values
from autodiff.scipy.mirror import any_box, gathered
from autodiff.values import full, is_complex, shape_of


class Implicit(Primitive):
    """The rule of a solution of ``f(x, *params) = 0``, of arguments params."""

    def __init__(self, f: Function, value: Any, failure: str = "") -> None:
        super().__init__("a solution of equations", lambda *params: value)
        self.f = f
        self.failure = failure

    def _solved(self, x: Any, params: Sequence[Any], right: Any, transposed: bool) -> Any:
        """Return the solution of the linear equations of the Jacobian in x."""
        if self.failure:
            raise RuntimeError(f"no derivative of a solution that was not found: {self.failure}")
        shape = shape_of(x)
        of_x = jacobian(lambda x: gathered(self.f(x, *params)), holomorphic=is_complex(x))
        matrix = of_x(x)
        if not shape and raw(matrix) != 0:
            return right / matrix
        size = math.prod(shape)
        matrix = np.reshape(matrix, (size, size))
        matrix = swapped(matrix) if transposed else matrix
        try:
            return np.reshape(np.linalg.solve(matrix, np.reshape(right, -1)), shape)
        except np.linalg.LinAlgError as error:
            raise np.linalg.LinAlgError(
                "the Jacobian of the equations is singular at their solution, which so has no "
                "derivative"
            ) from error

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the cotangents of the parameters."""
        if careful and not np.any(raw(grad)):
            return [None] * len(args)
        chosen = [i for i, source in enumerate(node.inputs) if source is not None]
        adjoint = self._solved(out, args, -full(grad, node.shape), True)
        found: list[Any] = [None] * len(args)
        pulled = vjp(self._of_params(out, args, chosen), *(args[i] for i in chosen))[1](adjoint)
        for i, part in zip(chosen, pulled, strict=True):
            found[i] = part
        return found

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the tangent of the solution."""
        chosen = [i for i, tangent in enumerate(tangents) if tangent is not None]
        of_params = self._of_params(out, args, chosen)
        moves = [tangents[i] for i in chosen]
        change = jvp(of_params, [args[i] for i in chosen], moves)[1]
        return self._solved(out, args, -change, False)

    def _of_params(self, x: Any, params: Sequence[Any], chosen: Sequence[int]) -> Function:
        def of_params(*moved: Any) -> Any:
            found = list(params)
            for i, value in zip(chosen, moved, strict=True):
                found[i] = value
            return gathered(self.f(x, *found))

        return of_params


def implicit_root(
    f: Function, x0: Any, *args: Any, solver: Callable[..., Any] | None = None
) -> Any:
    """Return x with ``f(x, *args) = 0``, differentiable in `args`, found by any solver.

    Parameters
    ----------
    f : callable
        Made of functions that have rules; its result is like x.
    x0 : number, array, or container of them
        Where to start; it has no derivative.
    *args
        Parameters, plain or tracked, or containers of them.
    solver : callable, optional
        ``solver(f, x0, *args)`` gives x, with plain values; `scipy.optimize.root` if not given.

    Returns
    -------
    like x0

    Raises
    ------
    RuntimeError
        If the default solver does not converge.
    TypeError
        If `f` uses a tracked value that is not among `args`.

    Notes
    -----
    The derivative is ``-(df/dx)**-1 @ df/dargs`` at x, in both modes and every order. It is as
    precise as x: an x with residual r has an error of ``(df/dx)**-1 @ r``. Where x is complex,
    `f` must have a complex derivative in x.

    Examples
    --------
    >>> import autodiff as ad
    >>> def newton(f, x, p):
    ...     for _ in range(20):
    ...         x = x - f(x, p) / ad.grad(f)(x, p)
    ...     return x
    >>> root = lambda p: implicit_root(lambda x, p: x**3 - p, 1.0, p, solver=newton)
    >>> print(round(ad.grad(root)(8.0), 9), round(ad.grad(ad.grad(root))(8.0), 9))
    0.083333333 -0.006944444
    """
    given = Args(args)
    plain = on_plain_values(f, "implicit_root")
    if is_container(x0):
        start, unflatten = flatten(x0)
        start = raw(start)

        def of_vector(x: Any, *args: Any) -> Any:
            return flatten(f(unflatten(x), *args))[0]

        def search(f_of_vector: Function, x: Any, *args: Any) -> Any:
            if solver is None:
                return _root(f_of_vector, x, *args)
            return flatten(solver(plain, unflatten(x), *args))[0]

    else:
        start, unflatten = raw(x0), lambda x: x
        of_vector, search = f, solver or _root  # type: ignore[assignment]
    value = search(on_plain_values(of_vector, "implicit_root"), start, *given.plain)
    if any_box((value,)):
        raise hidden("implicit_root")
    value = float(value) if isinstance(value, int) else value
    if not given.tracked:
        return unflatten(value)
    rule = Implicit(lambda x, *tracked: of_vector(x, *given.filled(tracked)), value)
    return unflatten(rule(*given.tracked))


def _root(f: Function, x0: Any, *args: Any) -> Any:
    """Return a root found by SciPy, like `x0`."""
    shape = np.shape(x0)

    def flat(x: Any) -> Any:
        given = float(x[0]) if type(x0) is float else np.reshape(x, shape)
        return np.reshape(gathered(f(given, *args)), -1)

    result = scipy.optimize.root(flat, np.reshape(x0, -1), tol=1e-12)
    if not result.success:
        raise RuntimeError(f"implicit_root found no root: {result.message}")
    return float(result.x[0]) if type(x0) is float else np.reshape(result.x, shape)
