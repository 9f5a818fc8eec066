"""``python -m generator accuracy``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from generator.accuracy.points import regular_points
from generator.accuracy.quantities import quantities
from generator.accuracy.twins import broadcasted
from generator.accuracy.ulp import catastrophic, errors
from generator.accuracy.work import Workers
from generator.errors import GeneratorError
from generator.tables import COMMAND, our_table


def main(argv: Sequence[str]) -> int:
    """Measure entries and print a table; return the exit status."""
    parser = argparse.ArgumentParser(
        prog=f"{COMMAND} accuracy",
        description="Measure values and partials against numbers of many digits.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="entries; all if none is given")
    parser.add_argument("-v", "--verbose", action="store_true", help="show the worst points")
    options = parser.parse_args(argv)
    rules = our_table().rules
    unknown = set(options.names) - {rule.name for rule in rules}
    if unknown:
        raise GeneratorError(f"no entry {', '.join(sorted(unknown))} in the table")
    chosen = [rule for rule in rules if not options.names or rule.name in options.names]
    print(
        f"{'entry':22} {'of':8} {'points':>6} {'none':>5} {'max ulp':>9} {'p99.9':>9} {'lost':>5}"
    )
    with Workers() as workers:
        for rule in chosen:
            points = regular_points(rule)
            for quantity in quantities(rule):
                exact = workers.numbers(quantity, points)
                try:
                    got = broadcasted(quantity, points, np.float64)
                except (AttributeError, ImportError, TypeError) as error:
                    print(f"{rule.name:22} {quantity.label:8} failed: {error}")
                    continue
                error = errors(got, exact, np.float64)
                bad = catastrophic(got, exact, np.float64, error)
                known = exact.known
                usual = error[known & ~bad]
                top = f"{usual.max():9.3g} {np.quantile(usual, 0.999):9.3g}" if len(usual) else ""
                counts = f"{len(points):6} {(~known).sum():5} {top:19} {bad.sum():5}"
                print(f"{rule.name:22} {quantity.label:8} {counts}")
                if options.verbose:
                    order = np.argsort(np.where(known & ~bad, -error, 1))[:2]
                    for i in [*np.flatnonzero(bad)[:3], *order]:
                        right = exact.rounded()[i]
                        print(f"    {points[i]}: {got[i]}, exact {right}, {error[i]:.3g} ulp")
                sys.stdout.flush()
    return 0
