"""One row in a process of its own: ``python -m benchmarks.compiled.child NAME ROUNDS``.

Prints the median seconds of each contender as JSON, after comparing their answers.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import statistics
import sys
from typing import Any

import numpy as np

from benchmarks.compiled.contenders import CONTENDERS
from benchmarks.compiled.workloads import WORKLOADS
from benchmarks.measure import calls_in_a_sample, seconds
from benchmarks.peers import ABSENT


def flat(answer: Any) -> list[Any]:
    """Return the arrays of an answer."""
    parts = answer if isinstance(answer, (tuple, list)) else [answer]
    return [np.asarray(part) for part in parts]


def main(name: str, rounds: int) -> None:
    workload = next(one for one in WORKLOADS if one.name == name)
    found: dict[str, Any] = {}
    steps = {}
    for contender, (package, build) in CONTENDERS.items():
        if importlib.util.find_spec(package) is None:
            found[contender] = ABSENT
        else:
            steps[contender] = build(workload)
    wanted = flat(steps["this, tape"]())
    for contender, step in steps.items():
        for ours, theirs in zip(wanted, flat(step()), strict=True):
            scale = np.max(np.abs(ours), initial=1e-300)
            error = np.max(np.abs(ours - theirs), initial=0.0) / scale
            assert error < 1e-9, f"{contender} computes something else in {name}: {error}"
    calls = {contender: calls_in_a_sample(step) for contender, step in steps.items()}
    gc.freeze()
    samples: dict[str, list[float]] = {contender: [] for contender in steps}
    order = list(steps)
    for _ in range(rounds):
        for contender in order:
            gc.collect()
            samples[contender].append(seconds(steps[contender], calls[contender]))
        order.append(order.pop(0))
    found |= {contender: statistics.median(times) for contender, times in samples.items()}
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
