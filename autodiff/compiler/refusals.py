"""What a traced function must not do, said with the line of the user's code and the remedies."""

from __future__ import annotations

from typing import NoReturn

from autodiff.callsite import user_place


class TracingError(TypeError):
    """A traced function asked for a number, which only a run has."""


class ShapeError(TracingError):
    """The shape of a result depends on numbers."""


class MissingAttributeError(TracingError, AttributeError):
    """A traced array lacks an attribute of arrays."""


def refuse(what: str, remedy: str, kind: type[TracingError] = TracingError) -> NoReturn:
    """Raise the error of code that needs the numbers of a traced value.

    Parameters
    ----------
    what : str
        ``"`if` and `while`"``: what needs them.
    remedy : str
        What to write instead.
    kind : type
        Of the error.
    """
    raise kind(
        f"{user_place()}: {what} a number, but this value is traced: a compiled function is "
        f"followed once, for all values of its arguments, so they are not known. {remedy}; or "
        "make the argument it depends on static, autodiff.compile(f, static_argnames=...)"
    )


def refuse_condition() -> NoReturn:
    """Raise the error of a condition that Python has to decide."""
    refuse(
        "`if`, `while`, `and`, `or`, `not`, max() and min() need",
        "Write np.where(condition, a, b), np.logical_and, np.maximum, np.minimum; or "
        "autodiff.cond, autodiff.while_loop, autodiff.scan",
    )


def refuse_number(name: str) -> NoReturn:
    """Raise the error of a conversion to a Python number."""
    refuse(f"{name} needs", "Keep it as a value, and use functions of NumPy or autodiff")


def refuse_index() -> NoReturn:
    """Raise the error of a traced number where Python wants an integer."""
    refuse(
        "range(), a shape, or an index of a list or a plain array needs",
        "Take entries of a plain array with autodiff.numpy.take(array, index, axis), repeat with "
        "autodiff.scan",
    )


def refuse_array(name: str) -> NoReturn:
    """Raise the error of a function that asked for the plain array."""
    refuse(
        f"{name} needs the plain array, not",
        "Write it with functions of NumPy or autodiff (autodiff.scipy instead of SciPy); join "
        "values with np.stack or np.concatenate; take entries of a plain array with "
        "autodiff.numpy.take(array, index, axis)",
    )


def refuse_shape(name: str) -> NoReturn:
    """Raise the error of a result whose shape depends on numbers."""
    refuse(
        f"the shape of the result of {name} depends on",
        "Keep the shape with np.where(condition, x, 0)",
        ShapeError,
    )
