"""The table is a package of its own: nothing of the others, nor NumPy, comes with it."""

import subprocess
import sys
from pathlib import Path

import diffrules

ROOT = Path(__file__).parents[2]
OTHERS = ("numpy", "scipy", "jinja2", "generated", "autodiff", "generator")
IMPORTED = f"""
import sys
import diffrules
print([name for name in {OTHERS!r} if name in sys.modules])
"""
BLOCKED = f"""
import sys
for name in {OTHERS!r}:
    sys.modules[name] = None
import diffrules
from diffrules import oracle
assert [str(p) for p in diffrules.diffrule("multiply", 3, 4)] == ["4", "3"]
for key in diffrules.diffrules():
    assert diffrules.hasdiffrule(*key)
tanh = diffrules.RULES["tanh", 1]
print(oracle.partial(tanh, 0, (50.0,)), oracle.derivative(tanh, {{0: 1}}, (50.0,)))
"""


def run(code):
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_an_import_brings_nothing_else():
    assert run(IMPORTED) == "[]"


def test_it_works_where_the_others_are_missing():
    assert run(BLOCKED) == "1.48803039040833e-43 1.48803039040833e-43"


def test_public_names():
    assert sorted(diffrules.__all__) == [
        "RULES", "Rule", "RuleError", "diffrule", "diffrules", "expand_calls", "hasdiffrule",
        "rule",
    ]  # fmt: skip
    assert all(hasattr(diffrules, name) for name in diffrules.__all__)
