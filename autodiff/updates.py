"""Changing a variable: its value under `no_grad`, and operations in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import raw
from autodiff.levels import recording
from autodiff.methods import ArrayMethods
from autodiff.node import SELF
from autodiff.values import finish, leaf_value, shape_of


class Updates(ArrayMethods):
    """The part of `Variable` that says when it may change, and how.

    Attributes
    ----------
    node : Node, Variable, SELF or None
        The history; None without one.
    inputs : sequence
        Empty for a variable made by the user.
    """

    __slots__ = ("inputs", "node")
    node: Any
    inputs: Any

    @property
    def value(self) -> Any:
        """The value without its history; an array is read-only. Set it under `no_grad` only."""
        return self._value

    @value.setter
    def value(self, new: Any) -> None:
        if self.level or recording.on:
            raise TypeError(
                "a value cannot be set while operations are recorded; write "
                "`with no_grad(): x.value = ...`"
            )
        self.assign(leaf_value(raw(new)))

    def assign(self, new: Any) -> None:
        """Take the plain `new`, which nobody else holds, as value, in dtype and kind of the old."""
        old = self._value
        if (
            type(new) is np.ndarray is type(old)
            and new.base is None
            and new.shape == old.shape
            and new.dtype is old.dtype
        ):
            new.flags.writeable = False
            self._value = new
            return
        if shape_of(new) != self.shape:
            raise ValueError(f"the new value has shape {shape_of(new)}, not {self.shape}")
        self._value = leaf_value(finish(new, old), copy=False)

    def is_tracked(self) -> bool:
        """Return whether a derivative flows through this value."""
        return self.node is not None

    def is_leaf(self) -> bool:
        """Return whether this variable was made by the user, not by an operation or transform."""
        return self.node is SELF and not self.inputs and not self.level

    def check_in_place(self) -> None:
        """Raise a TypeError where an in-place operation would change a recorded input."""
        if recording.on and self.is_leaf():
            raise TypeError(
                "a variable you made cannot be changed in place while operations are recorded: "
                "its gradient would belong to another value. Write `x = x.copy()` first, which "
                "is recorded, or `with no_grad():` for an update such as an optimiser step"
            )

    def move_to(self, new: Any) -> None:
        """Become the result `new` of an in-place operation on this variable."""
        if isinstance(new, Updates) and new.level == self.level:
            self._value = new._value
            self.node = new.node or self.node
        else:
            self._value = new
