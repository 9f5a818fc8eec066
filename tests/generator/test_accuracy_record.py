"""What is kept of a run, the page of it, and the peers beside."""

import json

import numpy as np
import pytest

from diffrules import RULES
from generator.accuracy import beside, peers, record
from generator.accuracy.cli import documents
from generator.accuracy.measure import Measured, Row
from generator.accuracy.quantities import Quantity

ROWS = [
    Row("sin", "value", None, twins={"float64": Measured(2000, 0.5123, 0.5, 0)}),
    Row(
        "sin",
        "x",
        4.0,
        twins={"float64": Measured(2000, 1.2345, 1.0, 0), "C": Measured(2000, 3.0, 1.0, 2)},
        peers={"torch": Measured(2000, 123.4, 1.0, 7)},
    ),
    Row("sin", "x,x", 16.0, twins={"float64": Measured(300, 2.0, 1.0, 0)}),
]


def test_what_is_kept(tmp_path):
    found = record.merged({"gone": {}}, ROWS, ["sin", "cos"])
    assert list(found) == ["sin"]
    assert found["sin"]["x"]["twins"]["float64"] == {
        "points": 2000,
        "ulp": 1.2,
        "p999": 1.0,
        "lost": 0,
        "warnings": 0,
    }
    path = tmp_path / "accuracy.json"
    record.write(path, found)
    assert record.read(path) == found == json.loads(path.read_text())
    before = path.read_text()
    record.write(path, record.read(path))
    assert path.read_text() == before
    assert record.read(tmp_path / "nothing.json") == {}


def test_peers_stay_when_they_are_not_measured_again():
    first = record.merged({}, ROWS, ["sin"])
    again = record.merged(first, [Row("sin", "x", 4.0)], ["sin"])
    assert again["sin"]["x"]["peers"]["torch"]["lost"] == 7
    assert not again["sin"]["x"]["twins"]
    other = record.merged(first, [Row("cos", "x", 4.0)], ["sin", "cos"])
    assert other["sin"] == first["sin"]


def test_the_committed_page_is_made_of_the_committed_numbers():
    kept = record.read(documents() / "accuracy.json")
    assert (documents() / "accuracy.md").read_text("utf-8") == record.page(kept)
    assert kept.keys() <= {rule.name for rule in RULES.values()}


def test_page():
    text = record.page(record.merged({}, ROWS, ["sin"]))
    assert "- ours: 1 of 1\n- torch: 0 of 1\n- jax: 0 of 0\n" in text
    assert "| `sin` | x | 2000 | 4 | 1.2 | - | - | 3 (2) | - | 120 (7) | - | - |\n" in text
    assert "| `sin` | value | 2000 |  | 0.51 | - |" in text
    assert "| `sin` | x,x | 300 | 16 | 2 |\n" in text
    for line in text.splitlines():
        if line.startswith("| function"):
            width = line.count("|")
        elif line.startswith("|"):
            assert line.count("|") == width, line


@pytest.mark.parametrize("name", beside.NAMES)
def test_peers_where_they_are_installed(name):
    if not peers.installed(name):
        return
    peer = beside.Peer(name)
    points = [(0.5,), (2.0,)]
    sine = peer.computed(Quantity(("sin", 1)), points)
    slope = peer.computed(Quantity(("sin", 1), (0,)), points)
    np.testing.assert_allclose(sine, np.sin([0.5, 2.0]), rtol=1e-14)
    np.testing.assert_allclose(slope, np.cos([0.5, 2.0]), rtol=1e-14)
    assert peer.computed(Quantity(("sinpi", 1)), points) is None
