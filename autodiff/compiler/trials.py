"""What a C compiler can do, found by compiling small files."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from autodiff.compiler.errors import CompilerError
from autodiff.compiler.running import run, run_and_see
from autodiff.compiler.toolchain import LIBMVEC, VECLIB, Kind

_MACOS = ("-Wl,-undefined,dynamic_lookup",)
_NEEDED = ("-shared", "-fPIC", *(_MACOS if sys.platform == "darwin" else ()))
# Without -ffp-contract=off `a*b + c` is fused, and the numbers are not NumPy's; floor is vectorised
# with -fno-trapping-math only. Whole numbers wrap around, as NumPy's do.
_OPTIMISE = (
    *("-std=gnu11", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-fwrapv"),
    *("-ffp-contract=off", "-fopenmp-simd", "-fno-semantic-interposition"),
)
_OPTIONAL: dict[Kind, tuple[str, ...]] = {
    # GCC would merge sin(x) and cos(x) into a complex exponential, which is never vectorised.
    "gcc": (*_OPTIMISE, "-fno-builtin-sin", "-fno-builtin-cos"),
    "clang": _OPTIMISE,
    "zig": _OPTIMISE,
    # It has no complex numbers, which NumPy's headers mention.
    "tcc": ("-D_Complex=",),
}

_PLAIN = "double ad_trial(double x) { return x + 1; }\n"
_VECTOR = """\
#pragma omp declare simd notinbranch
double {name}(double);

void ad_trial(double *restrict out, const double *restrict x, long n) {{
#pragma omp simd
    for (long i = 0; i < n; i++) out[i] = {name}(x[i]);
}}
"""

_SECONDS = 60.0
_SECONDS_OF_ZIG = 600.0
"""Its first use builds a C library."""


class Trial(NamedTuple):
    """What is known of a compiler that was tried."""

    kind: Kind
    version: str
    flags: tuple[str, ...]
    veclib: bool


def try_out(command: tuple[str, ...]) -> Trial:
    """Return what a compiler can do; a `CompilerError` says why it can do nothing."""
    try:
        with TemporaryDirectory(prefix="autodiff-") as folder:
            return _try_out(command, Path(folder))
    except OSError as error:
        raise CompilerError(f"the C compiler {command[0]} cannot be tried: {error}") from error


def _try_out(command: tuple[str, ...], folder: Path) -> Trial:
    said = _said_of_itself(command)
    kind = _kind(command, said)
    bench = _Bench(folder, _SECONDS_OF_ZIG if kind == "zig" else _SECONDS)
    bench.compile((*command, *_NEEDED), _PLAIN)  # if this fails, nothing works
    flags = bench.accepted(command, _OPTIONAL[kind])
    if kind in {"clang", "zig"} and bench.calls_vectors((*command, *flags, VECLIB), "exp"):
        flags = (*flags, VECLIB)
    # tanh is one of the functions that are new in glibc 2.35.
    veclib = bench.calls_vectors((*command, *flags), "tanh")
    return Trial(kind, said.split("\n")[0], flags, veclib)


def _said_of_itself(command: tuple[str, ...]) -> str:
    question = (*command, "--version")
    code, said = run_and_see(question, _SECONDS)
    if code and not said.startswith("tcc version"):  # which says so, and then misses a file
        run(question, _SECONDS)  # raises
    return said


def _kind(command: tuple[str, ...], said: str) -> Kind:
    if "ziglang" in command or "zig" in os.path.basename(command[0]):
        return "zig"
    if "clang" in said:
        return "clang"
    return "tcc" if said.startswith("tcc version") else "gcc"


@dataclass(frozen=True)
class _Bench:
    """A directory in which small files are compiled."""

    folder: Path
    seconds: float

    def compile(
        self, command: tuple[str, ...], source: str, libraries: tuple[str, ...] = ()
    ) -> bytes:
        """Return the library of a source; a `CompilerError` says why there is none."""
        file, target = self.folder / "trial.c", self.folder / "trial.out"
        file.write_text(source)
        target.unlink(missing_ok=True)
        run((*command, str(file), "-o", str(target), *libraries), self.seconds)
        if not target.exists():
            raise CompilerError(f"{shlex.join(command)} ended well, but wrote no library")
        return target.read_bytes()

    def accepted(self, command: tuple[str, ...], wanted: tuple[str, ...]) -> tuple[str, ...]:
        """Return the needed flags, and those of the wanted ones that a compiler accepts."""
        if self._accepts((*command, *_NEEDED, *wanted)):
            return (*_NEEDED, *wanted)
        return (*_NEEDED, *(flag for flag in wanted if self._accepts((*command, *_NEEDED, flag))))

    def _accepts(self, command: tuple[str, ...]) -> bool:
        try:
            self.compile((*command, "-Werror"), _PLAIN)
        except CompilerError:
            return False
        return True

    def calls_vectors(self, command: tuple[str, ...], name: str) -> bool:
        """Return whether a loop over a function calls glibc's vector version of it."""
        if sys.platform != "linux":
            return False
        source = _VECTOR.format(name=name)
        try:
            built = self.compile((*command, "-O2"), source, ("-Wl,-z,defs", *LIBMVEC, "-lm"))
        except CompilerError:
            return False
        return b"_ZGV" in built
