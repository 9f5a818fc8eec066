"""The walk-throughs of CONTRIBUTING.md, done in a copy of the repository and outside of it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("diffrules", "generator", "generated", "autodiff")


def block(marker: str) -> tuple[str, str]:
    """Return what follows `marker` in its comment, and the fenced block below it."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    found = re.search(
        rf"^<!-- {marker} ?(\S*) -->\n```\w+\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL
    )
    assert found is not None, f"CONTRIBUTING.md has no block below <!-- {marker} ... -->"
    return found.group(1), found.group(2)


def run(folder: Path, *command: str) -> str:
    """Run Python in `folder`, which comes first on its path, and return what it prints."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python_command(marker: str) -> list[str]:
    """Return the words after ``python`` of a block that is one command."""
    words = block(marker)[1].split()
    assert words[0] == "python"
    return words[1:]


def run_session(folder: Path, marker: str) -> None:
    (folder / "session.txt").write_text(block(marker)[1])
    run(folder, "-m", "doctest", "session.txt")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with the entry of the walk-through, generated."""
    copy = tmp_path_factory.mktemp("walk") / "diffrules"
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copytree(ROOT / "tests", copy / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    file, entry = block("walk-through: entry")
    with (copy / file).open("a") as family:
        family.write("\n" + entry)
    run(copy, *python_command("walk-through: command"))
    return copy


def test_one_entry_and_one_command_make_a_function(repository: Path) -> None:
    run_session(repository, "walk-through: session")


def test_the_copy_is_what_runs(repository: Path) -> None:
    printed = run(repository, "-c", "import autodiff, generated; print(autodiff.__file__)")
    assert Path(printed.strip()).is_relative_to(repository)


def test_every_form_of_the_function_is_generated(repository: Path) -> None:
    for file in ("scalar/trigonometric.py", "broadcasted/trigonometric.py", "kernels.h"):
        assert "versin_grad_x(" in (repository / "generated" / file).read_text()
    run(repository, "-m", "generator", "--check")


def test_explain_shows_the_new_entry(repository: Path) -> None:
    assert "versin" in run(repository, "-m", "generator", "--explain", "versin")


def test_a_table_of_ones_own_project(tmp_path: Path) -> None:
    file, rules = block("own project:")
    path = tmp_path / file
    path.parent.mkdir()
    path.with_name("__init__.py").touch()
    path.write_text(rules)
    run(tmp_path, *python_command("own project: command"))
    run_session(tmp_path, "own project: session")
