"""SciPy's solvers, with the derivative of what they find in ``args``."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.optimize

from autodiff import grad
from autodiff.box import raw
from autodiff.scipy.callbacks import Args, Function, on_plain_values
from autodiff.scipy.mirror import any_box, gathered, refused
from autodiff.scipy.optimize.implicit import Implicit

Condition = Callable[[Function], Function]


def _zero(f: Function) -> Function:
    return f


def _fixed(f: Function) -> Function:
    return lambda x, *args: gathered(f(x, *args)) - x


def _stationary(f: Function) -> Function:
    return grad(lambda x, *args: np.sum(gathered(f(x, *args))))


def _stationary_squares(f: Function) -> Function:
    return grad(lambda x, *args: np.sum(gathered(f(x, *args)) ** 2) / 2.0)


def _differentiable(own: Function, condition: Condition, what: str) -> Function:
    """Return SciPy's `own` with the derivative of what it finds.

    Parameters
    ----------
    condition : callable
        Of the user's function it makes the equations ``f(x, *args) = 0`` that hold there.
    what : str
        What is found, for the docstring.
    """
    signature = inspect.signature(own)
    first = next(iter(signature.parameters))
    name = own.__name__

    def call(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        settings = bound.arguments
        f = settings[first]
        given = Args(settings.get("args", ()))
        settings[first] = on_plain_values(f, name)
        if given.tracked:
            _check(name, settings)
            settings["args"] = given.plain
        for start in ("x0", "x1", "x2", "bracket", "brack", "a", "b"):
            if any_box((settings.get(start),)):
                settings[start] = raw(gathered(settings[start]))
        result = own(*bound.args, **bound.kwargs)
        if not given.tracked:
            return result
        of_x = _value_only(f, settings)
        failure = _failure(name, result)

        def filled(x: Any, *tracked: Any) -> Any:
            return of_x(x, *given.filled(tracked))

        def found(x: Any) -> Any:
            x = x if np.ndim(x) else np.asarray(x).item()
            return Implicit(condition(filled), x, failure)(*given.tracked)

        if isinstance(result, tuple):
            _check_inside(name, settings, result[0])
            return (found(result[0]), *result[1:])
        if "root" in _keys(result):
            result.root = found(result.root)
        elif "x" in _keys(result):
            _check_inside(name, settings, result.x)
            result.x = found(result.x)
            if condition in (_stationary, _stationary_squares):
                result.fun = gathered(filled(result.x, *given.tracked))
            if condition is _stationary_squares:
                result.cost = np.sum(result.fun**2) / 2.0
        else:
            _check_inside(name, settings, result)
            return found(result)
        return result

    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"Find {what}; `scipy.optimize.{name}`, differentiable in ``args``.\n\n"
        "See the docstring of `autodiff.scipy.optimize`."
    )
    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


def _keys(result: Any) -> Any:
    return result if isinstance(result, dict) else ()


def _check(name: str, settings: dict[str, Any]) -> None:
    """Raise a TypeError where the condition is not that of the function alone."""
    bounds = settings.get("bounds")
    if name == "least_squares" and bounds is not None:
        ends = (bounds.lb, bounds.ub) if isinstance(bounds, scipy.optimize.Bounds) else bounds
        bounds = None if np.all(np.isinf(np.hstack(ends))) else bounds
    limited = bounds is not None and name != "minimize_scalar"
    if limited or np.size(settings.get("constraints", ())):
        raise TypeError(
            f"{name} of tracked values takes no bounds= and constraints=: where they hold, the "
            "minimum is not a stationary point. Put a smooth map of all numbers onto those "
            "allowed into the function, or use implicit_root with the equations that hold"
        )
    if settings.get("loss", "linear") != "linear":
        raise TypeError(f"{name} of tracked values takes loss='linear' only; put it into fun")
    if any_box((settings.get("kwargs"),)):
        raise TypeError(f"{name}: pass tracked values through args=, not kwargs=")


def _check_inside(name: str, settings: dict[str, Any], x: Any) -> None:
    """Raise a ValueError if the minimum is at a bound, where it is not a stationary point."""
    bounds = settings.get("bounds") if name == "minimize_scalar" else None
    if name == "fminbound":
        bounds = settings["x1"], settings["x2"]
    if bounds is not None:
        low, high = bounds
        if min(x - low, high - x) < 1e-5 * (high - low):
            raise ValueError(
                f"{name} found the minimum {x} at a bound of {tuple(bounds)}, where it "
                "is no stationary point and does not follow the arguments"
            )


def _value_only(f: Function, settings: dict[str, Any]) -> Function:
    """Return the user's function without the derivatives it gives along, with its keywords."""
    keywords = settings.get("kwargs") or {}
    also = any(settings.get(key) is True for key in ("jac", "fprime", "fprime2"))

    def of_x(x: Any, *args: Any) -> Any:
        result = f(x, *args, **keywords)
        return result[0] if also else result

    return of_x


