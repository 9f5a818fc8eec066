"""Products with derivatives, for which no matrix is made: `vjp`, `jvp`, `hvp`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.arguments import Function, Leaves, Selection, name_of
from autodiff.containers import parts_of, put_together
from autodiff.forward import push
from autodiff.gradients import check_seed
from autodiff.results import warn_independent
from autodiff.reverse import Reverse
from autodiff.transforms import grad


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
        what = f"the cotangent of {run.name}"
        parts = _leaves_like(cotangent, run.structure, what, "its result")
        seeds = [check_seed(part, out, what) for part, out in zip(parts, run.outs, strict=True)]
        return tuple(run.pull(seeds))

    return (run.value, pullback, run.aux) if has_aux else (run.value, pullback)


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
    _check_tuple(primals, "jvp", "primals")
    _check_tuple(tangents, "jvp", "tangents")
    if len(primals) != len(tangents):
        raise ValueError(f"jvp got {len(primals)} primals and {len(tangents)} tangents; one each")
    arguments = Leaves()
    seeds: list[Any] = []
    for i, (primal, tangent) in enumerate(zip(primals, tangents, strict=True)):
        values = arguments.add(primal, f"argument {i}")
        what, whose = f"tangent {i} of jvp", f"primal {i}"
        parts = _leaves_like(tangent, parts_of(primal)[1], what, whose)
        seeds += [
            check_seed(part, value, what, whose) for part, value in zip(parts, values, strict=True)
        ]
    run = push(f, arguments.grouped, arguments.values, seeds)
    if run.independent:
        warn_independent(name_of(f), run.level)
    return put_together(run.structure, run.outs), put_together(run.structure, run.changes)


def hvp(f: Function, primals: Any, vectors: Any) -> Any:
    """Return the product of the Hessian of `f` with vectors, forward over reverse.

    Parameters
    ----------
    f : callable
        Gives one real number.
    primals, vectors : tuples or lists of arguments, or one number, array or dict each
        Arguments, all differentiated, and for each a vector of exactly its shape.

    Returns
    -------
    tuple, or like the one argument
        One product per argument, like it; for an argument that is not in a tuple the product
        itself, so that ``hessp=lambda x, v: hvp(f, x, v)`` fits `scipy.optimize.minimize`.

    Raises
    ------
    TypeError, ValueError
        As `grad` and `jvp`.

    Examples
    --------
    >>> import numpy as np
    >>> hvp(lambda x: np.sum(x**3), np.array([1.0, 2.0]), np.array([1.0, 0.0]))
    array([6., 0.])
    >>> hvp(lambda x, y: x * y**2, (1.0, 2.0), (1.0, 0.0))
    (0.0, 4.0)
    """
    if not isinstance(primals, (tuple, list)):
        return jvp(grad(f), (primals,), (vectors,))[1]
    _check_tuple(vectors, "hvp", "vectors")
    gradient = grad(f, tuple(range(len(primals))))
    return jvp(gradient, primals, vectors)[1]


def _check_tuple(given: Any, transform: str, what: str) -> None:
    """Raise a TypeError if `given` is not a tuple or list, one thing for each argument."""
    if not isinstance(given, (tuple, list)):
        raise TypeError(
            f"{what} of {transform} are a tuple, one for each argument; write (x,) for one"
        )


def _leaves_like(given: Any, wanted: Any, what: str, whose: str) -> list[Any]:
    """Return the leaves of a cotangent or tangent in the structure `wanted`, None for no container.

    Raises
    ------
    ValueError
        If it has another structure.
    """
    if wanted is None:
        return [given]
    leaves, structure = parts_of(given)
    if structure != wanted:
        raise ValueError(
            f"{what} has the structure {structure}, {whose} {wanted}; they must be equal"
        )
    return leaves


def _copied(value: Any) -> Any:
    """Return `value`, a container or not, with copies of its arrays."""
    leaves, structure = parts_of(value)
    copies = [leaf.copy() if isinstance(leaf, np.ndarray) else leaf for leaf in leaves]
    return put_together(structure, copies)
