"""Elementwise functions that are no entry of the table."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.calls import function_named
from autodiff.primitives import Method, Primitive, implements
from autodiff.registry import refuse
from autodiff.rules.reductions import refuse_out
from autodiff.values import is_complex


class Step(Primitive):
    """The rule of a function of one argument whose derivative is 0 wherever it has one."""

    selective = True

    def followed(self, index: int) -> bool:
        """Return False: nothing depends on the argument."""
        return False


def parallel(name: str, forward: Method) -> Primitive:
    """Return the rule of a function that differs from its argument by steps: its slope is 1."""
    return Primitive(
        name,
        forward,
        [lambda grad, out, x, **static: grad],
        [lambda tangent, out, x, **static: tangent],
        reads="",
    )


@implements(np.where)
def where(condition: Any, *branches: Any) -> Any:
    """Choose between two values; the branch not taken gets 0. Alone: plain indices."""
    if not branches:
        return np.where(raw(condition))
    return function_named("where")(raw(condition), *branches)


@implements(np.clip)
def clip(
    a: Any,
    a_min: Any = None,
    a_max: Any = None,
    out: None = None,
    *,
    min: Any = None,
    max: Any = None,
) -> Any:
    """Limit to an interval; 1/2 is the derivative at a bound."""
    refuse_out(out)
    if (min is not None and a_min is not None) or (max is not None and a_max is not None):
        raise ValueError("np.clip takes each bound once: a_min, a_max, or their names min, max")
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    if low is not None and high is not None:
        return function_named("clip")(a, low, high)
    if low is not None:
        return np.maximum(a, low)
    return np.positive(a) if high is None else np.minimum(a, high)


@implements(np.nan_to_num)
def nan_to_num(
    x: Any, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """Replace NaN and infinities by numbers; the derivative there is 0."""
    if is_complex(x):
        parts = [nan_to_num(part, copy, nan, posinf, neginf) for part in (np.real(x), np.imag(x))]
        return parts[0] + 1j * parts[1]
    plain = raw(x)
    return np.where(np.isfinite(plain), x, np.nan_to_num(plain, True, nan, posinf, neginf))


round_rule = Step("np.round", np.round)
fix_rule = Step("np.fix", lambda x: np.trunc(x))
spacing_rule = Step("np.spacing", np.spacing)
fraction_rule = parallel("np.modf", lambda x: np.modf(x)[0])
whole_rule = Step("np.modf", lambda x: np.modf(x)[1])


@implements(np.round, np.around)
def round(a: Any, decimals: int = 0, out: None = None) -> Any:
    """Round to `decimals`; the derivative is 0."""
    refuse_out(out)
    return round_rule(operand(a), decimals=decimals)


@implements(np.fix)
def fix(x: Any, out: None = None) -> Any:
    """Round towards 0; the derivative is 0."""
    refuse_out(out)
    return fix_rule(operand(x))


@implements(np.spacing)
def spacing(x: Any) -> Any:
    """Distance to the next number; the derivative is 0."""
    return spacing_rule(x)


@implements(np.modf)
def modf(x: Any) -> tuple[Any, Any]:
    """Fractional part, whose derivative is 1, and integral part, whose derivative is 0."""
    return fraction_rule(x), whole_rule(x)


@implements(np.frexp)
def frexp(x: Any) -> tuple[Any, Any]:
    """Mantissa, and the exponent, which is plain."""
    exponent = np.frexp(raw(x))[1]
    return np.ldexp(x, -exponent), exponent


@implements(np.divmod)
def divmod(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Floor division, whose derivative is 0, and the remainder."""
    return x1 // x2, x1 % x2


refuse(np.nextafter, "it moves by one rounding; write x + np.spacing(x)")
refuse(np.isnat, "it is for dates")
for _whole in (
    np.bitwise_and,
    np.bitwise_count,
    np.bitwise_or,
    np.bitwise_xor,
    np.gcd,
    np.invert,
    np.lcm,
    np.left_shift,
    np.right_shift,
):
    refuse(_whole, "it is for whole numbers; give it `.value` as integers")


@implements(np.i0)
def i0(x: Any) -> Any:
    """Return the modified Bessel function of order 0."""
    return function_named("i0")(x)
