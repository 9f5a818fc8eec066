"""Functions that take a function and give its gradient; they nest in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.arguments import ArgNames, ArgNums, Function, Leaves, Selection, name_of
from autodiff.box import raw
from autodiff.containers import is_container, parts_of, put_together
from autodiff.forward import push
from autodiff.gradients import check_seed
from autodiff.results import warn_independent
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


def vjp(f: Function, *primals: Any, has_aux: bool = False) -> Any:
    """Return the value of `f` and the function that pulls cotangents back.

    Parameters
    ----------
    f : callable
        Gives a number, an array, or a container of them.
    *primals : numbers, arrays or containers
        Its arguments, all differentiated.
    has_aux : bool
        `f` gives a pair ``(value, aux)``; `aux` is then a third result.

    Returns
    -------
    value : like what `f` gives
    pullback : callable
        Takes a cotangent of exactly the shape (or structure) of `value` and gives a tuple, one
        cotangent per argument. May be called many times, also after the caller changed its
        arrays.

    Raises
    ------
    TypeError
        If an argument, the result, or the cotangent is not made of numbers.
    ValueError
        By the pullback, if the cotangent has another shape than the value.

    Examples
    --------
    >>> value, pullback = vjp(lambda x, y: x * y, 3.0, 4.0)
    >>> pullback(1.0)
    (4.0, 3.0)
    """
    # The pullback may be called after the caller changed its arrays.
    own = tuple(map(_copied, primals))
    run = Reverse(f, Selection(tuple(range(len(own)))), own, {}, has_aux=has_aux)

    def pullback(cotangent: Any) -> tuple[Any, ...]:
        return tuple(run.pull(_seeds(cotangent, run)))

    return (run.value, pullback, run.aux) if has_aux else (run.value, pullback)


def _copied(value: Any) -> Any:
    if is_container(value):
        leaves, structure = parts_of(value)
        return put_together(structure, [_copied(leaf) for leaf in leaves])
    return value.copy() if isinstance(value, np.ndarray) else value


def _seeds(cotangent: Any, run: Reverse) -> list[Any]:
    """Return the cotangents of the leaves of a result."""
    given, structure = parts_of(cotangent) if run.is_container else ([cotangent], None)
    if run.is_container and structure != run.structure:
        raise ValueError(
            f"the cotangent of {run.name} has the structure {structure}, its result "
            f"{run.structure}; they must be equal"
        )
    return [
        check_seed(seed, out, f"the cotangent of {run.name}")
        for seed, out in zip(given, run.outs, strict=True)
    ]


def jvp(f: Function, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """Return the value of `f` and its change along `tangents`, in forward mode.

    Parameters
    ----------
    f : callable
        Gives a number, an array, or a container of them.
    primals, tangents : sequences of numbers, arrays or containers
        Arguments, and for each a change of exactly its shape (or structure).

    Returns
    -------
    value, tangent : like what `f` gives

    Raises
    ------
    TypeError
        If an argument, the result, or a tangent is not made of numbers.
    ValueError
        If there are not as many tangents as primals, or a shape differs.

    Examples
    --------
    >>> jvp(lambda x, y: x * y, (3.0, 4.0), (1.0, 0.0))
    (12.0, 4.0)
    """
    check_tuple(primals, "jvp", "primals")
    check_tuple(tangents, "jvp", "tangents")
    if len(primals) != len(tangents):
        raise ValueError(f"jvp got {len(primals)} primals and {len(tangents)} tangents; one each")
    arguments = Leaves()
    seeds: list[Any] = []
    for i, (primal, tangent) in enumerate(zip(primals, tangents, strict=True)):
        values = arguments.add(primal, f"argument {i}")
        seeds += [
            check_seed(seed, value, f"tangent {i} of jvp", f"primal {i}")
            for seed, value in zip(_tangents(tangent, primal, i), values, strict=True)
        ]
    run = push(f, arguments.grouped, arguments.values, seeds)
    if run.independent:
        warn_independent(name_of(f), run.level)
    return put_together(run.structure, run.outs), put_together(run.structure, run.changes)


def check_tuple(given: Any, transform: str, what: str) -> None:
    """Raise a TypeError if `given` is not a tuple or list, one thing for each argument."""
    if not isinstance(given, (tuple, list)):
        raise TypeError(
            f"{what} of {transform} are a tuple, one for each argument; write (x,) for one"
        )


def _tangents(tangent: Any, primal: Any, number: int) -> list[Any]:
    """Return the tangents of the leaves of an argument."""
    if not is_container(primal):
        return [tangent]
    (given, structure), (_, wanted) = parts_of(tangent), parts_of(primal)
    if structure != wanted:
        raise ValueError(
            f"tangent {number} of jvp has the structure {structure}, primal {number} "
            f"{wanted}; they must be equal"
        )
    return given


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
    if not is_container(value):
        return raw(value)
    leaves, structure = parts_of(value)
    return put_together(structure, [raw(leaf) for leaf in leaves])
