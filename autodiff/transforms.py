"""Functions that take a function and give its derivative; they nest in any order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.box import Box, raw
from autodiff.dual import Dual
from autodiff.gradients import check_seed, cotangents
from autodiff.levels import transform
from autodiff.values import finish, full, leaf_value, shape_of
from autodiff.variable import Variable

Function = Callable[..., Any]
ArgNums = int | Sequence[int]


def grad(f: Function, argnums: ArgNums = 0) -> Function:
    """Return the function that gives the gradient of `f`.

    Parameters
    ----------
    f : callable
        Gives one real number.
    argnums : int or sequence of int
        Which arguments to differentiate: an int gives one gradient, a sequence a tuple.

    Returns
    -------
    callable
        Takes what `f` takes; each gradient has shape, dtype and kind of its argument.

    Raises
    ------
    TypeError
        When called: if `f` does not give one real number, or an argument is not numeric.

    Examples
    --------
    >>> import numpy as np
    >>> grad(lambda x: np.sin(x) ** 2)(0.5)
    0.8414709848078965
    """
    with_value = value_and_grad(f, argnums)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        return with_value(*args, **kwargs)[1]

    return _described(gradient, "grad", f)


def value_and_grad(f: Function, argnums: ArgNums = 0) -> Function:
    """Return the function that gives ``(value, gradient)`` of `f`, both from one run.

    Parameters
    ----------
    f : callable
        Gives one real number.
    argnums : int or sequence of int
        As in `grad`.

    Returns
    -------
    callable
        Takes what `f` takes and gives the value, and the gradient as `grad` does. A Python
        float in gives Python floats out.

    Raises
    ------
    TypeError
        When called, as `grad`.

    Examples
    --------
    >>> import numpy as np
    >>> value_and_grad(lambda x: np.sum(x**2))(np.array([1.0, 2.0]))
    (np.float64(5.0), array([2., 4.]))
    """

    def with_value(*args: Any, **kwargs: Any) -> Any:
        run = _Reverse(f, argnums, args, kwargs)
        if shape_of(run.value) != ():
            raise TypeError(
                f"grad of {run.name} needs one number, but it gave shape {shape_of(run.value)}; "
                "reduce it, np.sum(...), or use autodiff.jacobian"
            )
        return run.value, run.chosen(run.pull(1.0))

    return _described(with_value, "value_and_grad", f)


def vjp(f: Function, *primals: Any) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """Return the value of `f` and the function that pulls cotangents back.

    Parameters
    ----------
    f : callable
    *primals : numbers or arrays
        Its arguments, all differentiated.

    Returns
    -------
    value : number or array
    pullback : callable
        Takes a cotangent of exactly the shape of `value` and gives a tuple, one cotangent per
        argument. May be called many times, also after the caller changed its arrays.

    Raises
    ------
    TypeError
        If an argument, the result, or the cotangent is not made of real numbers.
    ValueError
        By the pullback, if the cotangent has another shape than the value.

    Examples
    --------
    >>> value, pullback = vjp(lambda x, y: x * y, 3.0, 4.0)
    >>> pullback(1.0)
    (4.0, 3.0)
    """
    # The pullback may be called after the caller changed its arrays.
    primals = tuple(p.copy() if isinstance(p, np.ndarray) else p for p in primals)
    run = _Reverse(f, tuple(range(len(primals))), primals, {})

    def pullback(cotangent: Any) -> tuple[Any, ...]:
        return run.pull(check_seed(cotangent, run.value, f"the cotangent of {run.name}"))

    return run.value, pullback


def jvp(f: Function, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """Return the value of `f` and its change along `tangents`, in forward mode.

    Parameters
    ----------
    f : callable
    primals, tangents : sequences of numbers or arrays
        Arguments, and for each a change of exactly its shape.

    Returns
    -------
    value, tangent : numbers or arrays of one shape

    Raises
    ------
    TypeError
        If an argument, the result, or a tangent is not made of real numbers.
    ValueError
        If there are not as many tangents as primals, or a shape differs.

    Examples
    --------
    >>> jvp(lambda x, y: x * y, (3.0, 4.0), (1.0, 0.0))
    (12.0, 4.0)
    """
    if len(primals) != len(tangents):
        raise ValueError(f"jvp got {len(primals)} primals and {len(tangents)} tangents; one each")
    values = [_argument(primal, i) for i, primal in enumerate(primals)]
    seeds = [
        check_seed(tangent, value, f"tangent {i} of jvp", f"primal {i}")
        for i, (tangent, value) in enumerate(zip(tangents, values, strict=True))
    ]
    with transform() as level:
        boxes = [Dual(value, seed, level) for value, seed in zip(values, seeds, strict=True)]
        out = _own_level(_checked(f(*boxes), f), level)
    if isinstance(out, Dual) and out.level == level:
        value, tangent = out._value, out.tangent
    else:
        value, tangent = out, 0.0
    tangent = finish(tangent, value)
    return _as_given(value, values), _as_given(tangent, values)


def jacobian(f: Function, argnums: ArgNums = 0, mode: str = "auto") -> Function:
    """Return the function that gives all partial derivatives of `f`.

    Parameters
    ----------
    f : callable
        Gives a number or an array.
    argnums : int or sequence of int
        An int gives one array, a sequence a tuple.
    mode : {"auto", "reverse", "forward"}
        One walk back per entry of the output, one pass per entry of the input, or whichever
        is fewer (to know the size of the output, `f` is run once more then).

    Returns
    -------
    callable
        Each Jacobian has the shape of the output followed by that of the argument.

    Examples
    --------
    >>> import numpy as np
    >>> jacobian(lambda x: x**2)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    if mode not in {"auto", "reverse", "forward"}:
        raise ValueError(f"mode is 'auto', 'reverse' or 'forward', not {mode!r}")

    def matrix(*args: Any, **kwargs: Any) -> Any:
        numbers, single = _numbers(argnums, args)
        run = None if mode == "forward" else _Reverse(f, argnums, args, kwargs)
        few = sum(_size(args[i]) for i in numbers)
        if run is None or (mode == "auto" and few < _size(run.value)):
            found = tuple(_by_columns(f, i, args, kwargs) for i in numbers)
        else:
            found = _by_rows(run)
        return found[0] if single else found

    return _described(matrix, "jacobian", f)


