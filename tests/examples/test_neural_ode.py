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
    p = example.initial_parameters()
    example.TIMES = np.linspace(0, 1, 201)

    def by_steps(p: dict[str, np.ndarray]) -> np.ndarray:
        state, total = starts, 0.0
        for i, (t, after) in enumerate(zip(example.TIMES, example.TIMES[1:], strict=False)):
            h = after - t
            k1 = example.learned(state, t, p)
            k2 = example.learned(state + h / 2 * k1, t + h / 2, p)
            k3 = example.learned(state + h / 2 * k2, t + h / 2, p)
            k4 = example.learned(state + h * k3, after, p)
            state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            if (i + 1) % 50 == 0:
                total = total + np.sum((state - states[(i + 1) // 50]) ** 2)
        return (total + np.sum((starts - states[0]) ** 2)) / states.size

    wanted = example.ad.grad(by_steps)(p)
    example.TIMES = np.linspace(0, 1, 5)
    found = example.ad.grad(example.error)(p, starts, states)
    for name, values in wanted.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-2, atol=2e-4)
