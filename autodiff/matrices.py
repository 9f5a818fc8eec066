"""All partial derivatives of a function: Jacobians and Hessians."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from autodiff.arguments import ArgNames, ArgNums, Function, Leaves, Selection, name_of
from autodiff.containers import put_together
from autodiff.forward import Pushed, push
from autodiff.results import warn_independent
from autodiff.reverse import Reverse
from autodiff.transforms import described, grad
from autodiff.values import cast, dtype_of, finish, full, is_complex, shape_of


def jacobian(
    f: Function,
    argnums: ArgNums | None = None,
    mode: str = "auto",
    *,
    argnames: ArgNames | None = None,
    holomorphic: bool = False,
) -> Function:
    """Return the function that gives all partial derivatives of `f`.

    Parameters
    ----------
    f : callable
        Gives a number, an array, or a container of them.
    argnums, argnames
        As in `grad`: one gives one array, a sequence a tuple.
    mode : {"auto", "reverse", "forward"}
        One walk back per entry of the output, one pass per entry of the input, or whichever
        is fewer.
    holomorphic : bool
        Arguments and results are complex, and each entry has a complex derivative.

    Returns
    -------
    callable
        Each Jacobian has the shape of the output followed by that of the argument; for
        containers a container like the result, of containers like the argument.

    Raises
    ------
    TypeError
        When called: if the result is complex without `holomorphic`.

    Examples
    --------
    >>> import numpy as np
    >>> jacobian(lambda x: x**2)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    if mode not in {"auto", "reverse", "forward"}:
        raise ValueError(f"mode is 'auto', 'reverse' or 'forward', not {mode!r}")
    selection = Selection(argnums, argnames)

    def matrix(*args: Any, **kwargs: Any) -> Any:
        if mode == "forward":
            return _by_columns(f, selection, args, kwargs, holomorphic)
        run = Reverse(f, selection, args, kwargs)
        _check_kinds(run.name, run.values, run.outs, holomorphic)
        few = sum(map(_size, run.values)) < sum(map(_size, run.outs))
        if mode == "auto" and few and not run.is_constant:
            return _by_columns(f, selection, args, kwargs, holomorphic)
        return _by_rows(run)

    return described(matrix, "jacobian", f)


