"""The LSTM learns to add, also longer sequences, and its gradient goes through time."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


def test_it_learns_to_add(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "sums.png"
    assert example.main(["--out", str(picture)]) == 0
    printed = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert float(printed["length 10"]) < example.GUESSING / 30
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_it_fails_aloud_when_it_learns_too_little(example: ModuleType, tmp_path: Path) -> None:
    assert example.main(["--out", str(tmp_path / "sums.png"), "--steps", "3"]) == 1


def test_guessing_is_as_bad_as_it_says(example: ModuleType) -> None:
    _, sums = example.sequences(np.random.default_rng(0), 4, 200_000)
    assert np.mean((sums - 1) ** 2) == pytest.approx(example.GUESSING, rel=0.01)


def test_the_gradient_goes_through_time(example: ModuleType) -> None:
    rng, ad = np.random.default_rng(0), example.ad
    p, data = example.initial_parameters(rng), example.sequences(rng, 6, 3)
    gradient = ad.grad(example.error)(p, *data)
    assert isinstance(gradient, example.Parameters)
    vector, unflatten = ad.flatten(p)
    direction = rng.normal(size=vector.shape)

    def along(t: float) -> float:
        return example.error(unflatten(vector + t * direction), *data)

    differences = (along(1e-5) - along(-1e-5)) / 2e-5
    assert ad.flatten(gradient)[0] @ direction == pytest.approx(differences, rel=1e-7)
    assert ad.jvp(along, (0.0,), (1.0,))[1] == pytest.approx(differences, rel=1e-7)
