"""Libraries on disk: built once, loaded only where nobody else had a hand in them."""

import errno
import logging
import os
import shutil
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from autodiff.__main__ import main
from autodiff.compiler import cache, upkeep
from autodiff.compiler.errors import CompileError, CompilerError
from autodiff.compiler.folder import SUFFIX

posix = pytest.mark.skipif(os.name == "nt", reason="owners and modes are POSIX's")
ROOT = Path(__file__).parents[3]
KEY, OTHER = "0123456789abcdef" * 2, "f" * 32
SOURCE = """
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>

static PyObject *total(PyObject *self, PyObject *array) {
    if (!PyArray_Check(array) || PyArray_TYPE((PyArrayObject *)array) != NPY_DOUBLE) {
        PyErr_SetString(PyExc_TypeError, "no array of doubles");
        return NULL;
    }
    const double *x = PyArray_DATA((PyArrayObject *)array);
    double sum = 0;
    for (npy_intp i = 0; i < PyArray_SIZE((PyArrayObject *)array); i++) sum += x[i];
    return PyFloat_FromDouble(sum);
}

static PyMethodDef methods[] = {{"total", total, METH_O, "Sum."}, {NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "program", NULL, -1, methods};

PyMODINIT_FUNC PyInit_program(void) {
    import_array();
    return PyModule_Create(&module);
}
"""
HIT = f"""
import sys
import numpy as np
import autodiff
before = set(sys.modules)
from autodiff.compiler import cache
from autodiff.compiler.toolchain import find_toolchain

cache.environment_key(find_toolchain())
path = cache.library({KEY!r}, None, None)
print(cache.load(path, "program").total(np.arange(4.0)))
print(*(set(sys.modules) - before))
"""
MANY = f"""
import sys
import time
from functools import partial
from multiprocessing import get_context
import numpy as np
from autodiff.compiler import cache
from autodiff.compiler.toolchain import find_toolchain

build = partial(find_toolchain().build, level="-O0")
source = open(sys.argv[1]).read()
start = time.time() + 0.5

def work(number):
    time.sleep(max(start - time.time(), 0))
    path = cache.library({KEY!r}, lambda: source, build)
    return cache.load(path, "program").total(np.arange(4.0))

with get_context("fork").Pool(8) as pool:
    print(*pool.map(work, range(8), chunksize=1))
"""


def copy(source, target):
    """Build as a compiler does, with modes of a careless umask."""
    target.write_bytes(b"built of " + source.read_bytes())
    target.chmod(0o775)


def refuse(source, target):
    target.write_bytes(b"half of it")
    raise CompilerError("no")


def never(*args):
    raise AssertionError("it is in the cache")


def program(text="text", key=KEY):
    return cache.library(key, lambda: text, copy)


def run(code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
    ).stdout


@pytest.mark.parametrize("name", ["the first", "gcc", "clang", "tcc", "zig"])
def test_an_extension_module_is_built_loaded_and_called(monkeypatch, request, name):
    if name == "zig":
        if not find_spec("ziglang"):
            pytest.skip("no wheel ziglang")
        monkeypatch.setenv("CC", f"{sys.executable} -m ziglang cc")
    elif name != "the first":
        if not shutil.which(name):
            pytest.skip(f"no {name}")
        monkeypatch.setenv("CC", name)
    toolchain = request.getfixturevalue("toolchain")
    assert name in {"the first", toolchain.kind} or sys.platform == "darwin"
    path = cache.library(KEY, lambda: SOURCE, toolchain.build)
    module = cache.load(path, "program")
    assert module.total(np.arange(4.0)) == 6.0
    with pytest.raises(TypeError, match="no array of doubles"):
        module.total(np.arange(4))
    assert cache.library(KEY, never, never) == path
    with pytest.raises(CompileError, match="PyInit_another"):
        cache.load(path, "another")


def test_a_library_that_is_none_is_not_loaded():
    with pytest.raises(CompileError, match="cannot be loaded as module 'program'"):
        cache.load(program(), "program")


def test_the_second_time_nothing_is_built(folder):
    path = program()
    assert sorted(p.suffix for p in folder.glob(f"{KEY}*")) == sorted([".c", ".sha256", ".so"])
    assert path.read_bytes() == b"built of text"
    os.utime(path, (1, 1))
    assert cache.library(KEY, never, never) == path
    assert time.time() - path.stat().st_mtime < 60, "a hit is a use"


@posix
def test_nobody_else_can_write(folder):
    path = program()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in folder.iterdir():
        assert not stat.S_IMODE(file.stat().st_mode) & 0o077, file
    assert path.stat().st_mode & stat.S_IXUSR


