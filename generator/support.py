"""The helpers that entries name ``support.gauss``: which there are, in Python and in C."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from generator.layout import paragraph

FOLDER = Path(__file__).with_name("templates") / "support"
PYTHON, C = ".py.jinja", ".h.jinja"
_FUNCTION = re.compile(r"^def ([a-z]\w*)\(", re.MULTILINE)
_KERNEL = re.compile(r"^static inline double (ad_support_\w+)\(([^)]*)\)\n\{", re.MULTILINE)


@cache
def modules() -> tuple[str, ...]:
    """Return the names of the modules of helpers, without the package itself."""
    return tuple(name for name in _named(PYTHON) if name != "__init__")


@cache
def helpers() -> dict[str, tuple[str, ...]]:
    """Return the functions of each module of helpers."""
    return {
        name: tuple(
            sorted(_FUNCTION.findall((FOLDER / f"{name}{PYTHON}").read_text("utf-8")), key=_natural)
        )
        for name in modules()
    }


@cache
def c_sources() -> tuple[str, ...]:
    """Return the names of the templates with helpers in C."""
    return tuple(f"support/{name}{C}" for name in _named(C))


@cache
def c_helpers() -> dict[str, tuple[str, ...]]:
    """Return the C functions, each with the names of its parameters."""
    return {
        name: tuple(parameter.split()[-1] for parameter in parameters.split(","))
        for source in _named(C)
        for name, parameters in _KERNEL.findall((FOLDER / f"{source}{C}").read_text("utf-8"))
    }


def prototypes() -> list[str]:
    """Return what declares the C functions before any of them is defined."""
    return [f"{_signature(name, 'double')};" for name in c_helpers()]


def singles() -> list[str]:
    """Return twins in single precision, computed in double and rounded, where none is written."""
    written = "".join((FOLDER / f"{source}{C}").read_text("utf-8") for source in _named(C))
    return [
        f"{_signature(name, 'float')}\n{{\n    return (float){name}({', '.join(parameters)});\n}}"
        for name, parameters in c_helpers().items()
        if f"static inline float {name}f(" not in written
    ]


def _signature(name: str, kind: str) -> str:
    listed = ", ".join(f"{kind} {parameter}" for parameter in c_helpers()[name])
    name = f"{name}f" if kind == "float" else name
    return paragraph(f"static inline {kind} {name}({listed})", indent=4)


def _named(suffix: str) -> list[str]:
    return sorted(path.name.removesuffix(suffix) for path in FOLDER.glob(f"*{suffix}"))


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """Return a key that sorts exp2 before exp10, as imports are sorted."""
    parts = re.findall(r"\d+|\D+", name)
    return [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]
