"""Reverse mode: `Variable`, a value that records what is computed from it.

The result of an operation on arrays points to a `Node`; the result of one on Python floats is
its own node, with its partials stored as floats.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from autodiff.box import Box, apply
from autodiff.gradients import accumulate
from autodiff.levels import recording
from autodiff.node import FLOAT, SELF, Node, next_index
from autodiff.updates import Updates
from autodiff.values import leaf_value

new = object.__new__


class Variable(Updates):
    """A value that records what is computed from it, for reverse mode.

    Parameters
    ----------
    value : float, int, NumPy scalar, array or nested list of numbers
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
        If `value` is tracked, complex, boolean, or not numeric.

    Examples
    --------
    >>> import numpy as np
    >>> v = Variable([1.0, 2.0])
    >>> loss = np.sum(v**2)
    >>> loss.backward()
    >>> v.grad
    array([2., 4.])
    """

    __slots__ = ("__weakref__", "args", "grad", "index", "partials", "primitive")
    grad: Any
    index: int
    partials: tuple[float, ...]
    primitive: Any
    args: tuple[Any, ...]

    # What a node says of itself, where the variable is its own: an operation on floats.
    static: ClassVar[dict[str, Any]] = {}
    of_float: ClassVar[bool] = True

    def __init__(self, value: Any) -> None:
        if isinstance(value, Box) and value.is_tracked():
            raise TypeError(
                "Variable(v) of a tracked value would lose its history; use v itself, "
                "v.copy() for a value of its own, or Variable(v.detach()) for a new start"
            )
        self._value = value if type(value) is float else leaf_value(value)
        self.level = 0
        self.grad = None
        self.node = SELF
        self.index = next_index()
        self.inputs = ()

    @classmethod
    def leaf(cls, value: Any, level: int) -> Variable:
        """Return a variable at `level` that shares `value`, for transforms."""
        found = cls.view(value, SELF, level)
        found.index = next_index()
        found.inputs = ()
        return found

    @classmethod
    def view(cls, value: Any, node: Any, level: int = 0) -> Variable:
        """Return a variable with `value` whose history is `node` (None: no history)."""
        found: Variable = new(cls)
        found.level = level
        found._value = value
        found.node = node
        found.grad = None
        return found

    @property
    def out(self) -> Any:
        """The output of an operation on floats, as its gradient methods read it."""
        return self._value

    def detach(self) -> Variable:
        """Return the value as a variable without history: a constant to all derivatives."""
        return Variable.view(self._value, None, self.level)

    def zero_grad(self) -> None:
        """Forget the gradient."""
        self.grad = None

    def process(self, primitive: Any, args: Sequence[Any], static: dict[str, Any]) -> Any:
        """Apply `primitive` and record it."""
        level = self.level
        values: list[Any] = []
        inputs: list[Any] = []
        tracked, nested = 0, False
        for arg in args:
            source = None
            if isinstance(arg, Variable) and arg.level == level:
                if arg.node is not None and (
                    not primitive.selective or primitive.followed(len(values))
                ):
                    source = arg if arg.node is SELF else arg.node
                    tracked |= 1 << len(values)
                arg = arg._value
            if level and isinstance(arg, Box):
                nested = True
            values.append(arg)
            inputs.append(source)
        out = apply(primitive, values, static) if nested else primitive.forward(*values, **static)
        if not tracked or (level == 0 and not recording.on):
            return constant(out) if level == 0 else out
        return record(out, primitive, values, inputs, tracked, static, level)

    def __reduce__(self) -> Any:
        return _restored, (self._value, self.grad, self.is_leaf())

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        return _restored(copy.deepcopy(self._value), copy.deepcopy(self.grad), self.is_leaf())

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


def _restored(value: Any, grad: Any, leaf: bool) -> Variable:
    """Return a copied or unpickled variable: a leaf with its gradient, or a detached value."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    found = Variable.leaf(value, 0) if leaf else Variable.view(value, None, 0)
    found.grad = grad
    return found


def constant(out: Any) -> Variable:
    """Return `out` as a variable of level 0 without history."""
    if type(out) is np.ndarray:
        out.flags.writeable = False
    return Variable.view(out, None)


def record(
    out: Any,
    primitive: Any,
    values: list[Any],
    inputs: list[Any],
    tracked: int,
    static: dict[str, Any],
    level: int,
) -> Variable:
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
    if type(out) is np.ndarray:
        out.flags.writeable = False  # the node may remember it
        node.shape, node.dtype = out.shape, out.dtype
        node.of_float = False
    else:
        node.shape, node.dtype = getattr(out, "shape", ()), getattr(out, "dtype", FLOAT)
        node.of_float = type(out) is float
    if node.dtype is not FLOAT and node.dtype.kind == "c":
        raise TypeError(
            f"{primitive.name} gave complex values, which cannot be differentiated yet; "
            "compute real and imaginary part as two real values"
        )
    keeps_out, unread = primitive.plans.get(tracked) or primitive.plan(tracked, len(values))
    for i in unread:
        values[i] = None
    node.index = next_index()
    node.inputs = inputs
    node.primitive = primitive
    node.static = static
    node.args = values
    node.out = out if keeps_out else None
    found: Variable = new(Variable)
    found.level = level
    found._value = out
    found.node = node
    found.grad = None
    return found
