"""The filter's likelihood is that of all measurements together, and its maximum is the truth."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.stats import multivariate_normal


def joint_log_density(start: tuple[np.ndarray, np.ndarray], scales: np.ndarray, y: np.ndarray):
    """Return the density of all measurements as one vector of normal variables."""
    n = len(y)
    mean, covariance = start
    wander, noise = scales
    from_start = np.column_stack([np.ones(n), np.arange(n)])
    # A change of the speed after time s moves the position at t by t - s - 1.
    from_changes = np.maximum(np.subtract.outer(np.arange(n), np.arange(n)) - 1, 0)
    spread = from_start @ covariance @ from_start.T + noise**2 * np.eye(n)
    spread += wander**2 * from_changes @ from_changes.T
    return multivariate_normal.logpdf(y, from_start @ mean, spread)


def test_it_finds_the_true_noise(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "filter.png"
    assert example.main(["--out", str(picture)]) == 0
    printed = capsys.readouterr().out.splitlines()
    for name, true in zip(example.NAMES, example.TRUTH, strict=True):
        line = next(line for line in printed if line.startswith(name))
        _, found, _, error = line.removeprefix(name).split()
        assert abs(float(found) - true) < 3 * float(error) < true
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_likelihood_is_that_of_one_large_normal_distribution(example: ModuleType) -> None:
    _, measured = example.measurements(40)
    for scales in (example.TRUTH, np.array([1.0, 0.3])):
        wanted = joint_log_density(example.START, scales, measured)
        assert example.filtered(scales, measured)[0] == pytest.approx(wanted, rel=1e-10)


def test_the_gradient_goes_through_every_step(example: ModuleType) -> None:
    _, measured = example.measurements(10)
    example.ad.check_grads(lambda s: example.filtered(s, measured)[0], (example.TRUTH,), order=2)
