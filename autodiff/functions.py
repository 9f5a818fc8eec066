"""``python -m autodiff.functions``: what is differentiable, passes through, or is refused.

The page is made from the registry, so it says what the rules say. docs/functions.md holds it.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from autodiff import rules
from autodiff.registry import CALLS, REFUSED, function_name
from autodiff.rules.plain import FUNCTIONS
from generated.manifest import ENTRIES

SCIPY_MODULES = ("integrate", "interpolate", "linalg", "optimize", "signal", "special", "stats")
OWN = "autodiff.scipy"
SYNTAX = {"getitem": "x[i]", "setitem": "x[i] = v", "astype": "x.astype(dtype)"}
INTRODUCTION = """\
# Functions

What tracked values can be given to, as `python -m autodiff.functions` lists it from the rules.
Every other function of NumPy or SciPy raises an error that names it and says how to supply a
rule; of plain arrays they are NumPy's and SciPy's own. `x.sum()` and the other methods of
arrays call the functions below.
"""


def page() -> str:
    """Return the page in Markdown."""
    parts = [INTRODUCTION, _elementwise(), _arrays(), _scipy(), _plain(), _refused()]
    return "\n".join(parts)


def _elementwise() -> str:
    lines = [
        "## Elementwise functions\n",
        "One entry of the table each; `ad.<name>`, and the functions of NumPy and SciPy that it "
        "answers for. [rules.md](rules.md) explains the table.\n",
        "| family | functions |",
        "| --- | --- |",
    ]
    families: dict[str, list[str]] = defaultdict(list)
    for entry in ENTRIES:
        if not entry.name.startswith("_"):
            answers = [a for a in entry.answers if a.rpartition(".")[2] != entry.name]
            others = f" ({_listed(answers)})" if answers else ""
            families[entry.family].append(f"`{entry.name}`{others}")
    lines += [f"| {family} | {', '.join(names)} |" for family, names in families.items()]
    return "\n".join(lines) + "\n"


def _arrays() -> str:
    """Return the functions of arrays, by the file that holds their rules."""
    rules.load_all()
    plain = set(FUNCTIONS)
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    methods: dict[str, set[str]] = defaultdict(set)
    for function, call in CALLS.items():
        module = getattr(call, "__module__", "")
        if isinstance(function, tuple):
            methods[function[1]].add(f"np.{function[0].__name__}")
        elif module.startswith("autodiff.rules.") and not _is_in(function, plain):
            text = _first_line(call) or _first_line(function)
            groups[module].append((_name(function), text))
    lines = [
        "## Functions of arrays\n",
        "Both modes, every order; the files named are in `autodiff/rules`.\n",
    ]
    for name in sorted((*rules.FIRST, *rules.LATER)):
        found = sorted(set(groups.get(f"autodiff.rules.{name}", [])))
        if found:
            title = _first_line(import_module(f"autodiff.rules.{name}")).rstrip(".")
            lines += [f"### {title} (`{name}.py`)\n", "| function | |", "| --- | --- |"]
            lines += [f"| `{function}` | {text} |" for function, text in found] + [""]
    lines += ["### Methods of ufuncs\n", "| method | of |", "| --- | --- |"]
    lines += [f"| `{method}` | {_listed(sorted(of))} |" for method, of in sorted(methods.items())]
    return "\n".join(lines) + "\n"


def _scipy() -> str:
    lines = [
        "## SciPy\n",
        "From `autodiff.scipy`, whose other names are SciPy's own. Elementwise functions of "
        "`scipy.special` are followed under their own name too.\n",
    ]
    for name in SCIPY_MODULES:
        module = import_module(f"{OWN}.{name}")
        found = sorted(_followed(module))
        lines += [f"### scipy.{name}\n", "| name | |", "| --- | --- |"]
        lines += [f"| `{function}` | {text} |" for function, text in found] + [""]
    return "\n".join(lines)


def _followed(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield the names of a module that are ours, and what they are."""
    for name in dir(module):
        value = getattr(module, name, None)
        home = getattr(value, "__module__", "") or ""
        if name.startswith("_") or isinstance(value, ModuleType) or not home.startswith(OWN):
            continue
        if hasattr(value, "logpdf") or hasattr(value, "logpmf") or _is_public(module, name, value):
            yield name, _first_line(value)


def _is_public(module: ModuleType, name: str, value: Any) -> bool:
    """Return whether a name is SciPy's, or one that the module says is its own."""
    original = import_module(module.__name__.removeprefix("autodiff."))
    return callable(value) and (hasattr(original, name) or name in getattr(module, "__all__", ()))


def _plain() -> str:
    names = sorted({function_name(function) for function in FUNCTIONS})
    return (
        "## Plain values\n\n"
        "Counts, indices, conditions and shapes: they take tracked values and give plain ones.\n\n"
        f"{_listed(names)}\n"
    )


def _refused() -> str:
    lines = ["## Refused\n", "| function | why, and what to use |", "| --- | --- |"]
    rows = sorted((function_name(function), reason) for function, reason in REFUSED.items())
    lines += [f"| `{name}` | {reason} |" for name, reason in rows]
    return "\n".join(lines) + "\n"


def _name(function: Any) -> str:
    return SYNTAX.get(function, function) if isinstance(function, str) else function_name(function)


def _is_in(function: Any, functions: set[Any]) -> bool:
    return callable(function) and function in functions


def _first_line(thing: Any) -> str:
    """Return what a function says of itself, or NumPy of its own, in one line."""
    text = (inspect.getdoc(thing) or "").strip()
    return text.partition("\n")[0].replace("|", "\\|")


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    print(page(), end="")
