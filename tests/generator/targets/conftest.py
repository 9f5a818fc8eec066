"""Files of all engines, rendered once; and modules of those whose engine is installed."""

import importlib.util
import random

import pytest

from diffrules import RULES
from diffrules.entry import as_float
from generator.methods import has_gradient, is_zero
from generator.tables import our_table
from generator.targets.file import render


class Files:
    """Renders a file when it is first asked for, and loads it as a module."""

    def __init__(self, folder):
        self._folder = folder
        self._files = {}
        self._modules = {}

    def __getitem__(self, target):
        if target not in self._files:
            self._files[target] = render(our_table(), target)
        return self._files[target]

    def module(self, target):
        pytest.importorskip(target, reason=f"{target} is not installed")
        if target not in self._modules:
            path = self._folder / f"{target}_ops.py"
            path.write_text(self[target].text)
            spec = importlib.util.spec_from_file_location(path.stem, path)
            self._modules[target] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(self._modules[target])
        return self._modules[target]


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    return Files(tmp_path_factory.mktemp("targets"))


def entries(module):
    """Yield the public entries that a module has."""
    for rule in RULES.values():
        if rule.module.startswith("diffrules.") and not rule.name.startswith("_"):
            if hasattr(module, rule.name):
                yield rule


def live(rule):
    """Return the indices of the arguments with a derivative that is not 0 everywhere."""
    return [
        index
        for index, arg in enumerate(rule.args)
        if has_gradient(rule, arg) and not is_zero(rule, arg)
    ]


def points(rule, count):
    """Return seeded points of the domain of moderate size; whole numbers are those of the first."""
    rng = random.Random(rule.name)
    found = [rule.domain.sample(rng, 30.0) for _ in range(count)]
    whole = [rule.domain.is_whole(arg) for arg in rule.args]
    return [
        tuple(int(found[0][i]) if whole[i] else point[i] for i in range(len(point)))
        for point in found
        if tuple(found[0][i] if whole[i] else v for i, v in enumerate(point)) in rule.domain
    ]


def spots(rule):
    """Yield the singular points of an entry: arguments, and the partials there."""
    for spot in rule.at:
        yield (
            tuple(
                int(as_float(spot.where[arg])) if rule.domain.is_whole(arg)
                else as_float(spot.where[arg])
                for arg in rule.args
            ),
            {i: as_float(spot.partials[arg]) for i, arg in enumerate(rule.args)},
        )  # fmt: skip
