"""Functions that take a function and give its gradient; they nest in any order."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.arguments import ArgNames, ArgNums, Function, Selection, name_of
from autodiff.containers import parts_of, put_together
from autodiff.copies import detached
from autodiff.reverse import Reverse
from autodiff.values import dtype_of, is_complex, shape_of


def grad(
    f: Function,
    argnums: ArgNums | None = None,
    *,
    argnames: ArgNames | None = None,
    has_aux: bool = False,
) -> Function:
    """Return the function that gives the gradient of `f`.

    Parameters
    ----------
    f : callable
        Gives one real number.
    argnums : int or sequence of int, optional
        Which arguments to differentiate: an int gives one gradient, a sequence a tuple. The
        first, if there are no `argnames` either.
    argnames : str or sequence of str, optional
        The same by name; arguments given by keyword are differentiated too.
    has_aux : bool
        `f` gives a pair ``(value, aux)``; the result is then ``(gradient, aux)``.

    Returns
    -------
    callable
        Takes what `f` takes; each gradient has shape, dtype and kind of its argument. Of a
        container (list, tuple, dict, dataclass, nested) it is a container of gradients. For a
        complex argument z = x + iy it is du/dx - i du/dy.

    Raises
    ------
    TypeError
        When called: if `f` does not give one real number, or an argument is not numeric.
    ValueError
        If a chosen argument is not there.

    Warns
    -----
    UserWarning
        If the result depends on none of the chosen arguments; their gradients are 0.

    Examples
    --------
    >>> import numpy as np
    >>> grad(lambda x: np.sin(x) ** 2)(0.5)
    0.8414709848078965
    >>> grad(lambda p, x: p["a"] * x + p["b"])({"a": 2.0, "b": 1.0}, 3.0)
    {'a': 3.0, 'b': 1.0}
    """
    with_value = value_and_grad(f, argnums, argnames=argnames, has_aux=has_aux)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = with_value(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return described(gradient, "grad", f)


def value_and_grad(
    f: Function,
    argnums: ArgNums | None = None,
    *,
    argnames: ArgNames | None = None,
    has_aux: bool = False,
) -> Function:
    """Return the function that gives ``(value, gradient)`` of `f`, both from one run.

    Parameters
    ----------
    f : callable
        Gives one real number.
    argnums, argnames
        As in `grad`.
    has_aux : bool
        `f` gives a pair ``(value, aux)``; the result is then ``((value, aux), gradient)``.

    Returns
    -------
    callable
        Takes what `f` takes and gives the value, and the gradient as `grad` does. A Python
        float in gives Python floats out.

    Raises
    ------
    TypeError, ValueError
        When called, as `grad`.

    Examples
    --------
    >>> import numpy as np
    >>> value_and_grad(lambda x: np.sum(x**2))(np.array([1.0, 2.0]))
    (np.float64(5.0), array([2., 4.]))
    """
    selection = Selection(argnums, argnames)

    def with_value(*args: Any, **kwargs: Any) -> Any:
        run = Reverse(f, selection, args, kwargs, has_aux=has_aux)
        value = one_number(run)
        if type(value) is not float and is_complex(value):
            raise TypeError(
                f"grad of {run.name} needs a real number, but it gave a complex one; take the "
                "real part or abs(z)**2, or use autodiff.holomorphic_grad"
            )
        found = run.chosen(run.pull([1.0]))
        return ((value, run.aux) if has_aux else value), found

    return described(with_value, "value_and_grad", f)


def grad_and_aux(
    f: Function, argnums: ArgNums | None = None, *, argnames: ArgNames | None = None
) -> Function:
    """Return the function that gives ``(gradient, aux)`` of an `f` that gives ``(value, aux)``.

    The same as ``grad(f, argnums, argnames=argnames, has_aux=True)``.

    Examples
    --------
    >>> grad_and_aux(lambda x: (x * x, "seen"))(3.0)
    (6.0, 'seen')
    """
    return grad(f, argnums, argnames=argnames, has_aux=True)


def holomorphic_grad(
    f: Function, argnums: ArgNums | None = None, *, argnames: ArgNames | None = None
) -> Function:
    """Return the function that gives the complex derivative f'(z) of a holomorphic `f`.

    Parameters
    ----------
    f : callable
        Gives one complex number, and has a complex derivative; this is not checked.
    argnums, argnames
        Which arguments, as in `grad`; they are complex.

    Raises
    ------
    TypeError
        When called, if an argument or the result is not complex.

    Examples
    --------
    >>> holomorphic_grad(lambda z: z**3)(1 + 2j)
    (-9+12j)
    """
    selection = Selection(argnums, argnames)

    def derivative(*args: Any, **kwargs: Any) -> Any:
        run = Reverse(f, selection, args, kwargs)
        if not all(is_complex(value) for value in [one_number(run), *run.values]):
            raise TypeError(
                f"holomorphic_grad of {run.name} needs complex arguments and a complex result; "
                "use autodiff.grad for real ones, or make the argument complex, x + 0j"
            )
        return run.chosen(run.pull([1.0]))

    return described(derivative, "holomorphic_grad", f)


def elementwise_grad(
    f: Function, argnums: ArgNums | None = None, *, argnames: ArgNames | None = None
) -> Function:
    """Return the function that gives the gradient of the sum of what `f` gives.

    Where each entry of the result depends on one entry of the argument, as in functions that
    broadcast, that is the derivative of each entry, in the shape of the argument.

    Parameters
    ----------
    f : callable
        Gives a real number or array.
    argnums, argnames
        As in `grad`.

    Raises
    ------
    TypeError
        When called, if `f` gives a container or complex numbers.

    Examples
    --------
    >>> import numpy as np
    >>> elementwise_grad(np.square)(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    selection = Selection(argnums, argnames)

    def derivative(*args: Any, **kwargs: Any) -> Any:
        run = Reverse(f, selection, args, kwargs)
        if run.is_container or is_complex(run.value):
            raise TypeError(
                f"elementwise_grad of {run.name} needs real numbers, but it gave "
                f"{'a container' if run.is_container else 'complex ones'}; use autodiff.vjp"
            )
        one = 1.0 if not shape_of(run.value) else np.ones(shape_of(run.value), dtype_of(run.value))
        return run.chosen(run.pull([one]))

    return described(derivative, "elementwise_grad", f)


def one_number(run: Reverse) -> Any:
    """Return the one number a run gave.

    Raises
    ------
    TypeError
        If it gave an array or a container.
    """
    value = run.value
    if run.is_container or shape_of(value) != ():
        gave = f"a {type(value).__name__}" if run.is_container else f"shape {shape_of(value)}"
        raise TypeError(
            f"grad of {run.name} needs one number, but it gave {gave}; reduce it, np.sum(...), "
            "or use autodiff.jacobian"
        )
    return value


def described(function: Function, transform: str, f: Function) -> Function:
    """Give the result of a transform a name and a docstring of its own."""
    name = name_of(f)
    function.__name__ = function.__qualname__ = f"{transform}_of_{name}"
    function.__doc__ = f"{transform} of `{name}`; see `autodiff.{transform}`."
    wrapped: Any = function
    wrapped.__wrapped__ = f  # so that its arguments have the names of those of `f`
    return function


def stop_gradient(value: Any) -> Any:
    """Return `value` without any box: a constant to every derivative, inside transforms too.

    Parameters
    ----------
    value : Variable, number, array, or container of them

    Examples
    --------
    >>> grad(lambda x: x * stop_gradient(x))(3.0)
    3.0
    """
    leaves, structure = parts_of(value)
    return put_together(structure, [detached(leaf) for leaf in leaves])
