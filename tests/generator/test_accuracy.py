"""Bounds of the table hold at a sample of points; worse forms, and wrong ones, are found."""

import json
import math
import sys

import pytest

from diffrules import RULES
from generator import cli
from generator.accuracy.cli import exact_numbers
from generator.accuracy.kept import KeptNumbers, read
from generator.accuracy.measure import Measurement, is_elementary
from generator.accuracy.quantities import Quantity
from generator.accuracy.report import faults, lines
from generator.accuracy.sampled import bounded, sampled
from generator.accuracy.twins import Twins
from generator.accuracy.work import Workers

OURS = [r for r in RULES.values() if r.module.startswith("diffrules.")]


@pytest.fixture(scope="module")
def kept():
    return read(exact_numbers())


@pytest.mark.parametrize("rule", OURS, ids=lambda rule: rule.name)
def test_the_bound_of_the_entry_holds(rule, kept):
    for row in sampled(rule, kept, Twins()):
        assert not faults(row), "\n".join(lines(row, verbose=True))


def test_exact_numbers_of_elementary_entries_are_kept(kept):
    ours = [r for r in OURS if r.is_public and is_elementary(r)]
    names = [r.name for r in ours if any(q not in kept for q in bounded(r) if len(q.along) < 2)]
    assert not names, f"python -m generator accuracy --write {' '.join(names)}"


RULES_OF_MINE = '''"""Rules of two hyperbolic tangents, and of others with faults."""

from sympy import cosh, exp, log, oo, tanh

from diffrules.vocabulary import out, point, rule, x

rule("good", args=(x,), value=tanh(x), partials={x: (1 / cosh(x))**2},
     domain={x: (-80, 80)}, ulp=4)

rule("worse", args=(x,), value=tanh(x), partials={x: 1 - out**2},
     domain={x: (-oo, oo)}, ulp=4)

rule("loud", args=(x,), value=log(1 + exp(x)), partials={x: exp(x) / (1 + exp(x))},
     domain={x: (-oo, oo)}, ulp=4)

rule("held", args=(x,), value=1 / (1 + x), partials={x: -out**2}, domain={x: (0, oo)}, ulp=4,
     at=[point({x: 0.0}, {x: -1}, "the end")])
'''


@pytest.fixture
def mine(tmp_path, monkeypatch, new_rules):
    """Return the folder of a module of rules, and of the package written from it."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setenv("DIFFRULES_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules_of_mine.py").write_text(RULES_OF_MINE)
    assert cli.main(["--rules", "rules_of_mine", "--out", "code_of_mine"]) == 0
    yield tmp_path
    for name in [
        n for n in sys.modules if n.partition(".")[0] in ("rules_of_mine", "code_of_mine")
    ]:
        del sys.modules[name]


def test_a_worse_form_is_found_in_the_sample(mine):
    twins = Twins("code_of_mine")
    good, worse = (
        {row.of: row for row in sampled(RULES[name, 1], KeptNumbers({}), twins)}
        for name in ("good", "worse")
    )
    assert not faults(good["x"])
    assert {fault.partition(":")[0] for fault in faults(worse["x"])} == {"float64", "scalar"}
    assert worse["x"].twins["float64"].ulp > 100
    assert set(good) == {"value", "x"}


def test_command(mine, capsys):
    status = cli.main(
        ["accuracy", "--rules", "rules_of_mine", "--out", "code_of_mine", "--json", "good", "worse"]
    )
    found = {(row["name"], row["of"]): row for row in json.loads(capsys.readouterr().out)}
    assert status == 1
    assert set(found) == {(name, of) for name in ("good", "worse") for of in ("value", "x", "x,x")}
    assert not found["good", "x"]["faults"]
    assert found["worse", "x"]["faults"]
    twins = found["good", "x"]["twins"]
    assert {"float64", "scalar", "float32"} <= set(twins)
    assert twins["float64"]["points"] >= 2000
    assert 1.0 < twins["float64"]["ulp"] <= 4.0
    assert twins["float64"]["ulp_999"] <= twins["float64"]["ulp"]


def test_table_and_verbose(mine, capsys):
    args = ["accuracy", "--rules", "rules_of_mine", "--out", "code_of_mine", "held"]
    assert cli.main(args) == 0
    text = capsys.readouterr().out
    head, value, partial, second = text.splitlines()
    assert head.split()[:2] == ["entry", "of"]
    assert [line.split()[:2] for line in (value, partial, second)] == [
        ["held", "value"],
        ["held", "x"],
        ["held", "x,x"],
    ]
    assert partial.split()[-1] == "4"
    assert cli.main([*args[:-1], "worse", "-v"]) == 1
    text = capsys.readouterr().out
    assert "<-- above the bound" in text
    assert "catastrophic points" in text
    assert "float64: at " in text


def test_warnings_are_counted(mine):
    with Workers() as workers:
        rows = Measurement(workers, Twins("code_of_mine")).rows(RULES["loud", 1])
    (partial,) = (row for row in rows if row.of == "x")
    # Infinity over infinity, beyond 710.
    assert 100 < partial.twins["float64"].warnings < 1000
    assert partial.twins["float64"].lost == partial.twins["float64"].warnings
    assert any("warnings at" in fault for fault in faults(partial))


def test_scalar_methods_that_raise():
    computed, raised = Twins().scalar(Quantity(("exp", 1)), [(1.0,), (1000.0,), (-1000.0,)])
    assert computed.tolist() == [math.e, math.inf, 0.0]
    assert raised.tolist() == [False, True, False]


def test_unknown_name(capsys):
    assert cli.main(["accuracy", "sine"]) == 2
    assert "no entry sine; --list shows all" in capsys.readouterr().err
