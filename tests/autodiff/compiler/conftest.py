"""A cache of its own for each test, and the compiler of the machine where there is one."""

import pytest

from autodiff.compiler import toolchain as finding


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return the cache directory of the test."""
    path = tmp_path / "cache"
    monkeypatch.setenv("AUTODIFF_CACHE_DIR", str(path))
    monkeypatch.delenv("AUTODIFF_CACHE_MB", raising=False)
    finding._find.cache_clear()
    yield path
    finding._find.cache_clear()


@pytest.fixture
def toolchain():
    """Return the compiler that a user of this machine gets."""
    try:
        return finding.find_toolchain()
    except finding.ToolchainMissing as error:
        pytest.skip(str(error))


@pytest.fixture
def script(tmp_path):
    """Return a function that writes an executable shell script."""

    def write(name, text):
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    return write
