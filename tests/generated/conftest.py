"""What the tests of the generated methods share: points, calls, and what counts as equal."""

import importlib
import itertools
import random
from collections.abc import Iterator

import numpy as np
import pytest
from scipy import special

from diffrules import RULES
from diffrules.entry import Rule, not_differentiable
from generated.manifest import ENTRIES

TINY, HUGE = 5e-324, 1.7976931348623157e308
SPECIAL = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 2.5, -2.5, 3.0, -6.0),
    *(TINY, -TINY, 1e-20, HUGE, -HUGE, np.inf, -np.inf, np.nan),
)
FEW = (0.0, -0.0, 1.0, -1.0, 2.5, np.inf, -np.inf, np.nan)
SPECIAL_32 = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 2.5, -2.5, 3.0, -6.0),
    *(1.401298464324817e-45, 1e-20, 3.4028234663852886e38, np.inf, -np.inf, np.nan),
)
WHOLE = (0, 1, 2, 3)


def _computes_whole_orders_in_double(rule: Rule) -> bool:
    name = rule.numpy if isinstance(rule.numpy, str) else ""
    function = getattr(special, name.removeprefix("special."), None)
    first, *_ = getattr(function, "types", [""])
    whole = any(map(rule.domain.is_whole, rule.args))
    return whole and bool(set(first.partition("->")[0]) & set("lpi"))


# Of SciPy's loops the first that fits is taken: for these it is that of whole orders, in double.
WHOLE_IN_DOUBLE = {rule.name for rule in RULES.values() if _computes_whole_orders_in_double(rule)}


class Methods:
    """Finds generated methods, and points to call them at."""

    special_32 = SPECIAL_32
    # NumPy computes it in double whatever it is given; that is what it is for.
    always_double = frozenset(
        {"float_power", "_float_power", "expn", "kn", "yn"}
        | {"spherical_jn", "spherical_yn", "spherical_in"}
        | WHOLE_IN_DOUBLE
    )

    def __init__(self) -> None:
        self.entries = {entry.name: entry for entry in ENTRIES}

    def broadcasted(self, rule: Rule, name: str):
        return getattr(importlib.import_module(f"generated.broadcasted.{rule.family}"), name)

    def scalar(self, rule: Rule, name: str):
        """Return a scalar twin; None where the manifest says that there is none."""
        entry = self.entries[rule.name]
        known = {rule.name: entry.scalar}
        for arg, grad in zip(entry.args, entry.grads, strict=True):
            known[f"{rule.name}_grad_{arg}"] = grad.scalar
        module = importlib.import_module(f"generated.scalar.{rule.family}")
        assert hasattr(module, name) == known[name]
        return getattr(module, name, None)

    def gradients(self, rule: Rule) -> Iterator[tuple[int, str]]:
        """Yield index and method name of each argument that has a derivative."""
        for index, arg in enumerate(rule.args):
            if not isinstance(rule.partials[arg], not_differentiable):
                yield index, f"{rule.name}_grad_{arg}"

    def is_whole(self, rule: Rule, index: int) -> bool:
        return rule.domain.is_whole(rule.args[index])

    def special(self, rule: Rule, numbers=SPECIAL) -> list[tuple]:
        """Return every combination of special numbers, ties included.

        A parameter that is a whole number or ranges over a closed interval is never outside.
        """
        if len(rule.args) > 2:
            numbers = FEW
        choices = []
        for index, arg in enumerate(rule.args):
            interval = rule.domain.boxes[0][arg]
            ends = (float(interval.low), float(interval.high))
            bounded = interval.closed and np.isfinite(ends).all()
            whole = self.is_whole(rule, index)
            orders = [order for order in WHOLE if order in interval]
            choices.append(orders if whole else ends if bounded else numbers)
        return list(itertools.product(*choices))

    def inside(self, rule: Rule, count: int, reach: float = 1e3) -> list[tuple]:
        """Return seeded points of the domain."""
        rng = random.Random(rule.name)
        points = [rule.domain.sample(rng, reach) for _ in range(count)]
        return [
            tuple(int(v) if self.is_whole(rule, i) else v for i, v in enumerate(point))
            for point in points
        ]

    def evaluate(self, rule: Rule, name: str, points: list[tuple], *before, dtype=float):
        """Return what a broadcasted method gives at points, as one array.

        Whole numbers are orders and exponents, given as one Python int for all.
        """
        function = self.broadcasted(rule, name)
        whole = [i for i in range(len(rule.args)) if self.is_whole(rule, i)]
        orders = [tuple(point[i] for i in whole) for point in points]
        result = None
        for order in dict.fromkeys(orders):
            chosen = [i for i, found in enumerate(orders) if found == order]
            args = [
                points[chosen[0]][i]
                if i in whole
                else np.array([points[k][i] for k in chosen], dtype=dtype)
                for i in range(len(rule.args))
            ]
            with np.errstate(all="ignore"):
                part = np.asarray(function(*(column[chosen] for column in before), *args))
            if result is None:
                result = np.empty(len(points), part.dtype)
            result[chosen] = part
        return result

    def differences(self, got, want, bound: float, least: float = 0.0) -> np.ndarray:
        """Return where two results differ: in NaN, infinity, sign of zero, or beyond `bound`."""
        got, want = np.broadcast_arrays(got, want)
        with np.errstate(all="ignore"):
            close = np.abs(got - want) <= bound * np.abs(want) + least
            both_nan = np.isnan(got) & np.isnan(want)
            zeros = (got == 0) & (want == 0)
        same_sign = np.signbit(got) == np.signbit(want)
        return np.flatnonzero(~(both_nan | (got == want) | close) | (zeros & ~same_sign))


@pytest.fixture(scope="session")
def methods() -> Methods:
    return Methods()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for `rule` once for every entry of the table."""
    if "rule" in metafunc.fixturenames:
        rules = [rule for rule in RULES.values() if rule.module.startswith("diffrules.")]
        metafunc.parametrize("rule", rules, ids=lambda rule: rule.name)
