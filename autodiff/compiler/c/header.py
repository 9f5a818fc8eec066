"""The functions of ``generated/kernels.h`` that a program uses, taken out of the header."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import generated

_FUNCTION = re.compile(
    r"^static inline (?:double|float|int|ad_\w+) (ad_\w+)\([^;{]*?\)\s*\{.*?^\}", re.M | re.S
)
_TYPE = re.compile(r"^typedef struct \{.*?^\} (ad_\w+);", re.M | re.S)
_FUNCTION_NAME = re.compile(r"\b(ad_\w+)\(")
_WORD = re.compile(r"\bad_\w+")

VECTOR_FUNCTIONS = frozenset(
    [
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cbrt",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "exp",
        "exp10",
        "exp2",
        "expm1",
        "hypot",
        "log",
        "log10",
        "log1p",
        "log2",
        "pow",
        "sin",
        "sinh",
        "tan",
        "tanh",
    ]
)
"""What glibc's libmvec has, for double and float, from 2.35 on."""


@functools.cache
def _header() -> str:
    return Path(generated.__file__).with_name("kernels.h").read_text(encoding="utf-8")


def types(texts: Iterable[str]) -> list[str]:
    """Return the types of the header that texts use."""
    words = {word for text in texts for word in _WORD.findall(text)}
    return [found[0] for found in _TYPE.finditer(_header()) if found[1] in words]


@functools.cache
def header_functions() -> dict[str, str]:
    """Return the text of each function of the header."""
    return {found[1]: found[0] for found in _FUNCTION.finditer(_header())}


@functools.cache
def is_available(name: str) -> bool:
    """Return whether the header has a function."""
    return name in header_functions()


def definitions(names: Iterable[str]) -> list[str]:
    """Return the texts of functions and of all they call, each after those it calls."""
    functions, found = header_functions(), dict[str, str]()

    def add(name: str) -> None:
        if name in found or name not in functions:
            return
        found[name] = ""
        for word in dict.fromkeys(_WORD.findall(functions[name])):
            add(word)
        found[name] = found.pop(name) or functions[name]

    for name in names:
        add(name)
    return list(found.values())


_LONGEST = 1500
"""Characters of a function that is always inlined: a loop with a call is not vectorised."""


def inlined(texts: Sequence[str]) -> list[str]:
    """Return functions with the short ones that have no loops of their own marked for inlining."""
    names = {text: _FUNCTION_NAME.findall(text)[0] for text in texts}
    calls = {names[text]: set(_WORD.findall(text)) & set(names.values()) for text in texts}

    def reaches(start: str) -> set[str]:
        seen: set[str] = set()
        rest = list(calls[start] - {start})
        while rest:
            name = rest.pop()
            if name not in seen:
                seen.add(name)
                rest += calls[name]
        return seen

    return [
        text
        if re.search(r"\b(for|while) \(", text)
        or len(text) > _LONGEST
        or names[text] in reaches(names[text])
        else text.replace("static inline", "static AD_INLINE", 1)
        for text in texts
    ]


def prototypes(texts: Sequence[str]) -> list[str]:
    """Return the types that functions use and a prototype of each, as they call each other."""
    return [*types(texts), *(text.partition("{")[0].rstrip() + ";" for text in texts)]


def math_functions(texts: Iterable[str]) -> list[str]:
    """Return prototypes of the functions of libmvec that texts call."""
    words = {word for text in texts for word in re.findall(r"\b([a-z]\w+)\(", text)}
    found = []
    for name in sorted(VECTOR_FUNCTIONS):
        parameters = 2 if name in ("atan2", "hypot", "pow") else 1
        for kind, suffix in (("double", ""), ("float", "f")):
            if name + suffix in words:
                listed = ", ".join([kind] * parameters)
                found.append(f"{kind} {name}{suffix}({listed})")
    return found
