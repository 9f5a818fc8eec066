"""The C source of a program: an extension module with one type, `Program`."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from autodiff.compiler.c import header
from autodiff.compiler.c.expressions import c_type, is_supported, number
from autodiff.compiler.c.loops import NestText
from autodiff.compiler.c.parts import LONG, Parts, can_be_cut
from autodiff.compiler.c.places import Buffer, Scalar, View, assign_offsets
from autodiff.compiler.c.rounds import Advance, Rounds, advance_text, rounds_text
from autodiff.compiler.c.schedule import Fill, Nest, Product, PythonCall, Schedule, Step
from autodiff.compiler.errors import ToolchainMissing
from autodiff.compiler.leaf import Leaf
from autodiff.compiler.operations import Matmul
from autodiff.compiler.program import Program, Value

RELEASE_FROM = 50_000
"""Operations from which a program lets other threads run."""

TEMPLATES = Path(__file__).parents[1] / "templates"


def is_expressible(program: Program) -> bool:
    """Return whether C can hold what goes in and out of a program."""
    outside = [*program.inputs, *program.constants]
    outside += [one for one in program.outputs if isinstance(one, Value)]
    return all(map(is_supported, outside))


class Statements(NamedTuple):
    """Lines of C.

    Attributes
    ----------
    steps : list of str
        What the program does.
    parts : list of str
        Functions that it calls for that.
    declarations : list of str
        Of its variables.
    building : list of str
        What makes its result.
    """

    steps: list[str]
    parts: list[str]
    declarations: list[str]
    building: list[str]


class Source:
    """The C text of a program, and what has to be bound to it.

    Parameters
    ----------
    program : Program
        Simplified.
    leaves : sequence of Leaf
        One for each input.
    arguments : object
        Where the leaves are: nested tuples, lists and dicts of their numbers, a tuple at the
        outside, one item for each argument; None if each argument is a leaf.
    template : object
        What the result is put together to: nested tuples, lists and dicts of numbers of
        outputs, and other things; None for a tuple of the outputs.
    kinds : sequence of str
        For each output whether a number is an ``array``, a ``scalar`` of NumPy, or a ``number``.

    Attributes
    ----------
    calls : list of Operation
        Those that are called from C, in their order.
    keys : list of str
        Keys of dictionaries among the arguments.
    """

    def __init__(
        self,
        program: Program,
        leaves: Sequence[Leaf],
        arguments: Any,
        template: Any,
        kinds: Sequence[str],
    ) -> None:
        self.leaves = leaves
        self.arguments = tuple(range(len(leaves))) if arguments is None else arguments
        self.template = template
        self.kinds = kinds
        self.schedule = Schedule(program)
        self.program = program = self.schedule.program
        self.calls = [
            step.instruction.operation
            for step in self.schedule.all_steps
            if isinstance(step, PythonCall)
        ]
        self._names = {
            value: f"v{i}"
            for i, value in enumerate(
                value
                for schedule in self.schedule.all_schedules
                for each in schedule.program.instructions
                for value in each.results
            )
        }
        copies = [
            value
            for step in self.schedule.all_steps
            if isinstance(step, Nest)
            for item in step.items
            for value in item.results
            if value not in self._names
        ]
        self._names |= {value: f"r{i}" for i, value in enumerate(copies)}
        self._objects: list[str] = []
        self.work = assign_offsets(self.schedule.work)
        self._has_calls = bool(self.calls)
        self.products = {
            step.out.buffer.dtype.char
            for step in self.schedule.all_steps
            if isinstance(step, Product)
        }
        self._called = 0

    def statements(self) -> Statements:
        """Return the statements of the function that runs the program."""
        self._objects.clear()
        self._objects += [f"h{leaf}" for leaf in self.held]
        self._called = 0
        pieces = [
            (_is_row(step), self.lines_of_step(self.schedule, step, 0))
            for step in self.schedule.steps
        ]
        building = self._building()
        declarations = self._declarations()
        if self.is_long and can_be_cut(declarations):
            cut = Parts(pieces, declarations, building)
            return Statements(cut.steps, cut.functions, cut.declarations, cut.after)
        steps = [line for _, lines in pieces for line in lines]
        return Statements(steps, [], declarations, building)

    def text(self, name: str, veclib: bool) -> str:
        """Return the C source of the module `name`."""
        found = self.statements()
        steps, parts, declarations = found.steps, found.parts, found.declarations
        building = found.building
        used = dict.fromkeys(re.findall(r"\bad_\w+", "\n".join([*parts, *steps])))
        kernels = header.inlined(header.definitions(used))
        texts = [*kernels, *parts, *steps]
        constants = list(self.program.constants)
        template = environment().get_template("program.c.jinja")
        return str(template.render(
            title=f"{len(self.program.instructions)} operations, {len(steps)} lines",
            name=name,
            support=(TEMPLATES / "support.h").read_text(encoding="utf-8"),
            vector_functions=header.math_functions(texts) if veclib else [],
            products={"double": "d" in self.products, "float": "f" in self.products},
            prototypes=header.prototypes(kernels),
            kernels=kernels,
            parts=parts,
            constants=[
                {"type": c_type(value.dtype), "name": f"constant{i}"}
                for i, value in enumerate(constants)
                if value.shape != ()
            ],
            constant_scalars=[
                {"type": c_type(value.dtype), "name": f"constant{i}"}
                for i, value in enumerate(constants)
                if value.shape == ()
            ],
            arrays=[{"name": buffer.name} for buffer in self.schedule.kinds["output"]],
            declarations=declarations,
            checks=self._checks(),
            allocations=self._allocations(),
            steps=self._released(steps),
            building=building,
            cleanup=self._cleanup(),
            bindings=self._bindings(),
        ))  # fmt: skip

    def _declarations(self) -> list[str]:
        lines = [f"PyObject *{name} = NULL;" for name in self._objects]
        for i, value in enumerate(self.program.inputs):
            kind = c_type(value.dtype)
            lines.append(f"{kind} input{i};" if value.shape == () else f"const {kind} *input{i};")
        for i, value in enumerate(self.program.constants):
            kind = c_type(value.dtype)
            form = f"{kind} " if value.shape == () else f"{kind} *"
            lines.append(f"const {form}constant{i} = own->constant{i};")
        schedule = self.schedule
        scalars: dict[str, np.dtype[Any]] = {}
        places = [place for one in schedule.all_schedules for place in one.places.values()]
        places += [place for step in schedule.all_steps if isinstance(step, PythonCall)
                   for place in step.results]  # fmt: skip
        for place in places:
            if isinstance(place, Scalar) and re.fullmatch(r"s\d+", place.name):
                scalars.setdefault(place.name, place.dtype)
        for name, dtype in scalars.items():
            start = schedule.literals.get(name)
            text = number(start[0], dtype) if start else "0"
            lines.append(f"{c_type(dtype)} {name} = {text};")
        for name, (literal, dtype) in schedule.literals.items():
            if name not in scalars:
                lines.append(f"const {c_type(dtype)} {name} = {number(literal, dtype)};")
        lines += [
            f"{c_type(buffer.dtype)} *restrict {buffer.name};"
            for buffer in (*schedule.work, *schedule.kinds["output"])
        ]
        lines += [
            f"const {c_type(buffer.dtype)} *{buffer.name} = NULL;"
            for one in schedule.all_schedules
            for buffer in one.kinds["call"]
            if buffer.dtype.char in _TYPE_NAMES
        ]
        if self.work:
            lines += ["char *workspace = NULL, *base;"]
        if self._releases:
            lines.append("PyThreadState *state;")
        return lines

    def _checks(self) -> list[str]:
        """Return the statements that compare the arguments with the signature and read them."""
        lines = [f"if (count != {len(self.arguments)})", "    Py_RETURN_NOTIMPLEMENTED;"]
        counter = iter(range(10**9))
        keys, held = self.keys, list[str]()

        def read(node: Any, given: str) -> None:
            if isinstance(node, int):
                lines.extend(_check(self.leaves[node], given, f"input{node}"))
                if node in self.held:
                    held.append(f"h{node} = Py_NewRef({given});")
                return
            kind = "Dict" if isinstance(node, dict) else type(node).__name__.title()
            size = f"Py{kind}_{'Size' if kind == 'Dict' else 'GET_SIZE'}"
            lines.extend(
                [
                    f"if (!Py{kind}_CheckExact({given}) || {size}({given}) != {len(node)})",
                    "    Py_RETURN_NOTIMPLEMENTED;",
                ]
            )
            items = node.items() if isinstance(node, dict) else enumerate(node)
            for key, item in items:
                name = f"a{next(counter)}"
                if isinstance(node, dict):
                    wanted = f"PyTuple_GET_ITEM(own->keys, {keys[key]})"
                    found = f"PyDict_GetItemWithError({given}, {wanted})"
                else:
                    found = f"Py{kind}_GET_ITEM({given}, {key})"
                lines.append(f"PyObject *const {name} = {found};")
                if isinstance(node, dict):
                    lines.extend(
                        [f"if (!{name})", "    return PyErr_Occurred() ? NULL "
                         ": Py_NewRef(Py_NotImplemented);"]
                    )  # fmt: skip
                read(item, name)

        for i, node in enumerate(self.arguments):
            read(node, f"args[{i}]")
        return lines + held

    @functools.cached_property
    def held(self) -> list[int]:
        """Arrays out of containers, which others may empty while Python runs meanwhile."""
        alone = {node for node in self.arguments if isinstance(node, int)}
        if not (self._has_calls or self._releases):
            return []
        return [i for i, leaf in enumerate(self.leaves) if leaf.kind == "array" and i not in alone]

    def owner(self, buffer: Buffer) -> str:
        """Return the object that owns memory, as C has it; empty for the workspace."""
        match buffer.kind:
            case "input" if buffer.index in self.arguments:
                return f"args[{self.arguments.index(buffer.index)}]"
            case "input":
                return f"h{buffer.index}"
            case "constant":
                return f"PyTuple_GET_ITEM(own->constants, {buffer.index})"
            case "output" | "call":
                return f"o_{buffer.name}"
        return ""

    @functools.cached_property
    def keys(self) -> dict[Any, int]:
        """Keys of dictionaries in the arguments and the result, numbered."""
        found: dict[Any, int] = {}

        def visit(node: Any) -> None:
            if isinstance(node, dict):
                for key, item in node.items():
                    found.setdefault(key, len(found))
                    visit(item)
            elif isinstance(node, (list, tuple)):
                for item in node:
                    visit(item)

        visit(self.arguments)
        visit(self.template)
        return found

    def _allocations(self) -> list[str]:
        lines = []
        for buffer in self.schedule.kinds["output"]:
            shape = self._shapes[buffer]
            dims = ", ".join(map(str, shape))
            kind = f"NPY_{_TYPE_NAMES[buffer.dtype.char]}"
            lines += [
                "{",
                f"    npy_intp dims[] = {{{dims}}};",
                f"    o_{buffer.name} = (PyObject *)fresh(&own->last_{buffer.name}, {len(shape)}, "
                f"dims, {kind});",
                f"    if (!o_{buffer.name})",
                "        goto fail;",
                f"    {buffer.name} = PyArray_DATA((PyArrayObject *)o_{buffer.name});",
                "}",
            ]
        if self.work:
            lines += [
                "workspace = own->pool;",
                "own->pool = NULL;",
                f"if (!workspace && !(workspace = PyMem_RawMalloc({self.work + 64}))) {{",
                "    PyErr_NoMemory();",
                "    goto fail;",
                "}",
                "base = workspace + (64 - (size_t)workspace % 64) % 64;",
            ]
            lines += self.work_pointers()
        return lines

    def work_pointers(self) -> list[str]:
        """Return the statements that find each array in the workspace."""
        return [
            f"{buffer.name} = ({c_type(buffer.dtype)} *)(base + {buffer.offset});"
            for buffer in self.schedule.work
        ]

    @property
    def _releases(self) -> bool:
        return not self._has_calls and _work(self.schedule) >= RELEASE_FROM

    def _released(self, steps: list[str]) -> list[str]:
        if not self._releases:
            return steps
        return ["state = PyEval_SaveThread();", *steps, "PyEval_RestoreThread(state);"]

    def lines_of(self, schedule: Schedule, depth: int = 0) -> list[str]:
        """Return the statements of the steps of a schedule, which is inside of `depth` others."""
        return [
            line for step in schedule.steps for line in self.lines_of_step(schedule, step, depth)
        ]

    def lines_of_step(self, schedule: Schedule, step: Step, depth: int) -> list[str]:
        """Return the statements of one step."""
        if isinstance(step, Nest):
            return NestText(schedule, step, self._names).lines()
        if isinstance(step, Rounds):
            return rounds_text(step, self, depth)
        if isinstance(step, Advance):
            return advance_text(step)
        if isinstance(step, Fill):
            return [f"memset({step.buffer.name}, 0, {step.buffer.nbytes});"]
        return self._product(step) if isinstance(step, Product) else self._call(step)

    @property
    def is_long(self) -> bool:
        """Whether the program has so many statements on numbers that it is cut into functions."""
        rows = (step for step in self.schedule.steps if _is_row(step))
        return sum(len(step.items) for step in rows if isinstance(step, Nest)) >= LONG

    def _product(self, step: Product) -> list[str]:
        operation = step.instruction.operation
        assert isinstance(operation, Matmul)
        single = step.out.buffer.dtype.char == "f"
        name, gemm = ("ad_matmulf", "own->sgemm") if single else ("ad_matmul", "own->dgemm")
        left, right, out = step.left, step.right, step.out
        x = left if len(left.shape) > 1 else _with_axis(left, 0)
        y = right if len(right.shape) > 1 else _with_axis(right, 1)
        lead = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
        x, y = x.broadcast((*lead, *x.shape[-2:])), y.broadcast((*lead, *y.shape[-2:]))
        m, k, n = x.shape[-2], x.shape[-1], y.shape[-1]
        indices = [f"b{i}" for i in range(len(lead))]

        def at(view: View) -> str:
            terms = [f"{i}*{s}" for i, s in zip(indices, view.strides, strict=False) if s]
            terms += [str(view.offset)] if view.offset else []
            return " + ".join([view.buffer.name, *terms])

        terms, size = [], m * n
        for index, count in zip(reversed(indices), reversed(lead), strict=True):
            terms.append(f"{index}*{size}")
            size *= count
        target = " + ".join([out.buffer.name, *reversed(terms)])
        sides = (
            f"{at(x)}, {x.strides[-2]}, {x.strides[-1]}, "
            f"{at(y)}, {y.strides[-2]}, {y.strides[-1]}, {target}"
        )
        lines = [f"{name}({gemm}, {m}, {k}, {n}, {sides});"]
        if operation.careful is not None:
            first = 1 - operation.careful
            lines += [
                "{",
                f"    const {c_type(out.buffer.dtype)} *found = {target};",
                "    int lost = 0;",
                "    #pragma omp simd reduction(|:lost)",
                f"    for (npy_intp j = 0; j < {m * n}; j++)",
                "        lost |= found[j] != found[j];",
                "    if (lost)",
                f"        {name}_careful({m}, {k}, {n}, {sides}, {first});",
                "}",
            ]
        for index, count in zip(reversed(indices), reversed(lead), strict=True):
            loop = f"for (npy_intp {index} = 0; {index} < {count}; {index}++) {{"
            lines = [loop, *("    " + line for line in lines), "}"]
        return [f"/* {' @ '.join(str(list(v.shape)) for v in (left, right))} */", *lines]

    def _call(self, step: PythonCall) -> list[str]:
        """Return the statements of a call of Python: its arguments, itself, its results."""
        operation = step.instruction.operation
        index = self._called
        self._called += 1
        label = re.sub(r"[^\w. <>\[\]]", "", operation.name)
        lines = [f"/* {label} */", "{"]
        names = []
        for i, place in enumerate(step.operands):
            name = f"k{index}_{i}"
            self._objects.append(name)
            names.append(name)
            operand = step.instruction.operands[i]
            owner = self.owner(place.buffer) if isinstance(place, View) else ""
            lines += _as_object(name, place, operand, owner)
        given = ", ".join(names)
        self._objects.append(f"r{index}")
        lines += [
            f"    PyObject *given[] = {{{given or 'NULL'}}};",
            f"    r{index} = PyObject_Vectorcall(PyTuple_GET_ITEM(own->calls, {index}), given, "
            f"{len(names)}, NULL);",
            f"    if (!r{index})",
            "        goto fail;",
        ]
        lines += [f"    Py_CLEAR({name});" for name in names]
        several = len(step.results) > 1
        if several:
            lines += [
                f"    if (!PyTuple_Check(r{index}) || "
                f"PyTuple_GET_SIZE(r{index}) != {len(step.results)}) {{",
                f'        PyErr_SetString(PyExc_ValueError, "{label} gave another number '
                f'of results than when it was compiled");',
                "        goto fail;",
                "    }",
            ]
        for i, place in enumerate(step.results):
            found = f"PyTuple_GET_ITEM(r{index}, {i})" if several else f"r{index}"
            value = step.instruction.results[i]
            lines += self._result(label, found, place, value)
        return [*lines, f"    Py_CLEAR(r{index});", "}"]

    def _result(self, label: str, found: str, place: Any, value: Value) -> list[str]:
        """Return the statements that take an object as the array or number it has to be."""
        if isinstance(place, Scalar):
            kind = value.dtype.kind
            if kind in "iu":
                convert = "PyLong_AsUnsignedLongLong" if kind == "u" else "PyLong_AsLongLong"
                return [
                    f"    {{ PyObject *whole = PyNumber_Long({found});",
                    "      if (!whole)",
                    "          goto fail;",
                    f"      {place.name} = {convert}(whole);",
                    "      Py_DECREF(whole); }",
                    "    if (PyErr_Occurred())",
                    "        goto fail;",
                ]
            convert = f"Py{'Object_IsTrue' if kind == 'b' else 'Float_AsDouble'}({found})"
            return [f"    {place.name} = {convert};", "    if (PyErr_Occurred())",
                    "        goto fail;"]  # fmt: skip
        buffer = place.buffer
        name = f"o_{buffer.name}"
        self._objects.append(name)
        if buffer.dtype.char not in _TYPE_NAMES:
            return [f"    Py_INCREF({found});", f"    Py_XSETREF({name}, {found});"]
        dims = ", ".join(map(str, value.shape))
        return [
            f"    Py_CLEAR({name});",
            f"    {name} = PyArray_FROMANY({found}, NPY_{_TYPE_NAMES[buffer.dtype.char]}, 0, 0, "
            "NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST);",
            f"    if ({name} && PyArray_BASE((PyArrayObject *){name}))",
            f"        Py_SETREF({name}, PyArray_NewCopy((PyArrayObject *){name}, NPY_CORDER));",
            f"    if (!{name})",
            "        goto fail;",
            f"    {{ npy_intp dims[] = {{{dims or '0'}}};",
            f"      if (PyArray_NDIM((PyArrayObject *){name}) != {len(value.shape)} || "
            f"!PyArray_CompareLists(PyArray_DIMS((PyArrayObject *){name}), dims, "
            f"{len(value.shape)})) {{",
            f'          PyErr_SetString(PyExc_ValueError, "{label} gave another shape than when '
            f'it was compiled, {list(value.shape)}");',
            "          goto fail;",
            "      } }",
            f"    {buffer.name} = PyArray_DATA((PyArrayObject *){name});",
        ]

    @functools.cached_property
    def _shapes(self) -> dict[Buffer, tuple[int, ...]]:
        found: dict[Buffer, tuple[int, ...]] = {}
        for operand, place in zip(self.program.outputs, self.schedule.output_places, strict=True):
            if isinstance(place, View):
                found[place.buffer] = operand.shape
        return found

    def _building(self) -> list[str]:
        """Return the statements that make the result."""
        lines: list[str] = []
        for buffer in self.schedule.kinds["output"]:
            self._objects.append(f"o_{buffer.name}")
        names: list[str] = []
        for i, place in enumerate(self.schedule.output_places):
            if isinstance(place, View):
                names.append(f"o_{place.buffer.name}")
                continue
            name = f"n{i}"
            self._objects.append(name)
            names.append(name)
            lines += _number_object(name, place, self.kinds[i])
            lines += [f"if (!{name})", "    goto fail;"]
        template = tuple(range(len(names))) if self.template is None else self.template
        counter = iter(range(10**9))

        def build(node: Any) -> str:
            if isinstance(node, int):
                return names[node]
            name = f"w{next(counter)}"
            self._objects.append(name)
            if isinstance(node, dict):
                lines.extend([f"if (!({name} = PyDict_New()))", "    goto fail;"])
                for key, item in node.items():
                    inner = build(item)
                    lines.extend(
                        [
                            f"if (PyDict_SetItem({name}, PyTuple_GET_ITEM(own->keys, "
                            f"{self.keys[key]}), {inner}))",
                            "    goto fail;",
                        ]
                    )
                return name
            kind = "List" if isinstance(node, list) else "Tuple"
            lines.extend([f"if (!({name} = Py{kind}_New({len(node)})))", "    goto fail;"])
            for i, item in enumerate(node):
                inner = build(item)
                lines.extend([f"Py_INCREF({inner});", f"Py{kind}_SET_ITEM({name}, {i}, {inner});"])
            return name

        found = build(template)
        return [*lines, f"result = {found};", f"Py_INCREF({found});"]

    def _cleanup(self) -> list[str]:
        lines = [f"Py_XDECREF({name});" for name in dict.fromkeys(self._objects)]
        if self.work:
            lines += [
                "if (own->pool)",
                "    PyMem_RawFree(workspace);",
                "else",
                "    own->pool = workspace;",
            ]
        return lines

    def _bindings(self) -> list[str]:
        lines = []
        for i, value in enumerate(self.program.constants):
            data = f"PyArray_DATA((PyArrayObject *)PyTuple_GET_ITEM(constants, {i}))"
            if value.shape == ():
                lines.append(f"own->constant{i} = *({c_type(value.dtype)} *){data};")
            else:
                lines.append(f"own->constant{i} = {data};")
        return lines


def _work(schedule: Schedule) -> int:
    """Return about how many operations on numbers the steps of a schedule are."""
    work = 0
    for step in schedule.steps:
        if isinstance(step, Nest):
            work += math.prod(step.shape) * (len(step.items) + len(step.sinks))
        elif isinstance(step, Product):
            work += math.prod(step.left.shape) * step.right.shape[-1]
        elif isinstance(step, Rounds):
            work += getattr(step.instruction.operation, "length", 1) * sum(map(_work, step.insides))
    return work


def _is_row(step: Step) -> bool:
    """Return whether a step is a row of statements on numbers."""
    return isinstance(step, Nest) and step.shape == ()


_TYPE_NAMES = {
    "d": "DOUBLE",
    "f": "FLOAT",
    "?": "BOOL",
    "b": "BYTE",
    "B": "UBYTE",
    "h": "SHORT",
    "H": "USHORT",
    "i": "INT",
    "I": "UINT",
    "l": "LONG",
    "L": "ULONG",
    "q": "LONGLONG",
    "Q": "ULONGLONG",
}


def _check(leaf: Leaf, given: str, target: str) -> list[str]:
    """Return the statements that read one argument, or decline it."""
    decline = "    Py_RETURN_NOTIMPLEMENTED;"
    match leaf.kind:
        case "float":
            return [f"if (!PyFloat_CheckExact({given}))", decline,
                    f"{target} = PyFloat_AS_DOUBLE({given});"]  # fmt: skip
        case "int":
            signed = leaf.dtype.kind == "i"
            convert = f"PyLong_As{'' if signed else 'Unsigned'}LongLong"
            lines = [f"if (!PyLong_CheckExact({given}))", decline,
                     f"{target} = {convert}({given});",
                     f"if ({target} == ({c_type(leaf.dtype)})-1 && PyErr_Occurred()) {{",
                     "    PyErr_Clear();", decline, "}"]  # fmt: skip
            # A number that fits into 64 bits with a sign has a program of its own.
            return lines if signed else [*lines, f"if ({target} <= NPY_MAX_INT64)", decline]
        case "bool":
            return [f"if (!PyBool_Check({given}))", decline,
                    f"{target} = {given} == Py_True;"]  # fmt: skip
        case "scalar":
            kind = _SCALAR_TYPES[leaf.dtype.char]
            return [f"if (Py_TYPE({given}) != &Py{kind}ArrType_Type)", decline,
                    f"PyArray_ScalarAsCtype({given}, &{target});"]  # fmt: skip
    array = f"((PyArrayObject *){given})"
    sizes = [f"PyArray_DIM({array}, {i}) != {size}" for i, size in enumerate(leaf.shape)]
    conditions = [
        f"!PyArray_CheckExact({given})",
        f"PyArray_TYPE({array}) != NPY_{_TYPE_NAMES[leaf.dtype.char]}",
        f"PyArray_NDIM({array}) != {len(leaf.shape)}",
        *sizes,
        f"!PyArray_ISCARRAY_RO({array})",
    ]
    read = "" if leaf.shape else f"*({c_type(leaf.dtype)} *)"
    return [
        f"if ({' || '.join(conditions)})",
        decline,
        f"{target} = {read}PyArray_DATA({array});",
    ]


_SCALAR_TYPES = {
    "d": "Double", "f": "Float", "?": "Bool", "b": "Byte", "B": "UByte", "h": "Short",
    "H": "UShort", "i": "Int", "I": "UInt", "l": "Long", "L": "ULong", "q": "LongLong",
    "Q": "ULongLong",
}  # fmt: skip


def _with_axis(view: View, axis: int) -> View:
    """Return a vector as a matrix of one row (axis 0) or one column (axis 1)."""
    shape, strides = list(view.shape), list(view.strides)
    shape.insert(axis, 1)
    strides.insert(axis, 0)
    return View(view.buffer, tuple(shape), tuple(strides), view.offset)


def _number_object(name: str, place: Any, kind: str) -> list[str]:
    """Return the statements that make an object of a number, of the kind that is wanted."""
    if not isinstance(place, Scalar):
        return [f"{name} = {_literal(place)};"]
    if kind == "number":
        makers = {
            "f": "PyFloat_FromDouble",
            "b": "PyBool_FromLong",
            "u": "PyLong_FromUnsignedLongLong",
        }
        return [f"{name} = {makers.get(place.dtype.kind, 'PyLong_FromLongLong')}({place.name});"]
    code = _TYPE_NAMES[place.dtype.char]
    if kind == "array":
        return [
            f"if (({name} = PyArray_SimpleNew(0, NULL, NPY_{code})))",
            f"    *({c_type(place.dtype)} *)PyArray_DATA((PyArrayObject *){name}) = {place.name};",
        ]
    return [
        "{",
        f"    PyArray_Descr *descr = PyArray_DescrFromType(NPY_{code});",
        f"    {name} = PyArray_Scalar(&{place.name}, descr, NULL);",
        "    Py_DECREF(descr);",
        "}",
    ]


def _literal(value: Any) -> str:
    """Return what makes an object of a number that is written into the program."""
    if value is None:
        return "Py_NewRef(Py_None)"
    if isinstance(value, bool):
        return f"PyBool_FromLong({int(value)})"
    if isinstance(value, int):
        return f"PyLong_FromLongLong({number(value, np.dtype('q'))})"
    return f"PyFloat_FromDouble({number(value, np.dtype('d'))})"


def _as_object(name: str, place: Any, operand: Any, owner: str) -> list[str]:
    """Return the statements that make the argument of a call of Python."""
    weak = isinstance(operand, Value) and operand.weak
    if not isinstance(place, View):
        lines = _number_object(name, place, "number" if weak else "scalar")
    elif place.buffer.dtype.char in _TYPE_NAMES:
        lines = _array_object(name, place, owner)
    else:
        lines = [f"{name} = o_{place.buffer.name};", f"Py_INCREF({name});"]
    return ["    " + line for line in [*lines, f"if (!{name})", "    goto fail;"]]


def _array_object(name: str, view: View, owner: str) -> list[str]:
    """Return the statements that make an array of memory, which a function may keep.

    It holds the owner of the memory, and a function may not write into it; of the workspace it
    is a copy.
    """
    size = view.buffer.dtype.itemsize
    dims = ", ".join(map(str, view.shape))
    strides = ", ".join(str(stride * size) for stride in view.strides)
    kind = _TYPE_NAMES[view.buffer.dtype.char]
    return [
        "{",
        f"    npy_intp dims[] = {{{dims}}}, steps[] = {{{strides}}};",
        f"    {name} = PyArray_New(&PyArray_Type, {len(view.shape)}, dims, NPY_{kind}, steps, "
        f"(void *)({view.buffer.name} + {view.offset}), 0, 0, NULL);",
        *(_held(name, owner) if owner else _copied(name)),
        "}",
    ]


def _held(name: str, owner: str) -> list[str]:
    return [
        f"    if ({name} && PyArray_SetBaseObject((PyArrayObject *){name}, Py_NewRef({owner})))",
        "        goto fail;",
    ]


def _copied(name: str) -> list[str]:
    return [
        f"    if ({name})",
        f"        Py_SETREF({name}, PyArray_NewCopy((PyArrayObject *){name}, NPY_CORDER));",
    ]


@functools.cache
def environment() -> Any:
    """Return what reads the templates.

    Raises
    ------
    ToolchainMissing
        If jinja2 is not installed.
    """
    try:
        import jinja2  # only when a program is written; one from the cache needs none of it
    except ImportError as error:
        raise ToolchainMissing(
            "C programs are written through jinja2, which is not installed: "
            "pip install 'diffrules[compile]'"
        ) from error

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
