"""What can go wrong when code is generated."""

from __future__ import annotations


class GeneratorError(ValueError):
    """The table or the command line cannot be turned into code; the message has the remedy."""


class Unsupported(Exception):  # noqa: N818 -- a fact about a backend, not a fault
    """A backend has no form of a function; what needs it is left out there."""
