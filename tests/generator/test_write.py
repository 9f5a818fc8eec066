"""Files are all written or none, and other people's files are left alone."""

import itertools
from pathlib import Path

import pytest

from generator.errors import GeneratorError
from generator.write import BANNER, carry_out, difference, plan

OURS = f'"""Module.\n\n{BANNER}python -m generator`; do not edit.\n"""\n'


@pytest.fixture
def package(tmp_path) -> Path:
    folder = tmp_path / "package"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.py").write_text(OURS + "a = 1\n")
    (folder / "sub" / "b.py").write_text(OURS + "b = 1\n")
    return folder


def snapshot(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


def test_only_what_differs_is_written(package):
    before = (package / "a.py").stat().st_mtime_ns
    work = plan({"a.py": OURS + "a = 1\n", "sub/b.py": OURS + "b = 2\n", "new/c.py": OURS}, package)
    assert (sorted(work.changed), work.unchanged) == (["new/c.py", "sub/b.py"], ("a.py",))
    carry_out(work, package)
    assert (package / "a.py").stat().st_mtime_ns == before
    assert snapshot(package) == {
        "a.py": OURS + "a = 1\n",
        "sub/b.py": OURS + "b = 2\n",
        "new/c.py": OURS,
    }
    assert plan(snapshot(package), package).is_done


def test_superfluous_files_of_ours_are_removed_and_others_are_not(package):
    (package / "notes.txt").write_text(f"{BANNER}python -m generator` is what I ran")
    (package / "mine.py").write_text("mine = 1\n")
    work = plan({"a.py": OURS + "a = 1\n"}, package)
    assert work.stale == ("sub/b.py",)
    assert work.foreign == ("mine.py", "notes.txt")
    carry_out(work, package)
    assert sorted(snapshot(package)) == ["a.py", "mine.py", "notes.txt"]


def test_a_foreign_file_in_the_way_stops_everything(package):
    (package / "c.py").write_text("mine = 1\n")
    before = snapshot(package)
    work = plan({"a.py": OURS + "a = 2\n", "c.py": OURS}, package)
    with pytest.raises(GeneratorError, match=r"package/c\.py was not written by the generator"):
        carry_out(work, package)
    assert snapshot(package) == before


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError("disk full")])
@pytest.mark.parametrize(("step", "after"), [("write_text", 2), ("replace", 3), ("unlink", 0)])
def test_a_run_that_is_interrupted_changes_nothing(package, monkeypatch, error, step, after):
    before = snapshot(package)
    original, count = getattr(Path, step), itertools.count()

    def interrupted(self, *args, **options):
        if next(count) == after:
            raise error
        return original(self, *args, **options)

    work = plan(dict.fromkeys(("a.py", "c.py", "new/d.py", "new/e/f.py"), OURS + "new\n"), package)
    assert work.stale == ("sub/b.py",)
    monkeypatch.setattr(Path, step, interrupted)
    with pytest.raises(type(error)):
        carry_out(work, package)
    monkeypatch.undo()
    assert snapshot(package) == before
    assert sorted(path.name for path in package.iterdir()) == ["a.py", "sub"]


def test_the_difference_is_a_unified_diff(package):
    work = plan({"a.py": OURS + "a = 2\n"}, package)
    lines = difference(work, package).splitlines()
    assert lines[:2] == ["--- package/a.py (on disk)", "+++ package/a.py (from the table)"]
    assert {"-a = 1", "+a = 2", "-b = 1"} <= set(lines)
