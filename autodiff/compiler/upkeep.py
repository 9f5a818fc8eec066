"""The cache as a whole: what it takes, what has to go, and all of it removed."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from autodiff.compiler.folder import SUFFIX, directory, locked, log

_FILE = re.compile(r"([0-9a-f]{16,128})(\.c|\.so|\.pyd|\.sha256)(\.[0-9a-f]{12}\.partial)?")
_TRIAL = re.compile(r"toolchain-[0-9a-f]+\.txt(\.[0-9a-f]{12}\.partial)?")

_MEGABYTES = 512
_FRESH = 60.0
"""Seconds for which a library is safe after its last use; it may be about to be loaded."""
_UNFINISHED = 3600.0
"""Seconds for which files without a library are: a compiler may be at work on them."""


@dataclass
class _Entry:
    """The files of one key."""

    paths: list[Path] = field(default_factory=list)
    bytes: int = 0
    used: float = 0.0
    complete: bool = False

    def remove(self) -> None:
        # The library first: alone, it would be one that cannot be trusted.
        for path in sorted(self.paths, key=lambda p: p.suffix != SUFFIX):
            with suppress(OSError):  # gone already, or loaded on Windows
                path.unlink()


def _entries(folder: Path) -> list[_Entry]:
    """Return what is there, without what another process may just be writing."""
    found: dict[str, _Entry] = {}
    for path in folder.iterdir():
        if match := _FILE.fullmatch(path.name):
            with suppress(FileNotFoundError):  # just renamed
                status = path.lstat()
                if match[3] and time.time() - status.st_mtime < _UNFINISHED:
                    continue
                entry = found.setdefault(match[1], _Entry())
                entry.paths.append(path)
                entry.bytes += status.st_size
                entry.used = max(entry.used, status.st_mtime)
                entry.complete |= path.suffix == SUFFIX
    return list(found.values())


def _limit() -> float:
    given = os.environ.get("AUTODIFF_CACHE_MB") or _MEGABYTES
    try:
        return float(given) * 2**20
    except ValueError:
        log().warning("AUTODIFF_CACHE_MB is %r, not a number: it counts as %s", given, _MEGABYTES)
        return _MEGABYTES * 2**20


def make_room(folder: Path) -> None:
    """Remove what was used least recently, until the cache is as small as it may be."""
    limit, now = _limit(), time.time()
    with locked(folder):
        entries = _entries(folder)
        total = sum(entry.bytes for entry in entries)
        for entry in sorted(entries, key=lambda entry: entry.used):
            age = now - entry.used
            if total > limit and age > (_FRESH if entry.complete else _UNFINISHED):
                entry.remove()
                total -= entry.bytes


@dataclass(frozen=True)
class Info:
    """What is in the cache.

    Attributes
    ----------
    directory : Path
        Where it is.
    programs : int
        How many libraries it has.
    bytes, limit : int
        What all its files take, and what they may take.
    """

    directory: Path
    programs: int
    bytes: int
    limit: int


def info() -> Info:
    """Return what is in the cache."""
    folder = directory()
    entries = _entries(folder)
    programs = sum(entry.complete for entry in entries)
    return Info(folder, programs, sum(entry.bytes for entry in entries), int(_limit()))


def clear() -> int:
    """Remove all programs and what is known of compilers; return how many programs there were.

    Files stay that the cache did not write, or is just writing.
    """
    folder = directory()
    with locked(folder):
        entries = _entries(folder)
        for entry in entries:
            entry.remove()
        for path in folder.iterdir():
            if _TRIAL.fullmatch(path.name):
                path.unlink(missing_ok=True)
    return sum(entry.complete for entry in entries)
