"""The learned law swings as the pendulum does, and its gradient is right."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


def test_it_predicts_a_swing_it_has_not_seen(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "swing.png"
    assert example.main(["--out", str(picture)]) == 0
    printed = capsys.readouterr().out.split()
    assert float(printed[4].rstrip(",")) < 3 * example.NOISE
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_it_fails_aloud_when_it_learns_too_little(example: ModuleType, tmp_path: Path) -> None:
    assert example.main(["--out", str(tmp_path / "swing.png"), "--steps", "1"]) == 1


def test_the_adjoint_gradient_is_the_one_through_every_step(example: ModuleType) -> None:
    starts, states = example.measurements(5)
    p, h = example.initial_parameters(), 0.005

    def by_steps(p: dict[str, np.ndarray]) -> np.ndarray:
        """Return the error by 50 steps of Runge and Kutta from each time to the next."""
        state, total = starts, np.sum((starts - states[0]) ** 2)
        for measured in states[1:]:
            for _ in range(50):
                k1 = example.learned(state, None, p)
                k2 = example.learned(state + h / 2 * k1, None, p)
                k3 = example.learned(state + h / 2 * k2, None, p)
                k4 = example.learned(state + h * k3, None, p)
                state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            total = total + np.sum((state - measured) ** 2)
        return total / states.size

    wanted = example.ad.grad(by_steps)(p)
    found = example.ad.grad(example.error)(p, starts, states)
    for name, values in wanted.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-2, atol=2e-4)
