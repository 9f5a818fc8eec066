"""Exact numbers and points on disk, so that a second run takes seconds."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from diffrules.entry import Rule
from generator.accuracy.floats import DType
from generator.accuracy.quantities import Quantity, quantities
from generator.accuracy.reference import Exact, Point, code

# To be raised when exact numbers, points, or sizes around zeros are found in another way.
NUMBERS, POINTS, SCALES = 3, 2, 3
Known = dict[Point, Exact]
# Exponents of the size around a zero; None: there is no such zero.
Scale = dict[Point, int | None]
NO_SCALE = np.iinfo(np.int64).min


def folder() -> Path:
    """Return where the numbers are kept: ``$DIFFRULES_CACHE``, or below ``~/.cache``."""
    given = os.environ.get("DIFFRULES_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "diffrules" / "accuracy"


def load(quantity: Quantity) -> Known:
    """Return what is known of a quantity, by its points."""
    file = _read(_path(quantity))
    if file is None:
        return {}
    columns = (file[name].tolist() for name in ("head", "tail", "exponent"))
    return dict(zip(map(tuple, file["points"].tolist()), map(Exact, *columns), strict=True))


def store(quantity: Quantity, known: Mapping[Point, Exact]) -> None:
    """Add numbers to the file of a quantity."""
    together = {**load(quantity), **known}
    head, tail, exponent = zip(*together.values(), strict=True)
    _write(
        _path(quantity),
        points=np.array(list(together), float),
        head=np.array(head),
        tail=np.array(tail),
        exponent=np.array(exponent, np.int64),
    )


def load_scales(quantity: Quantity, dtype: DType) -> Scale:
    """Return what is known of the sizes of a quantity around its zeros."""
    file = _read(_path(quantity, f" {dtype} {SCALES}"))
    if file is None:
        return {}
    scales = (None if n == NO_SCALE else n for n in file["scales"].tolist())
    return dict(zip(map(tuple, file["points"].tolist()), scales, strict=True))


def store_scales(quantity: Quantity, dtype: DType, known: Scale) -> None:
    """Add sizes around zeros to their file."""
    together = {**load_scales(quantity, dtype), **known}
    scales = [NO_SCALE if scale is None else scale for scale in together.values()]
    points = np.array(list(together), float)
    _write(_path(quantity, f" {dtype} {SCALES}"), points=points, scales=np.array(scales, np.int64))


def points_path(rule: Rule, dtype: DType) -> Path:
    """Return the file that holds the points of an entry."""
    codes = [code(quantity) for quantity in quantities(rule)]
    return _named(f"{rule.name}-points", POINTS, NUMBERS, dtype, rule.domain, rule.args, codes)


def load_points(path: Path) -> list[Point] | None:
    """Return the points in a file, or None if there is none."""
    file = _read(path)
    return None if file is None else list(map(tuple, file["points"].tolist()))


def store_points(path: Path, points: list[Point]) -> None:
    """Keep points in a file."""
    _write(path, points=np.array(points, float))


def _path(quantity: Quantity, more: str = "") -> Path:
    """Return the file of a quantity; another one if its value is another expression."""
    name = f"{quantity.rule.name}-{quantity.label}"
    return _named(name, NUMBERS, quantity.key, code(quantity), more)


def _named(name: str, *facts: Any) -> Path:
    digest = hashlib.sha256(" ".join(map(str, facts)).encode()).hexdigest()[:16]
    return folder() / f"{name}-{digest}.npz"


def _read(path: Path) -> dict[str, Any] | None:
    try:
        with np.load(path) as file:
            return dict(file)
    except (OSError, ValueError, EOFError):
        return None


def _write(path: Path, **arrays: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{os.getpid()}-{path.name}")
    np.savez(temporary, **arrays)
    temporary.replace(path)
