"""What a differentiated function gave: numbers, arrays, containers, and what else comes with it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.arguments import Function, name_of
from autodiff.box import Box, operand, raw
from autodiff.callsite import user_frame
from autodiff.containers import parts_of, put_together
from autodiff.holding import HOLDERS
from autodiff.levels import next_level
from autodiff.values import is_complex


def leaves_of(out: Any, f: Function, level: int) -> tuple[list[Any], Any]:
    """Return the leaves of a result at `level`, checked, and its structure.

    Raises
    ------
    TypeError
        If one is not made of real or complex numbers.
    """
    leaves, structure = parts_of(out)
    return [_number(leaf, f, level) for leaf in leaves], structure


def _number(out: Any, f: Function, level: int) -> Any:
    out = operand(out) if type(out) in HOLDERS else out
    plain = raw(out)
    if type(plain) is float and isinstance(out, Box) and out.level == level:
        return out
    if isinstance(plain, (int, float, complex)) and not isinstance(plain, bool):
        if not isinstance(out, Box) and isinstance(plain, int):
            return float(plain)
        return own_level(out, level)
    kind = getattr(getattr(plain, "dtype", None), "kind", "")
    if kind in {"f", "i", "u", "c"}:
        return own_level(out, level)
    described = f"dtype {plain.dtype}" if kind else f"a {type(plain).__name__}"
    raise TypeError(
        f"{name_of(f)} gave {described}; a differentiated function gives numbers, arrays, or "
        "containers of them (join several with np.stack or np.concatenate)"
    )


def own_level(out: Any, level: int) -> Any:
    """Return a result without the boxes of transforms that started later: constants here."""
    while isinstance(out, Box) and out.level > level:
        out = out._value
    return out


def split_aux(out: Any, f: Function) -> tuple[Any, Any]:
    """Return the value and what came with it.

    Raises
    ------
    TypeError
        If the function did not give a pair.
    """
    if not isinstance(out, (tuple, list)) or len(out) != 2:
        raise TypeError(
            f"has_aux=True, so {name_of(f)} has to give a pair (value, aux), but it gave "
            f"{f'{len(out)} things' if isinstance(out, (tuple, list)) else type(out).__name__}"
        )
    return out[0], out[1]


def constant(aux: Any, level: int) -> Any:
    """Return what came with a result as the caller's own: no boxes of this transform or later."""
    leaves, structure = parts_of(aux)
    return put_together(structure, [_constant(leaf, level) for leaf in leaves])


def _constant(leaf: Any, level: int) -> Any:
    inner = own_level(leaf, level - 1)
    return inner.copy() if inner is not leaf and isinstance(inner, np.ndarray) else inner


def as_given(out: Any, arguments: Sequence[Any]) -> Any:
    """Return a result as the caller's own.

    A single number is a Python one if all arguments are.
    """
    if isinstance(out, (np.generic, np.ndarray)) and out.ndim == 0:
        if arguments and all(type(raw(value)) in (float, complex) for value in arguments):
            return complex(out) if is_complex(out) else float(out)
        return np.asarray(out)[()]
    return out.copy() if isinstance(out, np.ndarray) else out


def warn_independent(name: str, level: int) -> None:
    """Warn that nothing of the result of transform `level` depends on its arguments.

    Not where a transform ran inside: a derivative is often a constant.
    """
    if next_level() > level + 1:
        return
    _, depth = user_frame()
    warnings.warn(
        f"the result of {name} does not depend on what it is differentiated by, or only through "
        "functions whose derivative is 0 everywhere; the gradient is 0. The usual cause is a "
        "value that was taken out, v.item() or stop_gradient(v)",
        UserWarning,
        stacklevel=depth,
    )
