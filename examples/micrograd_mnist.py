"""micrograd's network at the speed of C: an MLP written neuron by neuron, in single numbers.

    python examples/micrograd_mnist.py                 # 8 x 8 digits that come with scikit-learn
    python examples/micrograd_mnist.py --data PATH     # .npz with images (n, 28, 28) and labels

There are no arrays in the model: each neuron adds up products of numbers, which are read out of
the arrays of the parameters. `autodiff.compile` follows it once, for one image, with the way back
and the step of gradient descent, and makes C of some thousand statements (for 28 x 28 pixels more
than a hundred thousand). Beside it the same network with arrays, one image and 64 at a time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import autodiff as ad

CLASSES, HIDDEN, RATE = 10, 50, 0.02
EPOCH = 60_000
WANTED_ACCURACY = 0.9
Params = tuple[Any, ...]


def load(path: Path | None) -> tuple[np.ndarray, ...]:
    """Return train images, train labels, test images, test labels; pixels from 0 to 1."""
    if path is not None:
        with np.load(path) as data:
            images, labels = data["images"].reshape(len(data["labels"]), -1) / 255, data["labels"]
    else:
        from sklearn.datasets import load_digits

        digits = load_digits()
        order = np.random.default_rng(0).permutation(len(digits.target))
        images, labels = digits.data[order] / 16, digits.target[order]
    train = len(labels) * 4 // 5
    return images[:train], labels[:train], images[train:], labels[train:]


def start(pixels: int, hidden: int) -> Params:
    """Return weights and biases of both layers."""
    rng = np.random.default_rng(0)
    first = rng.normal(size=(hidden, pixels)) / np.sqrt(pixels)
    second = rng.normal(size=(CLASSES, hidden)) / np.sqrt(hidden)
    return first, np.zeros(hidden), second, np.zeros(CLASSES)


def neuron(weights: Any, bias: Any, inputs: Sequence[Any]) -> Any:
    """Return what one neuron adds up, number by number."""
    total = bias
    for i, value in enumerate(inputs):
        total = total + weights[i] * value
    return total


def loss_of_numbers(params: Params, image: Any, wanted: Any) -> Any:
    """Return the squared error of one image, computed in single numbers."""
    first, first_bias, second, second_bias = params
    pixels = [image[i] for i in range(len(image))]
    hidden = [np.tanh(neuron(first[i], first_bias[i], pixels)) for i in range(len(first_bias))]
    total = 0.0
    for i in range(CLASSES):
        total = total + (neuron(second[i], second_bias[i], hidden) - wanted[i]) ** 2
    return total


def loss_of_arrays(params: Params, images: Any, wanted: Any) -> Any:
    """Return the mean squared error of some images."""
    first, first_bias, second, second_bias = params
    scores = np.tanh(images @ first.T + first_bias) @ second.T + second_bias
    return np.sum((scores - wanted) ** 2) / len(images)


def stepping(loss: Callable[..., Any]) -> Callable[..., Params]:
    """Return one step of gradient descent."""

    def step(params: Params, images: Any, wanted: Any) -> Params:
        grads = ad.grad(loss)(params, images, wanted)
        return tuple(each - RATE * grad for each, grad in zip(params, grads, strict=True))

    return step


def accuracy(params: Params, images: Any, labels: Any) -> float:
    """Return the share of images that get their label."""
    first, first_bias, second, second_bias = params
    scores = np.tanh(images @ first.T + first_bias) @ second.T + second_bias
    return float(np.mean(np.argmax(scores, axis=1) == labels))


def main(argv: Sequence[str] | None = None) -> int:
    """Train in three ways and print what each takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="an .npz file with images and labels")
    parser.add_argument("--hidden", type=int, default=HIDDEN)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--backend", default="auto", choices=["auto", "c", "numpy"])
    options = parser.parse_args(argv)
    images, labels, test_images, test_labels = load(options.data)
    wanted = np.eye(CLASSES)[labels]
    worst = 1.0
    print(f"{'':34}  compile s  epoch of 60,000 s  accuracy")
    for title, loss, batch in (
        ("numbers, image by image", loss_of_numbers, 0),
        ("arrays, image by image", loss_of_arrays, 1),
        ("arrays, 64 images at a time", loss_of_arrays, 64),
    ):
        step = ad.compile(stepping(loss), backend=options.backend)
        params = start(images.shape[1], options.hidden)
        size = max(batch, 1)
        parts = [
            (images[i], wanted[i]) if not batch else (images[i : i + size], wanted[i : i + size])
            for i in range(0, len(images) - size + 1, size)
        ]
        began = time.perf_counter()
        step(params, *parts[0])
        compiled = time.perf_counter() - began
        began = time.perf_counter()
        epochs = options.epochs * (10 if batch == 64 else 1)
        for _ in range(epochs):
            for part in parts:
                params = step(params, *part)
        seconds = (time.perf_counter() - began) / (epochs * len(parts) * size) * EPOCH
        found = accuracy(params, test_images, test_labels)
        worst = min(worst, found)
        print(f"{title:34}  {compiled:9.2f}  {seconds:17.2f}  {found:8.1%}")
    uncompiled = stepping(loss_of_numbers)
    params = start(images.shape[1], options.hidden)
    began = time.perf_counter()
    for image, one in zip(images[:3], wanted[:3], strict=True):
        params = uncompiled(params, image, one)
    seconds = (time.perf_counter() - began) / 3 * EPOCH
    print(f"{'numbers, not compiled (3 images)':34}  {'':9}  {seconds:17.0f}")
    return int(worst < WANTED_ACCURACY)


if __name__ == "__main__":
    sys.exit(main())
