"""Exact numbers on disk, so that a second run takes seconds."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from generator.accuracy.quantities import Quantity
from generator.accuracy.reference import Exact, code

# To be raised when `reference` or the printers of the oracle change what they compute.
VERSION = 1
Known = dict[tuple[float, ...], Exact]


def folder() -> Path:
    """Return where the numbers are kept: ``$DIFFRULES_CACHE``, or below ``~/.cache``."""
    given = os.environ.get("DIFFRULES_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "diffrules" / "accuracy"


def path_of(quantity: Quantity) -> Path:
    """Return the file of a quantity; another one if its value is another expression."""
    text = f"{VERSION} {quantity.key} {code(quantity)}"
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return folder() / f"{quantity.rule.name}-{quantity.label}-{digest}.npz"


def load(quantity: Quantity) -> Known:
    """Return what is known of a quantity, by its points."""
    try:
        with np.load(path_of(quantity)) as file:
            columns = (file["head"].tolist(), file["tail"].tolist(), file["exponent"].tolist())
            points = map(tuple, file["points"].tolist())
    except (OSError, ValueError, KeyError, EOFError):
        return {}
    return dict(zip(points, map(Exact, *columns), strict=True))


def store(quantity: Quantity, known: Mapping[tuple[float, ...], Exact]) -> None:
    """Add numbers to the file of a quantity."""
    path = path_of(quantity)
    together = {**load(quantity), **known}
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.tmp.npz")
    head, tail, exponent = zip(*together.values(), strict=True)
    np.savez(
        temporary,
        points=np.array(list(together), float),
        head=np.array(head),
        tail=np.array(tail),
        exponent=np.array(exponent, np.int64),
    )
    temporary.replace(path)
