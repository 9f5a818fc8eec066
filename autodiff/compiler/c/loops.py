"""The C text of a loop nest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autodiff.compiler.c.expressions import c_type, dtype_of_operand, expression, is_careful, number
from autodiff.compiler.c.places import Place, Scalar, View
from autodiff.compiler.c.schedule import Fold, Load, Nest, Schedule, Store
from autodiff.compiler.operations import Reduce
from autodiff.compiler.program import Operand, Value

BLOCK = 512
"""Entries summed by one running sum; the sums of blocks are added in pairs, as NumPy does."""

UNROLLED = 4
"""Entries of an innermost loop, at most, that is written out."""

_IDENTITY: dict[str, Callable[[np.dtype[Any]], str]] = {
    "sum": lambda dtype: number(-0.0 if dtype.kind == "f" else 0, dtype),
    "prod": lambda dtype: number(1, dtype),
    "max": lambda dtype: number(-math.inf, dtype) if dtype.kind == "f" else "NPY_MIN_INT64",
    "min": lambda dtype: number(math.inf, dtype) if dtype.kind == "f" else "NPY_MAX_INT64",
    "all": lambda dtype: "1",
    "any": lambda dtype: "0",
}

_OPENMP = {"sum": "+", "prod": "*", "max": "max", "min": "min", "all": "&", "any": "|"}


def identity(fold: Fold, size: int) -> str:
    """Return what a reduction starts from; the empty sum is 0, the sum of -0 is -0."""
    operation = fold.instruction.operation
    assert isinstance(operation, Reduce)
    dtype = fold.result.dtype if isinstance(fold.result, Scalar) else fold.result.buffer.dtype
    if size == 0 and operation.name == "sum":
        return number(0, dtype)
    return _IDENTITY[operation.name](dtype)


class NestText:
    """Writes one nest.

    Parameters
    ----------
    schedule : Schedule
    nest : Nest
    names : dict of Value to str
        Names of values, which are those of the variables in the loop.
    """

    def __init__(self, schedule: Schedule, nest: Nest, names: dict[Value, str]) -> None:
        self._schedule = schedule
        self._nest = nest
        self._names = names
        self._local = {value for item in nest.items for value in item.results}
        self._loads: dict[Value, str] = {}
        self._load_lines: list[tuple[str, View]] = []

    def lines(self) -> list[str]:
        """Return the statements."""
        nest = self._nest
        careful = [item for item in nest.items if is_careful(item)]
        if nest.shape == () or not careful:
            return self._version(careful=True)
        # Plain products first; all again under the rule of zero only if a NaN came out.
        double = any(item.results[0].dtype.itemsize > 4 for item in careful)
        plain = self._version(careful=False)
        again = self._version(careful=True)
        kind = "npy_int64" if double else "npy_int32"
        lines = [f"{kind} lost = 0;", *plain, "if (lost)", *again]
        return ["{", *("    " + line for line in lines), "}"]

    def _version(self, careful: bool) -> list[str]:
        """Return the statements with products under the rule of zero, or plain ones."""
        nest = self._nest
        self._loads.clear()
        self._load_lines.clear()
        body = [line for item in nest.items for line in self._item(item, careful)]
        stores = [sink for sink in nest.sinks if isinstance(sink, Store)]
        folds = [sink for sink in nest.sinks if isinstance(sink, Fold)]
        loads = [sink for sink in nest.sinks if isinstance(sink, Load)]
        texts = {
            id(store): self._operand(store.operand, None) + (" + 0.0" if store.zero else "")
            for store in stores
        }
        folded = {id(fold): self._operand(fold.instruction.operands[0], None) for fold in folds}
        if nest.shape == ():
            return self._flat(body, stores, texts, loads)
        views = [view for _, view in self._load_lines] + [store.view for store in stores]
        views += [fold.view for fold in folds if fold.view is not None]
        sizes, strides = collapsed(
            nest.shape, [view.strides for view in views], [self._fold_strides(f) for f in folds]
        )
        loops = _Loops(self, sizes, strides, views, body, stores, texts, folds, folded)
        loops.watched = not careful
        return loops.lines()

    def _fold_strides(self, fold: Fold) -> tuple[int, ...]:
        if fold.view is not None:
            return fold.view.strides
        return (0,) * len(self._nest.shape)

    def _flat(
        self, body: list[str], stores: list[Store], texts: dict[int, str], loads: list[Load]
    ) -> list[str]:
        """Return the statements of numbers, outside of all loops."""
        lines = [
            f"{load.scalar.name} = {load.view.buffer.name}[{load.view.offset}];" for load in loads
        ]
        lines += body
        lines += [
            f"{store.view.buffer.name}[{store.view.offset}] = {texts[id(store)]};"
            for store in stores
        ]
        return lines

    @property
    def load_lines(self) -> list[tuple[str, View]]:
        """The variables that are read from memory in each round, and where."""
        return self._load_lines

    def _item(self, item: Any, careful: bool) -> list[str]:
        (result,) = item.results
        text = expression(item, self._operand, careful)
        assert text is not None
        if result.shape == ():
            place = self._schedule.places[result]
            assert isinstance(place, Scalar)
            return [f"{place.name} = {text}; /* {item.operation.name} */"]
        name = self._names[result]
        line = f"const {c_type(result.dtype)} {name} = {text}; /* {item.operation.name} */"
        return [line] if careful or not is_careful(item) else [line, f"lost |= {name} != {name};"]

    def _operand(self, operand: Operand, dtype: np.dtype[Any] | None) -> str:
        """Return the expression of an operand in a dtype, its own by default."""
        own = dtype_of_operand(operand)
        wanted = own if dtype is None else dtype
        if not isinstance(operand, Value):
            return number(operand, wanted)
        name = self._variable(operand)
        return name if own == wanted else f"({c_type(wanted)}){name}"

    def _variable(self, operand: Value) -> str:
        place: Place = self._schedule.places[operand]
        if isinstance(place, Scalar):
            return place.name
        if operand in self._local:
            return self._names[operand]
        found = self._loads.get(operand)
        if found is None:
            found = self._loads[operand] = f"x{len(self._load_lines)}"
            self._load_lines.append((found, place.broadcast(self._nest.shape)))
        return found


def collapsed(
    shape: tuple[int, ...], views: Sequence[tuple[int, ...]], folds: Sequence[tuple[int, ...]]
) -> tuple[list[int], list[list[int]]]:
    """Return the loops over a shape: as few as the strides allow, the longest steps outside.

    Parameters
    ----------
    shape : tuple of int
    views, folds : sequence of tuple of int
        Strides of what is read, written, and reduced into.

    Returns
    -------
    sizes : list of int
    strides : list of list of int
        For each of `views` and `folds` one stride for each loop.
    """
    rows = [list(strides) for strides in (*views, *folds)]
    axes = [axis for axis, size in enumerate(shape) if size != 1]
    weight = [sum(abs(row[axis]) for row in rows) for axis in range(len(shape))]
    axes.sort(key=lambda axis: -weight[axis])
    sizes: list[int] = []
    kept: list[list[int]] = [[] for _ in rows]
    for axis in axes:
        size = shape[axis]
        if sizes and all(row[-1] == own[axis] * size for row, own in zip(kept, rows, strict=True)):
            sizes[-1] *= size
            for row, own in zip(kept, rows, strict=True):
                row[-1] = own[axis]
        else:
            sizes.append(size)
            for row, own in zip(kept, rows, strict=True):
                row.append(own[axis])
    if not sizes:
        return [1], [[0] for _ in rows]
    return sizes, kept


class _Loops:
    """The text of loops, once it is known over what they run."""

    def __init__(
        self,
        text: NestText,
        sizes: list[int],
        strides: list[list[int]],
        views: list[View],
        body: list[str],
        stores: list[Store],
        texts: dict[int, str],
        folds: list[Fold],
        folded: dict[int, str],
    ) -> None:
        self.sizes = sizes
        self.body = body
        self.watched = False  # whether a NaN of a plain product is noted
        count = len(text.load_lines)
        self.loads = [(name, view, strides[i]) for i, (name, view) in enumerate(text.load_lines)]
        self.stores = [
            (store, texts[id(store)], strides[count + i]) for i, store in enumerate(stores)
        ]
        self.folds = [
            (fold, folded[id(fold)], strides[len(views) + i]) for i, fold in enumerate(folds)
        ]
        self.lead = len(sizes) - 1

    def place(self, view: View, strides: list[int]) -> str:
        """Return an entry of memory in the innermost loop."""
        terms = [
            f"i{axis}" if stride == 1 else f"i{axis}*{stride}"
            for axis, stride in enumerate(strides)
            if stride
        ]
        if view.offset or not terms:
            terms.append(str(view.offset))
        return f"{view.buffer.name}[{' + '.join(terms).replace('+ -', '- ')}]"

    def lines(self) -> list[str]:
        """Return the statements."""
        lines = self._starts()
        indent = ""
        outside = self.lead - 1 if self.unrolls else self.lead
        for axis, size in enumerate(self.sizes[:outside]):
            lines.append(f"{indent}for (npy_intp i{axis} = 0; i{axis} < {size}; i{axis}++) {{")
            indent += "    "
        inner = self._unrolled() if self.unrolls else self._inner()
        lines += [indent + line for line in inner]
        for axis in reversed(range(outside)):
            lines.append("    " * axis + "}")
        return ["{", *("    " + line for line in [*lines, *self._ends()]), "}"]

    def _kind(self, fold: Fold) -> tuple[str, str, np.dtype[Any]]:
        operation = fold.instruction.operation
        assert isinstance(operation, Reduce)
        dtype = fold.instruction.results[0].dtype
        return operation.name, c_type(dtype), dtype

    def _starts(self) -> list[str]:
        """Return what comes before the loops: memory and variables that reductions start from."""
        lines = []
        size = math.prod(self.sizes)
        for number_of, (fold, _, _) in enumerate(self.folds):
            name, kind, dtype = self._kind(fold)
            start = identity(fold, size)
            if isinstance(fold.result, View):
                buffer = fold.result.buffer
                lines.append(
                    f"for (npy_intp j = 0; j < {buffer.size}; j++) {buffer.name}[j] = {start};"
                )
            elif name == "sum" and dtype.kind == "f":
                lines.append(f"ad_pairs pairs{number_of} = {{.count = 0}};")
            else:
                lines.append(f"{kind} total{number_of} = {start};")
        return lines

    def _ends(self) -> list[str]:
        lines = []
        for number_of, (fold, _, _) in enumerate(self.folds):
            if isinstance(fold.result, Scalar):
                name, _, dtype = self._kind(fold)
                pairs = name == "sum" and dtype.kind == "f"
                found = f"ad_pairs_total(&pairs{number_of})" if pairs else f"total{number_of}"
                lines.append(f"{fold.result.name} = {found};")
        return lines

    def _round(self) -> list[str]:
        """Return what is done for one entry, but for the reductions."""
        lines = [
            f"const {c_type(view.buffer.dtype)} {name} = {self.place(view, strides)};"
            for name, view, strides in self.loads
        ]
        lines += self.body
        for store, text, strides in self.stores:
            lines.append(f"{self.place(store.view, strides)} = {text};")
        return lines

    @property
    def unrolls(self) -> bool:
        """Whether the innermost loop is so short that the one around it is the better one."""
        if len(self.sizes) < 2 or self.sizes[-1] > UNROLLED or self.sizes[-2] > BLOCK:
            return False
        return self.sizes[-2] > self.sizes[-1] and all(
            self._kind(fold)[0] == "sum" for fold, _, _ in self.folds
        )

    def _unrolled(self) -> list[str]:
        """Return the loop around the innermost one, which is written out for each entry.

        Sums over one of the two are kept in variables while it runs.
        """
        axis, size = self.lead - 1, self.sizes[-2]
        before, after, clauses, first, last = [], [], [], [], []
        for i, (fold, _, strides) in enumerate(self.folds):
            _, kind, _ = self._kind(fold)
            places = range(self.sizes[-1]) if strides[-1] else (0,)
            inside = strides[-2] == 0
            for k in places:
                start = f"{kind} part{i}_{k} = {identity(fold, 1)};"
                if inside:
                    before.append(start)
                    clauses.append(f"reduction(+:part{i}_{k})")
                    after.append(self._taken(fold, i, strides, k))
                elif not strides[-1]:
                    first.append(start)
                    last.append(self._taken(fold, i, strides, k))
        lines = list(first)
        for k in range(self.sizes[-1]):
            lines += ["{", f"    enum {{ i{self.lead} = {k} }};"]
            lines += ["    " + line for line in self._round()]
            for i, (fold, text, strides) in enumerate(self.folds):
                if strides[-2] == 0 or strides[-1] == 0:
                    lines.append(f"    part{i}_{k if strides[-1] else 0} += {text};")
                else:
                    assert fold.view is not None
                    lines.append(f"    {self.place(fold.view, strides)} += {text};")
            lines.append("}")
        lines += last
        if self.watched:
            clauses.append("reduction(|:lost)")
        clause = " " + " ".join(clauses) if clauses else ""
        return [*before, *_loop(f"i{axis}", "0", str(size), lines, clause), *after]

    def _taken(self, fold: Fold, i: int, strides: list[int], k: int) -> str:
        """Return the statement that adds a variable to what it is a part of."""
        if isinstance(fold.result, Scalar):
            if self._kind(fold)[2].kind == "f":
                return f"ad_pairs_add(&pairs{i}, part{i}_{k});"
            return f"total{i} += part{i}_{k};"
        assert fold.view is not None
        moved = View(
            fold.view.buffer,
            fold.view.shape,
            fold.view.strides,
            fold.view.offset + k * strides[-1],
        )
        return f"{self.place(moved, [*strides[:-1], 0])} += part{i}_{k};"

    def _inner(self) -> list[str]:
        axis, size = self.lead, self.sizes[-1]
        inside = [
            (i, fold, text, strides)
            for i, (fold, text, strides) in enumerate(self.folds)
            if strides[-1] == 0
        ]
        across = [each for each in self.folds if each[2][-1] != 0]
        lines = self._round()
        for fold, text, strides in across:
            assert fold.view is not None
            lines.append(_combined(self._kind(fold), self.place(fold.view, strides), text))
        if not inside:
            clause = " reduction(|:lost)" if self.watched else ""
            return _loop(f"i{axis}", "0", str(size), lines, clause)
        return self._reducing(axis, size, inside, lines)

    def _reducing(
        self, axis: int, size: int, inside: list[tuple[int, Fold, str, list[int]]], lines: list[str]
    ) -> list[str]:
        """Return the innermost loop where it reduces: in blocks, whose sums are added in pairs."""
        starts, ends, clauses = [], [], []
        in_blocks = size > BLOCK
        outside: list[str] = []
        after: list[str] = []
        for i, fold, text, strides in inside:
            name, kind, dtype = self._kind(fold)
            start = identity(fold, size)
            starts.append(f"{kind} part{i} = {start};")
            clauses.append(f"reduction({_OPENMP[name]}:part{i})")
            extreme = name in ("max", "min") and dtype.kind == "f"
            if extreme:
                starts.append(f"int nan{i} = 0;")
                clauses.append(f"reduction(|:nan{i})")
                lines.append(f"nan{i} |= {text} != {text};")
                sign = ">" if name == "max" else "<"
                lines.append(f"part{i} = {text} {sign} part{i} ? {text} : part{i};")
                ends.append(f"if (nan{i}) part{i} = NAN;")
            else:
                lines.append(_plain(name, f"part{i}", text))
            pairs = name == "sum" and dtype.kind == "f"
            if isinstance(fold.result, Scalar):
                if pairs:
                    ends.append(f"ad_pairs_add(&pairs{i}, part{i});")
                else:
                    ends.append(_combined(self._kind(fold), f"total{i}", f"part{i}"))
                continue
            assert fold.view is not None
            target = self.place(fold.view, strides)
            if pairs and in_blocks:
                outside.append(f"ad_pairs pairs{i} = {{.count = 0}};")
                ends.append(f"ad_pairs_add(&pairs{i}, part{i});")
                after.append(f"{target} += ad_pairs_total(&pairs{i});")
            else:
                ends.append(_combined(self._kind(fold), target, f"part{i}"))
        if self.watched:
            clauses.append("reduction(|:lost)")
        clause = " " + " ".join(clauses)
        if not in_blocks:
            return [*starts, *_loop(f"i{axis}", "0", str(size), lines, clause), *ends]
        block = [
            *starts,
            f"const npy_intp end = first + {BLOCK} < {size} ? first + {BLOCK} : {size};",
            *_loop(f"i{axis}", "first", "end", lines, clause),
            *ends,
        ]
        return [
            *outside,
            f"for (npy_intp first = 0; first < {size}; first += {BLOCK}) {{",
            *("    " + line for line in block),
            "}",
            *after,
        ]


def _plain(name: str, target: str, text: str) -> str:
    if name in ("max", "min"):
        sign = ">" if name == "max" else "<"
        return f"{target} = {text} {sign} {target} ? {text} : {target};"
    return f"{target} {_OPENMP[name]}= {text};"


def _combined(kind: tuple[str, str, np.dtype[Any]], target: str, text: str) -> str:
    """Return the statement that takes one more entry into a reduction."""
    name, _, dtype = kind
    if name in ("max", "min") and dtype.kind == "f":
        sign = ">=" if name == "max" else "<="
        kept = f"{target} {sign} {text} || {target} != {target}"
        return f"{target} = {kept} ? {target} : {text};"
    return _plain(name, target, text)


def _loop(variable: str, start: str, end: str, lines: list[str], clause: str) -> list[str]:
    return [
        f"#pragma omp simd{clause}",
        f"for (npy_intp {variable} = {start}; {variable} < {end}; {variable}++) {{",
        *("    " + line for line in lines),
        "}",
    ]
