"""Compiled libraries on disk: found by key, published whole, never loaded if others wrote them.

A program of the key ``K`` is three files of the cache directory: ``K.c``, the library
``K.so``, and ``K.sha256``, the hash of the library when it was published.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

import generated
from autodiff.compiler.errors import CompileError
from autodiff.compiler.folder import (
    SUFFIX,
    directory,
    locked,
    log,
    partial_of,
    read,
    sha256,
    write,
)

if TYPE_CHECKING:
    from autodiff.compiler.toolchain import Toolchain

__all__ = ["directory", "environment_key", "library", "load"]

_DIGITS = frozenset("0123456789abcdef")


@cache
def environment_key(toolchain: Toolchain) -> str:
    """Return the hash of all that decides whether a library fits, besides its source.

    The level of optimisation is an argument of `Toolchain.build`: it belongs to the source's key.
    """
    parts = (
        *(toolchain.command, toolchain.version, toolchain.flags, toolchain.veclib),
        *(sysconfig.get_platform(), sysconfig.get_config_var("SOABI"), libc()),
        # Each version of NumPy has its version of the C API, so the former is enough.
        *(np.__version__, _cpu(), _package()),
    )
    return sha256(repr(parts).encode())


def libc() -> str:
    """Return the name and version of the C library, as far as it says them."""
    with suppress(AttributeError, ValueError, OSError):
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    return ""


def _cpu() -> str:
    if sys.platform == "linux":
        with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            return next((s for s in lines if s.startswith(("flags", "Features"))), "")
    import platform

    if sys.platform != "darwin":
        return platform.processor()
    import subprocess

    command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
    with suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(command, capture_output=True, text=True, timeout=10).stdout
    return platform.processor()


def _package() -> tuple[str, int, int]:
    """Return what stands for the package: more than its version, and sooner known."""
    here = Path(__file__).parent
    files = sorted((*here.rglob("*.py"), *here.rglob("*.jinja")))
    kernels = os.stat(Path(generated.__file__).with_name("kernels.h"))  # too long to be read
    return sha256(b"".join(map(Path.read_bytes, files))), kernels.st_size, kernels.st_mtime_ns


def library(key: str, write_source: Callable[[], str], build: Callable[[Path, Path], None]) -> Path:
    """Return the library of a key; it is built if the cache has none that can be trusted.

    Parameters
    ----------
    key : str
        Hexadecimal hash of all that the library depends on.
    write_source : callable
        Returns the C source; called on a miss only.
    build : callable
        ``build(source, target)`` makes the library `target` of the file `source`, or raises; see
        `Toolchain.build`.

    Raises
    ------
    CompileError
        If the cache cannot be written, and what `build` raises. The source stays, and no library.
    """
    if not (16 <= len(key) <= 128 and _DIGITS.issuperset(key)):
        raise ValueError(f"a key has 16 to 128 hexadecimal digits, not {key!r}")
    folder = directory()
    path = folder / f"{key}{SUFFIX}"
    try:
        if _is_sound(path):
            with suppress(OSError):  # a cache on a read-only file system can still be read
                os.utime(path)
        else:
            _make(path, write_source, build)
    except OSError as error:
        raise CompileError(
            f"cannot write to the cache of compiled programs, {folder}: {error}; make room, or set "
            "AUTODIFF_CACHE_DIR to another directory"
        ) from error
    return path


def _is_sound(path: Path) -> bool:
    """Return whether a library can be loaded; one that is there and cannot be is removed."""
    if not (fault := _fault(path)):
        return True
    if not os.path.lexists(path):
        return False
    with locked(path.parent):
        # Another process may have mended it meanwhile.
        if fault := _fault(path):
            log().warning("%s %s: it is thrown away and built anew", path, fault)
            path.unlink(missing_ok=True)
    return not fault


def _fault(path: Path) -> str:
    """Return why a library cannot be loaded, or nothing."""
    content, fault = read(path)
    if fault:
        return fault
    wanted, fault = read(path.with_suffix(".sha256"))
    if fault:
        return f"has a hash that {fault}"
    found = sha256(content).encode()
    return "" if found == wanted else "is not what was published"


def _make(path: Path, write_source: Callable[[], str], build: Callable[[Path, Path], None]) -> None:
    from autodiff.compiler.upkeep import make_room

    source, built = path.with_suffix(".c"), partial_of(path)
    write(source, write_source().encode())
    start = time.perf_counter()
    try:
        build(source, built)
        built.chmod(0o700)
        published = sha256(built.read_bytes())
        with locked(path.parent):
            # The first of several processes wins: its library may be loaded already.
            if _fault(path):
                write(path.with_suffix(".sha256"), published.encode())
                os.replace(built, path)
    finally:
        built.unlink(missing_ok=True)
    log().info("built %s in %.2f s", path, time.perf_counter() - start)
    make_room(path.parent)


def load(path: Path, name: str) -> ModuleType:
    """Import the extension module of a library, whose initialiser is ``PyInit_<name>``.

    Raises
    ------
    CompileError
        If it is no extension module of that name, or a library it needs is not there.
    """
    from importlib.util import module_from_spec, spec_from_file_location

    loader = ExtensionFileLoader(name, str(path))
    spec = spec_from_file_location(name, path, loader=loader)
    if spec is None:
        raise CompileError(f"{path} is no module")
    try:
        module = module_from_spec(spec)
        loader.exec_module(module)
    except ImportError as error:
        raise CompileError(f"{path} cannot be loaded as module {name!r}: {error}") from error
    return module
