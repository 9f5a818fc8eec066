"""A user's own table: written, generated, imported, differentiated; outside the repository."""

import subprocess
import sys

RULES = '''
"""Rules of my package."""
from sympy import oo

from diffrules.logistic import expit
from diffrules.vocabulary import real_only, rule, x, y

rule("gate", args=(x, y), value=x * expit(y),
     aliases=("swiglu",),
     partials={x: expit(y), y: x * expit(y) * expit(-y)},
     complex=real_only,
     domain={x: (-oo, oo), y: (-oo, oo)})
'''

USE = """
import numpy as np
import autodiff as ad
import mypackage.ops as ops
from autodiff import check_grads

x, y = np.array([0.5, -1.0]), np.array([[2.0], [-3.0]])
check_grads(ops.gate, (x, y))
assert ad.gate is not None and ad.swiglu(2.0, 0.0) == 1.0
v = ad.Variable(2.0)
ops.gate(v, 0.0).backward()
assert v.grad == 0.5, v.grad
assert ops.gate.__doc__
print("ok")
"""


def test_a_table_of_ones_own(tmp_path):
    package = tmp_path / "mypackage"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text(RULES)
    generate = [sys.executable, "-m", "generator"]
    generate += ["--rules", "mypackage.rules", "--out", "mypackage/ops"]
    subprocess.run(generate, check=True, cwd=tmp_path, capture_output=True)
    last = (package / "ops" / "__init__.py").read_text().rstrip().splitlines()[-1]
    assert last == "autodiff.register(__name__)"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", USE], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == "ok\n"
