"""The command line of the generator."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from diffrules.entry import RuleError
from generator.errors import GeneratorError
from generator.explain import explain
from generator.listing import table_lines, terminal_width
from generator.measured import Measured
from generator.package import Package
from generator.pages import Pages
from generator.plots import draw, outdated, superfluous
from generator.progress import Progress
from generator.tables import COMMAND, OURS, Table, our_table, table_of
from generator.targets.command import write_target
from generator.targets.file import TARGETS
from generator.verify import verify
from generator.write import carry_out, difference, plan

PLOTS = "plots"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if words[:1] == ["accuracy"]:
            # Needs mpmath and SciPy, which writing the package does not.
            from generator.accuracy.cli import main as accuracy

            return accuracy(words[1:])
        return _run(_parser().parse_args(words))
    except (GeneratorError, RuleError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has gone, as with `| head`; keep the interpreter from saying so at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("interrupted; nothing was changed", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=COMMAND,
        description="Write the package of forward and gradient functions from a table of rules.",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare only: print what a run would change and exit with 1 if there is anything",
    )
    parser.add_argument(
        "--plots", action="store_true", help="draw the plots of docs/rules that are missing or old"
    )
    parser.add_argument("--list", action="store_true", help="show the rules as a table")
    parser.add_argument(
        "--explain",
        metavar="NAME",
        help="show one rule in mathematics, beside SymPy's own derivative, and as generated code",
    )
    parser.add_argument(
        "--rules",
        metavar="MODULE",
        help="importable module with rules of your own; needs --out to write",
    )
    parser.add_argument(
        "--out",
        metavar="PATH",
        type=Path,
        help="package directory to write; the project's own generated/ if not given. With "
        "--target the file",
    )
    parser.add_argument(
        "--target",
        choices=list(TARGETS),
        help="write one Python file for another engine instead, which stands alone; needs "
        "--out FILE",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="name every file")
    return parser


def _run(options: argparse.Namespace) -> int:
    start = time.perf_counter()
    table = _table(options)
    if options.target:
        return write_target(table, options.target, options.out, options.check)
    package = Package(table)
    if options.list or options.explain:
        return _show(table, package, options)
    directory = _directory(options)
    if options.rules:
        verify(table.rules)
    pages = None if options.rules or options.out else _pages_folder()
    if options.plots:
        return _draw(table, pages)
    with Progress(package.steps) as progress:
        works = {directory: plan(package.render(progress.step), directory)}
    for path in works[directory].foreign:
        print(f"left alone, not written by the generator: {directory.name}/{path}")
    if pages is not None:
        measured = Measured(pages.parent / "accuracy.json")
        works[pages] = plan(Pages(table, measured).render(), pages)
    done = all(work.is_done for work in works.values())
    for folder, work in works.items():
        if not options.check:
            carry_out(work, folder)
        elif not work.is_done:
            out = f" --out {_shown(directory)}" if options.out else ""
            sys.stdout.write(difference(work, folder))
            print(f"{folder.name} is not what the table says; mend it with: {table.command}{out}")
    done &= pages is None or _plots_are_done(table, pages / PLOTS)
    words = ("differ", "superfluous") if options.check else ("written", "removed")
    counts = dict.fromkeys((*words, "unchanged"), 0)
    for work in works.values():
        found = dict(zip(counts, (work.changed, work.stale, work.unchanged), strict=True))
        for word, paths in found.items():
            counts[word] += len(paths)
            for path in paths if options.verbose else ():
                print(f"{word}: {path}")
    first, *others = (f"{count} {word}" for word, count in counts.items())
    print(
        f"{len(table.rules)} rules: {first.replace(' ', ' files ')}, {', '.join(others)}, "
        f"{time.perf_counter() - start:.1f} s"
    )
    return 1 if options.check and not done else 0


def _pages_folder() -> Path | None:
    """Return the folder of the reference pages; None where there is no documentation."""
    docs = Path(__file__).resolve().parent.parent / "docs"
    return docs / "rules" if docs.is_dir() else None


def _plots_are_done(table: Table, folder: Path) -> bool:
    """Return whether every plot was drawn from the table as it is; say which was not."""
    old = [rule.name for rule in outdated(table.rules, folder)]
    old += [path.name for path in superfluous(table.rules, folder)]
    if old:
        print(
            f"{len(old)} plots are missing, superfluous, or of an older table, "
            f"{', '.join(old[:5])}{' ...' if len(old) > 5 else ''}: {COMMAND} --plots"
        )
    return not old


def _draw(table: Table, pages: Path | None) -> int:
    if pages is None:
        raise GeneratorError("--plots draws for docs/rules of a checkout, and there is none here")
    folder = pages / PLOTS
    old = outdated(table.rules, folder)
    for path in superfluous(table.rules, folder):
        path.unlink()
    with Progress(len(old)) as progress:
        draw(old, folder, progress.step)
    print(f"{len(old)} plots drawn, the others are of this table")
    return 0


def _show(table: Table, package: Package, options: argparse.Namespace) -> int:
    if options.list:
        width = terminal_width() if sys.stdout.isatty() else None
        print("\n".join(table_lines(table.rules, package.callees, width)))
    if options.explain:
        unicode = "utf" in (sys.stdout.encoding or "").lower()
        print(explain(options.explain, table, package.callees, unicode))
    return 0


def _shown(directory: Path) -> str:
    here = Path.cwd()
    return str(directory.relative_to(here) if directory.is_relative_to(here) else directory)


def _table(options: argparse.Namespace) -> Table:
    ours = our_table()
    if options.rules is None:
        return ours
    if options.out is None and not (options.list or options.explain):
        raise GeneratorError("--rules needs --out DIR, the package directory to write")
    sys.path.insert(0, str(Path.cwd()))
    try:
        importlib.import_module(options.rules)
    except ModuleNotFoundError as error:
        raise GeneratorError(
            f"cannot import {options.rules}: {error}; run from the folder that holds it, or "
            "install it"
        ) from None
    return table_of(options.rules)


def _directory(options: argparse.Namespace) -> Path:
    if options.out is not None:
        return Path(options.out).resolve()
    return Path(__file__).resolve().parent.parent / OURS
