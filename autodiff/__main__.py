"""``python -m autodiff cache --info | --clear``: the libraries that compiled programs left."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m autodiff", description="Tools of autodiff.")
    commands = parser.add_subparsers(dest="command", required=True)
    what = commands.add_parser("cache", help="the compiled programs on disk")
    action = what.add_mutually_exclusive_group(required=True)
    action.add_argument("--info", action="store_true", help="say where they are and what they take")
    action.add_argument("--clear", action="store_true", help="remove them")
    given = parser.parse_args(arguments)

    from autodiff.compiler import upkeep

    found = upkeep.info()
    if given.clear:
        print(f"{found.directory}: removed {upkeep.clear()} programs, {_megabytes(found.bytes)}")
    else:
        used = f"{_megabytes(found.bytes)} of at most {_megabytes(found.limit)}"
        print(f"{found.directory}: {found.programs} programs, {used}")
    return 0


def _megabytes(size: int) -> str:
    return f"{size / 2**20:.1f} MB"


if __name__ == "__main__":
    sys.exit(main())
