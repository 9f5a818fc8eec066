"""How things are measured: interleaved rounds in one process, and fresh processes.

Every function here returns ``{contender: samples}``; a word instead of samples says why
there are none.
"""

from __future__ import annotations

import gc
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from benchmarks.inputs import INPUTS
from benchmarks.peers import ABSENT, CONTENDERS, NONE, PEERS, Step, builder, installed

Samples = dict[str, list[float] | str]

SAMPLE_SECONDS = 0.02
CHILD_RUNS = 3
CHILD_LIMIT_SECONDS = 600
IMPORT_ROUNDS = 9
IMPORT = "import time; t = time.process_time(); import {}; print(time.process_time() - t)"


def interleaved(workload: str, size: int, unit: float, rounds: int) -> Samples:
    """Time every contender once a round, in an order that moves on each round.

    A sample is the mean of as many calls as fill 20 ms, the garbage collector on, and all
    garbage collected before. The answers are compared first: who computes something else
    is not timed.
    """
    inputs = INPUTS[workload](size)
    found: Samples = {}
    steps: dict[str, Step] = {}
    for contender in CONTENDERS:
        build = builder(contender, workload)
        if isinstance(build, str):
            found[contender] = build
        else:
            steps[contender] = build(*inputs)
            found[contender] = []
    compare({contender: step() for contender, step in steps.items()})
    calls = {contender: calls_in_a_sample(step) for contender, step in steps.items()}
    # What was imported and compiled so far is no garbage; do not look at it again.
    gc.freeze()
    order = list(steps)
    for _ in range(rounds):
        for contender in order:
            gc.collect()
            found[contender].append(seconds(steps[contender], calls[contender]) / unit)
        order.append(order.pop(0))
    return found


def seconds(step: Step, calls: int) -> float:
    """Return the mean processor time of `calls` calls, all threads of this process together.

    On one core of a quiet machine it is the time on the clock; on a busy machine the other
    processes are not counted.
    """
    start = time.process_time()
    for _ in range(calls):
        step()
    return (time.process_time() - start) / calls


def calls_in_a_sample(step: Step) -> int:
    """Return how many calls fill a sample, after as long a warm-up."""
    calls = 1
    while (mean := seconds(step, calls)) * calls < SAMPLE_SECONDS:
        calls *= 2
    return max(1, math.ceil(SAMPLE_SECONDS / mean))


def compare(answers: Mapping[str, Any]) -> None:
    """Raise AssertionError, with the name of the contender, where answers differ.

    Parameters
    ----------
    answers : dict
        ``{contender: (value, *gradients)}``.
    """
    reference = answers.get("by hand", next(iter(answers.values())))
    for contender, answer in answers.items():
        for got, wanted in zip(answer, reference, strict=True):
            np.testing.assert_allclose(
                np.asarray(got),
                np.asarray(wanted),
                rtol=1e-9,
                atol=1e-12,
                err_msg=f"{contender} computes something else",
            )


def fresh(*command: str, **environment: str) -> str:
    """Return what a new Python process prints, with some variables of the environment changed."""
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=CHILD_LIMIT_SECONDS,
        check=False,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        return json.dumps({"error": last[0].split(":")[0] if last else f"exit {done.returncode}"})
    return done.stdout


@cache
def child(workload: str, contender: str, size: int) -> dict[str, Any]:
    """Return times and peak memory of a workload in a process of its own.

    Returns
    -------
    dict
        ``seconds``, a list, and ``peak``, bytes above what inputs and imports take; or
        ``error``, the name of the exception.
    """
    return json.loads(
        fresh("-m", "benchmarks.child", workload, contender, str(size), str(CHILD_RUNS))
    )


def in_children(workload: str, *sizes: int, read: Any) -> Samples:
    """Return ``read(*children)`` for each contender, one child for each size."""
    found: Samples = {}
    for contender in CONTENDERS:
        build = builder(contender, workload)
        if isinstance(build, str):
            found[contender] = build
            continue
        children = [child(workload, contender, size) for size in sizes]
        errors = [found["error"] for found in children if "error" in found]
        found[contender] = errors[0] if errors else read(*children)
    return found


def peak(workload: str, size: int, unit: float, rounds: int) -> Samples:
    """Return the peak memory of one step, above what inputs and imports take."""
    return in_children(workload, size, read=lambda one: [one["peak"] / unit])


def duration(workload: str, size: int, rounds: int) -> Samples:
    """Return the seconds of a step in a fresh process."""
    return in_children(workload, size, read=lambda one: one["seconds"])


def growth(workload: str, small: int, large: int, rounds: int) -> Samples:
    """Return the time at size `large` over that at size `small`, each the best of its runs.

    The two come from different processes, so other load on the machine does not cancel.
    """

    def ratio(one: dict[str, Any], other: dict[str, Any]) -> list[float]:
        return [min(other["seconds"]) / min(one["seconds"])]

    return in_children(workload, small, large, read=ratio)


def imports(unit: float, rounds: int) -> Samples:
    """Return how much longer than ``import numpy`` each package's import takes.

    Every import is timed in a process of its own, the packages in turn.
    """
    packages = {peer.contenders[0]: peer.package for peer in PEERS if installed(peer)}
    times: dict[str, list[float]] = {contender: [] for contender in packages}
    with tempfile.TemporaryDirectory() as bytecode:
        # As after an installation: compiled once, in whatever way this machine is set.
        compiled = {"PYTHONPYCACHEPREFIX": bytecode, "PYTHONDONTWRITEBYTECODE": ""}
        for number in range(min(rounds, IMPORT_ROUNDS) + 1):
            for contender, package in packages.items():
                taken = float(fresh("-c", IMPORT.format(package), **compiled)) / unit
                if number:
                    times[contender].append(taken)
    base = statistics.median(times.pop("by hand"))
    found: Samples = dict.fromkeys(CONTENDERS, NONE)
    found.update({peer.contenders[0]: ABSENT for peer in PEERS if not installed(peer)})
    found.update({contender: [t - base for t in taken] for contender, taken in times.items()})
    return found
