"""From an operator on functions of one argument to one on functions of several."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from autodiff.arguments import name_of

Function = Callable[..., Any]


def unary_to_nary(unary_operator: Function) -> Function:
    """Return the form of ``unary_operator(f, x, ...)`` that chooses `x` by ``argnum``.

    Parameters
    ----------
    unary_operator : callable
        ``unary_operator(f, x, *op_args, **op_kwargs)`` with a function `f` of `x` alone.

    Returns
    -------
    callable
        ``nary_operator(f, argnum=0, *op_args, **op_kwargs)`` gives a function of what `f`
        takes. An int chooses one argument; for a list or tuple of ints `x` is a tuple.

    Examples
    --------
    >>> @unary_to_nary
    ... def slope(f, x, step=1.0):
    ...     return (f(x + step) - f(x)) / step
    >>> slope(lambda a, b: a * b, 1)(3.0, 5.0)
    3.0
    """

    @functools.wraps(unary_operator)
    def nary_operator(
        f: Function, argnum: int | Sequence[int] = 0, *op_args: Any, **op_kwargs: Any
    ) -> Function:
        def of_all(*args: Any, **kwargs: Any) -> Any:
            of_chosen, x = chosen(f, argnum, args, kwargs)
            return unary_operator(of_chosen, x, *op_args, **op_kwargs)

        what = f"{unary_operator.__name__} of {name_of(f)} with respect to argument {argnum}"
        of_all.__name__ = f"{unary_operator.__name__}_of_{name_of(f)}_wrt_argnum_{argnum}"
        of_all.__doc__ = f"{what}; see `{unary_operator.__name__}`."
        return of_all

    return nary_operator


def chosen(
    f: Function, argnum: int | Sequence[int], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[Function, Any]:
    """Return `f` as a function of the chosen arguments alone, and these: one, or a tuple.

    Raises
    ------
    TypeError
        If one was not given by position.
    """
    several = isinstance(argnum, (list, tuple))
    numbers = tuple(map(operator.index, argnum if several else (argnum,)))  # type: ignore[arg-type]
    for number in numbers:
        if not -len(args) <= number < len(args):
            raise TypeError(
                f"argnum={argnum}, but {name_of(f)} was called with {len(args)} positional "
                "argument(s); give the differentiated ones by position"
            )

    def of_chosen(x: Any) -> Any:
        given = list(args)
        for number, value in zip(numbers, x if several else (x,), strict=True):
            given[number] = value
        return f(*given, **kwargs)

    of_chosen.__name__ = name_of(f)
    values = tuple(args[number] for number in numbers)
    return of_chosen, values if several else values[0]
