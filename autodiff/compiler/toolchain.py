"""The C compiler of this machine: found, tried once, and run for every library that is built.

What the trial found is remembered in the cache for the files of the compiler as they were then: a
new process starts no compiler before it has a program to build.
"""

from __future__ import annotations

import dataclasses
import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np

from autodiff.compiler.cache import libc
from autodiff.compiler.errors import CompileError, CompilerError, ToolchainMissing
from autodiff.compiler.folder import directory, log, read, sha256, write

__all__ = ["CompileError", "CompilerError", "Toolchain", "ToolchainMissing", "find_toolchain"]

Kind = Literal["gcc", "clang", "tcc", "zig"]
_KINDS: tuple[Kind, ...] = ("gcc", "clang", "tcc", "zig")
_NAMES = ("cc", "gcc", "clang", "tcc")

VECLIB = "-fveclib=libmvec"
LIBMVEC = ("-Wl,--as-needed", "-lmvec")


@dataclass(frozen=True)
class Toolchain:
    """A C compiler that works.

    Attributes
    ----------
    command : tuple of str
        What starts it.
    kind : str
        "gcc", "clang", "tcc" or "zig"; a compiler of another name counts as gcc.
    version : str
        The first line it says about itself.
    flags : tuple of str
        Those that it accepts of the ones we want, without the level of optimisation.
    includes : tuple of str
        Directories of the headers of Python and NumPy.
    veclib : bool
        Whether loops call glibc's vector functions (libmvec of glibc 2.35 and newer) for
        prototypes with ``#pragma omp declare simd``.
    """

    command: tuple[str, ...]
    kind: Kind
    version: str
    flags: tuple[str, ...]
    includes: tuple[str, ...]
    veclib: bool

    def without_vectors(self) -> Toolchain:
        """Return the compiler with loops that call no vector functions."""
        flags = tuple(flag for flag in self.flags if flag != VECLIB)
        return dataclasses.replace(self, flags=flags, veclib=False)

    def build(
        self,
        source: Path,
        target: Path,
        *,
        level: str = "-O2",
        libraries: tuple[str, ...] = (),
        seconds: float = 600.0,
    ) -> None:
        """Compile a C file into the shared library `target`.

        It is linked with `libraries`, the mathematical library, and libmvec where loops use it.

        Raises
        ------
        CompilerError
            If the compiler says so, is killed, takes longer than `seconds`, or writes nothing.
        """
        from autodiff.compiler.running import run

        vectors = self.veclib or VECLIB in self.flags
        command = (
            *(*self.command, level, *self.flags, "-w"),
            *(f"-I{path}" for path in self.includes),
            *(str(source), "-o", str(target)),
            *(f"-l{name}" for name in libraries),
            *(LIBMVEC if vectors else ()),
            "-lm",
        )
        try:
            run(command, seconds, f"the source is kept: {source}")
            if not target.exists():
                raise CompilerError(f"{' '.join(command)}\nended well, but wrote no {target}")
        except CompilerError:
            target.unlink(missing_ok=True)
            raise


def find_toolchain() -> Toolchain:
    """Return the C compiler to use.

    It is the one that the environment variable ``CC`` names (with arguments, if it has some), else
    the first of cc, gcc, clang and tcc that works, else the one in the wheel ``ziglang``. It is
    found once for each value of ``CC``.

    Raises
    ------
    ToolchainMissing
        If there is none, or headers are missing; the message says what to install.
    CompilerError
        If there are only such that do not work.
    """
    return _find(os.environ.get("CC", "").strip())


