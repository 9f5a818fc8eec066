"""The curve fit finds the curve, says how well, and draws."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


def test_it_finds_the_true_curve(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "fit.png"
    assert example.main(["--out", str(picture)]) == 0
    printed = capsys.readouterr().out.splitlines()
    for name, true in zip(example.NAMES, example.TRUTH, strict=True):
        line = next(line for line in printed if line.startswith(name))
        found, _, error = line.removeprefix(name).split()[1:]
        assert abs(float(found) - true) < 3 * float(error) < 0.2
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_gradients_save_evaluations(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example.main(["--out", str(tmp_path / "fit.png")])
    line = next(x for x in capsys.readouterr().out.splitlines() if "exact gradients" in x)
    exact, differences = (int(word) for word in line.split() if word.isdigit())
    assert 2 * exact < differences


def test_the_gradient_is_that_of_the_model(example: ModuleType) -> None:
    t, y = example.measurements()

    def loss(parameters: np.ndarray) -> np.ndarray:
        return np.mean((example.model(parameters, t) - y) ** 2)

    example.ad.check_grads(loss, (example.START,))
