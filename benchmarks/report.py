"""Results as a table, as JSON and as a picture."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmarks.measure import SAMPLE_SECONDS, Samples
from benchmarks.peers import CONTENDERS, NONE, PEERS, installed
from benchmarks.workloads import Row

README_MARKS = ("<!-- speed -->", "<!-- end of speed -->")
PICTURE = "docs/speed.png"


@dataclass(frozen=True)
class Result:
    """A row of the table and what was measured for it."""

    row: Row
    samples: Samples

    @cached_property
    def values(self) -> dict[str, float | str]:
        """Median of each contender, or the word that says why there is none."""
        return {
            contender: found if isinstance(found, str) else statistics.median(found)
            for contender, found in self.samples.items()
        }

    @cached_property
    def ratios(self) -> dict[str, float]:
        """How many times this library's number each other number is."""
        this = self.values["this"]
        if not isinstance(this, float) or this <= 0:
            return {}
        return {
            contender: value / this
            for contender, value in self.values.items()
            if isinstance(value, float) and value > 0 and contender != "this"
        }

    def cell(self, contender: str) -> str:
        value = self.values[contender]
        if isinstance(value, str):
            return value
        ratio = self.ratios.get(contender)
        return f"{readable(value)} ({readable(ratio)}x)" if ratio else readable(value)

    def verdicts(self) -> list[tuple[str, str]]:
        """Return each bound in words, and whether it was met."""
        words = {True: "yes", False: "NO", None: "not measured"}
        return [(str(bound), words[bound.met(self.values)]) for bound in self.row.bounds]


def readable(number: float) -> str:
    """Return about three digits, without an exponent."""
    size = abs(number)
    decimals = 4 if size < 0.1 else 3 if size < 1 else 2 if size < 10 else 1 if size < 100 else 0
    return f"{number:.{decimals}f}"


def table(results: Sequence[Result]) -> str:
    """Return a Markdown table, padded so that it reads well as plain text too."""
    lines = [["workload", "unit", *CONTENDERS, "must reach", "met"]]
    for result in results:
        bounds, met = zip(*result.verdicts() or [(NONE, NONE)], strict=True)
        cells = [result.cell(contender) for contender in CONTENDERS]
        lines.append([result.row.title, result.row.unit, *cells, ", ".join(bounds), ", ".join(met)])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| " + " | ".join(text.ljust(w) for text, w in zip(line, widths, strict=True)) + " |"
        for line in lines
    )


def verdict(results: Sequence[Result]) -> str:
    """Return one line: how many bounds were met, and the rows that missed one."""
    met = [(r.row.name, word) for r in results for _, word in r.verdicts()]
    missed = [name for name, word in met if word == "NO"]
    line = f"{sum(word == 'yes' for _, word in met)} of {len(met)} bounds met"
    return f"{line}; missed: {', '.join(missed)}" if missed else line


def how_measured(rounds: int) -> str:
    """Return in words how the numbers came about, with versions."""
    versions = ", ".join(
        f"{peer.package} {version(peer.package)}" for peer in PEERS if installed(peer)
    )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"Medians of {rounds} interleaved rounds in one process on {cores} core(s), one thread; "
        f"a sample is the mean of the calls that fill {SAMPLE_SECONDS * 1000:.0f} ms of processor "
        "time, garbage collector on. In brackets: how many times the number of `this`.\n"
        "Each call runs forward and backward and reads the gradients, from fresh leaves on floats, "
        "from leaves that are kept on arrays; all answers are compared first. Memory, chain and "
        "import: fresh processes, peak resident memory above inputs and imports.\n"
        "OPENBLAS_CORETYPE and OPENBLAS_L2_SIZE unset; OMP_NUM_THREADS=1.\n"
        f"Python {platform.python_version()}, {versions}; {processor()}{load()}."
    )


def load() -> str:
    """Return how busy the machine is: on a busy one, trust ratios more than times."""
    if not hasattr(os, "getloadavg"):
        return ""
    return f", load average {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores"


def version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return importlib.metadata.version("diffrules")


def processor() -> str:
    """Return the name of the processor, as far as the system says."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def write_json(results: Sequence[Result], how: str, path: Path) -> None:
    """Write every sample, median, ratio and verdict."""
    rows: list[dict[str, Any]] = [
        {
            "name": result.row.name,
            "title": result.row.title,
            "unit": result.row.unit,
            "median": result.values,
            "ratio": result.ratios,
            "bounds": [{"bound": bound, "met": met} for bound, met in result.verdicts()],
            "samples": result.samples,
        }
        for result in results
    ]
    path.write_text(json.dumps({"how": how, "rows": rows}, indent=1) + "\n")


def into_readme(results: Sequence[Result], how: str, readme: Path) -> None:
    """Put the table between the two marks of the README, and the picture beside its docs."""
    before, rest = readme.read_text().split(README_MARKS[0], 1)
    after = rest.split(README_MARKS[1], 1)[1]
    text = f"\n{table(results)}\n\n{how}\n\n![the table as bars]({PICTURE})\n"
    readme.write_text(before + README_MARKS[0] + text + README_MARKS[1] + after)
    draw(results, readme.parent / PICTURE)


def draw(results: Sequence[Result], path: Path) -> None:
    """Draw one panel of bars a row, on a logarithmic scale where the numbers differ much."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    columns = 2 if len(results) > 1 else 1
    lines = -(-len(results) // columns)
    figure, axes = plt.subplots(
        lines, columns, figsize=(6.5 * columns, 2.4 * lines), squeeze=False, layout="constrained"
    )
    for ax in axes.flat[len(results) :]:
        ax.set_visible(False)
    for ax, result in zip(axes.flat, results, strict=False):
        bars = {c: v for c, v in result.values.items() if isinstance(v, float) and v > 0}
        ax.barh(
            list(bars),
            list(bars.values()),
            color=["tab:orange" if contender == "this" else "tab:blue" for contender in bars],
        )
        if max(bars.values()) > 20 * min(bars.values()):
            ax.set_xscale("log")
            ax.set_xlim(min(bars.values()) / 2, max(bars.values()) * 8)
        else:
            ax.set_xlim(0, max(bars.values()) * 1.3)
        for position, contender in enumerate(bars):
            ax.annotate(
                result.cell(contender),
                (bars[contender], position),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
        ax.invert_yaxis()
        ax.set_title(f"{result.row.title} [{result.row.unit}]", fontsize=9, loc="left")
        ax.tick_params(labelsize=8)
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110)
    plt.close(figure)