@cache
def _find(wanted: str) -> Toolchain:
    includes = _includes()
    failure = None
    for command in _candidates(wanted):
        try:
            return _remembered(command, includes) or _tried(command, includes)
        except CompilerError as error:
            log().info("%s is not used: %s", " ".join(command), error)
            failure = failure or error
    if failure:
        raise failure
    named = f"CC is {wanted!r}, which is not there" if wanted else "none of cc, gcc, clang, tcc"
    raise ToolchainMissing(
        f"no C compiler: {named}. Install one (Debian, Ubuntu: apt install gcc; Fedora: dnf "
        "install gcc; macOS: xcode-select --install; anywhere: pip install ziglang)"
        + (", or correct CC" if wanted else "")
    )


def _includes() -> tuple[str, ...]:
    known = sysconfig.get_paths()
    paths = [known[name] for name in ("include", "platinclude")]
    if not any(os.path.isfile(os.path.join(path, "Python.h")) for path in paths):
        raise ToolchainMissing(
            f"no Python.h in {paths[0]}: install Python's headers (Debian, Ubuntu: apt install "
            "python3-dev; Fedora: dnf install python3-devel)"
        )
    numpys = np.get_include()
    if not os.path.isfile(os.path.join(numpys, "numpy", "arrayobject.h")):
        raise ToolchainMissing(
            f"no numpy/arrayobject.h in {numpys}: install NumPy from its wheel (pip install "
            "--force-reinstall numpy), or the package of its headers"
        )
    return tuple(dict.fromkeys((*paths, numpys)))


def _candidates(wanted: str) -> Iterator[tuple[str, ...]]:
    if wanted:
        import shlex

        name, *arguments = shlex.split(wanted, posix=os.name != "nt")
        if path := _which(name):
            yield path, *arguments
        return
    for name in _NAMES:
        if path := _which(name):
            yield (path,)
    if _zig():
        yield sys.executable, "-m", "ziglang", "cc"


def _which(name: str) -> str:
    """Return the path of a program or nothing; `shutil` costs more than all else on a hit."""
    folders = [""] if os.path.dirname(name) else os.get_exec_path()
    for folder in folders:
        for suffix in ("", ".exe") if os.name == "nt" else ("",):
            path = os.path.abspath(os.path.join(folder, name + suffix))
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    return ""


def _zig() -> str:
    """Return the file of the wheel ``ziglang``, or nothing."""
    from importlib.util import find_spec

    spec = find_spec("ziglang")
    return (spec and spec.origin) or ""


def _remembered(command: tuple[str, ...], includes: tuple[str, ...]) -> Toolchain | None:
    """Return a compiler that was tried before, if what is remembered is whole and safe."""
    content, _ = read(_memory(command))
    lines = content.decode(errors="replace").split("\n")
    if len(lines) < 4 or lines[-1] != "end":
        return None
    name, version, veclib, *flags = lines[:-1]
    kinds = [kind for kind in _KINDS if kind == name]
    if not kinds:
        return None
    return Toolchain(command, kinds[0], version, tuple(flags), includes, veclib == "veclib")


def _tried(command: tuple[str, ...], includes: tuple[str, ...]) -> Toolchain:
    """Return a compiler after a trial, which is remembered."""
    from autodiff.compiler.trials import try_out

    found = try_out(command)
    log().info("%s: %r", " ".join(command), found)
    veclib = "veclib" if found.veclib else ""
    with suppress(OSError):  # it is tried again next time
        text = "\n".join((found.kind, found.version, veclib, *found.flags, "end"))
        write(_memory(command), text.encode())
    return Toolchain(command, includes=includes, **found._asdict())


def _memory(command: tuple[str, ...]) -> Path:
    """Return the file for a compiler, named by the files of its command as they are now."""
    files = [_which(word) for word in command]
    if "ziglang" in command:
        files.append(_zig())
    states = [(path, os.stat(path).st_mtime_ns, os.stat(path).st_size) for path in files if path]
    # The flags that are wanted stand in the module that tries them.
    wanted = Path(__file__).with_name("trials.py").read_bytes()
    known = (command, states, libc(), sysconfig.get_platform(), wanted)
    return directory() / f"toolchain-{sha256(repr(known).encode())[:16]}.txt"
