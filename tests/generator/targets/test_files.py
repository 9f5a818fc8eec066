"""What is rendered for other engines, without any of them installed."""

import ast
import builtins
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from diffrules.vocabulary import later, real_only, rule, x
from generator import cli
from generator.tables import Table, our_table
from generator.targets.file import TARGETS, render
from generator.targets.words import words

ROOT = Path(__file__).parents[3]
IMPORTED = {
    "jax": {"jax"},
    "torch": {"torch"},
    "autograd": {"autograd", "numpy", "scipy"},
    "numba": {"numba", "numpy"},
}
# The functions that people come for; each file has them.
ALWAYS = words("""
    abs arctan2 cosh digamma erf erfcx exp2 expit expm1 gelu hypot log_ndtr logaddexp maximum mish
    power silu sinc sinpi softplus sqrt tan tanh where xlogy
""")
# Measured when this was written; the table only grows.
AT_LEAST = {"jax": 165, "torch": 165, "autograd": 225, "numba": 155}


@pytest.fixture(params=TARGETS)
def target(request):
    return request.param


@pytest.fixture
def text(files, target):
    return files[target].text


@pytest.fixture
def tree(text):
    return ast.parse(text)


def test_it_compiles(text):
    compile(text, "ops.py", "exec")


def test_every_name_is_defined(tree):
    """A helper that is called and not there is a NameError of the user, not of ours."""
    found = set(dir(builtins)) | {"__file__"}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert read <= found, sorted(read - found)


def test_it_stands_alone(tree, target):
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level
            imported.add(node.module.partition(".")[0])
    assert imported - set(sys.stdlib_module_names) == IMPORTED[target]


def test_it_is_clean(text, target, tmp_path):
    path = tmp_path / f"{target}_ops.py"
    path.write_text(text)
    command = [sys.executable, "-m", "ruff", "check", "--config", ROOT / "pyproject.toml", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_says_what_is_left_out(files, target, tree):
    file = files[target]
    doc = ast.get_docstring(tree)
    counted = re.search(r"(\d+) of (\d+) entries of the table", doc)
    if counted is None:
        assert f"All {file.asked} entries of the table." in doc
        assert file.held == file.asked
    else:
        assert (int(counted[1]), int(counted[2])) == (file.held, file.asked)
    listed = {
        name
        for line in re.findall(r"^\* ([\w, \n]+?):", doc, re.MULTILINE)
        for name in re.split(r",\s+", line)
    }
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    ours = {rule.name for rule in our_table().rules}
    assert len(listed) == file.asked - file.held
    assert not listed & defined
    assert {name for name in ours - listed if not name.startswith("_")} <= defined


def test_the_functions_people_come_for_are_there(tree, target, files):
    (exported,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    assert set(ALWAYS) <= set(exported)
    assert len(exported) == len(set(exported))
    assert files[target].held >= AT_LEAST[target]


def test_it_is_the_same_every_time(text, target):
    assert render(our_table(), target).text == text


def test_no_private_helper_is_superfluous(tree):
    defined = {
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name.startswith("_")
    }
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert defined <= read


def run(*arguments):
    return cli.main(list(map(str, arguments)))


def test_the_command_writes_and_checks(tmp_path, capsys, target, files, monkeypatch):
    monkeypatch.setattr("generator.targets.command.render", lambda table, name: files[name])
    out = tmp_path / "ops.py"
    assert run("--target", target, "--out", out, "--check") == 1
    assert not out.exists()
    assert run("--target", target, "--out", out) == 0
    assert out.read_text() == files[target].text
    assert run("--target", target, "--out", out, "--check") == 0
    file = files[target]
    counts = f"--target {target}: {file.held} of {file.asked} entries"
    printed = capsys.readouterr().out
    assert printed.count(counts) == 3
    assert printed.count("see the file's docstring for the rest") == 3 * (file.held < file.asked)
    out.write_text(out.read_text().replace("precise", "rough"))
    assert run("--target", target, "--out", out, "--check") == 1
    assert "rough derivatives" in capsys.readouterr().out


def test_the_command_needs_a_file(tmp_path, capsys):
    assert run("--target", "jax") == 2
    assert "--target jax needs --out FILE" in capsys.readouterr().err
    assert run("--target", "jax", "--out", tmp_path) == 2


def test_a_file_of_somebody_else_is_left_alone(tmp_path, capsys, files, monkeypatch):
    monkeypatch.setattr("generator.targets.command.render", lambda table, name: files[name])
    out = tmp_path / "ops.py"
    out.write_text("mine = 1\n")
    assert run("--target", "jax", "--out", out) == 2
    assert out.read_text() == "mine = 1\n"
    assert "was not written by the generator" in capsys.readouterr().err


RULES_OF_A_PROJECT = '''"""Rules of a project."""

from sympy import atan, cosh, oo, tanh

from diffrules.vocabulary import later, real_only, rule, x

rule("gudermannian", args=(x,), value=2 * atan(tanh(x / 2)),
     partials={x: later("sech")(x)},
     domain={x: (-oo, oo)})
'''


def test_a_table_of_ones_own_takes_along_what_it_calls(tmp_path, monkeypatch, new_rules, target):
    (tmp_path / "own_rules.py").write_text(RULES_OF_A_PROJECT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    importlib.invalidate_caches()
    assert run("--target", target, "--rules", "own_rules", "--out", "ops.py") == 0
    sys.modules.pop("own_rules")
    tree = ast.parse(Path("ops.py").read_text())
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {"gudermannian", "arctan", "tanh", "sech", "gudermannian_grad_x"} <= defined
    assert "erf" not in defined
    assert "--rules own_rules" in ast.get_docstring(tree)


def test_an_entry_that_calls_one_left_out_is_left_out_with_the_reason(new_rules):
    mine = rule("needs_quadrature", args=(x,), value=x, partials={x: later("betainc", 3)(1, 2, x)},
                complex=real_only, domain={x: (0, 1)})  # fmt: skip
    found = render(Table((mine,), "mine"), "torch")
    assert (found.held, found.asked) == (0, 1)
    assert "needs_quadrature: it calls betainc, which is left out." in found.text
