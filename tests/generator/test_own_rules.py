"""A table outside this repository: ``--rules MODULE --out DIR``."""

import importlib
import math
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import generated
from generator import cli

RULES = '''"""Rules of bells and whistles."""

from sympy import Abs, exp, oo, pi, sqrt

from diffrules.vocabulary import later, out, point, real_only, rule, x, y

bell = rule("bell", args=(x,), value=exp(-x**2 / 2), aliases=("gauss_bell",),
     partials={x: -x * out},
     domain={x: (-oo, oo)})

rule("whistle", args=(x, y), value=bell(x) * later("sinpi")(y),
     partials={x: -x * out, y: pi * bell(x) * later("cospi")(y)},
     domain={x: (-oo, oo), y: (-oo, oo)})

rule("tent", args=(x,), value=1 - Abs(x),
     partials={x: -x / sqrt(x**2)},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: 0}, "the tip")])
'''


@pytest.fixture
def project(tmp_path, monkeypatch, new_rules):
    """Return a folder with a package of rules in it, as the current directory."""
    (tmp_path / "shapes").mkdir()
    (tmp_path / "shapes" / "__init__.py").write_text("")
    (tmp_path / "shapes" / "rules.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "shapes"]:
        del sys.modules[name]


def generate(*options):
    return cli.main(["--rules", "shapes.rules", "--out", "shapes/ops", *options])


def test_only_the_rules_of_the_module_are_written(project):
    assert generate() == 0
    written = {
        path.relative_to("shapes/ops").as_posix() for path in Path("shapes/ops").rglob("*.*")
    }
    assert written == {
        "__init__.py", "manifest.py", "kernels.h", "py.typed",
        "scalar/__init__.py", "scalar/rules.py",
        "broadcasted/__init__.py", "broadcasted/rules.py",
    }  # fmt: skip
    assert Path("shapes/ops/__init__.py").read_text().endswith("\n\nautodiff.register(__name__)\n")
    assert generate("--check") == 0


def test_the_methods_compute(project):
    assert generate() == 0
    scalar = importlib.import_module("shapes.ops.scalar.rules")
    arrays = importlib.import_module("shapes.ops.broadcasted.rules")
    manifest = importlib.import_module("shapes.ops.manifest")
    assert scalar.bell(1.0) == math.exp(-0.5)
    np.testing.assert_allclose(
        arrays.whistle_grad_y(1.0, None, np.array([0.0, 1.0]), 0.0),
        [math.pi, math.pi * math.exp(-0.5)],
    )
    found = {entry.name: entry for entry in manifest.ENTRIES}
    assert found["bell"].aliases == ("gauss_bell",)
    assert found["whistle"].grads[0].reads == ("out", "x")
    assert {entry.family for entry in found.values()} == {"rules"}


def test_the_header_builds_on_ours(project):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler (cc)")
    assert generate() == 0
    source = project / "main.c"
    source.write_text(
        '#include "shapes/ops/kernels.h"\n'
        "int main(void) { return ad_whistle(0.0, 0.5) == 1.0 ? 0 : 1; }\n"
    )
    flags = ["-std=c99", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
    includes = [f"-I{project}", f"-I{Path(generated.__file__).parent.parent}"]
    target = str(project / "main")
    subprocess.run([compiler, *flags, *includes, str(source), "-o", target, "-lm"], check=True)
    subprocess.run([target], check=True)


def test_a_module_that_is_not_there_is_named(project, capsys):
    assert cli.main(["--rules", "shapes.absent", "--out", "shapes/ops"]) == 2
    assert "cannot import shapes.absent" in capsys.readouterr().err


def test_a_module_without_rules_is_an_error(project, capsys):
    (project / "shapes" / "empty.py").write_text('"""Nothing."""\n')
    assert cli.main(["--rules", "shapes.empty", "--out", "shapes/ops"]) == 2
    assert "shapes.empty defines no rule; write at least one" in capsys.readouterr().err


def test_out_is_asked_for(project, capsys):
    assert cli.main(["--rules", "shapes.rules"]) == 2
    assert "--rules needs --out" in capsys.readouterr().err


def test_a_wrong_entry_is_reported_with_its_place(project, capsys):
    text = RULES.replace(
        "partials={x: -x * out},\n     domain={x: (-oo, oo)})",
        "partials={}, domain={x: (-oo, oo)})",
    )
    (project / "shapes" / "rules.py").write_text(text)
    assert generate() == 2
    assert "entry 'bell' at shapes.rules:7: no partial for x" in capsys.readouterr().err


def test_two_rules_of_one_name_are_refused(project, capsys):
    with (project / "shapes" / "rules.py").open("a") as file:
        file.write('\nrule("bell", args=(x, y), value=x * y, partials={x: y, y: x},\n'
                   "     domain={x: (-oo, oo), y: (-oo, oo)})\n")  # fmt: skip
    assert generate() == 2
    assert "'bell' is at shapes.rules:7 and at shapes.rules:21" in capsys.readouterr().err


def test_own_rules_can_be_listed_and_explained(project, capsys):
    assert cli.main(["--rules", "shapes.rules", "--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    assert cli.main(["--rules", "shapes.rules", "--explain", "whistle"]) == 0
    assert "ad_bell(x) * ad_sinpi(y)" in capsys.readouterr().out


def test_a_hand_written_file_in_the_way_is_kept(project, capsys):
    (project / "shapes" / "ops").mkdir()
    mine = project / "shapes" / "ops" / "__init__.py"
    mine.write_text("mine = 1\n")
    assert generate() == 2
    assert "ops/__init__.py was not written by the generator" in capsys.readouterr().err
    assert mine.read_text() == "mine = 1\n"
    assert not (project / "shapes" / "ops" / "manifest.py").exists()


def test_families_that_need_each_other(project):
    folder = project / "shapes" / "waves"
    folder.mkdir()
    head = (
        "from sympy import exp, oo\n"
        "from diffrules.vocabulary import later, rule, x\n"
        "rule({name!r}, args=(x,), value=exp({sign}x) / 2, partials={{x: {partial}}},\n"
        "     domain={{x: (-oo, oo)}})\n"
    )
    up = head.format(name="up", sign="", partial="1 / (4 * later('down')(x))")
    down = head.format(name="down", sign="-", partial="-1 / (4 * later('up')(x))")
    (folder / "rising.py").write_text('"""Rules of what rises."""\n' + up)
    (folder / "falling.py").write_text('"""Rules of what falls."""\n' + down)
    (folder / "__init__.py").write_text("from shapes.waves import falling, rising\n")
    assert cli.main(["--rules", "shapes.waves", "--out", "shapes/ops"]) == 0
    text = Path("shapes/ops/scalar/rising.py").read_text()
    assert "Rules: shapes/waves/rising.py." in text
    assert text.endswith("from .falling import down  # noqa: E402\n")
    rising = importlib.import_module("shapes.ops.scalar.rising")
    falling = importlib.import_module("shapes.ops.scalar.falling")
    assert rising.up_grad_x(1.0, None, 1.0) == pytest.approx(math.e / 2)
    assert falling.down_grad_x(1.0, None, 1.0) == pytest.approx(-0.5 / math.e)


def test_rules_of_another_project_cannot_be_called(project, capsys):
    other = (
        "from sympy import oo\n"
        "from diffrules.vocabulary import rule, x\n"
        "from shapes.rules import bell\n"
        "rule('knell', args=(x,), value=bell(2 * x), partials={x: -4 * x * bell(2 * x)},\n"
        "     domain={x: (-oo, oo)})\n"
    )
    (project / "shapes" / "other.py").write_text(other)
    assert cli.main(["--rules", "shapes.other", "--out", "shapes/ops"]) == 2
    assert "calls bell of shapes.rules:7, which is neither in" in capsys.readouterr().err


def test_a_symbol_that_hides_a_function_is_refused(project, capsys):
    text = (
        "from sympy import oo\n"
        "from diffrules.vocabulary import later, real_only, rule, symbol, x\n"
        "softplus = symbol('softplus')\n"
        "rule('soft', args=(x, softplus), value=later('softplus')(x) * softplus,\n"
        "     partials={x: softplus * later('expit')(x), softplus: later('softplus')(x)},\n"
        "     complex=real_only,\n"
        "     domain={x: (-oo, oo), softplus: (-oo, oo)})\n"
    )
    (project / "shapes" / "rules.py").write_text(text)
    assert generate() == 2
    assert "the symbol 'softplus' hides the function of that name" in capsys.readouterr().err


WRONG = """
from sympy import oo, tanh
from diffrules.vocabulary import rule, x

rule("wrong", args=(x,), value=tanh(x), partials={x: tanh(x)}, domain={x: (-oo, oo)})
"""


def test_a_partial_that_is_not_the_derivative_is_refused(tmp_path):
    (tmp_path / "wrong_rules.py").write_text(WRONG, encoding="utf-8")
    command = [sys.executable, "-m", "generator", "--rules", "wrong_rules", "--out", "ops"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "'wrong'" in run.stderr
    assert "the derivative of the value is" in run.stderr
    assert not (tmp_path / "ops").exists()


def test_a_partial_for_complex_arguments_is_compared_too(project, capsys):
    text = (project / "shapes" / "rules.py").read_text()
    first = text.index("     domain={x: (-oo, oo)})")
    own = "     complex={x: -x * out * (1 + x)},\n"
    (project / "shapes" / "rules.py").write_text(text[:first] + own + text[first:])
    assert generate() == 2
    assert "the partial of x for complex arguments is" in capsys.readouterr().err


def test_a_package_below_the_folder_is_left_alone(tmp_path):
    (tmp_path / "rules.py").write_text(WRONG.replace("tanh(x)}", "1 - tanh(x)**2}"), "utf-8")
    for out in ("package/ops", "package"):
        command = [sys.executable, "-m", "generator", "--rules", "rules", "--out", out]
        subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "package" / "ops" / "manifest.py").exists()
    assert (tmp_path / "package" / "ops" / "scalar" / "rules.py").exists()
