"""`odeint` and `solve_ivp`, differentiable in the initial state, the times and the arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.integrate

from autodiff.box import raw
from autodiff.rules.shapes import swapped
from autodiff.scipy.callbacks import Args, Function, on_plain_values
from autodiff.scipy.integrate.flow import Solver, System, known_solution
from autodiff.scipy.mirror import any_box, gathered
from autodiff.values import shape_of


def _tolerance(value: Any) -> Any:
    """Return one tolerance for all states of a larger system."""
    return None if value is None else float(np.min(value))


def odeint(
    func: Function,
    y0: Any,
    t: Any,
    args: Any = (),
    Dfun: Function | None = None,  # noqa: N803 -- SciPy's name
    col_deriv: bool = False,
    full_output: bool = False,
    ml: int | None = None,
    mu: int | None = None,
    rtol: Any = None,
    atol: Any = None,
    tcrit: Any = None,
    h0: float = 0.0,
    hmax: float = 0.0,
    hmin: float = 0.0,
    ixpr: bool = False,
    mxstep: int = 0,
    mxhnil: int = 0,
    mxordn: int = 12,
    mxords: int = 5,
    printmessg: bool = False,
    tfirst: bool = False,
) -> Any:
    """Solve a differential equation; `scipy.integrate.odeint`.

    Parameters
    ----------
    func : callable
        ``func(y, t, *args)``, with functions that have rules; it may give a list.
    y0, t, args
        May be tracked; an argument may be a container of tracked values.
    **options
        SciPy's. `Dfun`, `ml` and `mu` help with the solution only.

    Returns
    -------
    array, shape (len(t), len(y0)), or a tuple with ``full_output``

    Raises
    ------
    TypeError
        If `func` uses a tracked value that is not among `args`.

    Notes
    -----
    Derivatives are those of the exact solution, found by solving the adjoint equations
    (reverse mode) or those of the sensitivities (forward mode), so their errors are of the
    size of `rtol` and `atol`, not of rounding.

    Examples
    --------
    >>> import numpy as np
    >>> import autodiff as ad
    >>> def end(rate):
    ...     return odeint(lambda y, t, k: -k * y, [1.0], [0.0, 2.0], (rate,))[1, 0]
    >>> print(round(ad.grad(end)(0.5), 6), round(-2.0 * np.exp(-1.0), 6))
    -0.735759 -0.735759
    """
    options = {
        "rtol": rtol, "atol": atol, "tcrit": tcrit, "h0": h0, "hmax": hmax, "hmin": hmin,
        "ixpr": ixpr, "mxstep": mxstep, "mxhnil": mxhnil, "mxordn": mxordn, "mxords": mxords,
    }  # fmt: skip
    y0, t, given = gathered(y0), gathered(t), Args(args)
    result = scipy.integrate.odeint(
        on_plain_values(func, "odeint"), raw(y0), raw(t), given.plain, Dfun, col_deriv,
        full_output, ml, mu, printmessg=printmessg, tfirst=tfirst, **options,
    )  # fmt: skip
    if not given.tracked and not any_box((y0, t)):
        return result

    def system(t: Any, y: Any, *params: Any) -> Any:
        filled = given.filled(params)
        return func(t, y, *filled) if tfirst else func(y, t, *filled)

    tolerances = {"rtol": _tolerance(rtol), "atol": _tolerance(atol)}

    def solve(f: System, y0: Any, times: Any) -> Any:
        return scipy.integrate.odeint(f, y0, times, tfirst=True, **{**options, **tolerances})

    default = 1.49012e-8  # odeint's own
    along = {key: default if value is None else value for key, value in tolerances.items()}
    solver = Solver(solve, _path("LSODA", {**along, "max_step": hmax or np.inf}))
    states = result[0] if full_output else result
    y0 = np.reshape(y0, -1)
    found = known_solution(states, system, solver, y0, t, given.tracked)
    return (found, *result[1:]) if full_output else found


def solve_ivp(
    fun: Function,
    t_span: Any,
    y0: Any,
    method: Any = "RK45",
    t_eval: Any = None,
    dense_output: bool = False,
    events: Any = None,
    vectorized: bool = False,
    args: Any = None,
    **options: Any,
) -> Any:
    """Solve a differential equation; `scipy.integrate.solve_ivp`.

    Parameters
    ----------
    fun : callable
        ``fun(t, y, *args)``, with functions that have rules; it may give a list.
    t_span, y0, t_eval, args
        May be tracked; an argument may be a container of tracked values.
    **options
        SciPy's.

    Returns
    -------
    SciPy's result, with a tracked ``y`` (and ``t``)

    Raises
    ------
    TypeError
        If `fun` uses a tracked value that is not among `args`; or for `events` and
        `dense_output`, whose results have no derivative.
    RuntimeError
        In a derivative, if SciPy cannot solve its equations.

    Notes
    -----
    The times that the solver chooses without `t_eval` are constants, but for the two ends.
    Derivatives are those of the exact solution, as in `odeint`: their errors are of the size of
    the tolerances. SciPy's interpolation between its steps adds an error of that kind.
    """
    given = Args(() if args is None else args)
    spare = {} if args is None else {"args": given.plain}
    y0, span, times = gathered(y0), gathered(t_span), gathered(t_eval)
    result = scipy.integrate.solve_ivp(
        on_plain_values(fun, "solve_ivp"), raw(span), raw(y0), method, raw(times),
        dense_output, events, vectorized, **spare, **options,
    )  # fmt: skip
    if not len(result.t) or not (given.tracked or any_box((y0, span, times))):
        return result
    if events is not None or dense_output:
        raise TypeError(
            "solve_ivp of tracked values takes neither events= nor dense_output=True, whose "
            "results have no derivative; give the times by t_eval="
        )

    def system(t: Any, y: Any, *params: Any) -> Any:
        return fun(t, y, *given.filled(params))

    count = shape_of(result.t)[0]
    if t_eval is None:
        times, states = result.t, result.y.T
        if any_box((span,)):
            times = np.concatenate((span[:1], times[1:-1], span[-1:]))
    else:
        times = np.concatenate((span[:1], times[:count]))
        states = np.concatenate((np.reshape(raw(y0), (1, -1)), result.y.T))
    y0 = np.reshape(y0, -1)
    solver = _ivp_solver(method, options)
    found = known_solution(states, system, solver, y0, times, given.tracked)
    result.y = swapped(found if t_eval is None else found[1:])
    result.t = times if t_eval is None else times[1:]
    return result


def _ivp_solver(method: Any, options: dict[str, Any]) -> Solver:
    """Return what solves the equations of derivatives: as the given ones, at all the times."""
    kept = {key: options[key] for key in ("max_step",) if key in options}
    for key in ("rtol", "atol"):
        if key in options:
            kept[key] = _tolerance(options[key])

    def solve(f: System, y0: Any, times: Any) -> Any:
        # Times equal to the first are no steps, and SciPy refuses equal times.
        still = int(np.argmax(np.append(times != times[0], True)))
        rows = [y0] * still
        if still < len(times):
            span = (times[0], times[-1])
            result = scipy.integrate.solve_ivp(f, span, y0, method, times[still:], **kept)
            rows.extend(_solved(result).y.T)
        return np.stack(rows)

    return Solver(solve, _path(method, kept))


def _path(method: Any, options: dict[str, Any]) -> Callable[..., Any]:
    """Return what gives a solution as a function of time."""

    def path(f: System, y0: Any, times: Any) -> Any:
        span = (times[0], times[-1])
        result = scipy.integrate.solve_ivp(f, span, y0, method, dense_output=True, **options)
        return _solved(result).sol

    return path


def _solved(result: Any) -> Any:
    if not result.success:
        raise RuntimeError(f"solve_ivp of the equations of a derivative: {result.message}")
    return result
