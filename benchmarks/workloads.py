"""The rows of the table: what each measures, and what this library must reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from benchmarks import measure
from benchmarks.inputs import BATCH
from benchmarks.measure import Samples


@dataclass(frozen=True)
class Bound:
    """What this library must reach: ``this <= factor * against``, or ``this <= limit``."""

    against: str = ""
    factor: float = 1.0
    limit: float = 0.0

    def __str__(self) -> str:
        if not self.against:
            return f"at most {self.limit:g}"
        if self.factor < 1:
            return f"{1 / self.factor:g}x faster than {self.against}"
        return f"at most {self.factor:g}x {self.against}"

    def met(self, values: Mapping[str, float | str]) -> bool | None:
        """Return whether `values` meet the bound; None if one of the numbers is missing."""
        this = values["this"]
        other = values[self.against] if self.against else self.limit
        if isinstance(this, str) or isinstance(other, str):
            return None
        return this <= self.factor * other


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    name : str
        For ``--only``.
    title, unit : str
        What is measured, for the reader.
    measure : callable
        ``measure(rounds) -> {contender: samples in `unit`, or a word that says why none}``.
    bounds : tuple of Bound
        What must be reached.
    """

    name: str
    title: str
    unit: str
    measure: Callable[[int], Samples]
    bounds: tuple[Bound, ...] = ()


def faster(than: str, times: float) -> Bound:
    return Bound(against=than, factor=1 / times)


def within(factor: float, of: str) -> Bound:
    return Bound(against=of, factor=factor)


MILLION = 10**6
MICROSECOND, MILLISECOND, MEGABYTE = 1e-6, 1e-3, 1e6

ROWS = (
    Row(
        "sin_exp",
        "sin(x) * exp(y) on floats, forward and backward",
        "us",
        partial(measure.interleaved, "sin_exp", 1, MICROSECOND),
        (faster("torch", 8),),
    ),
    Row(
        "sin_exp_numpy",
        "np.sin(x) * np.exp(y) on floats, forward and backward",
        "us",
        partial(measure.interleaved, "sin_exp_numpy", 1, MICROSECOND),
        (faster("torch", 8),),
    ),
    Row(
        "product",
        "(x + y) * (x - y) on floats, forward and backward",
        "us",
        partial(measure.interleaved, "product", 1, MICROSECOND),
        (faster("torch", 8), faster("micrograd", 2)),
    ),
    Row(
        "trace",
        "trace(x1 @ x2) and gradients, 30 x 30",
        "us",
        partial(measure.interleaved, "trace", 30, MICROSECOND),
        (within(1.5, "by hand"), faster("torch", 4)),
    ),
    Row(
        "sum",
        "sum(sin(a) * exp(b)) and gradients, 10^6 doubles",
        "ms",
        partial(measure.interleaved, "sum_sin_exp", MILLION, MILLISECOND),
        (within(1.15, "by hand"),),
    ),
    Row(
        "sum_memory",
        "sum(sin(a) * exp(b)), 10^6 doubles, peak memory above the inputs",
        "MB",
        partial(measure.peak, "sum_sin_exp", MILLION, MEGABYTE),
        (within(1, "torch"),),
    ),
    Row(
        "chain",
        "chain of 10^6 products of floats, forward and backward",
        "s",
        partial(measure.duration, "chain", MILLION),
    ),
    Row(
        "chain_growth",
        "chain, time of 10^6 over time of 10^5",
        "times",
        partial(measure.growth, "chain", MILLION // 10, MILLION),
        (Bound(limit=12),),
    ),
    Row(
        "chain_memory",
        "chain of 10^6, peak memory for each operation",
        "bytes",
        partial(measure.peak, "chain", MILLION, MILLION),
    ),
    Row(
        "import",
        "import, time above `import numpy`",
        "ms",
        partial(measure.imports, MILLISECOND),
        (Bound(limit=60),),
    ),
    Row(
        "mlp",
        "network 64-32-10 on digits, batch 64, training step",
        "us",
        partial(measure.interleaved, "mlp", BATCH, MICROSECOND),
        (within(1, "torch"),),
    ),
    Row(
        "rnn",
        "recurrent network, 50 steps of 64 units, 16 samples, value and gradient",
        "ms",
        partial(measure.interleaved, "rnn", 50, MILLISECOND),
        (within(1, "torch"), within(1, "autograd")),
    ),
    Row(
        "hessian",
        "Hessian of Rosenbrock's function in 100 dimensions",
        "ms",
        partial(measure.interleaved, "hessian", 100, MILLISECOND),
        (within(1, "torch"), faster("autograd", 3)),
    ),
    Row(
        "logistic",
        "logistic regression, 10^5 points in 20 dimensions, value and gradient",
        "ms",
        partial(measure.interleaved, "logistic", MILLION // 10, MILLISECOND),
        (within(1, "torch"), within(1, "autograd")),
    ),
    Row(
        "mixture",
        "log-likelihood of 5 normal components, 2,000 points in 3 dimensions, value and gradient",
        "us",
        partial(measure.interleaved, "mixture", 2000, MICROSECOND),
        (within(1, "torch"), within(1, "autograd")),
    ),
)
