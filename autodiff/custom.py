"""`custom_rule`: a function of the user's own, with its own derivatives."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import Box, raw
from autodiff.primitives import Primitive
from autodiff.values import ARITHMETIC_ERRORS, as_numpy, full, shape_of

Method = Callable[..., Any]


def custom_rule(
    f: Method | type | None = None, *, vjp: Method | None = None, jvp: Method | None = None
) -> Any:
    """Return `f` with derivatives given by hand.

    Parameters
    ----------
    f : callable or class
        Takes numbers or arrays by position and gives a number or an array. It sees plain
        values (or those of an outer transform) and may call anything. Keyword arguments are
        passed on and not differentiated. A class has methods ``forward``, ``vjp`` and
        ``jvp`` instead; its instances can then be called, and arguments of ``forward`` that
        the call does not give are the attributes of these names.
    vjp : callable, optional
        ``vjp(grad, out, *args, **kwargs)``: the cotangents of the arguments, a tuple with one
        per argument (None: its derivative is 0), or the bare one of a single argument.
    jvp : callable, optional
        ``jvp(tangents, out, *args, **kwargs)``: the change of ``out``; `tangents` is a tuple
        with one per argument, 0.0 for one that does not change.

    Returns
    -------
    callable or class
        Takes what `f` takes, plain or tracked. Without `vjp` its use in reverse mode is a
        TypeError, without `jvp` in forward mode.

    Raises
    ------
    TypeError
        If `f` is not callable, or has neither `vjp` nor `jvp`.

    Notes
    -----
    `vjp` and `jvp` are differentiated again for higher orders, if they are written with
    functions that have rules.

    Examples
    --------
    >>> import autodiff as ad
    >>> cube = custom_rule(
    ...     lambda x: x * x * x,
    ...     vjp=lambda grad, out, x: grad * 3.0 * x**2,
    ...     jvp=lambda tangents, out, x: tangents[0] * 3.0 * x**2,
    ... )
    >>> ad.grad(cube)(2.0)
    12.0

    >>> @custom_rule
    ... class Scale:
    ...     def __init__(self, factor):
    ...         self.factor = ad.Variable(factor)
    ...
    ...     def forward(self, x, factor):
    ...         return factor * x
    ...
    ...     def vjp(self, grad, out, x, factor):
    ...         return grad * factor, grad * x
    >>> scale = Scale(3.0)
    >>> scale(2.0).backward()
    >>> scale.factor.grad
    2.0
    """
    if f is None:
        return functools.partial(custom_rule, vjp=vjp, jvp=jvp)
    if isinstance(f, type):
        return _callable_class(f)
    if not callable(f) or (vjp is None and jvp is None):
        raise TypeError(f"custom_rule takes a function and its vjp=, its jvp= or both; got {f!r}")
    rule = Custom(f, vjp, jvp)

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        return rule.call(args, kwargs)

    return call


def _callable_class(kind: Any) -> Any:
    """Give a class with ``forward``, ``vjp`` and ``jvp`` the method ``__call__``."""
    if not hasattr(kind, "forward") or not (hasattr(kind, "vjp") or hasattr(kind, "jvp")):
        raise TypeError(
            f"custom_rule on class {kind.__name__} needs a method forward(self, ...) and "
            "vjp(self, grad, out, ...), jvp(self, tangents, out, ...) or both"
        )

    names = list(inspect.signature(kind.forward).parameters)
    if not isinstance(inspect.getattr_static(kind, "forward"), staticmethod):
        names = names[1:]

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        rule = Custom(self.forward, getattr(self, "vjp", None), getattr(self, "jvp", None))
        rule.name = kind.__name__
        held = [getattr(self, name) for name in names[len(args) :] if hasattr(self, name)]
        return rule.call((*args, *held), kwargs)

    setattr(kind, "__call__", call)  # noqa: B010 -- mypy: a class has no such attribute yet
    return kind


def call_method(method: Method, args: Sequence[Any], static: dict[str, Any]) -> Any:
    """Call a method of the user; where Python floats raise, with NumPy's, which do not."""
    try:
        return method(*args, **static)
    except ARITHMETIC_ERRORS:
        with np.errstate(all="ignore"):
            return method(*map(as_numpy, args), **static)


class Custom(Primitive):
    """The rule that `custom_rule` makes of functions given by the user."""

    def __init__(self, f: Method, vjp: Method | None, jvp: Method | None) -> None:
        super().__init__(getattr(f, "__name__", repr(f)), self.call_user)
        self.f = f
        self.user_vjp = vjp
        self.user_jvp = jvp

    def call(self, args: Sequence[Any], static: dict[str, Any]) -> Any:
        """Apply the function; a tracked keyword is an error, it could not be differentiated."""
        for key, value in static.items():
            if isinstance(value, Box):
                raise TypeError(f"{self.name} got a tracked {key}=; pass it by position")
        return self(*args, **static)

    def call_user(self, *args: Any, **static: Any) -> Any:
        """Return what ``f(*args)`` gives, an array as a copy: the user may use its own again."""
        out = self.f(*args, **static)
        if isinstance(out, np.ndarray):
            return out.copy()
        level = max((arg.level for arg in args if isinstance(arg, Box)), default=-1)
        if isinstance(out, Box) and out.level > level:
            raise TypeError(
                f"{self.name} gave a tracked value: it uses a variable that is not among its "
                "arguments, whose derivative would be lost; pass it as an argument by position"
            )
        return out

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return what the user's vjp gives, checked against the arguments."""
        if self.user_vjp is None:
            raise TypeError(
                f"{self.name} has no vjp: give custom_rule(f, vjp=...) for reverse mode, or "
                "use jvp or jacobian(f, mode='forward')"
            )
        if careful and not np.any(raw(grad)):
            return [None] * len(args)
        grad = full(grad, node.shape)
        grad = grad.copy() if isinstance(grad, np.ndarray) else grad  # the user may write into it
        found = call_method(self.user_vjp, (grad, out, *args), node.static)
        parts = list(found) if isinstance(found, (tuple, list)) else [found]
        if len(parts) != len(args):
            raise TypeError(
                f"the vjp of {self.name} gave {len(parts)} cotangent(s) for {len(args)} "
                "argument(s); return a tuple with one for each, None where it is 0"
            )
        parts = [p.copy() if isinstance(p, np.ndarray) else p for p in parts]
        for number, (part, source) in enumerate(zip(parts, node.inputs, strict=True)):
            if not isinstance(part, (int, float, complex, np.generic, np.ndarray, Box, type(None))):
                raise TypeError(
                    f"the vjp of {self.name} gave a {type(part).__name__} for argument {number}; "
                    "return a number or an array of its shape, or None"
                )
            if source is not None and part is not None and shape_of(part) != source.shape:
                raise ValueError(
                    f"the vjp of {self.name} gave shape {shape_of(part)} for argument {number}, "
                    f"whose shape is {source.shape}; sum it over the broadcast axes"
                )
        return parts

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return what the user's jvp gives, checked against the output."""
        if self.user_jvp is None:
            raise TypeError(
                f"{self.name} has no jvp: give custom_rule(f, jvp=...) for forward mode, or "
                "use reverse mode (hvp is forward over reverse; use hessian)"
            )
        given = tuple(0.0 if tangent is None else tangent for tangent in tangents)
        found = call_method(self.user_jvp, (given, out, *args), static)
        if shape_of(found) != shape_of(out):
            raise ValueError(
                f"the jvp of {self.name} gave shape {shape_of(found)}, its output has shape "
                f"{shape_of(out)}; they must be equal"
            )
        return found
