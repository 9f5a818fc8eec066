"""Train a small network on handwritten digits: plain NumPy, gradients by `autodiff`.

    python examples/digits.py                 # 8 x 8 digits that come with scikit-learn
    python examples/digits.py --data PATH     # .npz with images (n, 28, 28) and labels (n,)

The network has one hidden layer with half as many units as there are pixels: 64-32-10 for
the small digits. Nothing in `scores` and `cross_entropy` knows about gradients; they also run
on plain arrays, and do so when the accuracy is measured.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

import autodiff as ad

CLASSES = 10
WANTED_ACCURACY = 0.95


def load(path: Path | None) -> tuple[np.ndarray, ...]:
    """Return train images, train labels, test images, test labels; pixels from 0 to 1."""
    if path is not None:
        with np.load(path) as data:
            images, labels = data["images"].reshape(len(data["labels"]), -1) / 255, data["labels"]
        return images[:8000], labels[:8000], images[-2000:], labels[-2000:]
    from sklearn.datasets import load_digits

    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    images, labels = digits.data[order] / 16, digits.target[order]
    train = len(labels) * 4 // 5
    return images[:train], labels[:train], images[train:], labels[train:]


def initial_parameters(pixels: int, rng: np.random.Generator) -> list[ad.Variable]:
    """Return weights and biases of both layers."""
    hidden = pixels // 2
    return [
        ad.Variable(rng.normal(size=(pixels, hidden)) / np.sqrt(pixels)),
        ad.Variable(np.zeros(hidden)),
        ad.Variable(rng.normal(size=(hidden, CLASSES)) / np.sqrt(hidden)),
        ad.Variable(np.zeros(CLASSES)),
    ]


def scores(parameters: list[Any], images: np.ndarray) -> Any:
    """Return one score for each image and class, shape (n, 10)."""
    w1, b1, w2, b2 = parameters
    return np.tanh(images @ w1 + b1) @ w2 + b2


def cross_entropy(scores: Any, labels: np.ndarray) -> Any:
    """Return the mean of ``-log(probability of the right label)``.

    The largest score is taken off so that nothing overflows; its derivative cancels.
    """
    shifted = scores - np.max(ad.stop_gradient(scores), axis=1, keepdims=True)
    log_total = np.log(np.sum(np.exp(shifted), axis=1))
    return np.mean(log_total - shifted[np.arange(len(labels)), labels])


def accuracy(parameters: list[ad.Variable], images: np.ndarray, labels: np.ndarray) -> float:
    """Return the share of images whose largest score is the right one."""
    arrays = [p.value for p in parameters]
    return float(np.mean(scores(arrays, images).argmax(axis=1) == labels))


class Adam:
    """Steps of a size that adapts to each parameter (Kingma and Ba, arXiv:1412.6980)."""

    def __init__(self, parameters: list[ad.Variable], rate: float) -> None:
        self.parameters, self.rate, self.count = parameters, rate, 0
        self.moments = [(np.zeros(p.shape), np.zeros(p.shape)) for p in parameters]

    def step(self) -> None:
        """Change every parameter by its gradient, and set the gradients back."""
        self.count += 1
        with ad.no_grad():
            for p, (mean, square) in zip(self.parameters, self.moments, strict=True):
                mean += 0.1 * (p.grad - mean)
                square += 0.001 * (p.grad**2 - square)
                unbiased = mean / (1 - 0.9**self.count)
                spread = np.sqrt(square / (1 - 0.999**self.count))
                p -= self.rate * unbiased / (spread + 1e-8)
                p.zero_grad()


def train(
    parameters: list[ad.Variable],
    images: np.ndarray,
    labels: np.ndarray,
    *,
    epochs: int,
    batch: int,
    rate: float,
    rng: np.random.Generator,
) -> list[float]:
    """Train in place and return the loss of every step."""
    optimiser, losses = Adam(parameters, rate), []
    starts = range(0, len(labels), batch)
    with tqdm(total=epochs * len(starts), unit="step", mininterval=0.5) as bar:
        for _ in range(epochs):
            order = rng.permutation(len(labels))
            for start in starts:
                chosen = order[start : start + batch]
                loss = cross_entropy(scores(parameters, images[chosen]), labels[chosen])
                loss.backward()
                optimiser.step()
                losses.append(loss.item())
                bar.set_postfix(loss=f"{losses[-1]:.4f}", refresh=False)
                bar.update()
    return losses


def draw(
    losses: list[float],
    steps_per_epoch: int,
    images: np.ndarray,
    labels: np.ndarray,
    predicted: np.ndarray,
    path: Path,
) -> None:
    """Save the loss curve beside twelve test digits and what the network takes them for."""
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(11, 4.6), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1.1, 1))

    ax = left.subplots()
    ax.semilogy(losses, color="tab:blue", alpha=0.3, linewidth=0.8, label="each step")
    means = np.reshape(losses, (-1, steps_per_epoch)).mean(axis=1)
    middles = (np.arange(len(means)) + 0.5) * steps_per_epoch
    ax.semilogy(middles, means, color="tab:blue", label="mean of an epoch")
    ax.set(xlabel="step", ylabel="cross-entropy", title="Training loss")
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)

    side = int(np.sqrt(images.shape[1]))
    right.suptitle("Test digits and predictions")
    for ax, image, label, guess in zip(
        right.subplots(3, 4).flat, images, labels, predicted, strict=False
    ):
        ax.imshow(image.reshape(side, side), cmap="gray_r")
        right_guess = guess == label
        ax.set_title(
            f"{guess}" if right_guess else f"{guess}, is {label}",
            color="tab:green" if right_guess else "tab:red",
        )
        ax.set_axis_off()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Train, draw, and return 0 if the network is good enough."""
    parser = argparse.ArgumentParser(description="Train a small network on handwritten digits.")
    parser.add_argument("--data", type=Path, help=".npz with uint8 images and labels")
    parser.add_argument("--out", type=Path, default=Path("digits.png"), help="the picture")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=5e-3, help="step size of Adam")
    options = parser.parse_args(arguments)

    images, labels, test_images, test_labels = load(options.data)
    rng = np.random.default_rng(0)
    parameters = initial_parameters(images.shape[1], rng)

    start = time.perf_counter()
    losses = train(
        parameters,
        images,
        labels,
        epochs=options.epochs,
        batch=options.batch,
        rate=options.rate,
        rng=rng,
    )
    seconds = time.perf_counter() - start

    good = accuracy(parameters, test_images, test_labels)
    print(f"train accuracy {accuracy(parameters, images, labels):.1%}")
    print(f"test accuracy  {good:.1%}")
    print(f"training took  {seconds:.1f} s, {len(losses)} steps")
    predicted = scores([p.value for p in parameters], test_images[:12]).argmax(axis=1)
    draw(losses, len(losses) // options.epochs, test_images, test_labels, predicted, options.out)
    print(f"picture        {options.out}")
    if good < WANTED_ACCURACY:
        print(f"the test accuracy is below {WANTED_ACCURACY:.0%}; train longer with --epochs")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
