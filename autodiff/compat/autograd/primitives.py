"""`primitive` and the functions that give it derivatives, as autograd's clients write them.

Derivatives are made in two steps: a maker is called with the result and the arguments, and
gives the function of the cotangent.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

from autodiff.arguments import name_of
from autodiff.callsite import user_frame
from autodiff.compat.autograd._client_rules import ClientRule, missing
from autodiff.compat.autograd.util import subval
from autodiff.containers import parts_of, put_together
from autodiff.rules.plain import plain

Function = Callable[..., Any]


def primitive(f: Function) -> Function:
    """Return `f` as one operation, whose derivatives are given by `defvjp` and `defjvp`.

    Parameters
    ----------
    f : callable
        Takes anything by position, and gives a number, an array, or a container of them. It
        sees plain values. Keyword arguments are constants.

    Returns
    -------
    callable
        Takes what `f` takes, plain or tracked. A derivative that was not given is a
        NotImplementedError when it is needed.

    Examples
    --------
    >>> from autodiff.compat.autograd import grad
    >>> @primitive
    ... def cube(x):
    ...     return x**3
    >>> defvjp(cube, lambda ans, x: lambda g: g * 3 * x**2)
    >>> grad(cube)(2.0)
    12.0
    """
    rule = ClientRule(f)

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        return rule.call(args, kwargs)

    call.fun = f  # type: ignore[attr-defined]
    call.rule = rule  # type: ignore[attr-defined]
    return call


def notrace_primitive(f: Function) -> Function:
    """Return `f` for functions without a derivative: it sees, and gives, plain values."""

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        return f(*map(plain, args), **{key: plain(value) for key, value in kwargs.items()})

    return call


def defvjp(f: Function, *makers: Function | None, argnums: Iterable[int] | None = None) -> None:
    """Give the primitive `f` a vjp for each argument.

    Parameters
    ----------
    f : callable
        A primitive.
    *makers : callable or None
        ``maker(ans, *args, **kwargs)`` gives the function from the cotangent of the result to
        that of the argument, in its shape. None: the derivative is 0.
    argnums : iterable of int, optional
        Which arguments they belong to; 0, 1, ... if not given.
    """
    by_number = dict(zip(count() if argnums is None else argnums, makers, strict=False))

    def maker(argnum: int, ans: Any, args: Any, kwargs: Any) -> Function:
        if argnum not in by_number:
            raise missing("vjp", f, argnum)
        own = by_number[argnum]
        return (lambda grad: None) if own is None else own(ans, *args, **kwargs)

    defvjp_argnum(f, maker)


def defvjp_argnum(f: Function, maker: Function) -> None:
    """Give `f` one maker ``maker(argnum, ans, args, kwargs)`` of the vjps of all arguments."""

    def of_several(argnums: Sequence[int], ans: Any, args: Any, kwargs: Any) -> Function:
        pulls = [maker(argnum, ans, args, kwargs) for argnum in argnums]
        return lambda grad: tuple(pull(grad) for pull in pulls)

    defvjp_argnums(f, of_several)


def defvjp_argnums(f: Function, maker: Function) -> None:
    """Give `f` one maker ``maker(argnums, ans, args, kwargs)``; its function gives a tuple."""
    rule_of(f).maker = maker


def defjvp(
    f: Function, *methods: Function | str | None, argnums: Iterable[int] | None = None
) -> None:
    """Give the primitive `f` a jvp for each argument.

    Parameters
    ----------
    f : callable
        A primitive.
    *methods : callable, "same" or None
        ``method(tangent, ans, *args, **kwargs)`` gives the change of the result. "same": `f` is
        linear in the argument. None: the derivative is 0.
    argnums : iterable of int, optional
        Which arguments they belong to; 0, 1, ... if not given.
    """
    by_number = dict(zip(count() if argnums is None else argnums, methods, strict=False))

    def push(argnum: int, tangent: Any, ans: Any, args: Any, kwargs: Any) -> Any:
        if argnum not in by_number:
            raise missing("jvp", f, argnum)
        method = by_number[argnum]
        if method == "same":
            return f(*subval(args, argnum, tangent), **kwargs)
        return method(tangent, ans, *args, **kwargs) if callable(method) else None

    defjvp_argnum(f, push)


def defjvp_argnum(f: Function, method: Function) -> None:
    """Give `f` one method ``method(argnum, tangent, ans, args, kwargs)`` for all arguments."""

    def push(argnums: Sequence[int], tangents: Any, ans: Any, args: Any, kwargs: Any) -> Any:
        parts = [
            method(argnum, tangent, ans, args, kwargs)
            for argnum, tangent in zip(argnums, tangents, strict=True)
        ]
        given = [parts_of(part) for part in parts if part is not None]
        if not given:
            return None
        columns = zip(*(leaves for leaves, _ in given), strict=True)
        return put_together(given[0][1], [sum(column[1:], column[0]) for column in columns])

    defjvp_argnums(f, push)


def defjvp_argnums(f: Function, method: Function) -> None:
    """Give `f` one method ``method(argnums, tangents, ans, args, kwargs)`` of the whole change."""
    rule_of(f).push = method


def def_linear(f: Function) -> None:
    """Say that the primitive `f` is linear in each argument by itself; that gives its jvp."""

    def push(argnum: int, tangent: Any, ans: Any, args: Any, kwargs: Any) -> Any:
        return f(*subval(args, argnum, tangent), **kwargs)

    defjvp_argnum(f, push)


def rule_of(f: Function) -> ClientRule:
    """Return the rule of a primitive; of another function, with a warning, one that nobody uses.

    Giving derivatives to such a function has no effect in autograd either.
    """
    rule = getattr(f, "rule", None)
    if isinstance(rule, ClientRule):
        return rule
    warnings.warn(
        f"{name_of(f)} is no primitive, derivatives given to it have no effect; make one with "
        f"primitive({name_of(f)}) and call that",
        UserWarning,
        stacklevel=user_frame()[1],
    )
    return ClientRule(f)
