"""Descent over frames ends at the eigenvectors of the covariance."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


def test_it_agrees_with_eigh(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "components.png"
    assert example.main(["--out", str(picture)]) == 0
    rows = [x.split() for x in capsys.readouterr().out.splitlines() if x.startswith("component")]
    assert len(rows) == example.COMPONENTS
    assert all(float(found) == pytest.approx(float(wanted)) for _, _, found, wanted, _ in rows)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_frame_stays_orthonormal_and_has_the_greatest_variance(example: ModuleType) -> None:
    rows = example.images()
    frame, lengths = example.descend(rows)
    variances, _ = example.components(rows)
    np.testing.assert_allclose(frame.T @ frame, np.eye(example.COMPONENTS), atol=1e-13)
    np.testing.assert_allclose(np.mean((rows @ frame) ** 2, axis=0), variances, rtol=1e-10)
    assert lengths[-1] < 1e-6 < lengths[0]


def test_the_retraction_starts_along_the_tangent(example: ModuleType) -> None:
    rng = np.random.default_rng(0)
    frame = example.retracted(rng.normal(size=(6, 4)))
    direction = example.tangent(frame, rng.normal(size=(6, 4)))
    np.testing.assert_allclose(frame.T @ direction, -direction.T @ frame, atol=1e-14)
    value, change = example.ad.jvp(example.retracted, (frame,), (direction,))
    np.testing.assert_allclose(value, frame, atol=1e-14)
    np.testing.assert_allclose(change, direction, atol=1e-13)
