"""The C compiler: found, tried once, and what is said when it does not work."""

import errno
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import pytest

from autodiff.compiler import running, trials
from autodiff.compiler import toolchain as finding
from autodiff.compiler.toolchain import (
    CompileError,
    CompilerError,
    Toolchain,
    ToolchainMissing,
    find_toolchain,
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="compilers are shell scripts here")
VECTOR = """
#pragma omp declare simd notinbranch
double sin(double);
void ad_sin(double *restrict out, const double *restrict x, long n) {
#pragma omp simd
    for (long i = 0; i < n; i++) out[i] = sin(x[i]);
}
"""


def scripted(path):
    return Toolchain((str(path),), "gcc", "a script", (), (), False)


def working(script, name, test="false"):
    """Return a compiler that fails where a test of the shell holds, and else is the machine's."""
    real = next(filter(None, map(shutil.which, ("cc", "gcc", "clang", "tcc"))), None)
    if real is None:
        pytest.skip("no C compiler")
    return script(name, f'if {test}; then echo "not so"; exit 1; fi\nexec {real} "$@"')


def forget():
    """Do what a new process does."""
    finding._find.cache_clear()


def test_a_toolchain_is_complete(toolchain):
    assert Path(toolchain.command[0]).is_absolute()
    assert toolchain.kind in {"gcc", "clang", "tcc", "zig"}
    assert toolchain.version
    assert "\n" not in toolchain.version
    assert any(Path(path, "Python.h").exists() for path in toolchain.includes)
    assert any(Path(path, "numpy", "arrayobject.h").exists() for path in toolchain.includes)
    assert "-shared" in toolchain.flags
    if toolchain.kind != "tcc":
        assert "-ffp-contract=off" in toolchain.flags


def test_it_is_found_once_for_each_value_of_cc(monkeypatch, script):
    monkeypatch.delenv("CC", raising=False)
    path = working(script, "mine")
    monkeypatch.setenv("CC", f"{path} -DNAME='a b'")
    found = find_toolchain()
    assert found.command == (str(path), "-DNAME=a b")
    assert find_toolchain() is found
    monkeypatch.setenv("CC", str(path))
    assert find_toolchain().command == (str(path),)


def test_a_new_process_remembers_the_trial(monkeypatch, script):
    path = working(script, "mine")
    monkeypatch.setenv("CC", str(path))
    found = find_toolchain()
    forget()
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "Popen", None)
        assert find_toolchain() == found
    os.utime(path, (1, 1))
    forget()
    calls = []
    monkeypatch.setattr(trials, "run", lambda *args: calls.append(args) or running.run(*args))
    assert find_toolchain() == found
    assert calls, "a changed compiler is tried again"


@pytest.mark.parametrize("damage", ["truncate", "plant"])
def test_a_damaged_memory_is_not_used(monkeypatch, script, folder, damage):
    monkeypatch.setenv("CC", str(working(script, "mine")))
    found = find_toolchain()
    (memory,) = folder.glob("toolchain-*.txt")
    text = memory.read_text()
    if damage == "truncate":
        memory.write_text(text[:-10])
    else:
        memory.write_text(text.replace("-shared", "-shared\n-fplugin=evil.so"))
        memory.chmod(0o666)
    forget()
    assert find_toolchain() == found
    assert memory.read_text() == text


def test_a_flag_that_is_refused_is_dropped(monkeypatch, script):
    monkeypatch.setenv("CC", str(working(script, "mine")))
    wanted = find_toolchain().flags
    refused = 'case "$*" in *-ffp-contract*|*-D_Complex*) true;; *) false;; esac'
    monkeypatch.setenv("CC", str(working(script, "picky", refused)))
    kept = [flag for flag in wanted if not flag.startswith(("-ffp-contract", "-D_Complex"))]
    assert list(find_toolchain().flags) == kept
    assert len(kept) < len(wanted)


def test_a_broken_compiler_is_passed_over_unless_cc_names_it(monkeypatch, script, tmp_path):
    broken = script("cc", "echo 'no licence' >&2; exit 1")
    good = working(script, "gcc")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.delenv("CC", raising=False)
    assert find_toolchain().command == (str(good),)
    monkeypatch.setenv("CC", "cc")
    with pytest.raises(CompilerError, match="no licence") as caught:
        find_toolchain()
    assert f"{broken} --version" in str(caught.value)


def test_no_room_for_a_trial(monkeypatch, script, tmp_path):
    monkeypatch.setenv("CC", str(script("mine", "echo mine 1.0")))
    monkeypatch.setattr(trials, "TemporaryDirectory", full_disk)
    with pytest.raises(CompilerError, match=r"cannot be tried: .*No space left"):
        find_toolchain()


def full_disk(**kwargs):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_nothing_is_remembered_of_a_compiler_that_does_not_work(monkeypatch, script, folder):
    path = script("half", 'case "$*" in *--version*) echo "half 1.0";; *) exit 1;; esac')
    monkeypatch.setenv("CC", str(path))
    with pytest.raises(CompilerError, match="failed with code 1"):
        find_toolchain()
    assert not list(folder.glob("toolchain-*"))


