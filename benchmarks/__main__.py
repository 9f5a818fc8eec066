"""``python -m benchmarks``: measure, print one table, write JSON and a picture."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}
# They change which kernels the BLAS library uses.
UNSET = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")


def settle() -> None:
    """Start this process again if it must run with another environment; use one core."""
    wanted = {k: v for k, v in os.environ.items() if k not in UNSET} | ONE_THREAD
    if wanted != dict(os.environ):
        os.execve(sys.executable, [sys.executable, "-m", "benchmarks", *sys.argv[1:]], wanted)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def entries(argv: list[str]) -> NoReturn:
    """Time the entries of the table instead of the rows."""
    from benchmarks.entries.command import main, parser

    parser().parse_args(argv)
    settle()
    sys.exit(main(argv))


def compiled(argv: list[str]) -> NoReturn:
    """Time compiled programs instead of the rows."""
    from benchmarks.compiled.command import main, parser

    parser().parse_args(argv)
    settle()
    sys.exit(main(argv))


def main() -> None:
    if sys.argv[1:2] == ["entries"]:
        entries(sys.argv[2:])
    if sys.argv[1:2] == ["compiled"]:
        compiled(sys.argv[2:])
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog="python -m benchmarks entries [NAME ...] times each entry of the table instead, "
        "python -m benchmarks compiled [NAME ...] compiled programs",
    )
    parser.add_argument("--list", action="store_true", help="list the rows and stop")
    parser.add_argument("--only", action="append", metavar="NAME", help="a row; may be repeated")
    parser.add_argument("--rounds", type=int, default=15, help="interleaved rounds (default 15)")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(__file__).parent / "results",
        help="folder for results.json and results.png (default benchmarks/results)",
    )
    parser.add_argument(
        "--readme", action="store_true", help="write table and picture into the README too"
    )
    options = parser.parse_args()
    settle()

    from benchmarks import report
    from benchmarks.workloads import ROWS

    if options.list:
        for row in ROWS:
            print(f"{row.name:15} {row.title} [{row.unit}]")
        return
    unknown = set(options.only or ()) - {row.name for row in ROWS}
    if unknown:
        parser.error(f"no row {', '.join(sorted(unknown))}; see --list")
    if options.rounds < 1:
        parser.error(f"--rounds is {options.rounds}; give 1 or more")
    results = []
    for row in ROWS:
        if options.only is None or row.name in options.only:
            print(f"measuring {row.title} ...", file=sys.stderr, flush=True)
            results.append(report.Result(row, row.measure(options.rounds)))
    how = report.how_measured(options.rounds)
    print(report.table(results))
    print()
    print(how)
    print(report.verdict(results))
    options.out.mkdir(parents=True, exist_ok=True)
    report.write_json(results, how, options.out / "results.json")
    report.draw(results, options.out / "results.png")
    if options.readme:
        report.into_readme(results, how, Path(__file__).parents[1] / "README.md")
    print(f"written: {options.out / 'results.json'}, {options.out / 'results.png'}")


if __name__ == "__main__":
    main()
