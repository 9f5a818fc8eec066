"""Times of the entries of the table: points, contenders, what is slow, and the page."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import __main__
from benchmarks import measure as timing
from benchmarks.entries import command, contenders, measure, results
from benchmarks.entries.points import REACH, arguments

RULES = command.public_rules()


def row(gradient: float, name: str = "tanh") -> dict[str, Any]:
    own = {"value": 2.0, "gradient": gradient, "both": 9.0}
    torch = {"value": 1.0, "both": contenders.DIFFERS}
    return {"name": name, "family": RULES[name].family, "this": own, "torch": torch, "autograd": {}}


def test_points_are_moderate_and_inside_the_domain() -> None:
    for name, rule in RULES.items():
        args = arguments(rule, 20)
        for point in zip(*(np.broadcast_to(arg, 20) for arg in args), strict=True):
            assert tuple(map(float, point)) in rule.domain, name
    assert np.abs(arguments(RULES["tanh"], 1000)[0]).max() > 0.9 * REACH


def test_points_are_the_same_each_time() -> None:
    np.testing.assert_array_equal(arguments(RULES["power"], 9)[1], arguments(RULES["power"], 9)[1])


def test_an_order_is_one_whole_number() -> None:
    assert arguments(RULES["polygamma"], 9)[0] == 2


@pytest.mark.parametrize("name", ["tanh", "logaddexp", "sinpi"])
@pytest.mark.parametrize("peer", contenders.PEERS)
def test_contenders_compute_the_same(peer: str, name: str) -> None:
    pytest.importorskip(peer)
    args = arguments(RULES[name], 50)
    own = contenders.ours(RULES[name], args)
    steps = contenders.compared(own, getattr(contenders, peer)(RULES[name], args))
    assert contenders.DIFFERS not in steps.values()
    assert set(steps) == (set() if name == "sinpi" else {"value", "both"})


def test_gradient_methods_give_what_the_engine_gives() -> None:
    steps = contenders.ours(RULES["power"], arguments(RULES["power"], 50))
    value, gradients = steps["both"]()
    np.testing.assert_allclose(value, steps["value"]().sum())
    np.testing.assert_allclose(gradients, steps["gradient"]())


def test_another_answer_is_not_timed() -> None:
    own = {"value": lambda: np.ones(3)}
    assert contenders.compared(own, {"value": lambda: np.full(3, 1.1)}) == {
        "value": contenders.DIFFERS
    }


def test_what_a_library_lacks_is_left_out() -> None:
    def lacking() -> Any:
        raise KeyError(1)

    assert contenders.compared({"value": lambda: np.ones(3)}, {"value": lacking}) == {}


def test_a_row_has_the_times_of_all_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "SAMPLE_SECONDS", 1e-5)
    found = measure.measured(RULES["tanh"], rounds=1, size=100)
    assert set(found["this"]) == {"value", "gradient", "both"}
    assert all(number > 0 for number in found["this"].values())
    assert set(measure.measured(RULES["ceil"], rounds=1, size=100)["this"]) == {"value"}


def test_a_slow_gradient_needs_a_note() -> None:
    assert not results.is_slow(row(6.0))
    assert results.is_slow(row(6.1))
    assert "no note says why" in results.mark(row(6.1), RULES["tanh"])
    assert results.mark(row(6.0), RULES["tanh"]) == ""


def test_rows_replace_older_ones_and_become_a_page(tmp_path: Path) -> None:
    data, page = tmp_path / "speed.json", tmp_path / "speed.md"
    results.write("how", [row(2.0), row(2.0, "exp")], data, page)
    rows = results.merged([row(8.0)], data)
    assert [(r["name"], r["this"]["gradient"]) for r in rows] == [("exp", 2.0), ("tanh", 8.0)]
    results.write("how", rows, data, page)
    assert json.loads(data.read_text()) == {"how": "how", "rows": rows}
    assert "| `tanh` | 2 | 8 | 9 | 1 | differs | - | - | **[4.0](rules/hyperbolic.md)** |" in (
        page.read_text()
    )


def test_the_committed_page_is_made_of_the_committed_numbers() -> None:
    data = json.loads(results.DATA.read_text())
    assert results.PAGE.read_text() == results.rendered(data)
    assert {measured["name"] for measured in data["rows"]} <= RULES.keys()


def test_unknown_entries_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["nosuch"])
    assert "no entry nosuch" in capsys.readouterr().err


def test_the_word_entries_chooses_this_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "entries", "nosuch"])
    monkeypatch.setattr(__main__, "settle", lambda: None)
    with pytest.raises(SystemExit):
        __main__.main()
    assert "no entry nosuch" in capsys.readouterr().err


def test_the_exit_status_tells_of_slow_gradients_without_a_note(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "measured", lambda rule, rounds: row(6.1, rule.name))
    assert command.main(["tanh", "--json"]) == 1
    assert [r["name"] for r in json.loads(capsys.readouterr().out)["rows"]] == ["tanh"]
    monkeypatch.setattr(command, "measured", lambda rule, rounds: row(6.0, rule.name))
    assert command.main(["tanh"]) == 0
    assert "tanh" in capsys.readouterr().out
