"""The type of tracked arrays, for ``isinstance``."""

from __future__ import annotations

from autodiff.box import Box as ArrayBox

__all__ = ["ArrayBox"]
