"""Writing a program to a directory, for people who have no Python where it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autodiff.compiler.c.export import Export
from autodiff.compiler.c.render import Source, is_expressible
from autodiff.compiler.errors import CompileError

_OF_C = """
    asm auto bool break case char const constexpr continue default do double else enum extern false
    float for goto if inline int long nullptr register restrict return short signed sizeof static
    struct switch true typedef typeof union unsigned void volatile while
    main max_align_t offsetof ptrdiff_t size_t wchar_t abs div exit free gamma isfinite isgreater
    isinf isless isnan isnormal isunordered labs malloc memchr memcmp memcpy memmove memset printf
    signbit signgam strcat strchr strcmp strcpy strlen workspace j0 j1 jn y0 y1 yn
"""
_OF_MATH = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs
    fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p
    log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow remainder remquo rint round
    scalbln scalbn sin sinh sqrt tan tanh tgamma trunc
"""
_TAKEN = frozenset(
    [*_OF_C.split(), *(name + end for name in _OF_MATH.split() for end in ("", "f", "l"))]
)
"""Words of C, and names that its library and the exported files have."""

_OURS = re.compile(r"(ad_|npy_).*|(constant|input|output|result)\d+")


def exported(built: Any, values: Sequence[Any], name: str, directory: Path) -> list[Path]:
    """Write the files of a program; return their paths.

    Parameters
    ----------
    built : Built
    values : sequence
        Its inputs in the call it was made for.
    name : str
        Of the function; what C does not allow in a name becomes ``_``, and words that mean
        something in C already get a prefix.
    directory : Path
    """
    name = re.sub(r"\W", "_", name, flags=re.ASCII).strip("_") or "program"
    name = f"f_{name}" if name[0].isdigit() or _is_taken(name) else name
    if not is_expressible(built.program):
        raise CompileError(f"{name} cannot be exported: C has no form for what goes in or out")
    source = Source(built.program, built.signature.data, None, None, built.result.kinds)
    files = Export(source, name, values).files()
    directory.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (directory / file).write_text(text, encoding="utf-8")
    return [directory / file for file in files]


def _is_taken(name: str) -> bool:
    return name in _TAKEN or _OURS.fullmatch(name) is not None
