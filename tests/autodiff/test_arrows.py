"""Which package may import which, and what an import costs the user."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALLOWED = {
    "diffrules": {"sympy", "mpmath"},
    "generator": {"sympy", "mpmath", "jinja2", "matplotlib", "numpy", "scipy", "diffrules"},
    "generated": {"numpy", "scipy"},
    "autodiff": {"numpy", "generated", "optree", "scipy"},
    # Templates of C, read when a program is written; one from the cache needs none.
    "autodiff/compiler/c": {"jinja2", "numpy", "generated", "scipy", "autodiff"},
    # Expressions are what the entries of the table mean; loaded with the first use only.
    "autodiff/symbolic": {"sympy", "diffrules", "numpy", "autodiff"},
}


def imported(path):
    """Yield the top-level packages that a file imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("package", ALLOWED)
def test_arrows_run_one_way(package):
    allowed = ALLOWED[package] | {package} | set(sys.stdlib_module_names)
    for path in (ROOT / package).rglob("*.py"):
        if path.parent.relative_to(ROOT).as_posix() in ALLOWED.keys() - {package}:
            continue  # it has a row of its own
        extra = set(imported(path)) - allowed
        assert not extra, f"{path.relative_to(ROOT)} imports {sorted(extra)}"


def modules_of(package):
    """Return ``{module: modules of the package it imports when it is imported}``."""
    found = {}
    for path in (ROOT / package).rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        used = set()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == package:
                used.add(node.module)
                used.update(f"{node.module}.{alias.name}" for alias in node.names)
        found[name] = used
    return {
        name: {m for m in used if m in found and m not in {package, name}}
        for name, used in found.items()
    }


@pytest.mark.parametrize("package", ["autodiff", "diffrules", "generator"])
def test_no_circles(package):
    graph = modules_of(package)
    done, path = set(), []

    def visit(module):
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module not in done:
            path.append(module)
            for used in graph[module]:
                if not module.startswith(used + "."):
                    visit(used)
            path.pop()
            done.add(module)

    for module in graph:
        if module != package:
            visit(module)


BLOCKED = """
import sys
for name in ("sympy", "jinja2", "scipy", "optree", "mpmath", "diffrules", "generator"):
    sys.modules[name] = None
import numpy as np
import autodiff as ad
x = ad.Variable([0.5, 2.0])
np.sum(np.sinc(x) * np.logaddexp(x, ad.silu(x)) ** 2).backward()
assert np.isfinite(x.grad).all()
assert ad.grad(ad.erf)(0.0) > 1.1
try:
    ad.digamma(ad.Variable([1.0]))
except ImportError as error:
    assert "pip install 'diffrules[special]'" in str(error), error
else:
    raise AssertionError("digamma without SciPy")
try:
    ad.to_sympy(np.sin, "x")
except ImportError as error:
    assert "pip install 'diffrules[generate]'" in str(error), error
else:
    raise AssertionError("to_sympy without SymPy")
"""


def test_the_engine_needs_numpy_alone():
    subprocess.run([sys.executable, "-c", BLOCKED], check=True, cwd=ROOT)


def test_an_import_loads_no_family_that_is_not_used():
    code = (
        "import sys, autodiff; "
        "names = ('generated.broadcasted.errors', 'scipy'); "
        "print([m for m in sys.modules if m.startswith(names)])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True
    )
    assert run.stdout.strip() == "[]"


def test_the_tape_is_thin():
    """Boxes, recording and backward have at most 300 lines of code."""
    names = ("box", "node", "variable", "dual", "backward")
    count = sum(code_lines(ROOT / "autodiff" / f"{name}.py") for name in names)
    assert count <= 300, count


def code_lines(path):
    """Return how many lines of a file are neither blank, comment nor docstring."""
    text = path.read_text(encoding="utf-8")
    quiet = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            quiet.update(range(node.lineno, node.end_lineno + 1))
    return sum(
        1
        for number, line in enumerate(text.splitlines(), 1)
        if number not in quiet and line.strip() and not line.strip().startswith("#")
    )
