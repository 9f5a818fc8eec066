"""`Tracer` and `Traced`: values that write down what is done with them.

`Traced` is what plain code sees in the place of an array, `Tracer` the box around it by which
it meets tracked values, as `Variable` is the box of an array. Both hold an example, so that
NumPy itself says what shape and dtype each result has; no number of it enters the program.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeGuard

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from autodiff.box import Box, raw
from autodiff.callsite import user_place
from autodiff.careful import PRODUCT
from autodiff.compiler import refusals
from autodiff.compiler.following import Following
from autodiff.compiler.lowering import DATA_SHAPES, LOWERED, LOWERED_RULES, VIEWS_OF_SHAPE
from autodiff.compiler.opaque import Opaque
from autodiff.compiler.operations import Call, CarefulProduct, Hole, Kernel, Matmul, Operation
from autodiff.compiler.program import Instruction, Operand, Program, Value
from autodiff.compiler.refusals import MissingAttributeError, ShapeError, TracingError
from autodiff.conversions import caller_name
from autodiff.custom import Custom
from autodiff.elementwise import Elementwise, rule_answering
from autodiff.holding import HOLDERS
from autodiff.levels import ACTIVE
from autodiff.numpy.buffer import IN_PLACE
from autodiff.registry import CALLS, function_name


class Recorder:
    """Writes a program down.

    Attributes
    ----------
    program : Program
    level : int
        Number of the transform that traces.
    """

    def __init__(self, level: int) -> None:
        self.level = level
        self.program = Program()
        self._constants: dict[int, Traced] = {}
        self.followed: set[Any] = set()
        self._originals: list[Any] = []  # so that no other array gets the number of one
        self._cotangents: set[Value] | None = None

    def input(self, example: Any) -> Tracer:
        """Return a new argument of the function, like `example`."""
        value = Value.like(example)
        self.program.inputs.append(value)
        return Tracer(Traced(self, value, example))

    def operand(self, given: Any) -> Operand:
        """Return what stands in the program for an argument of an operation."""
        if isinstance(given, Traced):
            return given.value if given.recorder is self else self.outer(given)
        if isinstance(given, (np.ndarray, np.generic)):
            return self.constant(given).value
        return given

    def taken(self, given: Any) -> Any:
        """Return an argument of an operation without its boxes."""
        return raw(given)

    def stopped(self, given: Traced) -> Traced:
        """Return a value as a constant to the derivatives that are taken of the program."""
        return given

    def outer(self, given: Traced) -> Any:
        """Return what stands in the program for a traced value of another one."""
        self.check(given)
        return given.value

    def check(self, given: Any) -> None:
        """Raise an error if a traced value is one of a program that is finished, or inside."""
        if isinstance(given, Traced) and given.recorder.level not in ACTIVE:
            raise TracingError(
                f"{user_place()}: a value that was traced in a function of autodiff.cond, "
                "while_loop or scan, or in another compiled function, is used outside of it; give "
                "it back as a result (of scan in its carry or its y)"
            )

    def constant(self, array: Any) -> Traced:
        """Return an array that the function refers to as a value."""
        found = self._constants.get(id(array))
        # The function may write into its array later: the program has it as it is now.
        if found is None or not same_bits(found.example, array):
            copy = np.array(array)
            copy.flags.writeable = False
            kept = copy if isinstance(array, np.ndarray) else array
            found = Traced(self, Value.like(kept), kept)
            self._constants[id(array)] = found
            self._originals.append(array)
            self.program.constants[found.value] = kept
        return found

    def emit(self, operation: Operation, *operands: Any) -> Any:
        """Add an instruction; return its result, a tuple if there are several."""
        if self._cotangents is not None:
            operation, operands = self._careful(operation, operands)
        out = operation.example(*map(example_of, operands))
        several = isinstance(out, (tuple, list))
        results = [self._result(each, operation) for each in (out if several else (out,))]
        given = tuple(map(self.operand, operands))
        values = tuple(each.value for each in results)
        self.program.instructions.append(Instruction(operation, given, values))
        if self._cotangents is not None and any(each in self._cotangents for each in given):
            self._cotangents.update(values)
        if not several:
            return results[0]
        return type(out)(*results) if hasattr(out, "_fields") else tuple(results)

    def _result(self, out: Any, operation: Operation) -> Traced:
        if not isinstance(out, (np.ndarray, np.generic, float, int, complex)):
            raise TracingError(
                f"{operation.name} gave a {type(out).__name__}, but a compiled program holds "
                "numbers and arrays only; call it outside of the compiled function"
            )
        return Traced(self, Value.like(out), out)

    def call(
        self,
        function: Callable[..., Any],
        args: Any,
        kwargs: Any,
        label: str = "",
        rule: Any = None,
    ) -> Any:
        """Add a call of a Python function; its arguments may hold values at any depth."""
        operands: list[Traced] = []

        def hole(given: Any) -> Any:
            if isinstance(given, Traced):
                operands.append(given)
                return Hole(len(operands) - 1)
            if isinstance(given, dict):
                return {key: hole(item) for key, item in given.items()}
            if type(given) in (list, tuple):
                return type(given)(map(hole, given))
            # The function may write into its array later: the call has it as it is now.
            return self.constant(given).example if isinstance(given, np.ndarray) else given

        template, keywords = hole(tuple(args)), hole(dict(kwargs))
        alone: list[bool] = []

        def noted(*given: Any, **named: Any) -> Any:
            out = function(*given, **named)
            alone[:] = [isinstance(out, (tuple, list)) and len(out) == 1]
            return out

        noted.__wrapped__ = function  # type: ignore[attr-defined]
        operation = Call(noted, template, keywords, label or function_name(function), rule)
        found = self.emit(operation, *operands)
        return (found,) if alone[0] else found

    @contextmanager
    def undone_if_refused(self) -> Iterator[None]:
        """Forget what was added if it turns out that numbers are asked for."""
        count = len(self.program.instructions)
        try:
            yield
        except TracingError:
            del self.program.instructions[count:]
            raise

    @contextmanager
    def following(self, primitive: Any) -> Iterator[None]:
        """Follow what a primitive is made of; where it comes to itself again, it is a call."""
        self.followed.add(primitive)
        try:
            yield
        finally:
            self.followed.discard(primitive)

    @contextmanager
    def careful(self, grad: Any) -> Iterator[None]:
        """Make products with the cotangent `grad`, and what becomes of it, careful ones."""
        before, self._cotangents = self._cotangents, {self.operand(raw(grad))}
        try:
            yield
        finally:
            self._cotangents = before

    def _careful(self, operation: Operation, operands: tuple[Any, ...]) -> Any:
        """Return the operation under the rule of zero if one of its factors is a cotangent.

        Returns
        -------
        operation : Operation
        operands : tuple
            With the cotangent first where the operation is a product of entries.
        """
        factors = [self.operand(each) in (self._cotangents or ()) for each in operands]
        if isinstance(operation, Matmul) and any(factors):
            return Matmul(factors.index(True)), operands
        if isinstance(operation, Kernel) and operation.name == "multiply" and any(factors):
            return CarefulProduct(), operands if factors[0] else operands[::-1]
        return operation, operands


def example_of(given: Any) -> Any:
    """Return the example of a traced value; anything else itself."""
    return given.example if isinstance(given, Traced) else given


def recorder_of(values: Any) -> Recorder | None:
    """Return the innermost recorder of traced values in nested arguments, None without any."""
    if isinstance(values, Traced):
        return values.recorder
    if isinstance(values, dict):
        values = values.values()
    elif not isinstance(values, (list, tuple)):
        return None
    found = filter(None, map(recorder_of, values))
    return max(found, key=lambda recorder: recorder.level, default=None)


class Traced(NDArrayOperatorsMixin):
    """A value of a program in the place of an array."""

    __pandas_priority__ = 0  # boxes apply functions to it, as they do to an array

    def __init__(self, recorder: Recorder, value: Value, example: Any) -> None:
        self.recorder = recorder
        self.value = value
        self.example = example

    shape = property(lambda self: self.value.shape)
    dtype = property(lambda self: self.value.dtype)
    ndim = property(lambda self: len(self.value.shape))
    size = property(lambda self: self.value.size)
    T = property(lambda self: np.transpose(self))
    real = property(lambda self: np.real(self))
    imag = property(lambda self: np.imag(self))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if _holds_box(inputs) or _holds_box(tuple(kwargs.values())):
            return NotImplemented
        kwargs = {key: each for key, each in kwargs.items() if key != "out" or each is not None}
        recorder = recorder_of((inputs, kwargs)) or self.recorder
        lowered = LOWERED.get((ufunc, method))
        if lowered is not None:
            return lowered(recorder, *inputs, **kwargs)
        if method == "__call__" and not kwargs and ufunc.nout == 1:
            rule = rule_answering(ufunc)
            if _fits(rule, inputs):
                return recorder.emit(Kernel(rule), *inputs)
        if "out" in kwargs or method == "at":
            refusals.refuse_array(f"{function_name(ufunc)} that changes an array")
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        label = function_name(ufunc) + ("" if method == "__call__" else f".{method}")
        return recorder.call(function, inputs, kwargs, label)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Any:
        if _holds_box((args, tuple(kwargs.values()))):
            return NotImplemented
        if function in VIEWS_OF_SHAPE:
            return function(*_examples(args), **_examples(kwargs))
        if function in DATA_SHAPES and not (function is np.where and len(args) == 3):
            refusals.refuse_shape(function_name(function))
        recorder = recorder_of((args, kwargs)) or self.recorder
        if function in IN_PLACE:
            refusals.refuse_array(function_name(function))
        lowered = LOWERED.get(function)
        if lowered is not None:
            return lowered(recorder, *args, **kwargs)
        rule = rule_answering(function)
        if not kwargs and _fits(rule, args):
            return recorder.emit(Kernel(rule), *args)
        return recorder.call(function, args, kwargs)

    def __getitem__(self, index: Any) -> Any:
        return LOWERED["getitem"](recorder_of((self, index)), self, index)

    def __setitem__(self, index: Any, new: Any) -> NoReturn:
        refusals.refuse_array("an assignment to a part of it")

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single number has no len()")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getattr__(self, name: str) -> Any:
        function = None if name.startswith("_") else _METHODS.get(name)
        if function is None:
            raise MissingAttributeError(f"a traced array has no attribute {name!r}")
        return functools.partial(function, self)

    def reshape(self, *shape: Any, **keywords: Any) -> Any:
        """Return the entries in another shape."""
        return np.reshape(self, shape[0] if len(shape) == 1 else shape, **keywords)

    def transpose(self, *axes: Any) -> Any:
        """Return the entries with the axes in another order."""
        return np.transpose(self, (axes[0] if len(axes) == 1 else axes) or None)

    def astype(self, dtype: Any, **keywords: Any) -> Any:
        """Return the entries in another dtype."""
        return LOWERED["astype"](self.recorder, self, dtype)

    def copy(self, order: str = "C") -> Traced:
        """Return itself, which never changes."""
        return self

    def item(self, *args: Any) -> NoReturn:
        """Refuse."""
        refusals.refuse_number(".item()")

    def tolist(self) -> NoReturn:
        """Refuse."""
        refusals.refuse_number(".tolist()")

    def __bool__(self) -> NoReturn:
        refusals.refuse_condition()

    def __float__(self) -> NoReturn:
        refusals.refuse_number("float(), or a function of `math`,")

    def __int__(self) -> NoReturn:
        refusals.refuse_number("int()")

    def __complex__(self) -> NoReturn:
        refusals.refuse_number("complex()")

    def __index__(self) -> NoReturn:
        refusals.refuse_index()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        self.recorder.check(self)
        if self.dtype == bool:
            refusals.refuse_shape("an index by a condition")
        refusals.refuse_array(caller_name())

    def __repr__(self) -> str:
        return f"<traced {self.value.type}>"

    __hash__ = object.__hash__


def _holds_box(value: Any) -> bool:
    """Return whether there is a box in nested sequences of arguments."""
    if isinstance(value, (list, tuple)):
        return any(map(_holds_box, value))
    return isinstance(value, Box)


def same_bits(first: Any, second: Any) -> bool:
    """Return whether two arrays are equal to the last bit."""
    x, y = np.asarray(first), np.asarray(second)
    return (x.dtype, x.shape) == (y.dtype, y.shape) and x.tobytes() == y.tobytes()


def _fits(rule: Any, args: Sequence[Any]) -> TypeGuard[Elementwise]:
    """Return whether a rule of the table takes these arguments."""
    return rule is not None and len(args) == len(rule.entry.args) and not _has_complex(args)


def _has_complex(args: Sequence[Any]) -> bool:
    return any(np.iscomplexobj(example_of(each)) for each in args)


def _examples(given: Any) -> Any:
    """Return nested arguments with examples in the place of traced values."""
    if isinstance(given, dict):
        return {key: _examples(item) for key, item in given.items()}
    if type(given) in (list, tuple):
        return type(given)(map(_examples, given))
    return example_of(given)


_METHODS = {
    name: getattr(np, name)
    for name in dir(np.ndarray)
    if name not in ("partition", "put", "sort") and callable(getattr(np, name, None))
} | {"flatten": np.ravel}


class Tracer(Following):
    """The box of a traced value: what a function that is compiled gets as an argument."""

    __slots__ = ()

    def __init__(self, traced: Traced) -> None:
        self._value = traced
        self.level = traced.recorder.level

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        # Whole numbers and conditions have functions that have no derivative.
        if not kwargs and ufunc not in CALLS and all(map(_is_whole, inputs)):
            return boxed(getattr(ufunc, method)(*map(raw, inputs)))
        return super().__array_ufunc__(ufunc, method, *inputs, **kwargs)

    def process(self, primitive: Any, args: Sequence[Any], static: dict[str, Any]) -> Any:
        """Write down `primitive`, by what it is made of where that can be followed."""
        recorder: Recorder = self._value.recorder
        given = [recorder.taken(arg) for arg in args]
        operation = getattr(primitive, "operation", None)
        if operation is not None:
            outs = recorder.emit(operation, *given)
            return boxed(outs) if isinstance(outs, tuple) else (boxed(outs),)
        if isinstance(primitive, Elementwise) and not primitive.of_complex:
            return boxed(recorder.emit(Kernel(primitive), *given))
        if primitive is PRODUCT:
            return boxed(recorder.emit(CarefulProduct(), *given))
        lowered = LOWERED_RULES.get(primitive)
        if lowered is not None:
            return boxed(lowered(recorder, *given, **static))
        called = isinstance(primitive, (Custom, Elementwise, Opaque))
        if not called and primitive not in recorder.followed:
            try:
                with recorder.undone_if_refused(), recorder.following(primitive):
                    found = primitive.forward(*given, **static)
                    if recorder_of(found) is not None:
                        return boxed(found)
            except ShapeError:
                raise
            except TracingError:
                pass
        return boxed(recorder.call(primitive.forward, given, static, primitive.name, primitive))

    def move_to(self, new: Any) -> None:
        """Become the result of an operation in place."""
        self._value = raw(new) if isinstance(raw(new), Traced) else self._constant(raw(new))

    def _constant(self, new: Any) -> Traced:
        recorder: Recorder = self._value.recorder
        return recorder.constant(np.broadcast_to(np.asarray(new, self.dtype), self.shape))

    def kind_of(self, number: Any) -> Any:
        """Return a number as an array of shape (), a NumPy scalar or a float, as this one is."""
        example = self._value.example
        if isinstance(number, Box) and not isinstance(number, Tracer):
            return number
        found = _of_kind(example_of(raw(number)), example)
        traced = raw(number)
        if not isinstance(traced, Traced):
            return found
        return Tracer(Traced(traced.recorder, traced.value, found))

    def detach(self) -> Any:
        """Return the value as a constant to all derivatives."""
        return self._value.recorder.stopped(self._value)

    def copy(self, order: Any = "C") -> Any:
        """Return a value of its own that may be changed in place."""
        return Tracer(self._value)

    def item(self, *args: Any) -> Any:
        """Refuse: numbers are not known."""
        return self._value.item(*args)

    def tolist(self) -> Any:
        """Refuse: numbers are not known."""
        return self._value.tolist()

    def astype(self, dtype: Any, *args: Any, **keywords: Any) -> Any:
        """Return the value in another dtype; whole numbers and conditions too."""
        if np.dtype(dtype).kind in "fc":
            return super().astype(dtype, *args, **keywords)
        return Tracer(self._value.astype(dtype))

    def __invert__(self) -> Any:
        return np.invert(self)

    def __index__(self) -> NoReturn:
        refusals.refuse_index()

    def __bool__(self) -> NoReturn:
        refusals.refuse_condition()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self._value.__array__(dtype, copy)

    def __repr__(self) -> str:
        return repr(self._value)

    def _plain(self, wanted: str) -> NoReturn:
        refusals.refuse_number(wanted.removesuffix(" need").removesuffix(" needs"))


def _of_kind(number: Any, example: Any) -> Any:
    if isinstance(example, np.ndarray):
        return np.asarray(number, example.dtype)
    return example.dtype.type(number) if isinstance(example, np.generic) else type(example)(number)


def _is_whole(given: Any) -> bool:
    """Return whether an operand holds whole numbers or conditions that no transform follows."""
    return isinstance(given, (Tracer, bool, int, np.ndarray, np.generic, Traced)) and (
        np.asarray(example_of(raw(given))).dtype.kind in "biu"
    )


def boxed(found: Any) -> Any:
    """Return traced values, also in tuples, in their boxes."""
    if isinstance(found, Traced):
        return Tracer(found)
    if isinstance(found, (tuple, list)):
        items = map(boxed, found)
        return type(found)(*items) if hasattr(found, "_fields") else tuple(items)
    return found


def _bits(ufunc: Any) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    """Return an operator on conditions and whole numbers, and the reflected one."""

    def operator(self: Any, other: Any) -> Any:
        return boxed(ufunc(raw(self), raw(other)))

    def reflected(self: Any, other: Any) -> Any:
        return boxed(ufunc(raw(other), raw(self)))

    return operator, reflected


_OPERATORS: dict[str, Any] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
}
for _name, _ufunc in _OPERATORS.items():
    _forward, _reflected = _bits(_ufunc)
    setattr(Tracer, f"__{_name}__", _forward)
    setattr(Tracer, f"__r{_name}__", _reflected)

HOLDERS[Traced] = Tracer
