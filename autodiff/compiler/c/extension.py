"""From a program to a loaded extension module, through the cache on disk."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import generated
from autodiff.compiler import cache
from autodiff.compiler.c.blas import products
from autodiff.compiler.c.render import TEMPLATES, Source
from autodiff.compiler.leaf import Leaf
from autodiff.compiler.program import Program
from autodiff.compiler.toolchain import Toolchain


class Extension:
    """A program as an extension module.

    Parameters
    ----------
    program : Program
    leaves, arguments, template, kinds
        As of `Source`.
    toolchain : Toolchain

    Attributes
    ----------
    run : callable
        Takes the arguments by position; `NotImplemented` if they do not fit its signature.
    """

    def __init__(
        self,
        program: Program,
        leaves: Sequence[Leaf],
        arguments: Any,
        template: Any,
        kinds: Sequence[str],
        toolchain: Toolchain,
    ) -> None:
        self.source = Source(program, leaves, arguments, template, kinds)
        text = f"{program}\n{leaves}\n{arguments!r}\n{template!r}\n{kinds}\n{_texts()}"
        text += cache.environment_key(toolchain)
        key = hashlib.sha256(text.encode()).hexdigest()
        self.name = f"program_{key[:16]}"
        self._toolchain = toolchain
        self.path = cache.library(key, self.text, self._build)
        module: Any = cache.load(self.path, self.name)
        large = bool(self.source.products)
        constants = tuple(
            np.array(array, order="C", ndmin=0) for array in program.constants.values()
        )
        blas = products() if large else (0, 0)
        self.run: Callable[..., Any] = module.Program(
            tuple(self.source.calls), constants, tuple(self.source.keys), *blas
        )

    def _build(self, source: Path, target: Path) -> None:
        # Long rows of statements run no faster at -O2, and compile twice as long.
        level = "-O1" if self.source.is_long else "-O2"
        self._toolchain.build(source, target, level=level)

    def text(self) -> str:
        """Return the C source."""
        return self.source.text(self.name, self._toolchain.veclib)


@functools.cache
def _texts() -> str:
    """Return a hash of the C that every program is made of."""
    paths = [Path(generated.__file__).with_name("kernels.h"), TEMPLATES / "support.h"]
    found = hashlib.sha256()
    for path in paths:
        found.update(path.read_bytes())
    return found.hexdigest()
