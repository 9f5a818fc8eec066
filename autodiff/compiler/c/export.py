"""A program as C that needs no Python: a source, a header, a `main`, and a call by ctypes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.compiler.c import header
from autodiff.compiler.c.expressions import c_type, number
from autodiff.compiler.c.places import Scalar
from autodiff.compiler.c.render import TEMPLATES, Source, environment
from autodiff.compiler.errors import CompileError

_CTYPES = {"d": "c_double", "f": "c_float", "?": "c_bool", "i": "c_int", "l": "c_long"}
_DROPPED = re.compile(r"PyObject|PyThreadState|\binput\d+;|own->|char \*workspace|restrict output")


class Export:
    """The files of one program.

    Parameters
    ----------
    source : Source
    name : str
        Of the function and the files.
    examples : sequence
        Arguments for `main`.

    Raises
    ------
    CompileError
        If the program calls functions of Python.
    """

    def __init__(self, source: Source, name: str, examples: Sequence[Any]) -> None:
        if source.calls:
            names = ", ".join(sorted({each.name for each in source.calls}))
            raise CompileError(
                f"{name} cannot be exported: it calls {names}, for which there is no form in C"
            )
        self._source = source
        self._name = name
        self._examples = [np.asarray(each) for each in examples]
        self._inputs = [(f"input{i}", value) for i, value in enumerate(source.program.inputs)]
        self._outputs = self._places()

    def _places(self) -> list[tuple[str, Any, Any]]:
        """Return name, dtype and shape of each output."""
        found = []
        outputs = zip(
            self._source.program.outputs, self._source.schedule.output_places, strict=True
        )
        for i, (operand, place) in enumerate(outputs):
            if isinstance(place, Scalar):
                found.append((f"result{i}", place.dtype, ()))
            elif hasattr(place, "buffer"):
                found.append((place.buffer.name, place.buffer.dtype, operand.shape))
            else:
                found.append((f"result{i}", np.dtype(float), ()))
        return found

    def files(self) -> dict[str, str]:
        """Return the text of each file by its name."""
        name = self._name
        known = {"name": name, "macro": name.upper(), "workspace": max(self._source.work, 1) + 64}
        render = {
            f"{name}.c": ("export.c.jinja", self._code()),
            f"{name}.h": ("export.h.jinja", {"documented": self._parameters(), **self._title()}),
            "main.c": ("export_main.c.jinja", self._main()),
            f"call_{name}.py": ("export_call.py.jinja", self._call()),
        }
        return {
            file: environment().get_template(template).render(known | values)
            for file, (template, values) in render.items()
        }

    def _title(self) -> dict[str, Any]:
        leaves = ", ".join(f"{value.dtype}{list(value.shape)}" for _, value in self._inputs)
        return {"title": f"{self._name} of {leaves}"}

    def _parameters(self) -> str:
        given = [
            f"{c_type(value.dtype)} {name}" if value.shape == () else
            f"const {c_type(value.dtype)} *{name}"
            for name, value in self._inputs
        ]  # fmt: skip
        made = [f"{c_type(dtype)} *{name}" for name, dtype, _ in self._outputs]
        text = ", ".join([*given, *made, "void *workspace"])
        return re.sub(r"npy_(\w+)", lambda found: _C_NAMES[found[1]], text)

    def _code(self) -> dict[str, Any]:
        pieces = self._source.statements()
        steps = [line for line in pieces.steps if "#pragma" not in line]
        lines = [line for line in pieces.declarations if not _DROPPED.search(line)]
        if self._source.work:
            lines.append("char *base = (char *)workspace + (64 - (size_t)workspace % 64) % 64;")
        starts = [line for line in self._source.work_pointers() if line]
        ends = [
            f"*{name} = {place.name if isinstance(place, Scalar) else number(place, dtype)};"
            for (name, dtype, shape), place in zip(
                self._outputs, self._source.schedule.output_places, strict=True
            )
            if shape == () and name.startswith("result")
        ]
        support = (TEMPLATES / "support.h").read_text(encoding="utf-8")
        support = re.sub(r'_Pragma\("omp[^"]*"\)', lambda found: " " * len(found[0]), support)
        names = re.findall(r"\bad_\w+", "\n".join([*pieces.parts, *steps]))
        kernels = header.inlined(header.definitions(dict.fromkeys(names)))
        products = self._source.products
        return {
            **self._title(),
            "support": support,
            "products": {"double": "d" in products, "float": "f" in products},
            "prototypes": header.prototypes(kernels),
            "kernels": kernels,
            "constants": [self._constant(i) for i in range(len(self._source.program.constants))],
            "parts": [re.sub(r"#pragma.*\n", "", text) for text in pieces.parts],
            "parameters": self._parameters(),
            "declarations": [*lines, *starts],
            "unused": [name for name, _ in self._inputs],
            "steps": [re.sub(r"own->[ds]gemm", "0", line) for line in [*steps, *ends]],
        }

    def _constant(self, index: int) -> str:
        value, array = list(self._source.program.constants.items())[index]
        texts = [number(one, value.dtype) for one in np.asarray(array).ravel().tolist()]
        kind = f"static const {c_type(value.dtype)} constant{index}"
        if value.shape == ():
            return f"{kind} = {texts[0]};"
        return f"{kind}[] = {{{', '.join(texts) or '0'}}};"

    def _main(self) -> dict[str, Any]:
        inputs, outputs, arguments, printing = [], [], [], []
        for (name, value), example in zip(self._inputs, self._examples, strict=True):
            texts = ", ".join(number(one, value.dtype) for one in example.ravel().tolist())
            kind = f"static const {self._plain(value.dtype)} {name}"
            inputs.append(
                f"{kind} = {texts};" if value.shape == () else f"{kind}[] = {{{texts or '0'}}};"
            )
            arguments.append(name)
        for name, dtype, shape in self._outputs:
            size = int(np.prod(shape))
            outputs.append(f"static {self._plain(dtype)} {name}[{max(size, 1)}];")
            arguments.append(name)
            loop = f"for (int i = 0; i < {size}; i++)"
            printing.append(f'{loop}\n        printf("%.17g\\n", (double){name}[i]);')
        return {
            "inputs": inputs,
            "outputs": outputs,
            "arguments": ", ".join([*arguments, "workspace"]),
            "printing": printing,
        }

    def _plain(self, dtype: Any) -> str:
        return re.sub(r"npy_(\w+)", lambda found: _C_NAMES[found[1]], c_type(dtype))

    def _call(self) -> dict[str, Any]:
        converting, passing = [], []
        for name, value in self._inputs:
            if value.shape == ():
                passing.append(f"ctypes.{_CTYPES.get(value.dtype.char, 'c_long')}({name})")
                continue
            converting.append(f"{name} = np.ascontiguousarray({name}, {value.dtype.name!r})")
            converting.append(f"assert {name}.shape == {value.shape}, {name}.shape")
            passing.append(f"{name}.ctypes.data_as(ctypes.c_void_p)")
        for name, dtype, shape in self._outputs:
            converting.append(f"{name} = np.empty({shape}, {np.dtype(dtype).name!r})")
            passing.append(f"{name}.ctypes.data_as(ctypes.c_void_p)")
        return {
            "names": ", ".join(name for name, _ in self._inputs),
            "converting": converting,
            "passing": ", ".join(passing),
            "returned": ", ".join([*(name for name, _, _ in self._outputs), ""]).strip(" "),
        }


_C_NAMES = {
    "bool": "unsigned char", "byte": "signed char", "ubyte": "unsigned char", "short": "short",
    "ushort": "unsigned short", "int": "int", "uint": "unsigned int", "long": "long",
    "ulong": "unsigned long", "longlong": "long long", "ulonglong": "unsigned long long",
    "intp": "ptrdiff_t",
}  # fmt: skip
