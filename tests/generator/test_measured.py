"""What pages say of the precision that was measured."""

import pytest

from generator.accuracy import record
from generator.accuracy.measure import Measured as Numbers
from generator.accuracy.measure import Row
from generator.measured import Measured
from generator.pages import Pages
from generator.tables import our_table

ROWS = [
    Row("sin", "value", None, twins={"float64": Numbers(2052, 0.5123, 0.5, 0)}),
    Row(
        "sin",
        "x",
        4.0,
        twins={
            "float64": Numbers(2000, 1.1, 1.0, 0),
            "float32": Numbers(2000, 2.0, 1.0, 1),
            "C": Numbers(2000, 1.1345, 1.0, 0),
        },
    ),
    Row("sin", "x,x", 16.0, twins={"float64": Numbers(300, 2.5, 1.0, 1200)}),
    Row("cos", "value", None),
]


@pytest.fixture
def path(tmp_path):
    """Return the path of a record of a sine and of a cosine that nothing is known of."""
    found = tmp_path / "accuracy.json"
    record.write(found, record.merged({}, ROWS, ["sin", "cos"]))
    return found


def test_sentence(path):
    assert Measured(path).sentence("sin") == (
        "on 2,052 points: value 0.51 ulp, in x 1.1 ulp (float64); "
        "second derivatives 2.5 ulp and 1,200 points lost; "
        "float32 2 ulp and 1 point lost; C 1.1 ulp"
    )


def test_nothing_is_said_of_what_was_not_measured(path, tmp_path):
    measured = Measured(path)
    assert measured.sentence("cos") == measured.sentence("tan") == ""
    assert Measured(tmp_path / "missing.json").sentence("sin") == ""


def test_pages_show_it(path):
    table = our_table()
    text = Pages(table, Measured(path)).render()["trigonometric.md"]
    (line,) = (line for line in text.splitlines() if line.startswith("| measured |"))
    assert line == f"| measured | {Measured(path).sentence('sin')} |"
    assert text == Pages(table, Measured(path)).render()["trigonometric.md"]
