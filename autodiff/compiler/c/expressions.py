"""The C expression of one elementwise operation, on operands that are C expressions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.compiler.c.header import is_available
from autodiff.compiler.operations import CarefulProduct, Cast, Kernel, Reduce, Ufunc
from autodiff.compiler.passes.finite import needs_care, partial_of
from autodiff.compiler.program import Instruction, Operand, Value

Text = Callable[[Operand, np.dtype[Any]], str]
"""Gives the expression of an operand in a dtype."""

C_TYPES = {
    "d": "double",
    "f": "float",
    "?": "npy_bool",
    "b": "npy_byte",
    "B": "npy_ubyte",
    "h": "npy_short",
    "H": "npy_ushort",
    "i": "npy_int",
    "I": "npy_uint",
    "l": "npy_long",
    "L": "npy_ulong",
    "q": "npy_longlong",
    "Q": "npy_ulonglong",
}
"""C types of the dtypes that a program can hold, by NumPy's characters."""

DOUBLE, FLOAT32, BOOL = np.dtype("d"), np.dtype("f"), np.dtype("?")

_WHOLE = {
    "add": "({} + {})",
    "subtract": "({} - {})",
    "multiply": "({} * {})",
    "negative": "(-{})",
    "positive": "({})",
    "square": "({0} * {0})",
    "maximum": "({0} > {1} ? {0} : {1})",
    "minimum": "({0} < {1} ? {0} : {1})",
    "absolute": "({0} < 0 ? -{0} : {0})",
}
"""Entries of the table on whole numbers, which wrap around as NumPy's do."""

_ARITHMETIC = {
    "add": "({} + {})",
    "subtract": "({} - {})",
    "multiply": "({} * {})",
    "divide": "({} / {})",
    "negative": "(-{})",
}
"""Entries that are operators of C; as calls they would compile more slowly."""

_COMPARISONS = {
    np.equal: "({} == {})",
    np.not_equal: "({} != {})",
    np.less: "({} < {})",
    np.less_equal: "({} <= {})",
    np.greater: "({} > {})",
    np.greater_equal: "({} >= {})",
    np.isnan: "({0} != {0})",
    np.isinf: "(fabs({0}) > DBL_MAX)",
    np.isfinite: "(fabs({0}) <= DBL_MAX)",
    np.signbit: "(signbit({0}) != 0)",
}

_LOGIC = {
    np.logical_and: "(({} != 0) & ({} != 0))",
    np.logical_or: "(({} != 0) | ({} != 0))",
    np.logical_xor: "(({} != 0) ^ ({} != 0))",
    np.logical_not: "({} == 0)",
}

_BITS = {
    np.bitwise_and: "({} & {})",
    np.bitwise_or: "({} | {})",
    np.bitwise_xor: "({} ^ {})",
}


def c_type(dtype: np.dtype[Any]) -> str:
    """Return the C type of a dtype."""
    return C_TYPES[dtype.char]


def is_supported(value: Value) -> bool:
    """Return whether C can hold a value."""
    return value.dtype.char in C_TYPES and value.dtype.isnative


def is_elementwise(each: Instruction) -> bool:
    """Return whether there is an expression for an instruction."""
    return expression(each, lambda operand, dtype: "0") is not None


def is_careful(each: Instruction) -> bool:
    """Return whether an instruction is a product under the rule of zero."""
    operation = each.operation
    if isinstance(operation, Kernel):
        return needs_care(operation, each.operands)
    return isinstance(operation, CarefulProduct)


def expression(each: Instruction, text: Text, careful: bool = True) -> str | None:
    """Return the C expression of an instruction; None where there is no form.

    Parameters
    ----------
    each : Instruction
    text : callable
        Gives the expression of an operand in the dtype that the operation computes in.
    careful : bool
        Apply the rule of zero. A plain product has the same bits where it is no NaN.
    """
    if len(each.results) != 1 or not all(map(is_supported, (*each.values, *each.results))):
        return None
    operation, (result,) = each.operation, each.results
    match operation:
        case Cast():
            return _cast(each.operands[0], result.dtype, text)
        case CarefulProduct() if result.dtype in (DOUBLE, FLOAT32):
            first, second = (text(operand, result.dtype) for operand in each.operands)
            if not careful:
                return f"({first} * {second})"
            return f"ad_careful{_suffix(result.dtype)}({first}, {second})"
        case Reduce() if not operation.axes:
            return text(each.operands[0], result.dtype)
        case Ufunc():
            return _ufunc(operation.ufunc, each, text)
        case Kernel():
            return _kernel(operation, each, result.dtype, text, careful)
    return None


def _suffix(dtype: np.dtype[Any]) -> str:
    return "f" if dtype.char == "f" else ""


