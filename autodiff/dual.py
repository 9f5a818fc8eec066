"""Forward mode: `Dual`, a value with its tangent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.box import apply
from autodiff.copies import detached
from autodiff.methods import ArrayMethods
from autodiff.values import check_inexact, dtype_of, spread


class Dual(ArrayMethods):
    """A value that carries its derivative along one direction.

    Parameters
    ----------
    value : float, NumPy scalar, array or Box of a lower level
        The primal.
    tangent : like value
        Its change.
    level : int
        Number of the transform.
    """

    __slots__ = ("tangent",)
    tangent: Any

    def __init__(self, value: Any, tangent: Any, level: int) -> None:
        self._value = value
        self.tangent = tangent
        self.level = level

    def process(self, primitive: Any, args: Sequence[Any], static: dict[str, Any]) -> Any:
        """Apply `primitive` to the primals and push the tangents through it."""
        values: list[Any] = list(args)
        tangents: list[Any] = [None] * len(args)
        for i, arg in enumerate(args):
            if isinstance(arg, Dual) and arg.level == self.level:
                values[i] = arg._value
                if not primitive.selective or primitive.followed(i):
                    tangents[i] = arg.tangent
        out = apply(primitive, tuple(values), static)
        if all(tangent is None for tangent in tangents):
            return out
        several = type(out) is tuple
        if not several:
            check_inexact(dtype_of(out), primitive.name)
        with np.errstate(all="ignore"):
            tangent = self.pushed(primitive, tangents, out, values, static)
        return tuple(map(self.along, out, tangent)) if several else self.along(out, tangent)

    def pushed(
        self, primitive: Any, tangents: Sequence[Any], out: Any, args: Any, static: Any
    ) -> Any:
        """Return the change of what `primitive` gave."""
        return primitive.jvp(tangents, out, args, static)

    def along(self, out: Any, tangent: Any) -> Any:
        """Return `out` with its change; itself if that is None."""
        return out if tangent is None else type(self)(out, spread(tangent, out), self.level)

    def move_to(self, new: Any) -> None:
        """Become the result `new` of an in-place operation."""
        if isinstance(new, Dual) and new.level == self.level:
            self._value, self.tangent = new._value, new.tangent
        else:
            self._value, self.tangent = new, spread(0.0, new)

    def detach(self) -> Any:
        """Return the plain value, a constant to all derivatives."""
        return detached(self)
