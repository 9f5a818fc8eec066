"""The cluster has the known energy, moves without losing any, and vibrates as it should."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


def test_it_relaxes_to_the_known_energy_and_keeps_it_in_motion(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "cluster.png"
    assert example.main(["--out", str(picture)]) == 0
    assert capsys.readouterr().out.count(f"{example.LEAST_ENERGY:.6f}") == 3
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_forces_are_those_of_the_formula(example: ModuleType) -> None:
    x = example.icosahedron(1.1) + 0.05 * np.random.default_rng(0).normal(size=(13, 3))
    apart = x[:, None] - x
    distances = np.linalg.norm(apart, axis=-1) + np.eye(13)
    pulls = 24 * (2 * distances**-14 - distances**-8)
    forces = np.sum(pulls[..., None] * apart, axis=1)
    np.testing.assert_allclose(-example.ad.grad(example.energy)(x), forces, atol=1e-10)


def test_shifts_and_rotations_cost_nothing(example: ModuleType) -> None:
    modes = example.frequencies(example.relaxed(example.icosahedron(1.3)))
    assert np.sum(modes < 1e-3) == 6
    assert modes[6] > 1
    # The symmetry of the icosahedron makes vibrations of one, three, four or five directions.
    _, counts = np.unique(np.round(modes[6:], 3), return_counts=True)
    assert sum(counts) == 33
    assert set(counts) <= {1, 3, 4, 5}


def test_the_error_of_the_energy_is_of_second_order(example: ModuleType) -> None:
    start = example.relaxed(example.icosahedron(1.3))
    velocities = 0.5 * np.random.default_rng(0).normal(size=(13, 3))
    total = example.energy(start) + np.sum(velocities**2) / 2
    coarse, fine = (
        np.max(np.abs(example.move(start, velocities, step=h, count=n)[2].sum(axis=1) - total))
        for h, n in ((0.01, 50), (0.005, 100))
    )
    assert coarse / fine == pytest.approx(4, rel=0.2)