def _failure(name: str, result: Any) -> str:
    """Return why a root was not found, empty if it was; only warn of a minimum."""
    if name == "fsolve" and isinstance(result, tuple):
        return "" if result[2] == 1 else f"fsolve: {result[3]}"
    result = result[1] if isinstance(result, tuple) else result
    keys = _keys(result)
    if "root" in keys:
        return "" if result.converged else f"{name}: {result.flag}"
    if "success" not in keys or result.success:
        return ""
    if name == "root":
        return f"{name}: {result.message}"
    warnings.warn(
        f"{name} of tracked values did not converge ({result.message}); the derivative is that of "
        "a stationary point at the x found",
        RuntimeWarning,
        stacklevel=3,
    )
    return ""


root = _differentiable(scipy.optimize.root, _zero, "a root of equations")
fsolve = _differentiable(scipy.optimize.fsolve, _zero, "a root of equations")
newton = _differentiable(scipy.optimize.newton, _zero, "a root of each number")
root_scalar = _differentiable(scipy.optimize.root_scalar, _zero, "a root")
bisect = _differentiable(scipy.optimize.bisect, _zero, "a root between two numbers")
brentq = _differentiable(scipy.optimize.brentq, _zero, "a root between two numbers")
brenth = _differentiable(scipy.optimize.brenth, _zero, "a root between two numbers")
ridder = _differentiable(scipy.optimize.ridder, _zero, "a root between two numbers")
toms748 = _differentiable(scipy.optimize.toms748, _zero, "a root between two numbers")
fixed_point = _differentiable(scipy.optimize.fixed_point, _fixed, "a fixed point")
minimize = _differentiable(scipy.optimize.minimize, _stationary, "a minimum")
minimize_scalar = _differentiable(scipy.optimize.minimize_scalar, _stationary, "a minimum")
fmin = _differentiable(scipy.optimize.fmin, _stationary, "a minimum")
fminbound = _differentiable(scipy.optimize.fminbound, _stationary, "a minimum")
brent = _differentiable(scipy.optimize.brent, _stationary, "a minimum")
golden = _differentiable(scipy.optimize.golden, _stationary, "a minimum")
fmin_bfgs = _differentiable(scipy.optimize.fmin_bfgs, _stationary, "a minimum")
fmin_cg = _differentiable(scipy.optimize.fmin_cg, _stationary, "a minimum")
fmin_ncg = _differentiable(scipy.optimize.fmin_ncg, _stationary, "a minimum")
fmin_powell = _differentiable(scipy.optimize.fmin_powell, _stationary, "a minimum")
least_squares = _differentiable(
    scipy.optimize.least_squares, _stationary_squares, "a least sum of squares"
)
leastsq = _differentiable(scipy.optimize.leastsq, _stationary_squares, "a least sum of squares")
curve_fit = refused(
    scipy.optimize.curve_fit,
    "use least_squares of the model minus the data, with the data in args",
)