def hessian(f: Function, argnums: ArgNums = 0) -> Function:
    """Return the function that gives all second derivatives of `f`, forward over reverse.

    Parameters
    ----------
    f : callable
        Gives one real number.
    argnums : int or sequence of int
        Which arguments to differentiate.

    Returns
    -------
    callable
        For an int an array with the shape of the argument twice; for a sequence a tuple of
        tuples, first by rows of the gradient.

    Raises
    ------
    TypeError
        When called, as `grad`.

    Examples
    --------
    >>> import numpy as np
    >>> hessian(lambda x: np.sum(x**3))(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    """

    def second(*args: Any, **kwargs: Any) -> Any:
        numbers, single = _numbers(argnums, args)
        rows = tuple(
            jacobian(grad(f, i), argnums, mode="forward")(*args, **kwargs) for i in numbers
        )
        return rows[0] if single else rows

    return _described(second, "hessian", f)


def _described(function: Function, transform: str, f: Function) -> Function:
    """Give the result of a transform a name and a docstring of its own."""
    name = getattr(f, "__name__", repr(f))
    function.__name__ = function.__qualname__ = f"{transform}_of_{name}"
    function.__doc__ = f"{transform} of `{name}`; see `autodiff.{transform}`."
    return function


class _Reverse:
    """One run of a function in reverse mode, from which cotangents are pulled back."""

    def __init__(
        self, f: Function, argnums: ArgNums, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> None:
        self.name = getattr(f, "__name__", repr(f))
        numbers, self.single = _numbers(argnums, args)
        given = list(args)
        self.values = [_argument(args[i], i) for i in numbers]
        with transform() as level:
            self.leaves = [Variable.leaf_at(value, level) for value in self.values]
            for i, leaf in zip(numbers, self.leaves, strict=True):
                given[i] = leaf
            out = _own_level(_checked(f(*given, **kwargs), f), level)
        inside = isinstance(out, Variable) and out.level == level
        self.out = out if inside and out.node is not None else None
        self.value = _as_given(out._value if inside else out, self.values)

    def pull(self, seed: Any) -> tuple[Any, ...]:
        """Return the finished gradient of each leaf for the cotangent `seed`."""
        found = {} if self.out is None else cotangents(self.out, seed)
        grads = []
        for leaf in self.leaves:
            cotangent = found.pop(leaf, 0.0)  # no other reference: `finish` need not copy
            grads.append(finish(cotangent, leaf._value))
        return tuple(grads)

    def chosen(self, grads: tuple[Any, ...]) -> Any:
        """Return one gradient for an int, the tuple for a sequence."""
        return grads[0] if self.single else grads


def _numbers(argnums: ArgNums, args: Sequence[Any]) -> tuple[tuple[int, ...], bool]:
    """Return argument numbers from 0, and whether one was asked for."""
    single = isinstance(argnums, (int, np.integer))
    numbers = (argnums,) if isinstance(argnums, (int, np.integer)) else tuple(argnums)
    for number in numbers:
        if not -len(args) <= number < len(args):
            raise ValueError(
                f"argnums={argnums}, but the function was called with {len(args)} positional "
                "argument(s); give the differentiated ones by position"
            )
    found = tuple(int(number) % len(args) for number in numbers)
    if len(set(found)) < len(found):
        raise ValueError(f"argnums={argnums} names an argument twice; name each once")
    return found, single


def _argument(value: Any, number: int) -> Any:
    """Return an argument as the value of a leaf, an array as a read-only view."""
    if isinstance(value, Box):
        return value
    if isinstance(value, (list, tuple, dict)):
        raise TypeError(
            f"argument {number} is a {type(value).__name__}, a container, not an array; give "
            "np.array(...), or each part as an argument of its own with argnums=(...)"
        )
    try:
        return leaf_value(value, copy=False)
    except TypeError as error:
        raise TypeError(f"argument {number}: {error}") from None


def _checked(out: Any, f: Function) -> Any:
    """Return the result of a differentiated function, which must be real and numeric."""
    plain = raw(out)
    if isinstance(plain, (int, float)) and not isinstance(plain, bool):
        return out if isinstance(out, Box) else float(plain)
    kind = getattr(getattr(plain, "dtype", None), "kind", "")
    if kind in {"f", "i", "u"}:
        return out
    name = getattr(f, "__name__", repr(f))
    described = f"dtype {plain.dtype}" if kind else f"a {type(plain).__name__}"
    raise TypeError(
        f"{name} gave {described}; a differentiated function gives a real number or array "
        "(join several with np.stack or np.concatenate)"
    )


def _own_level(out: Any, level: int) -> Any:
    """Return a result without the boxes of transforms that started later: constants here."""
    while isinstance(out, Box) and out.level > level:
        out = out._value
    return out


def _as_given(out: Any, arguments: Sequence[Any]) -> Any:
    """Return a result as the caller's own, a single number as a float if all arguments are."""
    if isinstance(out, (np.generic, np.ndarray)) and out.ndim == 0:
        if arguments and all(type(raw(value)) is float for value in arguments):
            return float(out)
        return np.asarray(out)[()]
    return out.copy() if isinstance(out, np.ndarray) else out


def _size(value: Any) -> int:
    return int(np.prod(shape_of(value)))


def _units(value: Any) -> Any:
    """Yield every unit array like `value`."""
    shape = shape_of(value)
    if not shape:
        yield 1.0
        return
    for index in np.ndindex(*shape):
        unit = np.zeros(shape, raw(value).dtype)
        unit[index] = 1.0
        yield unit


def _by_rows(run: _Reverse) -> tuple[Any, ...]:
    """Return the Jacobians of a run by pulling back every unit cotangent."""
    shape = shape_of(run.value)
    rows = [run.pull(unit) for unit in _units(run.value)]
    return tuple(
        _joined([row[i] for row in rows], shape, shape_of(leaf), leaf)
        for i, leaf in enumerate(run.values)
    )


def _by_columns(f: Function, number: int, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Return the Jacobian in one argument by pushing every unit tangent."""

    def of_one(value: Any) -> Any:
        return f(*args[:number], value, *args[number + 1 :], **kwargs)

    value = _argument(args[number], number)
    columns = [jvp(of_one, (value,), (unit,))[1] for unit in _units(value)]
    if not columns:
        shape = shape_of(f(*args, **kwargs))
        return np.zeros(shape + shape_of(value))
    out_shape = shape_of(columns[0])
    joined = _joined(columns, shape_of(value), out_shape, columns[0])
    ndim, lead = len(shape_of(joined)), len(shape_of(value))
    return np.transpose(joined, (*range(lead, ndim), *range(lead))) if ndim else joined


def _joined(parts: list[Any], lead: Any, each: Any, kind: Any) -> Any:
    """Return equal parts as one array of shape ``lead + each``; one alone is itself."""
    if not lead:
        return parts[0]
    if not parts:
        return np.zeros(lead + each, getattr(raw(kind), "dtype", float))
    return np.reshape(np.stack([full(part, each) for part in parts]), lead + each)
