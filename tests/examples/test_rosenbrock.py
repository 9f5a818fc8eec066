"""Every way down the valley finds its end, and more derivatives save evaluations."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.optimize import rosen, rosen_der, rosen_hess, rosen_hess_prod


def test_more_derivatives_save_evaluations(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "valley.png"
    assert example.main(["--out", str(picture)]) == 0
    printed = capsys.readouterr().out.splitlines()
    rows = [next(line for line in printed if line.startswith(way)) for way in example.WAYS]
    counts = [
        [int(x) for x in row.removeprefix(way).split()[:4]]
        for way, row in zip(example.WAYS, rows, strict=True)
    ]
    steps, values, gradients, curvatures = np.transpose(counts)
    assert values[0] > 10 * values[1]
    assert steps[1] > steps[2] > steps[3]
    assert gradients[0] == 0 < min(gradients[1:])
    assert list(curvatures[:2]) == [0, 0]
    assert curvatures[2] > curvatures[3] > 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_derivatives_are_those_of_scipy(example: ModuleType) -> None:
    x, v = np.random.default_rng(0).normal(size=(2, example.DIMENSIONS))
    newton, trust = example.WAYS["Newton-CG, hvp"], example.WAYS["trust-exact, hessian"]
    assert example.rosenbrock(x) == pytest.approx(rosen(x), rel=1e-14)
    np.testing.assert_allclose(newton["jac"](x), rosen_der(x), rtol=1e-12)
    np.testing.assert_allclose(newton["hessp"](x, v), rosen_hess_prod(x, v), rtol=1e-12)
    np.testing.assert_allclose(trust["hess"](x), rosen_hess(x), rtol=1e-12)
