"""``python -m generator accuracy``."""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from diffrules.entry import Rule
from generator.accuracy import kept, record
from generator.accuracy.beside import PeerProcess
from generator.accuracy.cache import folder
from generator.accuracy.kernels import COMPILER, Kernels, header
from generator.accuracy.measure import Measurement, Row
from generator.accuracy.report import HEAD, TAIL, as_data, faults, lines
from generator.accuracy.twins import Twins
from generator.accuracy.work import BUDGET, Workers
from generator.errors import GeneratorError
from generator.progress import Progress
from generator.tables import COMMAND, Table, our_table, table_of


def main(argv: Sequence[str]) -> int:
    """Measure entries and print a table; return the exit status."""
    options = _parser().parse_args(argv)
    if options.write and options.rules:
        raise GeneratorError("--write keeps what is measured of the project's own table")
    table = _table(options)
    rules = _chosen(table, options.names)
    twins = _twins(options)
    rows: list[Row] = []
    if not options.json:
        print(HEAD + TAIL)
    with (
        Workers(options.seconds, options.fresh) as workers,
        PeerProcess() as peers,
        Progress(len(rules)) as progress,
    ):
        measurement = Measurement(workers, twins, options.second, peers if options.peers else None)
        for rule in rules:
            progress.step(rule.name)
            found = _measured(measurement, rule)
            rows += found
            if not options.json:
                for row in found:
                    print("\n".join(lines(row, options.verbose)), flush=True)
            if options.write:
                _write(table, found, measurement)
    if options.json:
        print(json.dumps(as_data(rows), indent=1))
    return 1 if any(map(faults, rows)) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"{COMMAND} accuracy",
        description="Measure values and partials of the generated code against numbers of many "
        "digits, in units in the last place; in brackets the catastrophic points. The exit status "
        "is 1 if a row is above the bound of its entry.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="entries; all if none is given")
    parser.add_argument("-v", "--verbose", action="store_true", help="show the worst points")
    parser.add_argument("--json", action="store_true", help="print everything as data")
    parser.add_argument(
        "--second", action="store_true", help="second derivatives of special functions too"
    )
    parser.add_argument(
        "--fresh", action="store_true", help="compute the exact numbers again, not from the cache"
    )
    parser.add_argument("--peers", action="store_true", help="measure torch, jax and autograd too")
    parser.add_argument(
        "--write", action="store_true", help="keep the result in docs/accuracy.json and .md"
    )
    parser.add_argument("--rules", metavar="MODULE", help="importable module of rules of your own")
    parser.add_argument("--out", metavar="DIR", type=Path, help="the package written from them")
    parser.add_argument(
        "--seconds",
        type=float,
        default=BUDGET,
        help="work that the exact numbers of one quantity may cost; the next run goes on",
    )
    return parser


def _table(options: argparse.Namespace) -> Table:
    ours = our_table()
    if options.rules is None and options.out is None:
        return ours
    if options.rules is None or options.out is None:
        raise GeneratorError("--rules MODULE and --out DIR, the package of its code, go together")
    sys.path[:0] = [str(Path.cwd()), str(options.out.resolve().parent)]
    importlib.import_module(options.rules)
    return table_of(options.rules)


def _twins(options: argparse.Namespace) -> Twins:
    """Return the functions generated from the table."""
    if options.out is None:
        return Twins(kernels=_kernels(header()))
    return Twins(options.out.name, _kernels(options.out / "kernels.h"))


def _chosen(table: Table, names: Sequence[str]) -> list[Rule]:
    unknown = sorted(set(names) - {rule.name for rule in table.rules})
    if unknown:
        raise GeneratorError(f"no entry {', '.join(unknown)}; --list shows all")
    return [rule for rule in table.rules if not names or rule.name in names]


def _measured(measurement: Measurement, rule: Rule) -> list[Row]:
    try:
        return measurement.rows(rule)
    except AttributeError as error:
        raise GeneratorError(
            f"{rule.title}: the generated code is not what the table says ({error}); run {COMMAND}"
        ) from error


def _write(table: Table, rows: Sequence[Row], measurement: Measurement) -> None:
    """Keep what was measured of one entry, so that nothing is lost if the command is stopped."""
    path = documents() / "accuracy.json"
    names = [rule.name for rule in table.rules]
    record.write(path, record.merged(record.read(path), rows, names))
    kept.write(exact_numbers(), measurement.kept)
    measurement.kept.clear()


def documents() -> Path:
    """Return the folder of the documentation, of a checkout."""
    return Path(__file__).resolve().parents[2] / "docs"


def exact_numbers() -> Path:
    """Return the folder of the exact numbers that the tests use, of a checkout."""
    return documents().parent / "tests" / "exact"


def _kernels(path: Path) -> Kernels | None:
    """Return the compiled functions of a header, or None where they cannot be."""
    try:
        return Kernels(path, folder()) if COMPILER else None
    except subprocess.CalledProcessError:
        return None