@pytest.mark.parametrize("key", ["", "abc", "../" * 8, "ABCDEF0123456789", KEY + "/x", "g" * 32])
def test_a_key_is_a_hash(key):
    with pytest.raises(ValueError, match="hexadecimal"):
        cache.library(key, never, never)


def test_a_failed_build_leaves_its_source_and_no_entry(folder):
    with pytest.raises(CompilerError, match="no"):
        cache.library(KEY, lambda: "text", refuse)
    assert [p.name for p in folder.glob(f"{KEY}*")] == [f"{KEY}.c"]
    assert program().exists()


@pytest.mark.parametrize("name", ["replace", "open"])
def test_a_full_disk(folder, monkeypatch, name):
    folder.mkdir(mode=0o700)
    real = getattr(os, name)

    def full(path, *args, **kwargs):
        if str(path).endswith(".partial"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return real(path, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(os, name, full)
        with pytest.raises(CompileError, match=r"No space left on device.*AUTODIFF_CACHE_DIR"):
            program()
    assert not list(folder.glob("*.partial"))
    assert program().read_bytes() == b"built of text"


def test_a_disk_that_fills_while_it_is_published(folder, monkeypatch):
    real = os.replace

    def full(source, target):
        if str(target).endswith(SUFFIX):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(CompileError, match="No space left on device"):
            program()
    assert not list(folder.glob(f"*{SUFFIX}*"))
    assert program().exists()


def truncate(path):
    path.write_bytes(path.read_bytes()[:4])


def replace(path):
    path.unlink()
    path.write_bytes(b"planted")


def link(path):
    elsewhere = path.with_name("elsewhere")
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def pipe(path):
    path.unlink()
    os.mkfifo(path)


FAULTS = {
    "truncated": (truncate, "is not what was published"),
    "replaced": (replace, "is not what was published"),
    "writable by all": (lambda path: path.chmod(0o702), "can be written by other users"),
    "writable by the group": (lambda path: path.chmod(0o720), "can be written by other users"),
    "symbolic link": (link, "is a symbolic link"),
    "pipe": (pipe, "is not a file"),
    "no hash": (lambda path: path.with_suffix(".sha256").unlink(), "has a hash that is missing"),
    "hash that others wrote": (
        lambda path: path.with_suffix(".sha256").chmod(0o666),
        "has a hash that can be written by other users",
    ),
}


@posix
@pytest.mark.parametrize("name", FAULTS)
def test_what_others_may_have_written_is_built_anew(name, caplog):
    damage, reason = FAULTS[name]
    path = program()
    damage(path)
    assert program("new") == path
    (record,) = caplog.records
    assert record.name == "autodiff.compiler"
    assert record.levelno == logging.WARNING
    assert f"{path} {reason}: it is thrown away and built anew" in record.getMessage()
    assert path.read_bytes() == b"built of new"
    assert not path.is_symlink()
    assert cache.library(KEY, never, never) == path


@posix
def test_a_library_that_cannot_be_trusted_is_gone_even_if_the_build_fails():
    path = program()
    truncate(path)
    with pytest.raises(CompilerError):
        cache.library(KEY, lambda: "text", refuse)
    assert not path.exists()


@posix
def test_a_file_of_another_user(monkeypatch):
    path = program()
    monkeypatch.setattr(os, "getuid", lambda: path.stat().st_uid + 1)
    assert "belongs to another user" in cache._fault(path)


def of_another_user(folder, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)


def for_all(folder, monkeypatch):
    folder.chmod(0o777)


def no_directory(folder, monkeypatch):
    folder.rename(folder.with_name("moved"))
    folder.write_text("")


@posix
@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (of_another_user, "belongs to another user"),
        (for_all, "can be written by other users"),
        (no_directory, "cannot be made"),
    ],
)
def test_a_directory_of_others_is_not_used(folder, monkeypatch, caplog, damage, reason):
    planted = program("planted")
    damage(folder, monkeypatch)
    path = program("mine")
    assert path.parent not in {folder, planted.parent}
    assert path.read_bytes() == b"built of mine"
    assert cache.directory() == path.parent
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    (record,) = caplog.records
    assert f"{folder} {reason}" in record.getMessage()


@posix
def test_a_directory_of_the_process_is_removed_at_its_end(folder):
    folder.mkdir()
    folder.chmod(0o777)
    code = "from autodiff.compiler.cache import directory; print(directory(), directory().exists())"
    path, exists = run(code).split()
    assert exists == "True"
    assert not Path(path).exists()


