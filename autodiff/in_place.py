"""When a box may change, and how: its value under `no_grad`, operations in place."""

from __future__ import annotations

import dis
import sys
from types import FrameType
from typing import Any

import numpy as np

from autodiff.box import Box, operand, raw
from autodiff.levels import recording
from autodiff.registry import CALLS
from autodiff.values import finish, leaf_value, shape_of


def set_value(box: Any, new: Any) -> None:
    """Do ``box.value = new``, allowed on variables of level 0 under `no_grad`."""
    if box.level or recording.on:
        raise TypeError(
            "a value cannot be set while operations are recorded; write "
            "`with autodiff.no_grad(): x.value = ...`"
        )
    if box.is_tracked and not box.is_leaf:
        raise TypeError(
            "the value of a result cannot be set, its history would not fit; set that of a "
            "variable you made, or of `x.detach()`"
        )
    assign(box, leaf_value(raw(new)))


def assign(box: Any, new: Any) -> None:
    """Give `box` the plain value `new`, which nobody else holds, in its own dtype and kind."""
    old = box._value
    if shape_of(new) != shape_of(old):
        raise ValueError(
            f"the new value of this variable has shape {shape_of(new)}, the old one "
            f"{shape_of(old)}; make a new Variable for another shape"
        )
    if type(new) is np.ndarray is type(old) and new.base is None and new.dtype is old.dtype:
        new.flags.writeable = False
        box._value = new
    else:
        box._value = leaf_value(finish(new, old), copy=False)


def check(box: Any) -> None:
    """Raise a TypeError where an operation in place would change a recorded input."""
    if recording.on and box.is_leaf:
        raise TypeError(
            "a variable you made cannot be changed in place while operations are recorded: "
            "its gradient would belong to another value. Write `x = x.copy()` first, which "
            "is recorded, or `with autodiff.no_grad():` for an update such as an optimiser step"
        )


def become(box: Any, new: Any) -> Any:
    """Return `box` after it became `new`, the result of an operation in place.

    A single number cannot change, and a value of a later transform cannot live in a box of an
    earlier one: then it is `new` that is returned, and only the name moves on.

    Raises
    ------
    ValueError
        If the shapes differ; NumPy's arrays cannot grow in place either.
    """
    later = isinstance(new, Box) and new.level > box.level
    if later or not isinstance(raw(box), np.ndarray):
        return new
    if shape_of(new) != box.shape:
        raise ValueError(
            f"an operation in place on shape {box.shape} gave shape {shape_of(new)}; write "
            "`x = x + y` for a value of another shape"
        )
    if new.dtype != box.dtype:
        new = CALLS["astype"](new, box.dtype)
    box.move_to(new)
    return box


def _references_when_alone() -> int:
    """Return what `__setitem__` counts where only the statement holds the object.

    0 where this Python counts no more if a variable holds it too, as Python 3.14, whose
    instructions borrow from local variables: there such an assignment is not noticed.
    """
    counts = []

    class Counting:
        def __setitem__(self, index: int, new: None) -> None:
            counts.append(sys.getrefcount(self))

    def assign() -> None:
        Counting()[0] = None
        held = Counting()
        held[0] = None

    assign()
    return counts[0] if counts[0] < counts[1] else 0


ALONE = _references_when_alone()
# Python 3.12 and later have an instruction of their own for slices.
_STORES = {dis.opmap[name] for name in ("STORE_SUBSCR", "STORE_SLICE") if name in dis.opmap}


def refuse_if_lost(frame: FrameType) -> None:
    """Raise a TypeError if `frame` assigns to an item of what nothing else holds, ``v[i][j] = w``.

    NumPy writes through such a view; a part of a tracked value is a copy.
    """
    code = frame.f_code.co_code
    if code[frame.f_lasti] in _STORES:
        raise TypeError(
            "v[i][j] = w would change a copy that nothing holds: parts of tracked values, "
            "v.T and v.reshape(...) are no views. Write v[i, j] = w"
        )


def set_items(box: Any, index: Any, new: Any) -> None:
    """Do ``box[index] = new``.

    Raises
    ------
    TypeError
        On a variable made by the user while operations are recorded, or if `new` belongs to a
        transform that started later than that of `box`.
    """
    check(box)
    changed = CALLS["setitem"](box, index, new)
    if isinstance(changed, Box) and changed.level > box.level:
        raise TypeError(
            "x[i] = v would put a value of an inner transform into one of an outer transform; "
            "build it inside with np.stack, np.concatenate or np.where"
        )
    box.move_to(changed)


def set_flat_items(box: Any, places: Any, values: Any) -> None:
    """Assign to the entries counted in C order; too few values are used again."""
    values = operand(values)
    one = np.prod(shape_of(values)) == 1
    values = np.reshape(values, ()) if one else np.resize(values, places.shape)
    set_items(box, np.unravel_index(places, box.shape), values)
