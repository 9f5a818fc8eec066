"""The benchmark program: bounds, answers of all installed contenders, and its outputs."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import measure, peers, report
from benchmarks.inputs import INPUTS
from benchmarks.workloads import ROWS, Bound, Row, faster, within

ROOT = Path(__file__).parents[2]
SMALL = {"trace": 3, "sum_sin_exp": 7, "chain": 5, "mlp": 8}


def row(values: measure.Samples, *bounds: Bound) -> report.Result:
    return report.Result(
        Row("name", "what is measured", "us", lambda rounds: values, bounds), values
    )


@pytest.mark.parametrize(
    ("bound", "this", "other", "met", "text"),
    [
        (faster("torch", 8), 1.0, 8.0, True, "8x faster than torch"),
        (faster("torch", 8), 1.0, 7.9, False, "8x faster than torch"),
        (within(1.15, "torch"), 1.1, 1.0, True, "at most 1.15x torch"),
        (within(1.15, "torch"), 1.2, 1.0, False, "at most 1.15x torch"),
        (within(1, "torch"), 1.2, "absent", None, "at most 1x torch"),
        (Bound(limit=60), 59.0, 0.0, True, "at most 60"),
        (Bound(limit=60), 61.0, 0.0, False, "at most 60"),
    ],
)
def test_a_bound_says_what_it_asks_and_whether_it_is_met(
    bound: Bound, this: float, other: float | str, met: bool | None, text: str
) -> None:
    assert bound.met({"this": this, "torch": other}) is met
    assert str(bound) == text


@pytest.mark.parametrize("workload", INPUTS)
def test_all_installed_contenders_compute_the_same(workload: str) -> None:
    inputs = INPUTS[workload](SMALL.get(workload, 1))
    answers = {}
    for contender in peers.CONTENDERS:
        build = peers.builder(contender, workload)
        if not isinstance(build, str):
            answers[contender] = build(*inputs)()
    assert "this" in answers
    measure.compare(answers)


def test_an_answer_that_differs_names_its_contender() -> None:
    answers = {"by hand": (1.0, np.ones(2)), "torch": (1.0, np.array([1.0, 2.0]))}
    with pytest.raises(AssertionError, match="torch computes something else"):
        measure.compare(answers)


def test_a_library_that_is_not_installed_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda n: None if n == "torch" else find(n))
    assert peers.builder("torch", "sin_exp") == peers.ABSENT
    result = row({**dict.fromkeys(peers.CONTENDERS, "absent"), "this": [2.0]}, faster("torch", 8))
    assert "absent" in report.table([result])
    assert result.verdicts() == [("8x faster than torch", "not measured")]


def test_what_an_adapter_lacks_is_a_dash() -> None:
    assert peers.builder("by hand", "chain") == peers.NONE


def test_rounds_are_interleaved_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "SAMPLE_SECONDS", 1e-5)
    monkeypatch.setattr(measure, "CONTENDERS", ("this", "by hand"))
    samples = measure.interleaved("product", 1, 1e-6, rounds=3)
    assert {contender: len(found) for contender, found in samples.items()} == {
        "this": 3,
        "by hand": 3,
    }


def test_a_child_process_reports_times_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = measure.child("sum_sin_exp", "by hand", 500_000)
    assert len(found["seconds"]) == measure.CHILD_RUNS
    # sin, exp, their product, cos, its product: at most five arrays of 4 MB live at once.
    assert 8e6 < found["peak"] < 24e6


def test_a_child_that_fails_gives_the_name_of_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert measure.child("chain", "by hand", 3) == {"error": "AssertionError"}


def test_results_become_a_table_a_file_and_a_picture(tmp_path: Path) -> None:
    values = {**dict.fromkeys(peers.CONTENDERS, "-"), "this": [1.0, 2.0, 9.0], "torch": [30.0]}
    result = row(values, faster("torch", 8), within(1, "by hand"))
    assert "| 2.00 " in report.table([result])
    assert "30.0 (15.0x)" in report.table([result])
    assert report.verdict([result]) == "1 of 2 bounds met"
    report.write_json([result], "how", tmp_path / "results.json")
    written = json.loads((tmp_path / "results.json").read_text())
    assert written["rows"][0]["median"]["this"] == 2.0
    assert written["rows"][0]["samples"]["torch"] == [30.0]
    report.draw([result], tmp_path / "results.png")
    assert (tmp_path / "results.png").read_bytes().startswith(b"\x89PNG")


def test_the_table_goes_between_the_marks_of_a_readme(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- speed -->\nold\n<!-- end of speed -->\nafter\n")
    (tmp_path / "docs").mkdir()
    values = {**dict.fromkeys(peers.CONTENDERS, "-"), "this": [1.0]}
    report.into_readme([row(values)], "how", readme)
    text = readme.read_text()
    assert text.startswith("before\n<!-- speed -->\n| workload")
    assert text.endswith("<!-- end of speed -->\nafter\n")
    assert "old" not in text
    assert (tmp_path / "docs/speed.png").exists()
    marked = (ROOT / "README.md").read_text()
    assert all(marked.count(mark) == 1 for mark in report.README_MARKS)


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.01234, "0.0123"), (0.5, "0.500"), (1.5, "1.50"), (23456.7, "23457"), (-42.0, "-42.0")],
)
def test_numbers_are_readable(number: float, text: str) -> None:
    assert report.readable(number) == text


def test_a_missed_bound_is_named() -> None:
    values = {**dict.fromkeys(peers.CONTENDERS, "-"), "this": [1.0], "torch": [3.0]}
    assert report.verdict([row(values, faster("torch", 8))]) == "0 of 1 bounds met; missed: name"


def test_the_list_names_every_row() -> None:
    listed = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--list"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert [line.split()[0] for line in listed.splitlines()] == [row.name for row in ROWS]
