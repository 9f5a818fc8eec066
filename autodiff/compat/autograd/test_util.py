"""Derivatives against finite differences, in autograd's form of the call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff.checking import check_grads as check_all
from autodiff.compat.autograd.wrap_util import chosen

__all__ = ["check_grads"]

_MODES = {"fwd": "forward", "rev": "reverse"}


def check_grads(
    f: Callable[..., Any],
    argnum: int | Sequence[int] = 0,
    modes: Sequence[str] = ("fwd", "rev"),
    order: int = 2,
) -> Callable[..., None]:
    """Return the function of the arguments of `f` that checks its derivatives.

    Parameters
    ----------
    f : callable
    argnum : int or sequence of int
        Which arguments.
    modes : sequence of {"fwd", "rev"}
    order : int
        Up to which derivative.

    Raises
    ------
    AssertionError
        By the function returned, if one differs from finite differences.
    """
    named = tuple(_MODES[mode] for mode in modes)

    def check(*args: Any, **kwargs: Any) -> None:
        of_chosen, x = chosen(f, argnum, args, kwargs)
        if isinstance(argnum, (list, tuple)):

            def of_parts(*parts: Any) -> Any:
                return of_chosen(parts)

            check_all(of_parts, x, order=order, modes=named)
        else:
            check_all(of_chosen, (x,), order=order, modes=named)

    return check
