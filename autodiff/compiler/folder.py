"""The directory of the cache: where it is, what in it can be trusted, how files get into it.

Modules that only a miss or a fault needs (logging, tempfile, fcntl) are loaded then: a cached
start has a few milliseconds for everything.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autodiff.compiler.errors import CompileError

if TYPE_CHECKING:
    from logging import Logger

SUFFIX = ".pyd" if sys.platform == "win32" else ".so"

# A planted symbolic link is not followed, and a planted pipe does not block.
_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def log() -> Logger:
    """Return the logger of the compiler."""
    from logging import getLogger

    return getLogger("autodiff.compiler")


def sha256(content: bytes) -> str:
    """Return a hash, in hexadecimal digits; `hashlib` would load OpenSSL, which takes longer."""
    digits: str = _sha256()(content).hexdigest()
    return digits


@cache
def _sha256() -> Any:
    try:
        return import_module("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256
    except ImportError:  # a Python built without its own
        return import_module("hashlib").sha256


def directory() -> Path:
    """Return the directory of the cache; it is made if it is missing.

    It is ``AUTODIFF_CACHE_DIR``, else ``autodiff`` in the user's cache directory. One that cannot
    be made, belongs to another user, or can be written by others is not used: the process then
    has a directory of its own, removed at its end.
    """
    wanted = _wanted()
    try:
        wanted.mkdir(mode=0o700, parents=True, exist_ok=True)
        fault = fault_of(os.stat(wanted))
    except OSError as error:
        fault = f"cannot be made ({error.strerror})"
    return _own_directory(wanted, fault) if fault else wanted


def _wanted() -> Path:
    given = os.environ.get("AUTODIFF_CACHE_DIR")
    if given:
        return Path(given).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the specification of XDG: a relative path is ignored
        base = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    return Path(os.path.expanduser(base), "autodiff").absolute()


@cache
def _own_directory(wanted: Path, fault: str) -> Path:
    import atexit
    import shutil
    import tempfile

    try:
        own = Path(tempfile.mkdtemp(prefix="autodiff-"))
    except OSError as error:
        raise CompileError(
            f"no directory for compiled programs: {wanted} {fault}, and a temporary one cannot "
            f"be made ({error.strerror}); set AUTODIFF_CACHE_DIR to one that can be written"
        ) from error
    log().warning(
        "the cache directory %s %s: compiled programs are kept for this process only; mend it, "
        "or set AUTODIFF_CACHE_DIR to a directory that only you can write",
        *(wanted, fault),
    )
    maker = os.getpid()

    def remove() -> None:
        if os.getpid() == maker:  # a forked process leaves it to its parent
            shutil.rmtree(own, ignore_errors=True)

    atexit.register(remove)
    return own


def fault_of(status: os.stat_result) -> str:
    """Return why a file or directory is not safe from other users, or nothing."""
    if sys.platform == "win32":
        return ""
    if status.st_uid != os.getuid():
        return f"belongs to another user ({status.st_uid})"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "can be written by other users"
    return ""


def read(path: Path) -> tuple[bytes, str]:
    """Return the content of a file, and why it cannot be trusted (then the content is empty)."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFELY)
    except FileNotFoundError:
        return b"", "is missing"
    except OSError as error:
        link = os.path.islink(path)
        return b"", "is a symbolic link" if link else f"cannot be read ({error.strerror})"
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        fault = fault_of(status) if stat.S_ISREG(status.st_mode) else "is not a file"
        return (b"", fault) if fault else (file.read(), "")


def write(path: Path, content: bytes) -> None:
    """Write a file that appears whole or not at all, and that only the user can read."""
    partial = partial_of(path)
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFELY, 0o600)
        with open(descriptor, "wb") as file:
            file.write(content)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def partial_of(path: Path) -> Path:
    """Return a name beside `path` that nobody else uses, for what is not whole yet."""
    return path.with_name(f"{path.name}.{os.urandom(6).hex()}.partial")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes and threads from publishing and removing meanwhile."""
    if sys.platform == "win32":
        yield  # what is loaded cannot be replaced there
        return
    import fcntl

    descriptor = os.open(folder / "lock", os.O_WRONLY | os.O_CREAT | _SAFELY, 0o600)
    try:
        with suppress(OSError):  # a file system without locks: a publication is still atomic
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        with suppress(OSError):  # a process forked meanwhile holds the same lock
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)