def hessian(
    f: Function, argnums: ArgNums | None = None, *, argnames: ArgNames | None = None
) -> Function:
    """Return the function that gives all second derivatives of `f`.

    Parameters
    ----------
    f : callable
        Gives one real number.
    argnums, argnames
        Which arguments to differentiate, as in `grad`.

    Returns
    -------
    callable
        For one argument an array with its shape twice; for a sequence a tuple of tuples, first
        by rows of the gradient. For containers a container like the argument, of containers.

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
    selection = Selection(argnums, argnames)
    gradient = grad(f, argnums, argnames=argnames)

    def second(*args: Any, **kwargs: Any) -> Any:
        run = Reverse(gradient, selection, args, kwargs, warn=False)
        if any(map(is_complex, run.values)):
            raise TypeError(
                f"hessian of {name_of(f)} needs real arguments, but one is complex; give real and "
                "imaginary parts as two arguments, or use autodiff.hvp"
            )
        # The gradient has the leaves of the arguments: grouped by rows and by columns.
        rows = [run.grouped(row) for row in _cells(run)]
        count = len(run.grouped(run.values))
        columns = [run.grouped([row[j] for row in rows]) for j in range(count)]
        return run.chosen([run.chosen(row) for row in zip(*columns, strict=True)])

    return described(second, "hessian", f)


def _check_kinds(name: str, values: list[Any], outs: list[Any], holomorphic: bool) -> None:
    if holomorphic:
        if not all(map(is_complex, [*values, *outs])):
            raise TypeError(
                f"jacobian of {name} with holomorphic=True needs complex arguments and a complex "
                "result"
            )
    elif any(map(is_complex, outs)):
        raise TypeError(
            f"jacobian of {name} needs a real result, but it gave a complex one; take np.real and "
            "np.imag of it, or holomorphic=True if it has a complex derivative"
        )


def _by_rows(run: Reverse) -> Any:
    """Return the Jacobians of a run by pulling back every unit cotangent."""
    rows = [run.chosen(run.grouped(row)) for row in _cells(run)]
    return put_together(run.structure, rows)


def _cells(run: Reverse) -> list[list[Any]]:
    """Return the Jacobian of each leaf of the result in each leaf of the arguments."""
    cells = []
    for k, out in enumerate(run.outs):
        shape = shape_of(out)
        pulled = [
            run.leaf_cotangents([unit if i == k else None for i in range(len(run.outs))])
            for unit in _units(out)
        ]
        cells.append(
            [
                _joined([row[j] for row in pulled], shape, shape_of(value), value)
                for j, value in enumerate(run.values)
            ]
        )
    return cells


def _by_columns(
    f: Function,
    selection: Selection,
    args: Sequence[Any],
    kwargs: dict[str, Any],
    holomorphic: bool,
) -> Any:
    """Return the Jacobians by pushing every unit tangent."""
    keys = selection.keys(f, args, kwargs)
    arguments = Leaves.of(keys, args, kwargs)

    def call(leaves: list[Any]) -> Any:
        given, named = arguments.into(keys, leaves, args, kwargs)
        return f(*given, **named)

    call.__name__ = name_of(f)
    values = arguments.values
    run: Pushed | None = None
    independent = True
    columns: list[list[Any]] = []
    for j, value in enumerate(values):
        columns.append([])
        for unit in _units(value):
            run = _pushed(call, values, j, unit, holomorphic)
            independent = independent and run.independent
            columns[-1].append(run.changes)
    if run is None:  # no argument has an entry
        return _by_rows(Reverse(f, selection, args, kwargs))
    if independent:
        warn_independent(name_of(f), run.level)
    rows = [
        [
            _transposed([change[k] for change in column], shape_of(out), value)
            for column, value in zip(columns, values, strict=True)
        ]
        for k, out in enumerate(run.outs)
    ]
    chosen = [arguments.grouped(row) for row in rows]
    return put_together(
        run.structure, [row[0] if selection.single else tuple(row) for row in chosen]
    )


def _pushed(call: Function, values: list[Any], number: int, unit: Any, holomorphic: bool) -> Pushed:
    """Return a run along the unit tangent of one entry of leaf `number`."""

    def along(seed: Any) -> Pushed:
        seeds = [seed if i == number else None for i in range(len(values))]
        return push(call, lambda leaves: [leaves], values, seeds)

    run = along(unit)
    _check_kinds(name_of(call), values, run.outs, holomorphic)
    if holomorphic or not is_complex(values[number]):
        return run
    # du/dx - i du/dy: a second pass along the imaginary axis.
    turned = along(1j * unit).changes
    return run._replace(changes=[a - 1j * b for a, b in zip(run.changes, turned, strict=True)])


def _size(value: Any) -> int:
    return int(np.prod(shape_of(value)))


def _units(value: Any) -> Iterator[Any]:
    """Yield every unit array like `value`."""
    shape = shape_of(value)
    if not shape:
        yield 1.0
        return
    for index in np.ndindex(*shape):
        unit = np.zeros(shape, dtype_of(value))
        unit[index] = 1.0
        yield unit


def _joined(parts: list[Any], lead: Any, each: Any, kind: Any) -> Any:
    """Return equal parts as one array of shape ``lead + each``; one alone is itself."""
    if not lead:
        return parts[0]
    if not parts:
        return np.zeros(lead + each, dtype_of(kind))
    return np.reshape(np.stack([full(part, each) for part in parts]), lead + each)


def _transposed(columns: list[Any], out_shape: tuple[int, ...], value: Any) -> Any:
    """Return the columns, one for each entry of `value`, with the axes of the output first.

    In the dtype of `value`, as the rows are.
    """
    lead = shape_of(value)
    joined = _joined(columns, lead, out_shape, value)
    ndim = len(lead) + len(out_shape)
    if not ndim:
        return finish(joined, value)
    if lead and out_shape:
        joined = np.transpose(joined, (*range(len(lead), ndim), *range(len(lead))))
    return cast(joined, dtype_of(value))
