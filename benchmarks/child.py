"""One workload in a process of its own: ``python -m benchmarks.child`` (used by `measure`).

Prints, as JSON, the seconds of each run and the peak memory of the first one, above what was
there before it. The peak is Linux's ``VmHWM``, which can be set back; ``ru_maxrss`` cannot,
and it starts at the peak of the parent process.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

from benchmarks.inputs import INPUTS
from benchmarks.measure import seconds
from benchmarks.peers import builder

PATIENCE_SECONDS = 10
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def resident(field: str) -> int:
    """Return memory of this process in bytes: ``VmRSS``, now, or ``VmHWM``, its peak."""
    if STATUS.exists():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith(field))
        return int(line.split()[1]) * 1024
    # Without Linux's /proc only the peak is known, in bytes on macOS.
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale


def main(workload: str, contender: str, size: int, runs: int) -> None:
    build = builder(contender, workload)
    assert not isinstance(build, str), f"{contender} has no {workload}: {build}"
    # A small run first: what is imported or compiled at first use is not the workload's.
    build(*INPUTS[workload](10))()
    step = build(*INPUTS[workload](size))
    if CLEAR.exists():
        # Makes the peak start again from here; imports may have used more for a moment.
        CLEAR.write_text("5")
    before = resident("VmRSS")
    times = [seconds(step, 1)]
    peak = resident("VmHWM") - before
    while len(times) < runs and sum(times) < PATIENCE_SECONDS:
        times.append(seconds(step, 1))
    print(json.dumps({"seconds": times, "peak": peak}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
