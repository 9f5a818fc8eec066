"""Logistic regression finds the weights and says how well it knows them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.special import expit


def test_it_finds_the_true_weights(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "weights.png"
    assert example.main(["--out", str(picture)]) == 0
    printed = capsys.readouterr().out.splitlines()
    for name, true in zip(example.NAMES, example.TRUTH, strict=True):
        line = next(line for line in printed if line.startswith(name))
        _, found, _, error, _ = line.removeprefix(name).split()
        assert abs(float(found) - true) < 3 * float(error) < 0.8
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_errors_are_those_of_the_textbook(example: ModuleType) -> None:
    features, recovered = example.patients()
    weights, errors, steps = example.fit(features, recovered)
    chances = expit(features @ weights)
    information = features.T @ (features * (chances * (1 - chances))[:, None])
    np.testing.assert_allclose(features.T @ (chances - recovered), 0, atol=1e-9)
    np.testing.assert_allclose(errors, np.sqrt(np.diag(np.linalg.inv(information))), rtol=1e-9)
    assert steps < 10


def test_classes_that_a_plane_separates_are_an_error(example: ModuleType) -> None:
    features, _ = example.patients()
    with pytest.raises((RuntimeError, np.linalg.LinAlgError)):
        example.fit(features, features[:, 1] > 0)
