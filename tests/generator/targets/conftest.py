"""Files of all engines, rendered once; and modules of those whose engine is installed."""

import importlib.util

import pytest

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