def test_where_the_directory_is(monkeypatch, tmp_path):
    monkeypatch.delenv("AUTODIFF_CACHE_DIR")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.directory() == tmp_path / "xdg" / "autodiff"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache.directory() == tmp_path / "home" / ".cache" / "autodiff"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache.directory() == tmp_path / "home" / "Library" / "Caches" / "autodiff"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUTODIFF_CACHE_DIR", "here")
    assert cache.directory() == tmp_path / "here"


def test_many_threads_on_a_cold_cache(folder):
    with ThreadPoolExecutor(8) as pool:
        paths = set(pool.map(lambda number: program(f"text {number}"), range(32)))
    assert len(paths) == 1
    assert not list(folder.glob("*.partial"))
    assert cache.library(KEY, never, never) in paths


@posix
def test_many_processes_on_a_cold_cache(toolchain, folder, tmp_path, monkeypatch):
    source = tmp_path / "source.c"
    source.write_text(SOURCE)
    (cold := tmp_path / "cold").mkdir(0o700)
    for memory in folder.glob("toolchain-*"):
        shutil.copy(memory, cold)
    monkeypatch.setenv("AUTODIFF_CACHE_DIR", str(cold))
    assert run(MANY, str(source)).split() == ["6.0"] * 8
    assert not list(cold.glob("*.partial"))
    assert upkeep.info().programs == 1
    assert cache.library(KEY, never, never).parent == cold


def age(path, seconds):
    for file in path.parent.glob(f"{path.stem}.*"):
        os.utime(file, (time.time() - seconds,) * 2)


def test_the_least_used_goes_first(folder, monkeypatch):
    monkeypatch.setenv("AUTODIFF_CACHE_MB", "1")
    large = "x" * 300_000  # as source and as library: three are too many
    first, second, third = (program(large, digit * 32) for digit in "123")
    assert first.exists(), "all were used in the last minute"
    for path, seconds in ((first, 300), (second, 500), (third, 50)):
        age(path, seconds)
    cache.library(first.stem, never, never)
    program(large, OTHER)
    assert first.exists()
    assert not list(folder.glob(f"{second.stem}*"))
    assert third.exists()


def test_the_files_of_a_compiler_at_work_stay(folder, monkeypatch):
    monkeypatch.setenv("AUTODIFF_CACHE_MB", "0")
    with pytest.raises(CompilerError):
        cache.library(KEY, lambda: "text", refuse)
    source = folder / f"{KEY}.c"
    age(source, 600)
    program(key=OTHER)
    assert source.exists()
    age(source, 7200)
    program(key="e" * 32)
    assert not source.exists()


def test_a_limit_that_is_no_number(monkeypatch, caplog):
    monkeypatch.setenv("AUTODIFF_CACHE_MB", "many")
    assert program().exists()
    assert "AUTODIFF_CACHE_MB is 'many', not a number: it counts as 512" in caplog.text


def test_the_command(folder, capsys):
    assert main(["cache", "--info"]) == 0
    assert f"{folder}: 0 programs, 0.0 MB of at most 512.0 MB" in capsys.readouterr().out
    program("x" * 2**20)
    program(key=OTHER)
    foreign = folder / "notes.txt"
    foreign.write_text("mine")
    (folder / "toolchain-0123.txt").write_text("")
    (folder / f"{KEY}.so.0123456789ab.partial").write_text("what another process writes")
    main(["cache", "--info"])
    assert "2 programs, 2.0 MB of" in capsys.readouterr().out
    main(["cache", "--clear"])
    assert "removed 2 programs, 2.0 MB" in capsys.readouterr().out
    kept = {"notes.txt", "lock", f"{KEY}.so.0123456789ab.partial"}
    assert {path.name for path in folder.iterdir()} == kept
    with pytest.raises(SystemExit):
        main(["cache"])


def test_the_command_of_the_shell(folder):
    said = subprocess.run(
        [sys.executable, "-m", "autodiff", "cache", "--info"],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert said.stdout.startswith(f"{folder}: 0 programs")


def test_the_environment_is_part_of_a_key(toolchain, monkeypatch):
    key = cache.environment_key(toolchain)
    assert len(key) == 64
    changes = {"_cpu": lambda: "another", "_package": lambda: "another", "libc": lambda: "musl"}
    for name, value in changes.items():
        with monkeypatch.context() as patch:
            patch.setattr(cache, name, value)
            assert cache.environment_key.__wrapped__(toolchain) != key
    assert cache.environment_key.__wrapped__(toolchain) == key


def test_a_cached_start_loads_little(toolchain):
    cache.library(KEY, lambda: SOURCE, toolchain.build)
    total, modules = run(HIT).splitlines()
    assert total == "6.0"
    heavy = {"jinja2", "scipy", "subprocess", "logging", "json", "tempfile", "shutil", "argparse"}
    assert not heavy & set(modules.split())
