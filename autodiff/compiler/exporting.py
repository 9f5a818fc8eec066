"""Writing a program to a directory, for people who have no Python where it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autodiff.compiler.c.export import Export
from autodiff.compiler.c.render import Source, is_expressible
from autodiff.compiler.errors import CompileError


def exported(built: Any, values: Sequence[Any], name: str, directory: Path) -> list[Path]:
    """Write the files of a program; return their paths.

    Parameters
    ----------
    built : Built
    values : sequence
        Its inputs in the call it was made for.
    name : str
        Of the function; what C does not allow in a name becomes ``_``.
    directory : Path
    """
    name = re.sub(r"\W", "_", name).strip("_") or "program"
    name = f"f_{name}" if name[0].isdigit() else name
    if not is_expressible(built.program):
        raise CompileError(f"{name} cannot be exported: C has no form for what goes in or out")
    source = Source(built.program, built.signature.data, None, None, built.result.kinds)
    files = Export(source, name, values).files()
    directory.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (directory / file).write_text(text, encoding="utf-8")
    return [directory / file for file in files]
