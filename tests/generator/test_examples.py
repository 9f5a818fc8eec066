"""The digits of the number in a docstring: no more than are right."""

import pytest

from diffrules import RULES
from diffrules.vocabulary import rule, x
from generator.callees import Callees
from generator.docstrings import Words
from generator.examples import digits, example
from generator.measured import Measured
from generator.pages import Pages
from generator.tables import our_table

OFF = [entry for entry in RULES.values() if entry.off]


def twice(off):
    return rule("_twice", args=(x,), value=2 * x, partials={x: 2}, domain={x: (0, 1)},
                off=off, numpy="special.twice" if off else None)  # fmt: skip


@pytest.mark.parametrize(
    ("off", "shown"),
    [(0.0, 10), (3e-12, 10), (1e-11, 10), (4e-11, 9), (1e-9, 8), (4e-9, 7), (1e-4, 3), (0.1, 3)],
)
def test_digits_of_a_value_that_is_off(new_rules, off, shown):
    assert digits(twice(off)) == shown


@pytest.mark.parametrize("entry", OFF, ids=lambda entry: entry.name)
def test_the_last_digit_does_not_depend_on_the_error(entry):
    found = example(entry)
    form = f".{digits(entry)}g"
    for share in (-entry.off, 0.0, entry.off):
        assert format(found.exact * (1 + share), form) == found.value


def test_docstrings_say_it_and_print_the_digits_that_are_right():
    doc = Words(Callees(RULES.values())).value(RULES["itairyai", 1])
    assert "SciPy's own values are off by up to 1e-4 of their size." in doc.notes
    assert doc.code == ('print(f"{itairyai(0.5):.3g}")',)
    assert doc.result == "0.146"


def test_partials_keep_their_digits():
    words, entry = Words(Callees(RULES.values())), RULES["itairyai", 1]
    assert words.gradient(entry, x, True).code[-1].endswith(':.10g}")')
    assert words.both(entry).code[-1] == 'print(f"{out:.3g} {partial_x:.10g}")'


def test_pages_say_it(tmp_path):
    text = Pages(our_table(), Measured(tmp_path / "none.json")).render()["kelvin.md"]
    assert "| value | SciPy's own values are off by up to 1e-10 of their size. |" in text
