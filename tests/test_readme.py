"""README and docs say what is true: sessions, tables, commands, quoted entries."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import autodiff
import diffrules

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "docs/coming_from.md",
    "docs/compile.md",
    "docs/conventions.md",
    "docs/rules.md",
    "docs/table.md",
    "docs/targets.md",
    "docs/design.md",
    "docs/looking.md",
)
FAMILIES = (
    "arithmetic",
    "powers",
    "exponential",
    "trigonometric",
    "degrees",
    "hyperbolic",
    "piecewise",
    "activations",
    "logistic",
    "information",
    "airy",
    "bessel",
    "bessel_integrals",
    "carlson",
    "distributions",
    "elliptic",
    "errors",
    "faddeeva",
    "gammas",
    "hypergeometric",
    "incomplete",
    "integrals",
    "kelvin",
    "kolmogorov",
    "lambert",
    "mathieu",
    "noncentral",
    "orthogonal",
    "parabolic",
    "spherical",
    "spheroidal",
    "struve",
    "transforms",
    "wright",
)


def blocks(page: str, language: str) -> list[str]:
    """Return the fenced blocks of a page in a language."""
    text = (ROOT / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def below(marker: str, page: str = "README.md") -> list[str]:
    """Return the lines below ``<!-- marker -->`` down to the next empty one."""
    text = (ROOT / page).read_text()
    return text.split(f"<!-- {marker} -->\n", 1)[1].split("\n\n", 1)[0].splitlines()


@pytest.mark.parametrize("page", PAGES)
def test_the_sessions_of_a_page_run(page: str) -> None:
    sessions = [block for block in blocks(page, "python") if block.startswith(">>>")]
    parser, report = doctest.DocTestParser(), []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    names: dict[str, Any] = {"__name__": "docs"}
    for number, session in enumerate(sessions):
        test = parser.get_doctest(session, names, f"{page}, session {number}", page, 0)
        runner.run(test, out=report.append, clear_globs=False)
        names = test.globs
    assert not report, "".join(report)


def test_the_readme_lists_every_rule() -> None:
    expected = ["| family | functions |", "| --- | --- |"]
    for family in FAMILIES:
        entries = {
            rule.name: rule.aliases
            for rule in diffrules.RULES.values()
            if rule.family == family and rule.is_public
        }
        names = [
            f"`{name}`" + (f" ({', '.join(f'`{a}`' for a in aliases)})" if aliases else "")
            for name, aliases in entries.items()
        ]
        expected.append(f"| {family} | {', '.join(names)} |")
    found = below("table: rules")
    assert found == expected, "README.md must hold this table:\n" + "\n".join(expected)


def test_the_families_are_those_of_the_table() -> None:
    assert {rule.family for rule in diffrules.RULES.values()} == set(FAMILIES)


def test_what_the_readme_promises_is_in_autodiff() -> None:
    for name in re.findall(r"`(\w+)`", "\n".join(below("table: rules"))):
        assert callable(getattr(autodiff, name)), name


def test_the_page_of_functions_is_what_the_rules_say() -> None:
    # In a process of its own: rules of elementwise functions are added when they are used.
    command = [sys.executable, "-m", "autodiff.functions"]
    page = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = (ROOT / "docs/functions.md").read_text()
    assert found == page, "run `python -m autodiff.functions > docs/functions.md`"


@pytest.mark.parametrize("name", ["example", "tests"])
def test_the_command_that_ci_takes_from_the_readme_is_a_whole_line(name: str) -> None:
    script = (ROOT / ".ci/run").read_text()
    function = re.search(r"^readme_command\(\).*?^}$", script, flags=re.MULTILINE | re.DOTALL)
    assert function is not None
    found = subprocess.run(
        ["bash", "-c", f"{function.group()}\nreadme_command {name}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert len(found) == 1
    assert f"```sh\n{found[0]}\n```" in (ROOT / "README.md").read_text()
    assert found[0].startswith("python3 -m venv .venv && ")


def test_every_folder_of_the_layout_exists() -> None:
    layout = (ROOT / "README.md").read_text().split("## Layout", 1)[1].split("## Licence")[0]
    folders = re.findall(r"^\| `([\w/]+)/` \|", layout, flags=re.MULTILINE)
    assert len(folders) == 8
    assert all((ROOT / folder).is_dir() for folder in folders)


def test_links_lead_to_files() -> None:
    for page in (*PAGES, "CONTRIBUTING.md"):
        for link in re.findall(r"\]\(([\w./]+)\)", (ROOT / page).read_text()):
            assert ((ROOT / page).parent / link).exists(), f"{page} links to {link}"


def test_quoted_entries_are_those_of_the_table() -> None:
    table = "\n".join(path.read_text() for path in (ROOT / "diffrules").glob("*.py"))
    quoted = [block for block in blocks("docs/rules.md", "python") if block.startswith("rule(")]
    assert len(quoted) == 4
    for entry in quoted:
        assert entry in table


def test_the_entry_of_the_readme_is_that_of_the_walk_through() -> None:
    entry = [block for block in blocks("README.md", "python") if block.startswith("rule(")]
    assert len(entry) == 1
    assert entry[0] in blocks("CONTRIBUTING.md", "python")
