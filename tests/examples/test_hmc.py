"""The samples have the mean and covariance of the posterior in closed form."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.stats import gamma, multivariate_normal


def test_it_prints_and_draws(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "posterior.png"
    assert example.main(["--out", str(picture), "--rounds", "20"]) == 0
    printed = capsys.readouterr().out
    assert all(f"\n{name}" in printed for name in example.NAMES)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_samples_have_the_moments_of_the_closed_form(example: ModuleType) -> None:
    rows, y = example.data()
    states, accepted = example.sample(rows, y, rounds=100)
    mean, covariance, square = example.closed_form(rows, y)
    weights, noise = states[..., :3].reshape(-1, 3), np.exp(states[..., 3])
    deviations = np.sqrt(np.diag(covariance))
    np.testing.assert_allclose(weights.mean(axis=0), mean, atol=0.05 * deviations.min())
    np.testing.assert_allclose(np.cov(weights.T), covariance, atol=0.05 * covariance.max())
    assert np.mean(noise**2) == pytest.approx(square, rel=0.02)
    assert accepted > 0.8


def test_the_potential_is_minus_the_log_posterior(example: ModuleType) -> None:
    rows, y = example.data()
    mean, covariance, square = example.closed_form(rows, y)
    states = np.random.default_rng(0).normal(size=(50, 4)) / 5 + [*mean, np.log(square) / 2]
    # 1 / noise**2 has a gamma distribution, and the weights a normal one for given noise.
    shape = 2 + len(y) / 2
    precision = np.exp(-2 * states[:, 3])
    log_density = gamma.logpdf(precision, shape, scale=1 / (square * (shape - 1)))
    log_density += np.log(2 * precision)
    log_density += [
        multivariate_normal.logpdf(w, mean, covariance / square / p)
        for w, p in zip(states[:, :3], precision, strict=True)
    ]
    constant = example.potential(states, rows, y) + log_density
    np.testing.assert_allclose(constant, constant[0], rtol=1e-10)
