"""``python -m benchmarks entries``."""

from __future__ import annotations

import argparse
import json
import platform
import warnings
from collections.abc import Sequence

from benchmarks.entries import results
from benchmarks.entries.measure import SIZE, Times, measured
from benchmarks.entries.points import REACH
from benchmarks.measure import SAMPLE_SECONDS
from benchmarks.report import load, processor, version
from diffrules.entry import Rule
from generator.accuracy.peers import installed
from generator.progress import Progress
from generator.tables import our_table

ROUNDS = 5


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(
        prog="python -m benchmarks entries",
        description="Time value and gradient of each entry of the table on 10^5 doubles, in "
        "nanoseconds an element, beside torch and autograd. The exit status is 1 if a gradient "
        f"costs more than {results.SLOW:g} times its value and no note of the entry says why.",
    )
    found.add_argument("names", nargs="*", metavar="NAME", help="entries; all if none is given")
    found.add_argument("--rounds", type=int, default=ROUNDS, help="interleaved (default 5)")
    found.add_argument("--json", action="store_true", help="print the numbers as data")
    found.add_argument(
        "--write", action="store_true", help="write docs/speed.json and docs/speed.md too"
    )
    return found


def public_rules() -> dict[str, Rule]:
    return {rule.name: rule for rule in our_table().rules if rule.is_public}


def main(argv: Sequence[str]) -> int:
    """Measure entries and print a table; return the exit status."""
    options = parser().parse_args(argv)
    rules = public_rules()
    if unknown := sorted(set(options.names) - rules.keys()):
        parser().error(f"no entry {', '.join(unknown)}; python -m generator --list shows all")
    if options.rounds < 1:
        parser().error(f"--rounds is {options.rounds}; give 1 or more")
    chosen = [rule for name, rule in rules.items() if not options.names or name in options.names]
    rows: list[Times] = []
    if not options.json:
        print(results.line("entry", results.HEAD))
    with Progress(len(chosen)) as progress, warnings.catch_warnings():
        # Peers warn at points where they are wrong; ours are tested elsewhere.
        warnings.simplefilter("ignore")
        for rule in chosen:
            progress.step(rule.name)
            row = measured(rule, options.rounds)
            rows.append(row)
            if not options.json:
                text = results.line(rule.name, results.cells(row), results.mark(row, rule))
                print(text, flush=True)
    how = how_measured(options.rounds)
    if options.json:
        print(json.dumps({"how": how, "rows": rows}, indent=1))
    if options.write:
        kept = [row for row in results.merged(rows) if row["name"] in rules]
        results.write(how, kept)
    return int(
        any(results.is_slow(row) and not results.says_why(rules[row["name"]]) for row in rows)
    )


def how_measured(rounds: int) -> str:
    """Return in words how the numbers came about, with versions."""
    packages = ["numpy", "scipy", *filter(installed, ("torch", "autograd"))]
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    return (
        f"Medians of at most {rounds} interleaved rounds on one thread, processor time; a sample "
        f"is the mean of the calls that fill {SAMPLE_SECONDS * 1000:.0f} ms. {SIZE} points, "
        f"uniform in the domain between -{REACH:g} and {REACH:g}. "
        f"Python {platform.python_version()}, {versions}; {processor()}{load()}."
    )
