"""What can go wrong on the way from a program to a loaded library."""

from __future__ import annotations


class CompileError(RuntimeError):
    """A program could not be made into a library."""


class ToolchainMissing(CompileError):  # noqa: N818 -- what is wrong is that it is missing
    """There is no C compiler, or a header that every program needs is not there."""


class CompilerError(CompileError):
    """The C compiler was started and wrote no library."""


class NotExpressibleError(CompileError):
    """C has no form for what goes into a program or comes out of it."""
