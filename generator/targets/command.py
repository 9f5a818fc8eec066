"""``--target``: the table as one file for another engine."""

from __future__ import annotations

import sys
from pathlib import Path

from generator.errors import GeneratorError
from generator.tables import Table
from generator.targets.file import render
from generator.verify import verify
from generator.write import Plan, carry_out, difference, is_ours


def write_target(table: Table, target: str, out: Path | None, check: bool) -> int:
    """Write the file of one engine, or compare it; return the exit status.

    Parameters
    ----------
    table : Table
        The entries.
    target : str
        The engine.
    out : Path or None
        The file, ``name.py``.
    check : bool
        Only compare.
    """
    if out is None or out.suffix != ".py":
        raise GeneratorError(f"--target {target} needs --out FILE, the Python file to write")
    if not table.is_ours:
        verify(table.rules)
    path = out.resolve()
    file = render(table, target)
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    is_foreign = bool(before) and not is_ours(path)
    work = Plan(
        changed={} if file.text == before else {path.name: file.text},
        unchanged=(path.name,) if file.text == before else (),
        stale=(),
        foreign=(),
        blocked=(path.name,) if is_foreign else (),
    )
    if check:
        sys.stdout.write(difference(work, path.parent))
    else:
        carry_out(work, path.parent)
    state = "unchanged" if work.is_done else "differs" if check else "written"
    rest = "; see the file's docstring for the rest" if file.held < file.asked else ""
    print(f"--target {target}: {file.held} of {file.asked} entries{rest} ({path.name} {state})")
    return 1 if check and not work.is_done else 0
