"""Reverse mode: `Variable`, a value that records what is computed from it.

The result of an operation on arrays points to a `Node`; the result of one on Python floats is
its own node, with its partials stored as floats.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from autodiff import copies, in_place
from autodiff.box import Box, apply
from autodiff.gradients import accumulate
from autodiff.levels import ACTIVE, recording
from autodiff.methods import ArrayMethods
from autodiff.node import SELF, Node, next_index, source_of
from autodiff.several import pick
from autodiff.values import COMPLEX, FLOAT, check_inexact

new = object.__new__


class Variable(ArrayMethods):
    """A value that records what is computed from it, for reverse mode.

    Parameters
    ----------
    value : float, int, complex, NumPy scalar, array or nested list of numbers
        Copied. Integers become float64, Python ints floats.

    Attributes
    ----------
    value : float, NumPy scalar or read-only ndarray
        Outside `no_grad` it cannot be set.
    grad : None, or like value
        Sum of the gradients of all calls of `backward` since `zero_grad`. Kept on variables
        made by the user only.

    Raises
    ------
    TypeError
        If `value` is tracked, boolean, or not numeric.

    Examples
    --------
    >>> import numpy as np
    >>> v = Variable([1.0, 2.0])
    >>> loss = np.sum(v**2)
    >>> loss.backward()
    >>> v.grad
    array([2., 4.])
    """

    __slots__ = ("__weakref__", "args", "grad", "index", "inputs", "node", "partials", "rule")
    grad: Any
    node: Any
    index: int
    inputs: Any
    partials: tuple[float, ...]
    rule: Any
    args: tuple[Any, ...]

    # What a node says of itself, where the variable is its own: an operation on floats.
    static: ClassVar[dict[str, Any]] = {}
    floats: ClassVar[bool] = True

    def __init__(self, value: Any) -> None:
        self._value = value if type(value) is float else copies.own_value(value)
        self.level, self.grad, self.node = 0, None, SELF
        self.index, self.inputs = next_index(), ()

    @classmethod
    def leaf_at(cls, value: Any, level: int) -> Variable:
        """Return a variable at `level` that shares `value`, for transforms."""
        found: Variable = cls.wrap(value, SELF, level)
        found.index = next_index()
        found.inputs = ()
        return found

    @classmethod
    def wrap(cls, value: Any, node: Any, level: int = 0) -> Any:
        """Return a variable with `value` whose history is `node` (None: no history).

        Of a tuple, the outputs of one call, a tuple of variables.
        """
        if type(value) is np.ndarray:
            value.flags.writeable = False
        elif type(value) is tuple:
            return pick(functools.partial(cls.wrap, level=level), value, node)
        found: Variable = new(cls)
        found.level = level
        found._value = value
        found.node = node
        found.grad = None
        return found

    # What this level computes with: a float or a read-only array, inside nested transforms a
    # value of the outer one. It is set under `no_grad` only.
    value = property(lambda self: self._value, in_place.set_value)
    is_tracked = property(
        lambda self: self.node is not None and (not self.level or self.level in ACTIVE)
    )
    is_leaf = property(lambda self: self.node is SELF and not self.inputs and not self.level)

    def move_to(self, new: Any) -> None:
        """Become the result `new` of an in-place operation; without recording, keep the history."""
        here = isinstance(new, Variable) and new.level == self.level
        self._value = new._value if here else new
        if self.level or recording.on:
            self.node = new.node if here else None

    def detach(self) -> Any:
        """Return a constant to all derivatives: a variable without history, plain in transforms."""
        return copies.detached(self) if self.level else Variable.wrap(self._value, None)

    def zero_grad(self) -> None:
        """Forget the gradient."""
        self.grad = None

    def process(self, primitive: Any, args: Sequence[Any], static: dict[str, Any]) -> Any:
        """Apply `primitive` and record it."""
        level, free = self.level, not primitive.selective
        if level == 0 and free and len(args) == 1:
            source = source_of(self)
            if source is not None and recording.short:
                out = primitive.forward(self._value, **static)
                return record(out, primitive, [self._value], [source], 1, static, 0)
        values: list[Any] = []
        inputs: list[Any] = []
        tracked, nested = 0, False
        for arg in args:
            source = None
            if isinstance(arg, Variable) and arg.level == level:
                if arg.node is not None and (free or primitive.followed(len(values))):
                    source = source_of(arg)
                    tracked |= 1 << len(values)
                arg = arg._value
            nested = nested or (level > 0 and isinstance(arg, Box))
            values.append(arg)
            inputs.append(source)
        out = apply(primitive, values, static) if nested else primitive.forward(*values, **static)
        if not tracked or (level == 0 and not recording.on):
            return out if level else Variable.wrap(out, None)
        found = record(out, primitive, values, inputs, tracked, static, level)
        return found if recording.watch is None else recording.watch.seen(found, primitive, args)

    def backward(self, grad: Any = None, *, create_graph: bool = False) -> None:
        """Add the gradient of this value to the ``grad`` of the variables it came from.

        Parameters
        ----------
        grad : like value, optional
            Gradient of the final result with respect to this value, of exactly its shape; 1
            if not given, which needs a single number.
        create_graph : bool
            Record the walk back too, so that gradients are variables to differentiate again.

        Raises
        ------
        TypeError, ValueError
            If `grad` is missing for an array, or has another shape or kind.
        """
        accumulate(self, grad, create_graph)


def record(
    out: Any,
    primitive: Any,
    values: list[Any],
    inputs: list[Any],
    tracked: int,
    static: dict[str, Any],
    level: int,
) -> Any:
    """Return `out` as a variable whose node remembers what its gradient methods read.

    Parameters
    ----------
    out : float, array or Box
        Result of `primitive` on `values`, which the node then owns.
    inputs : list of (Node, Variable or None)
        Where each of the values came from.
    tracked : int
        Bit i is set if there is an input i.
    """
    node: Any = Node()
    kind = type(out)
    if kind is np.ndarray:
        out.flags.writeable = False  # the node may remember it
    node.floats = kind is float
    node.shape, node.dtype = getattr(out, "shape", ()), getattr(out, "dtype", FLOAT)
    if node.dtype is not FLOAT:
        check_inexact(node.dtype, primitive.name)
    elif kind is complex or kind is tuple:
        node.dtype = COMPLEX if kind is complex else None
    keeps_out, unread = primitive.plans.get(tracked) or primitive.plan(tracked, len(values))
    for i in unread:
        values[i] = None
    node.index = next_index()
    node.inputs = inputs
    node.rule = primitive
    node.static = static
    node.args = values
    node.out = out if keeps_out else None
    if kind is tuple:
        return Variable.wrap(out, node, level)
    found: Variable = new(Variable)
    found.level = level
    found._value = out
    found.node = node
    found.grad = None
    return found
