"""The mixture is the one that was sampled, and as likely as what expectation maximisation finds."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture


def test_it_prints_and_draws(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "mixture.png"
    assert example.main(["--out", str(picture)]) == 0
    assert capsys.readouterr().out.count("weight") == 3
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_it_finds_the_true_components(example: ModuleType) -> None:
    parameters, _ = example.fit(example.sample())
    order = np.argsort(-parameters["logits"])
    weights = np.exp(parameters["logits"]) / np.sum(np.exp(parameters["logits"]))
    np.testing.assert_allclose(weights[order], example.WEIGHTS, atol=0.05)
    np.testing.assert_allclose(parameters["means"][order], example.MEANS, atol=0.15)
    spreads = example.covariances(parameters["factors"])[order]
    np.testing.assert_allclose(spreads, example.COVARIANCES, atol=0.15)


def test_it_is_as_likely_as_what_scikit_learn_finds(example: ModuleType) -> None:
    points = example.sample()
    _, result = example.fit(points)
    peer = GaussianMixture(
        3, means_init=example.MEANS, reg_covar=0, tol=1e-10, max_iter=5000, random_state=0
    ).fit(points)
    assert -result.fun == pytest.approx(peer.score(points), abs=1e-6)
