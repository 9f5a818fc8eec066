"""One run of a C compiler: with a time limit, without a shell, and with a clear error."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from autodiff.compiler.errors import CompilerError

if TYPE_CHECKING:
    from subprocess import Popen

_KILLED = 9
_EXCERPT = 20
"""How many lines of the compiler's message an error shows."""


def run(command: tuple[str, ...], seconds: float, hint: str = "") -> str:
    """Run a compiler; return what it says, or raise a `CompilerError` that ends with `hint`."""
    code, said = run_and_see(command, seconds, hint)
    if code == 0:
        return said
    what = f"failed with code {code}" if code > 0 else f"was killed by signal {-code}"
    if code == -_KILLED:
        what += " (the usual cause is that memory is full)"
    raise _failure(command, what, said, hint)


def run_and_see(command: tuple[str, ...], seconds: float, hint: str = "") -> tuple[int, str]:
    """Run a compiler; return its exit code, or minus the signal that ended it, and its words."""
    import subprocess

    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            # The time limit has to end the compiler proper as well, not its driver alone.
            process_group=None if sys.platform == "win32" else 0,
        )
    except OSError as error:
        raise _failure(command, f"could not be started: {error.strerror}", "", hint) from error
    with process:
        try:
            said: str = process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            _kill(process)
            raise _failure(command, f"was stopped after {seconds:g} s", "", hint) from None
        except BaseException:
            _kill(process)
            raise
    return process.returncode, said


def _kill(process: Popen[str]) -> None:
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, _KILLED)


def _failure(command: tuple[str, ...], what: str, said: str, hint: str) -> CompilerError:
    lines = said.splitlines()
    left = len(lines) - _EXCERPT
    more = [f"... ({left} more lines)"] if left > 0 else []
    text = [f"the C compiler {what}:", shlex.join(command), *lines[:_EXCERPT], *more, hint]
    return CompilerError("\n".join(filter(None, text)))
