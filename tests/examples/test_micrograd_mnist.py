"""A network of single numbers compiled, not compiled and with arrays takes the same steps."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import autodiff as ad

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("backend", ["auto", "numpy"])
def test_ten_steps_in_three_ways(example: ModuleType, backend: str) -> None:
    images, wanted = RNG.random((10, 6)), np.eye(example.CLASSES)[:10]
    numbers = example.stepping(example.loss_of_numbers)
    arrays = example.stepping(example.loss_of_arrays)
    compiled = ad.compile(numbers, backend=backend)
    found = [example.start(6, 4)] * 3
    for image, one in zip(images, wanted, strict=True):
        found = [
            compiled(found[0], image, one),
            numbers(found[1], image, one),
            arrays(found[2], image[None], one[None]),
        ]
    for ours, theirs, whole in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-15)
        np.testing.assert_allclose(ours, whole, rtol=1e-13, atol=1e-15)


def test_it_learns(example: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert example.main(["--hidden", "12", "--epochs", "8"]) == 0
    assert capsys.readouterr().out.count("\n") == 5
