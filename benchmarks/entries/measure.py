"""Nanoseconds of each step of an entry, in interleaved rounds."""

from __future__ import annotations

import gc
import statistics
from typing import Any

from benchmarks.entries import contenders
from benchmarks.entries.points import arguments
from benchmarks.measure import calls_in_a_sample, seconds
from benchmarks.peers import ABSENT, Step
from diffrules.entry import Rule
from generator.accuracy.peers import installed

SIZE = 10**5
NANOSECOND = 1e-9
# No more rounds of an entry are begun after so much processor time.
PATIENCE_SECONDS = 4.0

Times = dict[str, Any]


def measured(rule: Rule, rounds: int, size: int = SIZE) -> Times:
    """Return a row of the table: medians in nanoseconds an element, by contender and step.

    A word instead of the steps of a library says why there are none.
    """
    args = arguments(rule, size)
    row: Times = {"name": rule.name, "family": rule.family, "args": [str(arg) for arg in rule.args]}
    own = contenders.ours(rule, args)
    steps: dict[tuple[str, str], Step] = {("this", name): step for name, step in own.items()}
    row["this"] = {}
    for peer in contenders.PEERS:
        if not installed(peer):
            row[peer] = ABSENT
            continue
        row[peer] = {}
        for name, step in contenders.compared(own, getattr(contenders, peer)(rule, args)).items():
            if isinstance(step, str):
                row[peer][name] = step
            else:
                steps[peer, name] = step
    for (contender, name), samples in _interleaved(steps, rounds).items():
        row[contender][name] = shortened(statistics.median(samples) / size / NANOSECOND)
    return row


def _interleaved(
    steps: dict[tuple[str, str], Step], rounds: int
) -> dict[tuple[str, str], list[float]]:
    """Time every step once a round, in an order that moves on each round."""
    gc.collect()
    gc.freeze()
    calls = {key: calls_in_a_sample(step) for key, step in steps.items()}
    found: dict[tuple[str, str], list[float]] = {key: [] for key in steps}
    order, spent = list(steps), 0.0
    for _ in range(rounds):
        for key in order:
            found[key].append(seconds(steps[key], calls[key]))
            spent += found[key][-1] * calls[key]
        if spent > PATIENCE_SECONDS:
            break
        order.append(order.pop(0))
    return found


def shortened(number: float) -> float:
    """Return a number with three digits."""
    return float(f"{number:.3g}")
