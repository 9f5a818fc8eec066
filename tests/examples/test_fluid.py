"""The dye flows into the picture, none is lost, and the gradient is right."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


def test_the_dye_flows_into_the_picture(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "heart.png"
    assert example.main(["--out", str(picture)]) == 0
    line = next(x for x in capsys.readouterr().out.splitlines() if x.startswith("dye"))
    _, before, *_, after = line.replace(",", "").split()
    assert before == after
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_it_fails_aloud_when_it_stirs_too_little(example: ModuleType, tmp_path: Path) -> None:
    assert example.main(["--out", str(tmp_path / "heart.png"), "--iterations", "1"]) == 1


def test_the_velocity_has_no_sources_and_turns_as_told(example: ModuleType) -> None:
    rng = np.random.default_rng(0)
    vorticity = example.slope(example.slope(rng.normal(size=(example.SIDE,) * 2), 0), 1)
    right, down = example.velocity(vorticity)
    np.testing.assert_allclose(example.slope(right, 1) + example.slope(down, 0), 0, atol=1e-13)
    curl = example.slope(down, 1) - example.slope(right, 0)
    np.testing.assert_allclose(curl, vorticity, atol=1e-13)


def test_a_wave_of_vorticity_fades_as_it_should(example: ModuleType) -> None:
    wave = np.sin(2 * np.pi * np.arange(example.SIDE) / example.SIDE) * np.ones((example.SIDE, 1))
    faded, _ = example.flow(wave, np.zeros_like(wave))
    squared = 2 - 2 * np.cos(2 * np.pi / example.SIDE)
    time = example.STEPS * example.STEP
    np.testing.assert_allclose(faded, wave * np.exp(-example.SPREAD * squared * time), atol=1e-6)


def test_the_gradient_goes_through_every_step(example: ModuleType) -> None:
    start, goal = example.pictures()
    vorticity = np.random.default_rng(0).normal(size=goal.shape) / 10

    def error(scale: float) -> float:
        return np.mean((example.flow(scale * vorticity, start, 5)[1] - goal) ** 2)

    example.ad.check_grads(error, (1.0,))
