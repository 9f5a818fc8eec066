"""Which rule answers for which function: one dictionary keyed by the function object."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

Call = Callable[..., Any]

CALLS: dict[Any, Call] = {}
"""What tracked values call in the place of a NumPy, SciPy or generated function, of a
(ufunc, method name), or of a method that NumPy has no function for, by its name."""

LOADERS: list[Callable[[Any], Call | None]] = []
"""Asked in turn for a function that is not in `CALLS` yet."""


MEMORY_KEYWORDS = frozenset({"casting", "order", "subok"})
"""Keywords of ufuncs that say how NumPy holds values, not what they are."""

REFUSED: dict[Any, str] = {}
"""Why a function has no rule, and what to use instead."""


def refuse(function: Any, reason: str) -> None:
    """Say why `function` has no rule, and what to use instead; the error repeats it."""
    REFUSED[function] = reason


def find(function: Any) -> Call:
    """Return what tracked values call instead of `function`.

    Raises
    ------
    TypeError
        If there is no rule; the message names the function and the ways to supply one.
    """
    for load in LOADERS:
        call = load(function)
        if call is not None:
            CALLS[function] = call
            return call
    if function in REFUSED:
        raise TypeError(f"{function_name(function)} has no derivative: {REFUSED[function]}")
    if isinstance(function, tuple):
        name = function_name(function[0])
        raise TypeError(
            f"{name}.{function[1]} of tracked values has no rule; write it with {name} and "
            "indexing, np.sum, np.max, or np.concatenate"
        )
    raise missing(function_name(function))


def call_function(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Call the rule of a NumPy function, or of a (ufunc, method).

    Raises
    ------
    TypeError
        If there is no rule, or it does not take a keyword; the message lists those it takes.
    """
    call = CALLS.get(function) or find(function)
    if "out" in kwargs or "where" in kwargs:
        kwargs = _asked_for(kwargs)
    try:
        return call(*args, **kwargs)
    except TypeError as error:
        if f"{call.__name__}() got an unexpected keyword" not in str(error):
            raise
        known = inspect.signature(call).parameters
        wrong = ", ".join(f"{key}=" for key in kwargs if key not in known)
        raise TypeError(
            f"{function_name(function)} of tracked values does not take {wrong}; it takes "
            f"{', '.join(known)}"
        ) from None


def _asked_for(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the keywords without ``out=None`` and ``where=True``, NumPy's defaults."""
    return {
        key: value
        for key, value in kwargs.items()
        if not (key == "out" and value is None) and not (key == "where" and value is True)
    }


def missing(name: str) -> TypeError:
    """Return the error of a function without a rule."""
    return TypeError(
        f"no rule to differentiate {name}. Supply one: a table entry, diffrules.rule(...) and "
        "`python -m generator`, if it is elementwise; autodiff.custom_rule(f, vjp=..., jvp=...) "
        "for any other function; or call it with `v.value` (inside nested transforms with "
        "autodiff.stop_gradient(v)), which treats v as a constant"
    )


def function_name(function: Any) -> str:
    """Return the name of a function as users write it, ``np.linalg.det``."""
    if isinstance(function, tuple):
        return f"{function_name(function[0])}.{function[1]}"
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", repr(function))
    if isinstance(function, np.ufunc):
        module = "numpy" if getattr(np, name, None) is function else "scipy.special"
    return f"{module}.{name}".replace("numpy.", "np.", 1) if module else str(name)


def call_method(ufunc: np.ufunc, method: str, inputs: Any, kwargs: dict[str, Any]) -> Any:
    """Call ``ufunc.method`` on tracked values, or say why that cannot be followed."""
    name = function_name(ufunc)
    kwargs = _asked_for(kwargs)
    if "out" in kwargs:
        raise TypeError(
            f"{name} cannot write a tracked value into out= (also `array += v`): plain arrays "
            "keep no history. Write `array = array + v`, or start from a Variable"
        )
    if method == "__call__":
        if "where" in kwargs:
            raise TypeError(
                f"{name} with where= leaves entries undefined and is not followed; use "
                f"np.where(condition, {name}(x), otherwise), which masks gradients too"
            )
        if kwargs and ufunc.signature is not None:
            return call_function(ufunc, inputs, kwargs)
        dtype = kwargs.get("dtype")
        unknown = kwargs.keys() - {"dtype"} - MEMORY_KEYWORDS
        if unknown:
            raise TypeError(
                f"{name} of tracked values takes no {', '.join(sorted(unknown))}=; leave it out"
            )
        if dtype is not None:
            inputs = [CALLS["astype"](x, np.dtype(dtype)) for x in inputs]
        return (CALLS.get(ufunc) or find(ufunc))(*inputs)
    return call_function((ufunc, method), inputs, kwargs)
