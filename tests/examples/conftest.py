"""The examples as modules, and pictures without a screen."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import matplotlib
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def example(request: pytest.FixtureRequest) -> ModuleType:
    """Return the example that the test's module is named after, freshly imported."""
    matplotlib.use("Agg")
    name = request.module.__name__.rpartition("test_")[2]
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
