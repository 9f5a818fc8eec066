"""The digits example learns, says so, and draws."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


def test_it_reaches_the_accuracy_it_asks_for(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "digits.png"
    assert example.main(["--out", str(picture)]) == 0
    printed = capsys.readouterr().out
    assert "test accuracy" in printed
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_it_fails_aloud_when_it_learns_too_little(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert example.main(["--out", str(tmp_path / "digits.png"), "--epochs", "1"]) == 1
    assert "below 95%" in capsys.readouterr().out


def test_it_reads_larger_images_from_a_file(example: ModuleType, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(10, size=10_000).astype(np.uint8)
    images = np.zeros((10_000, 28, 28), np.uint8)
    images[np.arange(10_000), labels, labels] = 255
    np.savez(tmp_path / "images.npz", images=images, labels=labels)
    train, train_labels, test, test_labels = example.load(tmp_path / "images.npz")
    assert train.shape == (8000, 784)
    assert test.shape == (2000, 784)
    assert np.array_equal(np.concatenate([train_labels, test_labels]), labels)
    assert train.max() == 1
    out = tmp_path / "digits.png"
    arguments = ["--data", str(tmp_path / "images.npz"), "--out", str(out), "--epochs", "1"]
    assert example.main([*arguments, "--batch", "400"]) == 0


def test_the_gradient_is_that_of_softmax(example: ModuleType) -> None:
    rng = np.random.default_rng(0)
    scores, labels = rng.normal(size=(5, 10)), np.array([3, 1, 4, 1, 5])
    gradient = example.ad.grad(example.cross_entropy)(scores, labels)
    softmax = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(gradient, (softmax - np.eye(10)[labels]) / 5, atol=1e-15)
