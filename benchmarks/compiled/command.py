"""``python -m benchmarks compiled``: measure the rows and print them as a Markdown table."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.compiled.contenders import CONTENDERS
from benchmarks.compiled.workloads import WORKLOADS, Workload
from benchmarks.peers import ABSENT

MARKS = ("<!-- compiled -->", "<!-- end of compiled -->")
README = Path(__file__).parents[2] / "README.md"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    found = argparse.ArgumentParser(prog="python -m benchmarks compiled", description=__doc__)
    found.add_argument("names", nargs="*", metavar="NAME", help="rows; all if none is named")
    found.add_argument("--rounds", type=int, default=9, help="interleaved rounds (default 9)")
    found.add_argument("--processes", type=int, default=3, help="the best of so many (default 3)")
    found.add_argument("--readme", action="store_true", help="write the table into the README")
    return found


def measured(workload: Workload, rounds: int, processes: int) -> dict[str, Any]:
    """Return the seconds of each contender, the best of several processes."""
    best: dict[str, Any] = {}
    for _ in range(processes):
        command = [sys.executable, "-m", "benchmarks.compiled.child", workload.name, str(rounds)]
        out = subprocess.run(command, capture_output=True, text=True, check=False)
        if out.returncode:
            raise RuntimeError(f"{workload.name} failed:\n{out.stderr[-2000:]}")
        for contender, seconds in json.loads(out.stdout.splitlines()[-1]).items():
            before = best.get(contender)
            best[contender] = seconds if before in (None, ABSENT) else min(before, seconds)
    return best


def row(workload: Workload, best: dict[str, Any]) -> str:
    """Return the line of the table."""
    this = best["this"]
    cells = []
    for contender in CONTENDERS:
        seconds = best[contender]
        if seconds == ABSENT:
            cells.append(ABSENT)
            continue
        ratio = "" if contender == "this" else f" ({seconds / this:.3g}x)"
        cells.append(f"{seconds / workload.scale:.3g}{ratio}")
    verdicts = {True: "yes", False: "NO", None: "not measured"}
    words = ", ".join(map(str, workload.bounds))
    met = ", ".join(verdicts[bound.met(best)] for bound in workload.bounds)
    return f"| {workload.title} | {workload.unit} | {' | '.join(cells)} | {words} | {met} |"


def main(argv: Sequence[str]) -> int:
    """Measure, print, and write the README if asked to; return the number of bounds missed."""
    options = parser().parse_args(argv)
    chosen = [one for one in WORKLOADS if not options.names or one.name in options.names]
    heads = ["", "unit", *CONTENDERS, "to reach", "reached"]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    print("\n".join(lines), flush=True)
    for workload in chosen:
        lines.append(row(workload, measured(workload, options.rounds, options.processes)))
        print(lines[-1], flush=True)
    if options.readme:
        text = README.read_text(encoding="utf-8")
        start, end = (text.index(mark) for mark in MARKS)
        table = "\n".join(lines)
        README.write_text(f"{text[: start + len(MARKS[0])]}\n{table}\n{text[end:]}", "utf-8")
    return 0
