"""``python -m generator`` as it is typed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sympy import erf, oo

import generated
from diffrules.entry import RULES
from diffrules.vocabulary import point, real_only, rule, symbol, x
from generator import cli
from generator.callees import Callees
from generator.docstrings import Words
from generator.explain import explain
from generator.listing import table_lines
from generator.package import Package
from generator.progress import Progress
from generator.tables import Table, our_table, table_of

COMMITTED = Path(generated.__file__).parent
ROOT = COMMITTED.parent


@pytest.fixture(scope="module")
def rendered() -> dict[str, str]:
    return Package(our_table()).render()


@pytest.fixture
def copy(tmp_path) -> Path:
    return Path(
        shutil.copytree(
            COMMITTED, tmp_path / "generated", ignore=shutil.ignore_patterns("__pycache__")
        )
    )


@pytest.fixture
def ready(rendered, monkeypatch):
    """Render once for all tests of what happens to the files."""
    monkeypatch.setattr(Package, "render", lambda self, progress: dict(rendered))


def run(*arguments, cwd=ROOT, **variables):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(
        [sys.executable, "-m", "generator", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment,
        check=False,
    )


def test_committed_files_are_what_the_table_says(rendered):
    on_disk = {
        path.relative_to(COMMITTED).as_posix(): path.read_text(encoding="utf-8")
        for path in COMMITTED.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert sorted(on_disk) == sorted(rendered), "run: python -m generator"
    for path, text in rendered.items():
        assert on_disk[path] == text, f"{path} differs; run: python -m generator"


def test_no_date_no_machine_and_no_long_line(rendered):
    for path, text in rendered.items():
        assert str(ROOT) not in text
        assert not re.search(r"20\d\d-\d\d-\d\d|/home/|/root/|/tmp/", text), path
        assert max(map(len, text.splitlines()), default=0) <= 100, path
        assert text == "" or text.endswith("\n")
        assert not re.search(r"[ \t]$", text, re.M), path


def test_output_does_not_depend_on_the_hash_seed():
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = run("--check", PYTHONHASHSEED=seed)
    assert done.returncode == 0, done.stdout


def test_a_run_says_what_it_did_and_how_long_it_took(copy):
    (copy / "scalar" / "powers.py").unlink()
    done = run("--out", copy)
    closing = done.stdout.splitlines()[-1]
    match = re.fullmatch(
        r"(\d+) rules: 1 files written, 0 removed, (\d+) unchanged, (\d+\.\d) s", closing
    )
    assert match, done.stdout + done.stderr
    assert int(match[1]) == len([r for r in RULES.values() if r.module.startswith("diffrules.")])
    assert done.stderr == ""


def test_check_prints_the_difference_and_the_command_that_mends_it(copy, ready, capsys):
    module = copy / "scalar" / "powers.py"
    module.write_text(module.read_text().replace("return math.hypot(x, y)", "return 0.0"))
    before = module.read_text()
    assert cli.main(["--check", "--out", str(copy)]) == 1
    shown = capsys.readouterr().out
    assert "-    return 0.0\n+    return math.hypot(x, y)\n" in shown
    assert "mend it with: python -m generator" in shown
    assert module.read_text() == before
    assert cli.main(["--check", "--out", str(copy), "-v"]) == 1
    verbose = capsys.readouterr().out
    assert "\ndiffer: scalar/powers.py\nunchanged: " in verbose
    assert "written" not in verbose
    assert cli.main(["--out", str(copy)]) == 0
    assert cli.main(["--check", "--out", str(copy)]) == 0


def test_files_of_others_are_reported_and_left(copy, ready, capsys):
    mine = copy / "mine.py"
    mine.write_text("mine = 1\n")
    old = copy / "scalar" / "old_family.py"
    old.write_text((copy / "scalar" / "powers.py").read_text())
    assert cli.main(["--out", str(copy), "-v"]) == 0
    shown = capsys.readouterr().out
    assert "left alone, not written by the generator: generated/mine.py" in shown
    assert "removed: scalar/old_family.py" in shown
    assert mine.exists()
    assert not old.exists()


def test_an_error_while_rendering_leaves_everything(copy, monkeypatch):
    before = {path: path.read_bytes() for path in copy.rglob("*.py")}

    def interrupted(self, progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(Package, "render", interrupted)
    assert cli.main(["--out", str(copy)]) == 130
    assert {path: path.read_bytes() for path in copy.rglob("*.py")} == before


def test_list_is_an_aligned_table(capsys):
    assert cli.main(["--list"]) == 0
    heading, rule, *rows = capsys.readouterr().out.splitlines()
    assert heading.split() == ["rule", "value", "partials", "domain"]
    assert len(rows) >= 90
    start = heading.index("partials")
    assert rule[start - 2 : start] == "  "
    hypot = next(row for row in rows if row.startswith("hypot("))
    assert re.split(r"  +", hypot)[:2] == ["hypot(x, y)", "sqrt(x**2 + y**2)"]
    assert hypot[start:].startswith("x: _cosine(x, y); y: _cosine(y, x)")


def test_list_fits_the_terminal():
    lines = table_lines(RULES.values(), Callees(RULES.values()), width=100)
    assert max(map(len, lines)) <= 100


def test_list_stops_quietly_when_nobody_reads():
    done = subprocess.run(
        f"{sys.executable} -m generator --list | head -1",
        shell=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert done.stdout.startswith("rule")
    assert done.stderr == ""


@pytest.mark.parametrize("name", ["hypot", "mod", "jv", "clip", "_gauss", "where"])
def test_explain_shows_mathematics_and_code(name, capsys):
    assert cli.main(["--explain", name]) == 0
    shown = capsys.readouterr().out
    for part in ("value", "SymPy's own", "domain: ", "scalar", "broadcasted", "\nC\n"):
        assert part in shown
    assert not re.search(r" $", shown, re.M)


def test_explain_puts_code_of_all_backends_under_each_other(capsys):
    assert cli.main(["--explain", "arccsch"]) == 0
    shown = capsys.readouterr().out
    for line in (
        "        q = 1.0 / math.hypot(1.0, x)",
        "        q = 1.0 / np.hypot(1.0, x)",
        "        const double q = 1.0 / hypot(1.0, x);",
    ):
        assert line in shown.splitlines()


def test_explain_says_what_holds_for_complex_arguments(capsys):
    assert cli.main(["--explain", "arcsinh"]) == 0
    shown = capsys.readouterr().out
    assert "\npartial in x for complex arguments\n" in shown
    assert "\nwith h =\n" in shown
    assert "    def arcsinh_grad_x_complex(" in shown
    assert cli.main(["--explain", "hypot"]) == 0
    assert "\nfor real arguments only\n" in capsys.readouterr().out


def test_explain_without_unicode():
    done = run("--explain", "hypot", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()


def test_infinity_reads_inf_and_names_stay(new_rules):
    foo = symbol("foo")
    rule("twice", args=(foo,), value=2 * foo, partials={foo: 2}, domain={foo: (0, oo)},
         at=[point({foo: oo}, {foo: 2}, "foo is large", value=oo)])  # fmt: skip
    rules = table_of(__name__).rules
    callees = Callees(RULES.values())
    shown = explain("twice", Table(rules, __name__), callees)
    assert "domain: foo in (0, inf)\nat foo = inf: partials foo: 2 (foo is large)\n" in shown
    assert table_lines(rules, callees)[2].endswith("foo: 2    foo in (0, inf)")
    assert Words(callees).value(rules[0]).notes[1] == "At foo = inf the value is inf."


def test_explain_suggests_a_near_name(capsys):
    assert cli.main(["--explain", "hypott"]) == 2
    assert "no rule 'hypott' in diffrules; did you mean hypot?" in capsys.readouterr().err


class Terminal:
    def __init__(self, is_terminal):
        self.text, self.is_terminal = "", is_terminal

    def isatty(self):
        return self.is_terminal

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_progress_is_shown_on_a_terminal_only():
    for is_terminal in (True, False):
        stream = Terminal(is_terminal)
        with Progress(2, stream) as progress:
            progress.step("sin")
            progress.step("cos")
        assert ("2/2 cos" in stream.text) == is_terminal
        assert stream.text.endswith("\r\x1b[K") == is_terminal


def test_progress_counts_every_step(monkeypatch):
    package, done = Package(our_table()), []
    package.render(done.append)
    assert len(done) == package.steps


def test_rules_of_others_in_the_process_change_nothing(new_rules):
    rule("f", args=(x,), value=erf(x), partials={x: 1}, complex=real_only, domain={x: (-oo, oo)})
    assert Package(our_table()).callees.match(erf(x))[0].name == "erf"