def _cast(operand: Operand, dtype: np.dtype[Any], text: Text) -> str | None:
    own = dtype_of_operand(operand)
    if dtype.kind == "b":
        return f"({text(operand, own)} != 0)"
    if own.kind == "f" and dtype.kind in "iu":
        return None
    return f"(({c_type(dtype)}){text(operand, own)})"


def dtype_of_operand(operand: Operand) -> np.dtype[Any]:
    """Return the dtype of an operand; a Python number has NumPy's."""
    return operand.dtype if isinstance(operand, Value) else np.asarray(operand).dtype


def _ufunc(ufunc: Any, each: Instruction, text: Text) -> str | None:
    kind = _common(each.operands)
    if kind is None or kind.char not in C_TYPES:
        return None
    given = [text(operand, kind) for operand in each.operands]
    if ufunc in _COMPARISONS:
        if ufunc in (np.isinf, np.isfinite, np.signbit, np.isnan) and kind.kind != "f":
            return None
        return _COMPARISONS[ufunc].format(*given)
    if ufunc in _LOGIC:
        return _LOGIC[ufunc].format(*given)
    if ufunc in _BITS and kind.kind in "bi":
        return _BITS[ufunc].format(*given)
    if ufunc is np.invert and kind.kind == "b":
        return f"(!{given[0]})"
    return None


def _common(operands: Sequence[Operand]) -> np.dtype[Any] | None:
    """Return the dtype in which NumPy compares operands; None where it compares exactly.

    Whole numbers of Python keep their value; of two dtypes that no third one holds, too.
    """
    kinds = {one.dtype for one in operands if isinstance(one, Value) and not one.weak}
    whole = all(kind.kind in "iu" for kind in kinds)
    if whole and any(kind.char in "LQ" for kind in kinds) and len(operands) > 1:
        weak = not all(isinstance(one, Value) and not one.weak for one in operands)
        return None if weak or len(kinds) > 1 else next(iter(kinds))
    if kinds and whole and any(_is_whole(one) for one in operands):
        return np.dtype(np.int64)
    stand_ins = [_stand_in(operand) for operand in operands]
    try:
        return np.result_type(*stand_ins)
    except (TypeError, OverflowError):
        return None


def _is_whole(operand: Operand) -> bool:
    """Return whether an operand is a whole number of Python."""
    if isinstance(operand, Value):
        return operand.weak and operand.dtype.kind in "iu"
    return type(operand) is int


def _stand_in(operand: Operand) -> Any:
    """Return something that NumPy promotes as it does the operand."""
    if not isinstance(operand, Value):
        return operand
    if operand.weak:
        return {"f": 0.0, "b": False, "i": 0, "u": 0}[operand.dtype.kind]
    return operand.dtype


def _kernel(
    operation: Kernel, each: Instruction, dtype: np.dtype[Any], text: Text, careful: bool
) -> str | None:
    name = operation.name
    if name == "where" and operation.index is None:
        condition, first, second = each.operands
        chosen = text(condition, dtype_of_operand(condition))
        return f"({chosen} ? {text(first, dtype)} : {text(second, dtype)})"
    if dtype.kind in "iu" and operation.index is None and name in _WHOLE:
        if any(map(_is_whole, each.operands)) and dtype.itemsize < 8:
            return None  # NumPy says where the number does not fit
        return _WHOLE[name].format(*(text(operand, dtype) for operand in each.operands))
    if dtype not in (DOUBLE, FLOAT32) or operation.rule.package != "generated":
        return None
    plain = _ARITHMETIC.get(name)
    if plain is not None:
        return plain.format(*(text(operand, dtype) for operand in each.operands))
    function = f"ad_{name}{_suffix(dtype)}"
    if not is_available(function):
        return None
    given = ["0" if operand is None else text(operand, dtype) for operand in each.operands]
    call = f"{function}({', '.join(given)})"
    if not careful or not needs_care(operation, each.operands):
        return call
    same = partial_of(operation, each.operands)
    if same is not None:
        return f"ad_careful{_suffix(dtype)}({given[0]}, {text(same, dtype)})"
    partial = f"{function}({', '.join(['1', *given[1:]])})"
    return f"ad_kept{_suffix(dtype)}({given[0]}, {call}, {partial})"


def number(value: Any, dtype: np.dtype[Any]) -> str:
    """Return a Python number as a C constant of a dtype."""
    if dtype.kind == "b":
        return "1" if value else "0"
    if dtype.kind in "iu":
        whole = int(value)
        return (
            "NPY_MIN_INT64" if whole == -(2**63) else f"{whole}{'LL' if dtype.itemsize > 4 else ''}"
        )
    single = dtype.char == "f"
    with np.errstate(all="ignore"):
        real = float(np.float32(value)) if single else float(value)
    if math.isnan(real):
        return "NAN"
    if math.isinf(real):
        return "INFINITY" if real > 0 else "(-INFINITY)"
    text = repr(float(np.float32(real))) if single else repr(real)
    text = f"{text}f" if single else text
    return f"({text})" if text.startswith("-") else text
