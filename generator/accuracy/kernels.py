"""The compiled functions of ``kernels.h``, each behind a loop over arrays."""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from generator.accuracy.ulp import Array
from generator.tables import OURS

FLAGS = ("-std=c99", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror")
COMPILER = shutil.which("cc")
PROTOTYPE = re.compile(r"^static inline (double|float) (ad_(?!support_)\w+)\(([^)]*)\) \{", re.M)
DTYPE = {"double": np.float64, "float": np.float32}


def header() -> Path:
    """Return the path of the project's own header."""
    return Path(str(importlib.import_module(OURS).__file__)).with_name("kernels.h")


class Kernels:
    """The compiled functions of a header.

    Parameters
    ----------
    path : Path
        The header.
    folder : Path
        Where the library is kept; it is compiled if it is not there.

    Raises
    ------
    subprocess.CalledProcessError
        If the header does not compile without a warning.

    Attributes
    ----------
    arity : dict
        Kind, ``double`` or ``float``, and number of arguments of each function.
    """

    def __init__(self, path: Path, folder: Path) -> None:
        text = path.read_text(encoding="utf-8")
        found = PROTOTYPE.findall(text)
        self.arity = {name: (kind, params.count(",") + 1) for kind, name, params in found}
        loops = f'#include "{path.name}"\n' + "".join(map(self._loop, self.arity))
        digest = hashlib.sha256((text + loops).encode()).hexdigest()[:16]
        library = folder / f"kernels-{digest}.so"
        if not library.exists():
            # Packages of other tables include our own header, as generated/kernels.h.
            self._compile(loops, (path.parent, header().parent.parent), library)
        self._library = ctypes.CDLL(str(library))

    @staticmethod
    def _compile(code: str, include: tuple[Path, ...], library: Path) -> None:
        library.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=library.parent) as folder:
            source, built = Path(folder) / "loops.c", Path(folder) / "loops.so"
            source.write_text(code)
            command = [str(COMPILER), *FLAGS, "-O1", "-shared", "-fPIC"]
            command += [*(f"-I{path}" for path in include), str(source), "-o", str(built), "-lm"]
            subprocess.run(command, check=True)
            built.replace(library)

    def _loop(self, name: str) -> str:
        kind, count = self.arity[name]
        args = ", ".join(f"in[{count} * i + {k}]" for k in range(count))
        return (
            f"void loop_{name}(const {kind} *in, {kind} *out, long n);\n"
            f"void loop_{name}(const {kind} *in, {kind} *out, long n)\n"
            f"{{ for (long i = 0; i < n; i++) out[i] = {name}({args}); }}\n"
        )

    def __contains__(self, name: str) -> bool:
        return name in self.arity

    def __call__(self, name: str, *columns: Any) -> Array:
        """Return what a function gives for columns of arguments."""
        kind, count = self.arity[name]
        if len(columns) != count:
            raise TypeError(f"{name} takes {count} arguments, not {len(columns)}")
        with np.errstate(all="ignore"):
            given = np.broadcast_arrays(*(np.asarray(c, DTYPE[kind]) for c in columns))
            rows = np.ascontiguousarray(np.column_stack([column.ravel() for column in given]))
        out = np.empty(len(rows), DTYPE[kind])
        getattr(self._library, f"loop_{name}")(
            rows.ctypes.data_as(ctypes.c_void_p),
            out.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_long(len(rows)),
        )
        return out
