"""Natural gradients find the Gaussian nearest to the posterior, in far fewer steps."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

Q = np.array([0.3, -0.2, -0.5, 0.4, 0.7])


def test_natural_gradients_need_fewer_steps(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "posterior.png"
    assert example.main(["--out", str(picture)]) == 0
    printed = capsys.readouterr().out
    natural, plain = (int(n) for n in re.findall(r"(\d+) steps to", printed))
    assert 0 < 5 * natural < plain
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_it_agrees_with_the_posterior_on_a_grid(example: ModuleType) -> None:
    q, _ = example.climb(natural=True, rate=1.0, steps=20)
    mean, factor = example.mean_and_factor(q)
    axes = np.linspace(0, 2, 200), np.linspace(-0.5, 2.5, 200)
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    density = example.posterior(*axes).ravel()
    true_mean = density @ grid
    true_covariance = (density[:, None] * (grid - true_mean)).T @ (grid - true_mean)
    np.testing.assert_allclose(mean, true_mean, atol=5e-3)
    np.testing.assert_allclose(factor @ factor.T, true_covariance, atol=2e-3)


def test_fisher_information_is_the_closed_form(example: ModuleType) -> None:
    _, factor = example.mean_and_factor(Q)
    information = example.fisher(Q)
    inverse = np.linalg.inv(factor @ factor.T)
    np.testing.assert_allclose(information[:2, :2], inverse, rtol=1e-12)
    np.testing.assert_allclose(information[:2, 2:], 0, atol=1e-14)
    assert np.linalg.eigvalsh(information).min() > 0


def test_the_divergence_is_that_of_samples(example: ModuleType) -> None:
    rng = np.random.default_rng(0)
    normal = rng.normal(size=(200_000, 2))
    mean, factor = example.mean_and_factor(Q)
    points = mean + normal @ factor.T

    def log_density(q: np.ndarray) -> np.ndarray:
        center, lower = example.mean_and_factor(q)
        standard = np.linalg.solve(lower, (points - center).T)
        return -np.sum(standard**2, axis=0) / 2 - q[2] - q[3]

    sampled = np.mean(log_density(Q) - log_density(example.PRIOR))
    assert example.divergence(Q, example.PRIOR) == pytest.approx(sampled, rel=0.01)
    assert example.divergence(Q, Q) == pytest.approx(0, abs=1e-14)