def test_no_compiler(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(finding, "_zig", lambda: "")
    with pytest.raises(ToolchainMissing, match="apt install gcc") as caught:
        find_toolchain()
    assert isinstance(caught.value, CompileError)


def test_cc_names_no_file(monkeypatch, tmp_path):
    monkeypatch.setenv("CC", f"{tmp_path}/nothing -O1")
    with pytest.raises(ToolchainMissing, match=r"CC is '.*nothing -O1', which is not there"):
        find_toolchain()


def test_no_headers_of_python(monkeypatch, tmp_path):
    monkeypatch.setattr(finding.sysconfig, "get_paths", lambda: defaultdict(lambda: tmp_path))
    with pytest.raises(ToolchainMissing, match=r"no Python\.h in .*python3-dev"):
        find_toolchain()


def test_no_headers_of_numpy(monkeypatch, tmp_path):
    monkeypatch.setattr(finding.np, "get_include", lambda: str(tmp_path))
    if not any(Path(finding.sysconfig.get_path("include")).glob("Python.h")):
        pytest.skip("no headers of Python either")
    with pytest.raises(ToolchainMissing, match=r"no numpy/arrayobject\.h in .*pip install"):
        find_toolchain()


@pytest.fixture
def files(tmp_path):
    source = tmp_path / "it's; $(touch planted) `x`.c"
    source.write_text("double ad_one(void) { return 1; }\n")
    return source, tmp_path / "target.so"


def test_no_shell_reads_the_command(toolchain, files, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    toolchain.build(*files, level="-O0", libraries=("m",))
    assert files[1].exists()
    assert not Path("planted").exists()


def test_the_message_of_a_failure(script, files):
    source, target = files
    path = script("fails", 'touch "$5"; for i in $(seq 1 50); do echo "error $i" >&2; done; exit 3')
    with pytest.raises(CompilerError) as caught:
        scripted(path).build(source, target)
    message = str(caught.value)
    assert "failed with code 3" in message
    assert f"{path} -O2 -w {shlex.quote(str(source))} -o" in message
    assert "error 20\n... (30 more lines)\n" in message
    assert message.endswith(f"the source is kept: {source}")
    assert source.exists()
    assert not target.exists()


def test_a_compiler_refuses_a_wrong_source(toolchain, files):
    files[0].write_text("double ad_one(void) { return one; }\n")
    with pytest.raises(CompilerError, match="undeclared"):
        toolchain.build(*files)
    assert not files[1].exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kill -9 $$", "was killed by signal 9 .*memory"),
        ("kill -TERM $$", "was killed by signal 15:"),
        ("exit 0", "ended well, but wrote no"),
    ],
)
def test_a_compiler_that_ends_early(script, files, text, said):
    with pytest.raises(CompilerError, match=said):
        scripted(script("ends", text)).build(*files)


def test_a_file_that_cannot_be_started(tmp_path, files):
    path = tmp_path / "noise"
    path.write_bytes(b"\x00\x01\x02")
    path.chmod(0o755)
    with pytest.raises(CompilerError, match="could not be started"):
        scripted(path).build(*files)


def test_a_compiler_that_hangs_is_ended_with_its_children(script, files, tmp_path):
    pulse = tmp_path / "pulse"
    path = script("hangs", f"(while sleep 0.05; do echo >> {pulse}; done) & wait")
    start = time.perf_counter()
    with pytest.raises(CompilerError, match=r"was stopped after 0\.5 s"):
        scripted(path).build(*files, seconds=0.5)
    assert time.perf_counter() - start < 30
    size = pulse.stat().st_size
    time.sleep(0.3)
    assert pulse.stat().st_size == size > 0


def test_vector_functions_are_called_and_linked(toolchain, files):
    if not toolchain.veclib:
        pytest.skip(f"no vector functions with {toolchain.version}")
    files[0].write_text(VECTOR)
    toolchain.build(*files)
    content = files[1].read_bytes()
    assert b"_ZGV" in content
    assert b"libmvec.so" in content


def test_zig_is_the_last_resort(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(finding, "_zig", lambda: "ziglang/__init__.py")
    assert list(finding._candidates("")) == [(sys.executable, "-m", "ziglang", "cc")]


@pytest.mark.parametrize(
    ("command", "said", "kind"),
    [
        ("cc", "cc (Debian 12.2.0-14) 12.2.0\nFree Software Foundation", "gcc"),
        ("cc", "Apple clang version 17.0.0\nTarget: arm64-apple-darwin", "clang"),
        ("cc", "tcc version 0.9.27 (x86_64 Linux)\ntcc: error: no input files", "tcc"),
        ("python -m ziglang cc", "clang version 22.1.8", "zig"),
        ("/opt/zig cc", "clang version 22.1.8", "zig"),
        ("icc", "icc (ICC) 2021", "gcc"),
    ],
)
def test_what_kind_a_compiler_is(command, said, kind):
    assert trials._kind(tuple(command.split()), said) == kind
